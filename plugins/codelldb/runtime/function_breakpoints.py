"""Selects the Rust functions that a breakpoint's name means, from all matches of a regular
expression.

Functions of the user come first: if there is one, those of libraries are disabled. For an `async
fn` the body is selected, not the call that makes its future, and only its first poll: the entry of
the body is reached at each poll, with parameters that are not yet in their places. So an internal
breakpoint at the first statement is enabled from a first poll until it is reached.

LLDB tells CodeLLDB about one breakpoint of those at an address; `settle` reports the others that
stop with it. Knows LLDB's breakpoints and line tables; does not know how names are written.
"""

import json
import re

import lldb

import condition_results
import internal_breakpoints

# Parts of the paths of sources that are not the user's, as `plugins/native/src/rust.rs` has them.
LIBRARIES = ("/rustc/", "/lib/rustlib/", "/.cargo/registry/", "/.cargo/git/", "/rust/deps/")
CLOSURE = re.compile(r"::(\{\{closure\}\}|\{closure#0\})$")

# Internal breakpoints at the first statements of bodies, by the file address of the body.
_firsts = {}
# Disabled locations, as ids of breakpoint and location.
_disabled = set()


class Place:
    """A location of a breakpoint."""

    def __init__(self, location, name):
        self.location, self.start = location, location.GetAddress()
        self.address, self.code = self.start.GetFileAddress(), self.start.GetFunction()
        self.function = CLOSURE.sub("", name)
        self.is_closure = self.function != name
        self.is_body = self.is_closure and _future(self.code) is not None
        line = self.start.GetLineEntry()
        path = (line.GetFileSpec().fullpath or "") if line.IsValid() else ""
        self.is_user_code = bool(path) and not any(part in path for part in LIBRARIES)


def settle(names):
    """Enables the selected locations, disables the rest, and reports what stops together.

    `names` has for each name the breakpoint's own pattern, the exact pattern, and whether there is
    a condition.
    """
    target, wanted = lldb.target, {}
    patterns = {
        coarse: (re.compile(exact), bool(conditional)) for coarse, exact, conditional in names
    }
    for breakpoint in target.breakpoint_iter():
        exact, conditional = patterns.get(_pattern(breakpoint), (None, False))
        if exact is not None:
            named = [(location, _name(location.GetAddress(), exact)) for location in breakpoint]
            places = selected([Place(location, name) for location, name in named if name])
            wanted[breakpoint.GetID()] = places, conditional
            opened = {place.location.GetID() for place in places}
            for location in breakpoint:
                _set_disabled(location, location.GetID() not in opened)
    _share(wanted)
    hits = _together(wanted)
    hits.update(_set_firsts(target, wanted))
    internal_breakpoints.report_hits(target, "functions", hits)


def _pattern(breakpoint):
    stream = lldb.SBStream()
    breakpoint.SerializeToStructuredData().GetAsJSON(stream)
    resolver = json.loads(stream.GetData() or "{}").get("Breakpoint", {}).get("BKPTResolver", {})
    return resolver.get("Options", {}).get("Regex")


def _name(address, pattern):
    """The name of the function there, or of the one inlined there, that the pattern matches."""
    names = [address.GetFunction().GetName(), address.GetSymbol().GetName()]
    block = address.GetBlock()
    inlined = block.GetContainingInlinedBlock() if block.IsValid() else block
    if inlined.IsValid():
        names.append(inlined.GetInlinedName())
    return next((name for name in names if name and pattern.search(name)), None)


def selected(places):
    """Bodies replace the calls that make them; functions of the user replace all others."""
    bodies = {place.function for place in places if place.is_body}
    found = [one for one in places if one.is_body or not (one.is_closure or one.function in bodies)]
    return [one for one in found if one.is_user_code] or found


def _set_disabled(location, disabled):
    """Enables again only what was disabled here."""
    known = location.GetBreakpoint().GetID(), location.GetID()
    if disabled != (known in _disabled):
        location.SetEnabled(not disabled)
        (_disabled.add if disabled else _disabled.remove)(known)


