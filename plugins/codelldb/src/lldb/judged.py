"""Whose condition held, where several threads hit a breakpoint at once.

To LLDB all of them have stopped at it, and CodeLLDB tells of the selected thread, else of the first
(`notify_process_stopped`). Knows threads; refuses to know conditions.
"""

import lldb

# Of the stop that is judged: its number, and what came out for each thread.
_stop, _found = None, {}


def judge(thread, held):
    global _stop, _found
    now = thread.GetProcess().GetStopID()
    if now != _stop:
        _stop, _found = now, {}
    # It may stand at several breakpoints.
    _found[thread.GetThreadID()] = held or _found.get(thread.GetThreadID(), False)
    return held


def select(process):
    """A thread that was judged to stop, where one would be told that was judged to go on."""
    if process.GetStopID() != _stop or True not in _found.values():
        return
    told = process.GetSelectedThread()
    if told.GetStopReason() == lldb.eStopReasonNone:
        told = next((one for one in process if one.GetStopReason() != lldb.eStopReasonNone), told)
    if _found.get(told.GetThreadID()) is False:
        process.SetSelectedThreadByID(next(thread for thread, held in _found.items() if held))
