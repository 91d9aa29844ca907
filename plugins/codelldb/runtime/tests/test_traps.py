"""Tests of traps.py with a thread of this process and one that does not exist."""

import os
import threading
import types
import unittest
import unittest.mock

import lldb

import traps

TRAP = 5


def member(value):
    error = types.SimpleNamespace(Fail=lambda: value is None)
    return types.SimpleNamespace(
        IsValid=lambda: value is not None,
        GetError=lambda: error,
        GetValueAsSigned=lambda: value,
        GetValueAsUnsigned=lambda: value,
    )


class Thread:
    """A thread of this process that a SIGTRAP has stopped."""

    def __init__(self, code=1, memory=b"\x90\x90", flags=0, signal=TRAP, number=None):
        self.code, self.memory, self.flags, self.signal = code, memory, flags, signal
        self.number = number or threading.get_native_id()
        self.reason, self.triple = lldb.eStopReasonSignal, "x86_64-unknown-linux"
        self.id = os.getpid()
        self.GetFrameAtIndex = lambda _: self
        self.GetProcess = self.GetTarget = self.GetUnixSignals = self.GetSiginfo = lambda: self

    def GetStopReason(self):
        return self.reason

    def GetStopReasonDataAtIndex(self, _at):
        return self.signal

    def GetSignalNumberFromName(self, _name):
        return TRAP

    def GetProcessID(self):
        return self.id

    def GetThreadID(self):
        return self.number

    def GetTriple(self):
        return self.triple

    def GetChildMemberWithName(self, _name):
        return member(self.code)

    def GetPC(self):
        return 100

    def ReadMemory(self, at, size, error):
        error.Fail = lambda: self.memory is None
        assert (at, size) == (98, 2)
        return self.memory

    def FindRegister(self, _name):
        return member(self.flags)


class Traps(unittest.TestCase):
    def test_only_a_trap_without_a_reason_is_spurious(self):
        for facts, expected in (
            ({}, True),
            # A breakpoint of the kernel's, an event of ptrace.
            ({"code": 0x80}, True),
            ({"code": 0x605}, True),
            # `kill`, `tgkill`, and what cannot be read.
            ({"code": 0}, False),
            ({"code": -6}, False),
            ({"code": None}, False),
            ({"memory": b"\x90\xcc"}, False),
            ({"memory": b"\xcd\x03"}, False),
            ({"memory": b"\xcc\x90"}, True),
            ({"memory": None}, False),
            ({"flags": 0x346}, False),
            ({"flags": 0x246}, True),
            ({"flags": None}, False),
            ({"signal": 11}, False),
        ):
            self.assertEqual(traps.is_spurious_trap(Thread(**facts)), expected, facts)

    def test_thread_that_is_gone_is_spurious(self):
        gone, there = Thread(code=0, number=1 << 30), Thread(code=0)
        # A process of another server may have a number of one of this machine.
        self.assertFalse(traps.is_spurious_trap(gone))
        with unittest.mock.patch.object(traps.exit_codes, "is_served", lambda _: True):
            self.assertTrue(traps.is_spurious_trap(gone))
            self.assertFalse(traps.is_spurious_trap(there))

    def test_other_machines_and_other_stops_are_left(self):
        thread = Thread()
        thread.triple = "aarch64-unknown-linux"
        self.assertFalse(traps.is_spurious_trap(thread))
        thread = Thread()
        thread.reason = lldb.eStopReasonBreakpoint
        self.assertFalse(traps.is_spurious_trap(thread))

    def test_thread_with_a_reason_is_reported(self):
        one, two = Thread(number=3), Thread(number=4, signal=11)
        selected = []
        process = types.SimpleNamespace(
            GetSelectedThread=lambda: one, SetSelectedThread=selected.append
        )
        self.assertEqual(traps.without_spurious_traps(process, [one, two]), [two])
        self.assertEqual(selected, [two])
        self.assertEqual(traps.without_spurious_traps(process, [one]), [])
        self.assertEqual(traps.without_spurious_traps(process, [two]), [two])
        self.assertEqual(selected, [two])


if __name__ == "__main__":
    unittest.main()
