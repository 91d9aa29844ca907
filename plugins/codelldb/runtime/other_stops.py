"""Stops of threads other than the reported one. LLDB stops several threads at once, CodeLLDB reports
one of them (debug_session.rs, `notify_process_stopped`), and the next move would pass the hits of
the others. They are reported one by one, each in place of a move.

Knows threads and what stopped them; does not know moves.
"""

import codelldb
import lldb

import condition_results
import internal_breakpoints
import prologues
import session_line
import traps

# Signals by which the debugger itself stops threads.
PAUSES = ("SIGSTOP", "SIGINT")

# General registers; LLDB lists parts of them after these.
REGISTERS = 34

# The registers of the threads that had a reason to stop, at the current stop and the one before.
_stop, _before, _now = None, {}, {}


def note(process, stopped):
    """At a stop, perhaps repeatedly: says that a thread may have another stop to report than the
    adapter's.
    """
    global _stop, _before, _now
    if process.GetNumThreads() < 2 or process.GetStopID() == _stop:
        return
    _stop, _before = process.GetStopID(), _now
    _now = {thread.GetThreadID(): _registers(thread) for thread in stopped}
    if len(stopped) > 1:
        codelldb.interface.send_message(session_line.debugger.GetID(), {"other_stops": True})


def report(reported, stepped):
    """Before a move: reports the stop of a thread that is not among those reported, or that there is
    none. `stepped`: the program got here by a step.
    """
    process = session_line.debugger.GetSelectedTarget().GetProcess()
    found = None
    if process.GetState() == lldb.eStateStopped:
        others = (one for one in process if one.GetThreadID() not in reported)
        found = next(filter(None, (_body(one, stepped) for one in others)), None)
    if found:
        process.SetSelectedThreadByID(found["threadId"])
    codelldb.interface.send_message(session_line.debugger.GetID(), {"other_stop": found})


def _body(thread, stepped):
    """The stop as in DAP, as CodeLLDB reports stops; None: there is none."""
    reason = thread.GetStopReason()
    is_signal = reason in (lldb.eStopReasonSignal, lldb.eStopReasonException)
    if not is_signal and reason != lldb.eStopReasonBreakpoint:
        return None
    if traps.is_spurious_trap(thread) or (stepped and _has_not_run(thread)):
        return None
    body = {"threadId": thread.GetThreadID(), "allThreadsStopped": True}
    if is_signal:
        description = thread.GetStopDescription(256) or ""
        if any(name in description for name in PAUSES) or not _stops(thread, reason):
            return None
        return {**body, "reason": "exception", "description": description}
    number = _breakpoint(thread)
    if number is None or prologues.moves(thread):
        return None
    return {**body, "reason": "breakpoint", "hitBreakpointIds": [number]}


def _stops(thread, reason):
    """Whether the debugger stops at the signal of the thread."""
    if reason != lldb.eStopReasonSignal:
        return True
    signals = thread.GetProcess().GetUnixSignals()
    return signals.GetShouldStop(thread.GetStopReasonDataAtIndex(0))


def _breakpoint(thread):
    """The first breakpoint that the thread has hit; None: it passes them all."""
    ids = [
        thread.GetStopReasonDataAtIndex(at) for at in range(0, thread.GetStopReasonDataCount(), 2)
    ]
    if condition_results.continues(thread, len(ids)):
        return None
    target = thread.GetProcess().GetTarget()
    for id in ids:
        found = target.FindBreakpointByID(id)
        is_passed = internal_breakpoints.has_passed(thread, id)
        is_passed = is_passed or internal_breakpoints.owners_are_deleted(target, id)
        if found.IsValid() and not is_passed:
            return id
    return None


def _has_not_run(thread):
    """A step may run one thread alone: LLDB repeats the last stops of the others."""
    number = thread.GetThreadID()
    return number in _before and _before[number] == _now.get(number)


def _registers(thread):
    groups = thread.GetFrameAtIndex(0).GetRegisters()
    if not groups.GetSize():
        return []
    # Formatters of Rust would take 30 ms.
    group = groups.GetValueAtIndex(0).GetNonSyntheticValue()
    at = range(min(group.GetNumChildren(), REGISTERS))
    return [group.GetChildAtIndex(n, lldb.eNoDynamicValues, False).GetValueAsUnsigned() for n in at]
