"""Recognizes stops by SIGTRAP that nothing in the program explains: of a thread that is gone
meanwhile, or of a trap whose breakpoint was removed before LLDB handled it.

The program itself gets SIGTRAP if somebody sends it, by a trap in its code, or by the flag that
lets the processor stop after each instruction. Knows x86-64; on other machines only threads that
are gone are recognized. Does not know breakpoints.
"""

import lldb

import exit_codes

# `int3`, `int1` and `int 3`, which the processor has executed when it stops.
TRAPS = (b"\xcc", b"\xf1", b"\xcd\x03")
LONGEST = max(map(len, TRAPS))
# The bit of the flags register.
AFTER_EACH = 1 << 8
GONE = "ZXx"


def without_spurious_traps(process, stopped):
    """The threads that have stopped for a reason; one of them becomes the reported one."""
    found = [one for one in stopped if not is_spurious_trap(one)]
    if found and len(found) < len(stopped):
        numbers = [one.GetThreadID() for one in found]
        if process.GetSelectedThread().GetThreadID() not in numbers:
            process.SetSelectedThread(found[0])
    return found


def is_spurious_trap(thread):
    if thread.GetStopReason() != lldb.eStopReasonSignal:
        return False
    process = thread.GetProcess()
    number = process.GetUnixSignals().GetSignalNumberFromName("SIGTRAP")
    if thread.GetStopReasonDataAtIndex(0) != number:
        return False
    if _is_gone(process.GetProcessID(), thread.GetThreadID()):
        return True
    if not process.GetTarget().GetTriple().startswith("x86_64"):
        return False
    return not (_was_sent(thread) or _is_behind_trap(thread) or _stops_after_each(thread))


def _is_gone(process, thread):
    """Has a thread ended? Not known of a server on another machine or in a container."""
    if not exit_codes.is_served(process):
        return False
    try:
        with open("/proc/%d/task/%d/stat" % (process, thread), "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode() in GONE
    except OSError:
        return True


def _was_sent(thread):
    """Did a process send the signal? True if that is not known."""
    code = thread.GetSiginfo().GetChildMemberWithName("si_code")
    return not code.IsValid() or code.GetError().Fail() or code.GetValueAsSigned() <= 0


def _is_behind_trap(thread):
    error, place = lldb.SBError(), thread.GetFrameAtIndex(0).GetPC()
    code = thread.GetProcess().ReadMemory(place - LONGEST, LONGEST, error)
    return error.Fail() or code.endswith(TRAPS)


def _stops_after_each(thread):
    flags = thread.GetFrameAtIndex(0).FindRegister("rflags")
    return not flags.IsValid() or bool(flags.GetValueAsUnsigned() & AFTER_EACH)
