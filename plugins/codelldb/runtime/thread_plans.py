"""Discards steps that another stop has interrupted, as other debuggers do.

LLDB would complete them after the next `continue`, with an unexpected stop, and run no other thread
until then. The interrupted step may be of a thread that has no reason to stop itself.
"""

import lldb

import session_line


def discard_all():
    """After a pause, whose stop runs no stop hook and may come between two parts of a step."""
    process = session_line.debugger.GetSelectedTarget().GetProcess()
    for thread in process:
        _discard(thread)


def discard(threads):
    """Discards the steps of these threads that have not ended."""
    for thread in threads:
        if thread.GetStopReason() != lldb.eStopReasonPlanComplete:
            _discard(thread)


def _discard(thread):
    interpreter = session_line.debugger.GetCommandInterpreter()
    # All plans from the first on; plan 0 is LLDB's own.
    result = lldb.SBCommandReturnObject()
    interpreter.HandleCommand("thread plan discard 1", lldb.SBExecutionContext(thread), result)
