"""Lets go of steps that something else has interrupted, as other debuggers do.

LLDB would end them with the next `continue`: a stop that nobody has asked for.
"""

import lldb


def drop(process, stopped):
    interpreter = process.GetTarget().GetDebugger().GetCommandInterpreter()
    for thread in stopped:
        if thread.GetStopReason() != lldb.eStopReasonPlanComplete:
            # All from the first on; 0 is LLDB's own.
            told = lldb.SBCommandReturnObject()
            interpreter.HandleCommand("thread plan discard 1", lldb.SBExecutionContext(thread), told)
