"""Results of breakpoint conditions, for several threads that reach a breakpoint at once.

LLDB reports all of them as stopped there, and CodeLLDB reports the selected thread, else the first
one (`notify_process_stopped`). Knows threads; does not know conditions.
"""

import lldb

import exit_codes
import session_line

# The id of the current stop, and the results for each thread.
_stop, _results = None, {}
# The conditions evaluated last at each address, for one thread at one stop.
_known = {}
# Whether the next condition stops the process in any case.
_pauses = False


def _process():
    return session_line.debugger.GetSelectedTarget().GetProcess()


def pause():
    """Stops the process. LLDB ignores an interrupt that arrives while a condition is evaluated
    (Process::RunPrivateStateThread), which may be nearly always: then the condition stops it.
    """
    global _pauses
    _pauses, process = True, _process()
    exit_codes.follow(process)
    process.SendAsyncInterrupt()


def end_pause(number):
    """Ends a pause at the stop. Is it the reason why this thread stops at a condition?"""
    global _pauses
    if not _pauses:
        return False
    _pauses, process = False, _process()
    if process.GetStopID() != _stop:
        return _passes(process.GetThreadByID(number))
    results = _results.get(number, ())
    return bool(results) and not any(results)


def remember(frame, evaluate):
    """Stores a condition that is evaluated, for `_passes`."""
    place, thread = frame.GetPC(), frame.GetThread()
    arrival = thread.GetProcess().GetStopID(), thread.GetThreadID()
    if place not in _known or _known[place][0] != arrival:
        _known[place] = arrival, []
    _known[place][1].append(evaluate)


def _passes(thread):
    """Does no condition hold at the breakpoint that the thread has reached? The interrupt of a pause
    may come between the trap and the conditions: LLDB evaluates none then, and passes the breakpoint
    with the next move. They are those of the last thread that was there.
    """
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return False
    frame = thread.GetFrameAtIndex(0)
    _, conditions = _known.get(frame.GetPC(), (None, []))
    # The pause may be there to change them.
    _known.clear()
    if not conditions or len(conditions) != thread.GetStopReasonDataCount() // 2:
        return False
    lldb.frame, lldb.thread, lldb.process = frame, thread, thread.GetProcess()
    lldb.target = lldb.process.GetTarget()
    return not any([evaluate() for evaluate in conditions])


def record(thread, holds):
    """Stores the result. Does the thread stop?"""
    global _stop, _results
    process = thread.GetProcess()
    stop = process.GetStopID()
    if stop != _stop:
        _stop, _results = stop, {}
        exit_codes.follow(process)
    # Several breakpoints may share the address.
    _results.setdefault(thread.GetThreadID(), []).append(holds)
    return holds or _pauses


def continues(thread, count):
    """Have at least `count` conditions been evaluated for this stop, none of which holds?"""
    results = (
        _results.get(thread.GetThreadID(), ()) if thread.GetProcess().GetStopID() == _stop else ()
    )
    return len(results) >= count and not any(results) and not _pauses


def select(process):
    """Selects a thread that stops if the reported one would be one whose conditions do not hold:
    one whose condition holds, else one that stopped without a condition.
    """
    if process.GetStopID() != _stop:
        return
    stopped = [one for one in process if one.GetStopReason() != lldb.eStopReasonNone]
    reported = process.GetSelectedThread()
    if reported.GetStopReason() == lldb.eStopReasonNone and stopped:
        reported = stopped[0]
    if any(_results.get(reported.GetThreadID(), [True])):
        return
    numbers = [one.GetThreadID() for one in stopped]
    holding = [number for number in numbers if any(_results.get(number, ()))]
    others = holding or [number for number in numbers if number not in _results]
    if others:
        process.SetSelectedThreadByID(others[0])
