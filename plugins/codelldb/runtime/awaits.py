"""Lines of Rust with an `.await`: where they begin, and what follows them.

Each poll of the future goes on inside the line, so that a breakpoint there would stop for each, and
the code that makes the future may be at a higher address than the one that takes its result. A step
over the line returns from the poll if the future is not ready: it goes on until the same future has
left the line. Knows the compiler's names of a coroutine's variables, and paths through its function.
"""

import lldb

import condition_results
import control_flow
import internal_breakpoints

OWNER = "awaits"
STEPS = ("step over", "step in")
CONTEXT = "_task_context"
AWAITED = "__awaitee"


# Where threads were stopped in coroutines, by thread id, and the breakpoints of a step that waits.
_last, _waiting = {}, []


class Place:
    """A place in a coroutine: its function, its frame, and which future it is."""

    def __init__(self, frame):
        self.address, self.cfa = frame.GetPCAddress(), frame.GetCFA()
        self.future = future_of(frame)

    def is_polled(self):
        """The condition of a breakpoint: several threads may arrive there at once."""
        return condition_results.record(lldb.thread, future_of(lldb.frame) == self.future)

    def followers(self, target):
        """The addresses of other lines that follow the future's last poll in this line."""
        paths = control_flow.of(target, self.address.GetFunction())
        if paths is None:
            return []
        lines = _lines(self.address, paths)
        line = self.address.GetLineEntry().GetLine()
        rows = [at for at, found in lines.items() if found.GetLine() == line]
        closed = _closed(target, paths, [lines[at].GetStartAddress() for at in rows])
        rest = [to for one in closed for to in paths.next.get(one, ()) if to not in closed]
        seen, found = set(closed), []
        while rest:
            one = rest.pop()
            if one in seen:
                continue
            seen.add(one)
            if one in lines and lines[one].GetLine() not in (0, line):
                found.append(lines[one].GetStartAddress())
            else:
                rest.extend(paths.next.get(one, ()))
        return found


def future_of(frame):
    """The address of the future that the frame of a coroutine polls: its first argument, which has
    no name.
    """
    variables = frame.GetVariables(True, False, False, True)
    first = variables.GetValueAtIndex(0).GetNonSyntheticValue()
    while first.IsValid() and first.GetNumChildren():
        if first.GetType().GetCanonicalType().IsPointerType():
            break
        first = first.GetChildAtIndex(0).GetNonSyntheticValue()
    return first.GetValueAsUnsigned()


def note(process, stopped):
    """Notes where threads are stopped in coroutines."""
    _end_step(process)
    _last.clear()
    for thread in stopped:
        frame = thread.GetFrameAtIndex(0)
        is_rust = frame.GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust
        if is_rust and frame.FindVariable(CONTEXT).IsValid():
            _last[thread.GetThreadID()] = Place(frame)


def _end_step(process):
    """A breakpoint is disabled once no thread is there: LLDB would report a signal."""
    there = {thread.GetFrameAtIndex(0).GetPC() for thread in process} if _waiting else ()
    for one in _waiting.copy():
        if one.GetLocationAtIndex(0).GetLoadAddress() in there:
            internal_breakpoints.always(one, OWNER, _never)
        else:
            internal_breakpoints.release(one, OWNER)
            _waiting.remove(one)


def _never():
    return condition_results.record(lldb.thread, False)


def stepped(process, stopped):
    """The thread that has completed a step, if no other one has a reason to stop."""
    steps = [one for one in stopped if one.GetStopReason() == lldb.eStopReasonPlanComplete]
    others = [one for one in stopped if one.GetStopReason() != lldb.eStopReasonPlanComplete]
    if len(steps) != 1 or not all(condition_results.continues(one, 1) for one in others):
        return None
    if others:
        process.SetSelectedThread(steps[0])
    return steps[0]


def goes_on(process, stopped):
    """Has a step left a line because its future is not ready? Then it goes on where the line is
    left for good.
    """
    thread = stepped(process, stopped)
    place = _last.get(thread.GetThreadID()) if thread is not None else None
    if place is None or thread.GetStopDescription(16) not in STEPS:
        return False
    if thread.GetFrameAtIndex(0).GetCFA() <= place.cfa:
        return False
    target, hits = process.GetTarget(), {}
    for address in place.followers(target):
        breakpoint = internal_breakpoints.at(target, address)
        internal_breakpoints.always(breakpoint, OWNER, place.is_polled)
        _waiting.append(breakpoint)
        hits[breakpoint.GetID()] = []
    _last.clear()
    internal_breakpoints.report_hits(target, OWNER, hits)
    return bool(hits)


def _lines(address, paths):
    """The rows of the function's line table, by their file addresses."""
    unit, found = address.GetCompileUnit(), {}
    for at in range(unit.GetNumLineEntries()):
        entry = unit.GetLineEntryAtIndex(at)
        start = entry.GetStartAddress().GetFileAddress()
        if start in paths.sizes:
            found[start] = entry
    return found


def begins(target, paths, rows):
    """The addresses among the rows of a line where it begins; None: the line awaits nothing."""
    closed = _closed(target, paths, rows)
    if not closed:
        return None
    starts = {row.GetFileAddress() for row in rows} - closed
    seen, rest, found = set(closed), [paths.start], []
    while rest:
        one = rest.pop()
        if one in seen:
            continue
        seen.add(one)
        if one in starts:
            found.append(one)
        else:
            rest.extend(paths.next.get(one, ()))
    return sorted(found)


def _closed(target, paths, rows):
    """The instructions that poll the futures of a line."""
    inside = [block for block in (_awaiting(target, row) for row in rows) if block]
    return {address for address in paths.sizes if any(_holds(one, address) for one in inside)}


def _awaiting(target, address):
    """The ranges of the block that declares the awaited future around the address."""
    block = address.GetBlock()
    while block.IsValid() and not block.IsInlined():
        if any(one.GetName() == AWAITED for one in block.GetVariables(target, False, True, False)):
            return [
                (
                    block.GetRangeStartAddress(at).GetFileAddress(),
                    block.GetRangeEndAddress(at).GetFileAddress(),
                )
                for at in range(block.GetNumRanges())
            ]
        block = block.GetParent()
    return None


def _holds(ranges, address):
    return any(start <= address < end for start, end in ranges)
