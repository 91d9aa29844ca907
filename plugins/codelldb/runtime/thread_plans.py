"""Discards steps that another stop has interrupted, as other debuggers do.

LLDB would complete them after the next `continue`, with an unexpected stop, and run no other thread
until then. The interrupted step may be of a thread that has no reason to stop itself.
"""

import lldb

import session_line


def discard_all():
    """Discards the steps of all threads after a pause, which may interrupt a step: LLDB runs no
    stop hook at its stop.
    """
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
