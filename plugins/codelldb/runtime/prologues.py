"""Finds the end of a function's prologue where LLDB does not.

gcc does not mark it. LLDB takes the first row of another line among the five that follow the
function's first row, even if that row belongs to the next function (Function::GetPrologueByteSize).
A function on one line then has no prologue, and at its entry the arguments are not yet in their
places. Stops at such an entry, of breakpoints and of steps into the function, are moved behind the
first row; conditions of breakpoints are evaluated there.

rustc ends the prologue of a coroutine's body (of an `async fn`, say) where the address of its state
is not yet stored, through which its variables are read. There too the stops are moved, by a row.
"""

import re

import lldb

import internal_breakpoints

ENTERED = "step in"
# rustc's names of the states of coroutines.
STATE = re.compile(r"\{(async|coroutine|gen)\w*_env#")

# The stop whose conditions are deferred, and the conditions by thread.
_stop, _conditions = None, {}
# Breakpoint ids by the internal breakpoint that stands for them; empty for a step.
_hits = {}


def prologue_end(frame):
    """The end of the prologue, if the frame is at the entry of such a function."""
    function, here = frame.GetFunction(), frame.GetPCAddress()
    if not function.IsValid():
        return None
    start, size = function.GetStartAddress(), function.GetPrologueByteSize()
    if not size:
        return _after_first_row(function) if here == start else None
    is_end = here.GetFileAddress() == start.GetFileAddress() + size
    return _after_state(function, here) if is_end and _is_coroutine(function) else None


def _is_coroutine(function):
    types = function.GetType().GetFunctionArgumentTypes()
    return types.GetSize() > 0 and bool(STATE.search(types.GetTypeAtIndex(0).GetName() or ""))


def _after_state(function, here):
    """The row of the same line that follows this one, perhaps behind code without a line."""
    line, end = here.GetLineEntry().GetLine(), function.GetEndAddress().GetFileAddress()
    for entry in here.GetCompileUnit():
        found = entry.GetStartAddress()
        is_behind = here.GetFileAddress() < found.GetFileAddress() < end
        if is_behind and entry.GetLine() not in (0, line):
            return None
        if is_behind and entry.GetLine():
            return found
    return None


def body_start(function):
    """The first address at which the arguments of the function are in their places."""
    start = function.GetStartAddress()
    if not function.GetPrologueByteSize():
        return _after_first_row(function) or start
    start.OffsetAddress(function.GetPrologueByteSize())
    return start


def _after_first_row(function):
    end = function.GetStartAddress().GetLineEntry().GetEndAddress()
    return end if end.GetFileAddress() < function.GetEndAddress().GetFileAddress() else None


def defers(frame, condition):
    """Is the condition evaluated later? Then the breakpoint counts as hit until `move_stops`."""
    global _stop, _conditions
    if prologue_end(frame) is None:
        return False
    thread = frame.GetThread()
    now = thread.GetProcess().GetStopID()
    if now != _stop:
        _stop, _conditions = now, {}
    _conditions.setdefault(thread.GetThreadID(), []).append(condition)
    return True


def move_stops(process, stopped):
    """Moves the stops to the ends of the prologues and reports whether to continue. It does not, if
    a thread stopped for another reason.
    """
    moved = [
        (thread, prologue_end(thread.GetFrameAtIndex(0)), _owners(thread)) for thread in stopped
    ]
    if not moved or any(end is None or owners is None for _, end, owners in moved):
        return False
    for thread, end, owners in moved:
        _move(thread, end, owners)
    internal_breakpoints.report_hits(process.GetTarget(), "prologues", _hits)
    return True


def moves(thread):
    """Moves the stop of one thread, which is not reported yet. False: it is not moved."""
    end, owners = prologue_end(thread.GetFrameAtIndex(0)), _owners(thread)
    if end is None or owners is None:
        return False
    _move(thread, end, owners)
    target = thread.GetProcess().GetTarget()
    internal_breakpoints.report_hits(target, "prologues", _hits)
    return True


def _move(thread, end, owners):
    process = thread.GetProcess()
    target = process.GetTarget()
    breakpoint = internal_breakpoints.at(process.GetTarget(), end)
    deferred = _conditions.get(thread.GetThreadID(), []) if process.GetStopID() == _stop else []
    for condition in deferred if 0 < len(owners) <= len(deferred) else [None]:
        internal_breakpoints.stop_once(breakpoint, thread, _while_set(target, owners, condition))
    _hits[breakpoint.GetID()] = owners


def _while_set(target, owners, condition):
    """The condition, as long as one of the breakpoints is set: the thread may arrive after a stop
    of another one.
    """

    def holds():
        is_set = any(target.FindBreakpointByID(one).IsValid() for one in owners)
        return is_set and (condition is None or condition())

    return holds if owners else condition


def _owners(thread):
    """Ids of the breakpoints hit; empty after a step into a function; None if the stop is not
    moved.
    """
    if thread.GetStopReason() == lldb.eStopReasonPlanComplete:
        return [] if thread.GetStopDescription(len(ENTERED) + 1) == ENTERED else None
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return None
    return [
        thread.GetStopReasonDataAtIndex(at) for at in range(0, thread.GetStopReasonDataCount(), 2)
    ]
