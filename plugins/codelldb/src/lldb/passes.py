"""One stop for one pass of a line.

A line whose code has inner blocks (`println!`, `assert_eq!`) has a location in each, and
LLDB stops at every one of them. Of the locations in one frame (one function, or one
inlined copy of it) those are disabled which no way leads to but through another one that
stays: whoever comes there has stopped in this line just before, and cannot come again
without stopping. So nothing is passed unseen: the head and the body of a loop on one line,
arms of a `switch`, copies of an inlined or generic function all keep their own.

gdb keeps the first location of each block (create_sals_line_offset in gdb/linespec.c), and
so does LLDB, which is not enough here. The ways are flow.py's; where they cannot be told, all
locations stay.

Done before the program runs, and at the first stop there is: one that stays comes first, unless
a thread was within the line already. But an arm of a `match` begins where its names are not
bound yet: the location behind that stays alone. What a line declares (`y` of
`for k in 0..3 { let y = id(k); … }`) is not known where its first location is: a condition
that asks for it gets one that knows it (`declares`); a log says that there is no such name.
Knows no counts.
"""

import lldb

import bodies
import flow
import judged
import plans

_done = set()
_declared = {}
# Locations to leave out once no thread stands there: of one that closes while it stops LLDB does not tell.
_late = []


class Hook:
    """Of every stop, before anybody is told of it."""

    def __init__(self, _target, _args, _dict):
        pass

    def handle_stop(self, context, _stream):
        look(context.GetTarget())
        process = context.GetProcess()
        judged.select(process)
        stopped = [thread for thread in process if thread.GetStopReason() > lldb.eStopReasonNone]
        plans.drop(process, stopped)
        return not bodies.carry(process, stopped)


def look(target):
    """Narrows the breakpoints that are new, or have got more locations by a module."""
    ways, left_out = {}, _late.copy()
    _late.clear()
    for breakpoint in target.breakpoint_iter():
        count = breakpoint.GetNumLocations()
        if count > 1 and (breakpoint.GetID(), count) not in _done:
            _done.add((breakpoint.GetID(), count))
            left_out += _narrow(target, breakpoint, ways)
    standing = _standing(target) if left_out else ()
    for location in left_out:
        if location.GetAddress().GetFileAddress() in standing:
            _late.append(location)
        else:
            location.SetEnabled(False)


def _narrow(target, breakpoint, ways):
    """Those of its locations that are to be left out."""
    frames, left_out = {}, []
    for location in breakpoint:
        address = location.GetAddress()
        if location.IsEnabled() and address.GetFunction().IsValid():
            frames.setdefault(_frame(address), []).append(location)
    for frame, locations in frames.items():
        if len(locations) > 1:
            if frame[:2] not in ways:
                ways[frame[:2]] = flow.of(target, locations[0].GetAddress().GetFunction())
            known = ways[frame[:2]]
            at = {location.GetAddress().GetFileAddress(): location for location in locations}
            if known is None:
                continue
            for address in unbound(known, at) - _standing(target):
                at.pop(address).SetEnabled(False)
            left_out += [at[address] for address in redundant(known, at)]
    return left_out


def declares(frame, name):
    """Does the line declare what it does not know where its breakpoint stands? Then it stops there as well."""
    target, here = frame.GetThread().GetProcess().GetTarget(), frame.GetPCAddress()
    return any([_widen(target, breakpoint, here, name) for breakpoint in target.breakpoint_iter()])


def _widen(target, breakpoint, here, name):
    within = _frame(here)
    key = breakpoint.GetID(), breakpoint.GetNumLocations(), within, name
    if key not in _declared:
        at = {one.GetAddress().GetFileAddress(): one for one in breakpoint if _frame(one.GetAddress()) == within}
        known = {address: one for address, one in at.items() if _knows(target, one.GetAddress(), name)}
        ways = flow.of(target, here.GetFunction()) if known and here.GetFileAddress() in at else None
        bound = set(known) - unbound(ways, at) if ways else set()
        for address in bound - set(redundant(ways, bound)) if ways else ():
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


def _frame(address):
    """What has one frame on the stack: a function, or an inlined copy."""
    function, block = address.GetFunction(), address.GetBlock()
    copy = block.GetContainingInlinedBlock() if block.IsValid() else block
    starts = function.GetStartAddress().GetFileAddress()
    inlined = copy.GetRangeStartAddress(0).GetFileAddress() if copy.IsValid() else 0
    name = copy.GetInlinedName() if copy.IsValid() else None
    return str(address.GetModule().GetFileSpec()), starts, inlined, name


def unbound(ways, locations):
    """Those from which the names of a `match` arm are bound and nothing else is done before a later location."""
    bound = [address for address, location in locations.items() if _binds(ways.target, location.GetAddress())]
    return {address for address in locations if address not in bound and any(ways.leads(address, to) for to in bound)}


def _binds(target, address):
    """Does the block there declare a name in the line itself? Rust's formatting declares `args`."""
    line, block = address.GetLineEntry().GetLine(), address.GetBlock()
    if address.GetCompileUnit().GetLanguage() != lldb.eLanguageTypeRust or not block.IsValid():
        return False
    names = block.GetVariables(target, False, True, False)
    return any(name.GetDeclaration().GetLine() == line and name.GetName() != "args" for name in names)


def _standing(target):
    """Where threads have stopped: what stops there is told already."""
    return {thread.GetFrameAtIndex(0).GetPCAddress().GetFileAddress() for thread in target.GetProcess()}


def redundant(ways, addresses):
    """Those that can be reached only through one that stays."""
    stay, left_out = set(addresses), []
    for address in sorted(addresses, reverse=True):
        others = stay - {address}
        if address in ways.next and others and not _reached(ways, address, others):
            stay = others
            left_out.append(address)
    return left_out


def _reached(ways, address, closed):
    """From where the function begins, or from the address itself, past none that is closed?"""
    seen, todo = set(closed), [one for one in ways.entries if one not in closed] + ways.next[address]
    while todo:
        one = todo.pop()
        if one == address:
            return True
        if one not in seen:
            seen.add(one)
            todo.extend(ways.next[one])
    return False


def __lldb_init_module(debugger, _dict):
    look(debugger.GetSelectedTarget())
    debugger.HandleCommand("target stop-hook add -P passes.Hook")
