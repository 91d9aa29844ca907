"""Steps into one call of a statement: a step over that stops where the called function begins.

CodeLLDB's own step waits synchronously for its end (step_in.rs, `with_sync_mode`). A breakpoint
that is passed on the way then ends the adapter ("Cannot start a runtime from within a runtime",
breakpoints.rs), and the step enters no function of a library. This step is a plain step over: a
deeper call, even of the same function, and a call of another thread are not taken for the chosen
one. A statement may continue on other lines and come back: then the step over is repeated. Knows
calls of x86-64.
"""

import json
import re

import codelldb
import lldb

import internal_breakpoints
import prologues
import control_flow
import condition_results

# Operands of a call as AT&T syntax writes them: an address, or an offset relative to the
# instruction.
CALLED = re.compile(r"(0x[0-9a-f]+)$|\*(-?0x[0-9a-f]+)\(%rip\)$")
JUMPS = lldb.eInstructionControlFlowKindJump, lldb.eInstructionControlFlowKindFarJump
CALLS = lldb.eInstructionControlFlowKindCall, lldb.eInstructionControlFlowKindFarCall

# The offered functions by number, and the end of the statement.
_offered, _end = [], None
# The current step.
_step = None


class Step:
    def __init__(self, thread, breakpoint):
        frame = thread.GetFrameAtIndex(0)
        self.thread, self.breakpoint = thread.GetThreadID(), breakpoint
        self.caller, self.start, self.end = (
            frame.GetCFA(),
            frame.GetPCAddress().GetFileAddress(),
            _end,
        )

    def enters(self):
        return _caller(lldb.frame) == self.caller

    def is_inside(self, thread):
        """Is the thread still inside the statement?"""
        frame = thread.GetFrameAtIndex(0)
        inside = self.start < frame.GetPCAddress().GetFileAddress() < self.end
        return (
            inside
            and frame.GetCFA() == self.caller
            and thread.GetStopReason() == lldb.eStopReasonPlanComplete
        )

    def hits(self, thread):
        """The ids of the breakpoints hit, empty at the end of the step; None if LLDB reports them
        correctly. LLDB names every breakpoint at the address, also those whose conditions do not
        hold.
        """
        if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
            return None
        ids = [
            thread.GetStopReasonDataAtIndex(at)
            for at in range(0, thread.GetStopReasonDataCount(), 2)
        ]
        others = [id for id in ids if id != self.breakpoint]
        if others == ids:
            return None
        return [] if condition_results.continues(thread, len(others)) else others


def offer():
    """Prints the functions that the selected thread's statement calls, as DAP's `stepInTargets`."""
    global _end
    target = lldb.debugger.GetSelectedTarget()
    frame = target.GetProcess().GetSelectedThread().GetFrameAtIndex(0)
    _offered.clear()
    _end = _end_of_statement(frame)
    for instruction in _instructions(target, frame) if _end is not None else ():
        called = (
            _called(target, instruction)
            if instruction.GetControlFlowKind(target) in CALLS
            else None
        )
        if called is not None and _is_entered(called) and called not in _offered:
            _offered.append(called)
    targets = [
        {"id": id, "label": function.GetDisplayName()} for id, function in enumerate(_offered)
    ]
    print(json.dumps({"targets": targets}, ensure_ascii=False))


def _end_of_statement(frame):
    """The end address of the last row of the line."""
    here, code = frame.GetPCAddress(), frame.GetFunction()
    line, end = here.GetLineEntry(), None
    row = line
    while (
        row.IsValid()
        and row.GetStartAddress().GetFileAddress() < code.GetEndAddress().GetFileAddress()
    ):
        if row.GetLine() == line.GetLine() and row.GetFileSpec() == line.GetFileSpec():
            end = row.GetEndAddress().GetFileAddress()
        row = row.GetEndAddress().GetLineEntry()
    return end


def _instructions(target, frame):
    """The statement's instructions from the current one on, without those that only an exception
    reaches.
    """
    here = frame.GetPCAddress().GetFileAddress()
    ways = control_flow.of(target, frame.GetFunction())
    reached = ways.reachable(here) if ways else None
    for instruction in frame.GetFunction().GetInstructions(target, "att"):
        at = instruction.GetAddress().GetFileAddress()
        if here <= at < _end and (reached is None or at in reached):
            yield instruction


def _called(target, instruction, jumps=True):
    """The called function. For a function of another library it follows the jump of the stub."""
    operand = CALLED.match(instruction.GetOperands(target))
    if operand is None:
        return None
    address = int(operand[1] or operand[2], 16)
    if operand[2]:
        address += instruction.GetAddress().GetLoadAddress(target) + instruction.GetByteSize()
        address = target.GetProcess().ReadPointerFromMemory(address, lldb.SBError())
    to = lldb.SBAddress(address, target)
    if to.GetFunction().IsValid() or not jumps:
        return to.GetFunction()
    first = target.ReadInstructions(to, 1, "att").GetInstructionAtIndex(0)
    return _called(target, first, False) if first.GetControlFlowKind(target) in JUMPS else None


def _is_entered(function):
    lines = function.IsValid() and function.GetStartAddress().GetLineEntry().IsValid()
    return lines and not control_flow.never_returns(function.GetName())


def step(number, thread):
    """Begins the step. A `next` after this would interrupt it (debug_session.rs,
    `cancellation_filter`).
    """
    global _step
    target = lldb.debugger.GetSelectedTarget()
    thread, breakpoint = (
        target.GetProcess().GetThreadByID(thread),
        internal_breakpoints.at(target, prologues.body_start(_offered[number])),
    )
    _step = Step(thread, breakpoint.GetID())
    internal_breakpoints.arm(breakpoint, thread, _step.enters)
    thread.StepOver(lldb.eOnlyDuringStepping)


def _caller(frame):
    """The frame address of the caller; an inlined function has that of the function it is inlined
    into.
    """
    while frame.IsInlined():
        frame = frame.get_parent_frame()
    return frame.get_parent_frame().GetCFA()


def stopped():
    """Reports the first stop after the step as a message; `again` requests another step over."""
    global _step
    debugger, result = lldb.debugger, {"hits": None}
    try:
        if _step is not None:
            thread = debugger.GetSelectedTarget().GetProcess().GetThreadByID(_step.thread)
            result = (
                {"again": _step.thread} if _step.is_inside(thread) else {"hits": _step.hits(thread)}
            )
    finally:  # The plugin delays the stop until this message.
        if "hits" in result:
            _step = None
            internal_breakpoints.disarm()
        codelldb.interface.send_message(debugger.GetID(), {"step_in": result})
