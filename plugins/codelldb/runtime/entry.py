"""Stops once at the program's own `main`.

CodeLLDB's `stopOnEntry` stops at `_start` in the loader. A breakpoint by name would stop at the C
`main` that rustc adds around the program's, so this takes the functions of that name with line
information, and of those the one with the shortest name.
"""

import lldb


def __lldb_init_module(debugger, _dict):
    target = debugger.GetSelectedTarget()
    found = [context for context in target.FindFunctions("main") if context.GetFunction().IsValid()]
    mains = [
        (len(context.GetFunction().GetName()), context) for context in found if _has_lines(context)
    ]
    if not mains:
        target.BreakpointCreateByName("main").SetOneShot(True)
        return
    function = min(mains, key=lambda main: main[0])[1].GetFunction()
    start = lldb.SBAddress(function.GetStartAddress())
    start.OffsetAddress(function.GetPrologueByteSize())
    target.BreakpointCreateBySBAddress(start).SetOneShot(True)


def _has_lines(context):
    return context.GetFunction().GetStartAddress().GetLineEntry().IsValid()
