"""Steps into one call of a statement: over it, and no further than to where the function begins that it calls.

CodeLLDB's own step has LLDB wait for its end (step_in.rs, `with_sync_mode`), where a breakpoint that is passed on the way
ends the adapter ("Cannot start a runtime from within a runtime", breakpoints.rs), and enters nothing of a library's.
Here it is a plain step over: a call further in, of the same function too, is not the one that is meant, nor is one of
another thread. A statement may go on in other lines and come back: then it is stepped on. Knows calls of x86-64.
"""

import json
import re

import codelldb
import lldb

import ahead
import bodies
import flow
import judged

# As AT&T writes what is called: an address, or a place relative to the instruction that has it.
CALLED = re.compile(r"(0x[0-9a-f]+)$|\*(-?0x[0-9a-f]+)\(%rip\)$")
JUMPS = lldb.eInstructionControlFlowKindJump, lldb.eInstructionControlFlowKindFarJump
CALLS = lldb.eInstructionControlFlowKindCall, lldb.eInstructionControlFlowKindFarCall

# The functions that were offered, by number, and the end of the statement.
_offered, _end = [], None
# The step under way.
_step = None


class Step:
    def __init__(self, thread, place):
        frame = thread.GetFrameAtIndex(0)
        self.thread, self.place = thread.GetThreadID(), place
        self.caller, self.start, self.end = frame.GetCFA(), frame.GetPCAddress().GetFileAddress(), _end

    def enters(self):
        return _caller(lldb.frame) == self.caller

    def goes_on(self, thread):
        """Does it stand within the statement still?"""
        frame = thread.GetFrameAtIndex(0)
        within = self.start < frame.GetPCAddress().GetFileAddress() < self.end
        return within and frame.GetCFA() == self.caller and thread.GetStopReason() == lldb.eStopReasonPlanComplete

    def hits(self, thread):
        """The breakpoints that it has stopped at, none at its end; None where they are told right. LLDB names all that
        are there, also those that are not to stop."""
        if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
            return None
        there = [thread.GetStopReasonDataAtIndex(at) for at in range(0, thread.GetStopReasonDataCount(), 2)]
        others = [id for id in there if id != self.place]
        if others == there:
            return None
        return [] if judged.goes_on(thread, len(others)) else others


def offer():
    """The functions that the selected thread's statement calls, as DAP has them."""
    global _end
    target = lldb.debugger.GetSelectedTarget()
    frame = target.GetProcess().GetSelectedThread().GetFrameAtIndex(0)
    _offered.clear()
    _end = _end_of_statement(frame)
    for instruction in _instructions(target, frame) if _end is not None else ():
        called = _called(target, instruction) if instruction.GetControlFlowKind(target) in CALLS else None
        if called is not None and _is_entered(called) and called not in _offered:
            _offered.append(called)
    told = [{"id": id, "label": function.GetDisplayName()} for id, function in enumerate(_offered)]
    print(json.dumps({"targets": told}, ensure_ascii=False))


def _end_of_statement(frame):
    """Behind the last row of its line."""
    here, code = frame.GetPCAddress(), frame.GetFunction()
    line, end = here.GetLineEntry(), None
    row = line
    while row.IsValid() and row.GetStartAddress().GetFileAddress() < code.GetEndAddress().GetFileAddress():
        if row.GetLine() == line.GetLine() and row.GetFileSpec() == line.GetFileSpec():
            end = row.GetEndAddress().GetFileAddress()
        row = row.GetEndAddress().GetLineEntry()
    return end


def _instructions(target, frame):
    """Of the statement, from here on, without those that only an exception comes to."""
    here = frame.GetPCAddress().GetFileAddress()
    ways = flow.of(target, frame.GetFunction())
    reached = ways.from_there(here) if ways else None
    for instruction in frame.GetFunction().GetInstructions(target, "att"):
        at = instruction.GetAddress().GetFileAddress()
        if here <= at < _end and (reached is None or at in reached):
            yield instruction


def _called(target, instruction, jumps=True):
    """The function; of one that another library has, what the jump to it leads to."""
    told = CALLED.match(instruction.GetOperands(target))
    if told is None:
        return None
    address = int(told[1] or told[2], 16)
    if told[2]:
        address += instruction.GetAddress().GetLoadAddress(target) + instruction.GetByteSize()
        address = target.GetProcess().ReadPointerFromMemory(address, lldb.SBError())
    to = lldb.SBAddress(address, target)
    if to.GetFunction().IsValid() or not jumps:
        return to.GetFunction()
    first = target.ReadInstructions(to, 1, "att").GetInstructionAtIndex(0)
    return _called(target, first, False) if first.GetControlFlowKind(target) in JUMPS else None


def _is_entered(function):
    lines = function.IsValid() and function.GetStartAddress().GetLineEntry().IsValid()
    return lines and not flow.ends(function.GetName())


def step(number, thread):
    """Begins the step: a `next` behind this would interrupt it (debug_session.rs, `cancellation_filter`)."""
    global _step
    target = lldb.debugger.GetSelectedTarget()
    thread, place = target.GetProcess().GetThreadByID(thread), ahead.at(target, bodies.begin(_offered[number]))
    _step = Step(thread, place.GetID())
    ahead.stay(place, thread, _step.enters)
    thread.StepOver(lldb.eOnlyDuringStepping)


def _caller(frame):
    """The frame of the call that a function's code is in; what is inlined has that of what it is inlined to."""
    while frame.IsInlined():
        frame = frame.get_parent_frame()
    return frame.get_parent_frame().GetCFA()


def stopped():
    """Of the first stop after: what it is, told as a message. `again`: the statement is stepped on."""
    global _step
    debugger, told = lldb.debugger, {"hits": None}
    try:
        if _step is not None:
            thread = debugger.GetSelectedTarget().GetProcess().GetThreadByID(_step.thread)
            told = {"again": _step.thread} if _step.goes_on(thread) else {"hits": _step.hits(thread)}
    finally:  # the stop is held back until then
        if "hits" in told:
            _step = None
            ahead.leave()
        codelldb.interface.send_message(debugger.GetID(), {"aimed": told})
