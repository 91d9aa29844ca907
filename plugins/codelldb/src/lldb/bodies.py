"""Where the body of a function begins whose prologue LLDB does not find.

gcc marks no end of it. LLDB takes the first row of another line, of the five behind a function's first, even one of the
next function (Function::GetPrologueByteSize): a function on one line has none then, and whoever stops at its entry finds
arguments that are not yet where they will be. The place is behind the first row, where a stop at the entry is
carried: of a breakpoint, whose condition is judged there, and of a step into it.
"""

import lldb

import ahead

ENTERED = "step in"

# The stop whose conditions are put off, and those, by thread.
_stop, _conditions = None, {}
# Whose stops are made at a place: ids of breakpoints, none for a step.
_hits = {}


def body(frame):
    """Where it begins, if this is the entry of such a function."""
    function, here = frame.GetFunction(), frame.GetPCAddress()
    if not function.IsValid() or here != function.GetStartAddress() or function.GetPrologueByteSize():
        return None
    return _behind_first_row(function)


def begin(function):
    """Where its arguments are where they will be."""
    start = function.GetStartAddress()
    if not function.GetPrologueByteSize():
        return _behind_first_row(function) or start
    start.OffsetAddress(function.GetPrologueByteSize())
    return start


def _behind_first_row(function):
    begins = function.GetStartAddress().GetLineEntry().GetEndAddress()
    return begins if begins.GetFileAddress() < function.GetEndAddress().GetFileAddress() else None


def puts_off(frame, condition):
    """Is it to be judged further on? Then the breakpoint is hit until `carry` is asked."""
    global _stop, _conditions
    if body(frame) is None:
        return False
    thread = frame.GetThread()
    now = thread.GetProcess().GetStopID()
    if now != _stop:
        _stop, _conditions = now, {}
    _conditions.setdefault(thread.GetThreadID(), []).append(condition)
    return True


def carry(process, stopped):
    """Is it to go on to where the bodies begin? Not if one has stopped for another reason."""
    due = [(thread, body(thread.GetFrameAtIndex(0)), _owners(thread)) for thread in stopped]
    if not due or any(begins is None or owners is None for _, begins, owners in due):
        return False
    for thread, begins, owners in due:
        place = ahead.at(process.GetTarget(), begins)
        put_off = _conditions.get(thread.GetThreadID(), []) if process.GetStopID() == _stop else []
        for condition in put_off if 0 < len(owners) <= len(put_off) else [None]:
            ahead.wait(place, thread, condition)
        _hits[place.GetID()] = owners
    ahead.tell(process.GetTarget(), "bodies", _hits)
    return True


def _owners(thread):
    """Ids of the breakpoints it has stopped at; empty where it has stepped in; None where it is to stay."""
    if thread.GetStopReason() == lldb.eStopReasonPlanComplete:
        return [] if thread.GetStopDescription(len(ENTERED) + 1) == ENTERED else None
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return None
    return [thread.GetStopReasonDataAtIndex(at) for at in range(0, thread.GetStopReasonDataCount(), 2)]