def _share(wanted):
    """If one name means fewer functions than another, only the narrower breakpoint stops there:
    LLDB reports one of them, and `_together` adds the other.
    """
    addresses = {id: {place.address for place in places} for id, (places, _) in wanted.items()}
    for id, (places, conditional) in wanted.items():
        narrower = [
            other for other in wanted if addresses[other] < addresses[id] and not wanted[other][1]
        ]
        for place in places if not conditional else ():
            if any(place.address in addresses[other] for other in narrower):
                _set_disabled(place.location, True)


def _together(wanted):
    """A breakpoint without a condition stops together with one whose locations it includes."""
    addresses = {id: {place.address for place in places} for id, (places, _) in wanted.items()}
    found = {}
    for id, addresses_of_id in addresses.items():
        others = [
            other
            for other in wanted
            if addresses_of_id and addresses_of_id <= addresses[other] and not wanted[other][1]
        ]
        found[id] = sorted({id, *others})
    return {id: ids for id, ids in found.items() if len(ids) > 1}


def _set_firsts(target, wanted):
    """Sets an internal breakpoint for every body, and returns whose they are."""
    bodies, owners = {}, {}
    for id, (places, _) in wanted.items():
        for place in places:
            if place.is_body and _first_statement(place):
                bodies[place.address] = place
                owners.setdefault(place.address, []).append(id)
    _firsts.clear()
    for address, place in bodies.items():
        _firsts[address] = internal_breakpoints.at(target, _first_statement(place))
    return {_firsts[address].GetID(): ids for address, ids in owners.items()}


def _first_statement(place):
    """The first statement after the line of the body's brace: parameters are moved to their places
    in that line and in those before it.
    """
    start, end = place.code.GetStartAddress(), place.code.GetEndAddress().GetFileAddress()
    brace = start.GetLineEntry()
    for entry in start.GetCompileUnit():
        address = entry.GetStartAddress()
        inside = start.GetFileAddress() <= address.GetFileAddress() < end
        if (
            inside
            and entry.GetLine() > brace.GetLine()
            and entry.GetFileSpec() == brace.GetFileSpec()
        ):
            return address
    return None


def _future(function):
    """The type of the future's state that the body of an `async fn` continues from."""
    types = function.GetType().GetFunctionArgumentTypes()
    first = types.GetTypeAtIndex(0) if types.GetSize() else None
    if first is None or "{async_fn_env#" not in (first.GetName() or ""):
        return None
    return first.GetFieldAtIndex(0).GetType().GetPointeeType()


def _is_first_poll(frame):
    """LLDB 20 takes the discriminant's offset in bytes for its size in bits
    (DWARFASTParserClang::ParseRustVariantPart).
    """
    number = (
        _future(frame.GetFunction())
        .GetFieldAtIndex(0)
        .GetType()
        .GetFieldAtIndex(0)
        .GetType()
        .GetFieldAtIndex(0)
    )
    if number.GetName() != "$discr$":
        return True
    offset = number.GetBitfieldSizeInBits() if number.IsBitfield() else number.GetOffsetInBytes()
    parameters = frame.GetVariables(True, False, False, True)
    future = (
        parameters.GetValueAtIndex(0).GetNonSyntheticValue().GetChildAtIndex(0).GetValueAsUnsigned()
    )
    error = lldb.SBError()
    state = (
        frame.GetThread()
        .GetProcess()
        .ReadMemory(future + offset, number.GetType().GetByteSize(), error)
    )
    return error.Fail() or not any(state)


def entered(condition=None):
    """Condition of every breakpoint on a Rust function: does it stop here?"""
    frame = lldb.frame
    function, thread = frame.GetFunction(), frame.GetThread()
    is_body = CLOSURE.search(function.GetName() or "") and _future(function) is not None
    if is_body and not _is_first_poll(frame):
        return condition_results.record(thread, False)
    first = _firsts.get(frame.GetPCAddress().GetFileAddress()) if is_body else None
    if first is not None:
        internal_breakpoints.stop_once(first, thread, condition)
        return condition_results.record(thread, False)
    return condition() if condition else condition_results.record(thread, True)
