"""Narrows line breakpoints, so that one pass of a line is one stop.

A line whose code has inner blocks (`println!`, `assert_eq!`) has a location in each, and LLDB stops
at every one. Among the locations in one frame (a function, or one inlined copy of it), those are
disabled that can be reached only through another one that stays enabled: a thread that arrives
there has just stopped in this line, and cannot arrive again without stopping. No pass is missed:
the head and the body of a loop on one line, arms of a `switch`, and copies of an inlined or generic
function all keep their own locations.

gdb keeps the first location of each block (create_sals_line_offset in gdb/linespec.c), and so does
LLDB, which is not enough here. control_flow.py has the paths; if they cannot be determined, all
locations stay.

This is done before the program runs, and at every stop: the location that stays comes first, unless
a thread was inside the line already. But an arm of a `match` begins where its names are not yet
bound: the location after that stays alone. A name that the line declares (`y` of `for k in 0..3 {
let y = id(k); … }`) is unknown at its first location: a condition that uses it gets a location that
knows it (`declared_by_line`); a log point reports that there is no such name. Knows no hit counts.
"""

import lldb

import awaits
import prologues
import control_flow
import condition_results
import exit_codes
import other_stops
import output
import thread_plans
import traps

_done = set()
_declared = {}
# Locations to disable once no thread is stopped there: LLDB does not report a stop at a location
# that is disabled meanwhile.
_pending = []


class Hook:
    """A stop hook, which runs before a stop is reported."""

    def __init__(self, _target, _args, _dict):
        pass

    def handle_stop(self, context, _stream):
        narrow(context.GetTarget())
        process = context.GetProcess()
        exit_codes.follow(process)
        condition_results.select(process)
        stopped = [thread for thread in process if thread.GetStopReason() > lldb.eStopReasonNone]
        if stopped:
            stopped = traps.without_spurious_traps(process, stopped)
            if not stopped:
                return False
        thread_plans.discard(stopped)
        if awaits.goes_on(process, stopped) or prologues.move_stops(process, stopped):
            return False
        thread_plans.discard(process)
        awaits.note(process, stopped)
        other_stops.note(process, stopped)
        output.drain()
        return True


def narrow(target):
    """Narrows breakpoints that are new or have got more locations from a module."""
    paths, left_out = {}, _pending.copy()
    _pending.clear()
    for breakpoint in target.breakpoint_iter():
        count = breakpoint.GetNumLocations()
        if count > 1 and (breakpoint.GetID(), count) not in _done:
            _done.add((breakpoint.GetID(), count))
            left_out += _narrow(target, breakpoint, paths)
    stopped = _stopped_at(target) if left_out else ()
    for location in left_out:
        if location.GetAddress().GetFileAddress() in stopped:
            _pending.append(location)
        else:
            location.SetEnabled(False)


def _narrow(target, breakpoint, paths):
    """The locations to disable."""
    frames, left_out = {}, []
    for location in breakpoint:
        address = location.GetAddress()
        if location.IsEnabled() and address.GetFunction().IsValid():
            frames.setdefault(_frame_key(address), []).append(location)
    for frame, locations in frames.items():
        if len(locations) > 1:
            if frame[:2] not in paths:
                paths[frame[:2]] = control_flow.of(target, locations[0].GetAddress().GetFunction())
            known = paths[frame[:2]]
            at = {location.GetAddress().GetFileAddress(): location for location in locations}
            if known is None:
                continue
            for address in unbound(known, at) - _stopped_at(target):
                at.pop(address).SetEnabled(False)
            left_out += [at[address] for address in redundant(known, at)]
    return left_out


def declared_by_line(frame, name):
    """Does the line declare a name that is unknown where its breakpoint is? Then the breakpoint
    also gets a location that knows it.
    """
    target, here = frame.GetThread().GetProcess().GetTarget(), frame.GetPCAddress()
    return any([_widen(target, breakpoint, here, name) for breakpoint in target.breakpoint_iter()])


def _widen(target, breakpoint, here, name):
    frame_key = _frame_key(here)
    key = breakpoint.GetID(), breakpoint.GetNumLocations(), frame_key, name
    if key not in _declared:
        at = {
            one.GetAddress().GetFileAddress(): one
            for one in breakpoint
            if _frame_key(one.GetAddress()) == frame_key
        }
        known = {
            address: one for address, one in at.items() if _knows(target, one.GetAddress(), name)
        }
        paths = (
            control_flow.of(target, here.GetFunction())
            if known and here.GetFileAddress() in at
            else None
        )
        bound = set(known) - unbound(paths, at) if paths else set()
        for address in bound - set(redundant(paths, bound)) if paths else ():
            known[address].SetEnabled(True)
        _declared[key] = here.GetFileAddress() in at and bool(known)
    return _declared[key]


def _knows(target, address, name):
    block = address.GetBlock()
    while block.IsValid():
        if any(one.GetName() == name for one in block.GetVariables(target, True, True, False)):
            return True
        block = lldb.SBBlock() if block.IsInlined() else block.GetParent()
    return False


def _frame_key(address):
    """The key of a stack frame: a function, or an inlined copy."""
    function, block = address.GetFunction(), address.GetBlock()
    copy = block.GetContainingInlinedBlock() if block.IsValid() else block
    starts = function.GetStartAddress().GetFileAddress()
    inlined = copy.GetRangeStartAddress(0).GetFileAddress() if copy.IsValid() else 0
    name = copy.GetInlinedName() if copy.IsValid() else None
    return str(address.GetModule().GetFileSpec()), starts, inlined, name


def unbound(paths, locations):
    """Locations that only bind the names of a `match` arm before a later location."""
    bound = [
        address
        for address, location in locations.items()
        if _binds(paths.target, location.GetAddress())
    ]
    return {
        address
        for address in locations
        if address not in bound and any(paths.leads(address, to) for to in bound)
    }


def _binds(target, address):
    """Does the block there declare a name in the line itself? Rust's formatting declares `args`."""
    line, block = address.GetLineEntry().GetLine(), address.GetBlock()
    if address.GetCompileUnit().GetLanguage() != lldb.eLanguageTypeRust or not block.IsValid():
        return False
    names = block.GetVariables(target, False, True, False)
    return any(
        name.GetDeclaration().GetLine() == line and name.GetName() != "args" for name in names
    )


def _stopped_at(target):
    """Addresses where threads are stopped: those stops are reported already."""
    return {
        thread.GetFrameAtIndex(0).GetPCAddress().GetFileAddress() for thread in target.GetProcess()
    }


def redundant(paths, addresses):
    """Addresses that can be reached only through others that stay."""
    stay, left_out = set(addresses), []
    for address in sorted(addresses, reverse=True):
        others = stay - {address}
        if address in paths.next and others and not _reached(paths, address, others):
            stay = others
            left_out.append(address)
    return left_out


def _reached(paths, address, closed):
    """Can the address be reached from the start of the function or from itself, without passing a
    closed one?
    """
    seen, todo = (
        set(closed),
        [one for one in paths.entries if one not in closed] + paths.next[address],
    )
    while todo:
        one = todo.pop()
        if one == address:
            return True
        if one not in seen:
            seen.add(one)
            todo.extend(paths.next[one])
    return False


def __lldb_init_module(debugger, _dict):
    narrow(debugger.GetSelectedTarget())
    debugger.HandleCommand("target stop-hook add -P breakpoint_locations.Hook")
