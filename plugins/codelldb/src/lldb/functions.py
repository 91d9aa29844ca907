"""Which functions of Rust a name means, of all that a regular expression over LLDB's names has found.

The user's own come first: where there is one, those of libraries are passed. Of an `async fn`
the body is meant, not the call that makes its future; and of its body the first poll: where it
begins it is entered again and again, with parameters that are not yet where they will be. So
the first statement has a breakpoint of its own, open from a first poll on until it is reached.

LLDB tells CodeLLDB of one breakpoint of those at an address; `settle` says which others stop
with it. Knows LLDB's breakpoints and line tables; refuses to know how names are written.
"""

import json
import re

import lldb

import ahead

# Parts of the paths of sources that are not the user's, as `plugins/sdk/src/rust.rs` has them.
LIBRARIES = ("/rustc/", "/lib/rustlib/", "/.cargo/registry/", "/.cargo/git/", "/rust/deps/")
CLOSURE = re.compile(r"::(\{\{closure\}\}|\{closure#0\})$")

# First statements of the bodies that are wanted, by the bodies' file addresses.
_firsts = {}
# What is passed: the ids of breakpoint and location.
_passed = set()


class Place:
    """A location of a breakpoint."""

    def __init__(self, location, name):
        self.location, self.at = location, location.GetAddress()
        self.address, self.code = self.at.GetFileAddress(), self.at.GetFunction()
        self.function = CLOSURE.sub("", name)
        self.is_closure = self.function != name
        self.is_body = self.is_closure and _future(self.code) is not None
        line = self.at.GetLineEntry()
        path = (line.GetFileSpec().fullpath or "") if line.IsValid() else ""
        self.is_users = bool(path) and not any(part in path for part in LIBRARIES)


def settle(names):
    """Opens what is meant, closes the rest, and tells what stops together.

    `names` are the breakpoint's own pattern, one for all of a name that is meant, and whether it has a condition.
    """
    target, wanted = lldb.target, {}
    patterns = {coarse: (re.compile(exact), bool(conditional)) for coarse, exact, conditional in names}
    for breakpoint in target.breakpoint_iter():
        exact, conditional = patterns.get(_pattern(breakpoint), (None, False))
        if exact is not None:
            named = [(location, _name(location.GetAddress(), exact)) for location in breakpoint]
            places = meant([Place(location, name) for location, name in named if name])
            wanted[breakpoint.GetID()] = places, conditional
            opened = {place.location.GetID() for place in places}
            for location in breakpoint:
                _pass(location, location.GetID() not in opened)
    _share(wanted)
    hits = _together(wanted)
    hits.update(_set_firsts(target, wanted))
    ahead.tell(target, "functions", hits)


def _pattern(breakpoint):
    told = lldb.SBStream()
    breakpoint.SerializeToStructuredData().GetAsJSON(told)
    resolver = json.loads(told.GetData() or "{}").get("Breakpoint", {}).get("BKPTResolver", {})
    return resolver.get("Options", {}).get("Regex")


def _name(address, pattern):
    """Of the function there, or of the one that is inlined there: whose is meant."""
    names = [address.GetFunction().GetName(), address.GetSymbol().GetName()]
    block = address.GetBlock()
    inlined = block.GetContainingInlinedBlock() if block.IsValid() else block
    if inlined.IsValid():
        names.append(inlined.GetInlinedName())
    return next((name for name in names if name and pattern.search(name)), None)


def meant(places):
    """Bodies stand for the calls that make them; what is the user's for all."""
    bodies = {place.function for place in places if place.is_body}
    found = [one for one in places if one.is_body or not (one.is_closure or one.function in bodies)]
    return [one for one in found if one.is_users] or found


def _pass(location, passed):
    """Opens again only what was closed here."""
    known = location.GetBreakpoint().GetID(), location.GetID()
    if passed != (known in _passed):
        location.SetEnabled(not passed)
        (_passed.add if passed else _passed.remove)(known)


def _share(wanted):
    """A name that means some of another's stops there alone: LLDB tells of one, and this one knows the other."""
    addresses = {id: {place.address for place in places} for id, (places, _) in wanted.items()}
    for id, (places, conditional) in wanted.items():
        narrower = [other for other in wanted if addresses[other] < addresses[id] and not wanted[other][1]]
        for place in places if not conditional else ():
            if any(place.address in addresses[other] for other in narrower):
                _pass(place.location, True)


def _together(wanted):
    """Whoever has all the places of one stops with it, where it has no condition."""
    addresses = {id: {place.address for place in places} for id, (places, _) in wanted.items()}
    found = {}
    for id, own in addresses.items():
        others = [other for other in wanted if own and own <= addresses[other] and not wanted[other][1]]
        found[id] = sorted({id, *others})
    return {id: ids for id, ids in found.items() if len(ids) > 1}


def _set_firsts(target, wanted):
    """One for every body that is wanted, and whose they are."""
    bodies, owners = {}, {}
    for id, (places, _) in wanted.items():
        for place in places:
            if place.is_body and _first_statement(place):
                bodies[place.address] = place
                owners.setdefault(place.address, []).append(id)
    _firsts.clear()
    for address, place in bodies.items():
        _firsts[address] = ahead.at(target, _first_statement(place))
    return {_firsts[address].GetID(): ids for address, ids in owners.items()}


def _first_statement(place):
    """Parameters are moved to their places in the line of the body's brace, and in those before it."""
    start, end = place.code.GetStartAddress(), place.code.GetEndAddress().GetFileAddress()
    brace = start.GetLineEntry()
    for entry in start.GetCompileUnit():
        at = entry.GetStartAddress()
        within = start.GetFileAddress() <= at.GetFileAddress() < end
        if within and entry.GetLine() > brace.GetLine() and entry.GetFileSpec() == brace.GetFileSpec():
            return at
    return None


def _future(function):
    """The type of what the body of an `async fn` goes on from."""
    types = function.GetType().GetFunctionArgumentTypes()
    first = types.GetTypeAtIndex(0) if types.GetSize() else None
    if first is None or "{async_fn_env#" not in (first.GetName() or ""):
        return None
    return first.GetFieldAtIndex(0).GetType().GetPointeeType()


def _is_first_poll(frame):
    """LLDB 20 takes the number's offset in bytes for its size in bits (DWARFASTParserClang::ParseRustVariantPart)."""
    number = _future(frame.GetFunction()).GetFieldAtIndex(0).GetType().GetFieldAtIndex(0).GetType().GetFieldAtIndex(0)
    if number.GetName() != "$discr$":
        return True
    offset = number.GetBitfieldSizeInBits() if number.IsBitfield() else number.GetOffsetInBytes()
    parameters = frame.GetVariables(True, False, False, True)
    future = parameters.GetValueAtIndex(0).GetNonSyntheticValue().GetChildAtIndex(0).GetValueAsUnsigned()
    error = lldb.SBError()
    state = frame.GetThread().GetProcess().ReadMemory(future + offset, number.GetType().GetByteSize(), error)
    return error.Fail() or not any(state)


def entered(condition=None):
    """Of every breakpoint with a name of Rust's: does it stop here?"""
    frame = lldb.frame
    function = frame.GetFunction()
    if not CLOSURE.search(function.GetName() or "") or _future(function) is None:
        return condition is None or condition()
    if not _is_first_poll(frame):
        return False
    first = _firsts.get(frame.GetPCAddress().GetFileAddress())
    if first is None:
        return condition is None or condition()
    ahead.wait(first, frame.GetThread(), condition)
    return False
