"""Discards steps that another stop has interrupted, as other debuggers do.

LLDB would complete them after the next `continue`, with an unexpected stop.
"""

import lldb


def discard(process, stopped):
    interpreter = process.GetTarget().GetDebugger().GetCommandInterpreter()
    for thread in stopped:
        if thread.GetStopReason() != lldb.eStopReasonPlanComplete:
            # All plans from the first on; plan 0 is LLDB's own.
            result = lldb.SBCommandReturnObject()
            interpreter.HandleCommand(
                "thread plan discard 1", lldb.SBExecutionContext(thread), result
            )
