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
    _found.setdefault(thread.GetThreadID(), []).append(held)
    return held


def goes_on(thread, count):
    """Have so many breakpoints been judged where it stands, and none to stop it?"""
    found = _found.get(thread.GetThreadID(), ()) if thread.GetProcess().GetStopID() == _stop else ()
    return len(found) >= count and not any(found)


def select(process):
    """A thread that was judged to stop, where one would be told that was judged to go on."""
    holding = [thread for thread, found in _found.items() if any(found)]
    if process.GetStopID() != _stop or not holding:
        return
    told = process.GetSelectedThread()
    if told.GetStopReason() == lldb.eStopReasonNone:
        told = next((one for one in process if one.GetStopReason() != lldb.eStopReasonNone), told)
    if told.GetThreadID() in _found and told.GetThreadID() not in holding:
        process.SetSelectedThreadByID(holding[0])
