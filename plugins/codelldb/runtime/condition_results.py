"""Results of breakpoint conditions, for several threads that reach a breakpoint at once.

LLDB reports all of them as stopped there, and CodeLLDB reports the selected thread, else the first
one (`notify_process_stopped`). Knows threads; does not know conditions.
"""

import lldb

# The id of the current stop, and the results for each thread.
_stop, _results = None, {}


def record(thread, holds):
    global _stop, _results
    stop = thread.GetProcess().GetStopID()
    if stop != _stop:
        _stop, _results = stop, {}
    # Several breakpoints may share the address.
    _results.setdefault(thread.GetThreadID(), []).append(holds)
    return holds


def continues(thread, count):
    """Have at least `count` conditions been evaluated for this stop, none of which holds?"""
    results = (
        _results.get(thread.GetThreadID(), ()) if thread.GetProcess().GetStopID() == _stop else ()
    )
    return len(results) >= count and not any(results)


def select(process):
    """Selects a thread whose condition holds, if the reported thread would be another."""
    holding = [thread for thread, results in _results.items() if any(results)]
    if process.GetStopID() != _stop or not holding:
        return
    reported = process.GetSelectedThread()
    if reported.GetStopReason() == lldb.eStopReasonNone:
        reported = next(
            (one for one in process if one.GetStopReason() != lldb.eStopReasonNone), reported
        )
    if reported.GetThreadID() in _results and reported.GetThreadID() not in holding:
        process.SetSelectedThreadByID(holding[0])
