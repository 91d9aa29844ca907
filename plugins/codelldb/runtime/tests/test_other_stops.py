"""Tests of other_stops.py with threads that have stopped together."""

import sys
import types
import unittest

import lldb

sys.modules.setdefault("codelldb", types.ModuleType("codelldb"))

import codelldb
import condition_results
import other_stops
import session_line


class Thread:
    def __init__(self, process, number, reason, ids=(), description=""):
        self.process, self.number, self.reason = process, number, reason
        self.ids, self.description, self.register = ids, description, 1

    def GetProcess(self):
        return self.process

    def GetThreadID(self):
        return self.number

    def GetStopReason(self):
        return self.reason

    def GetStopReasonDataCount(self):
        return 2 * len(self.ids)

    def GetStopReasonDataAtIndex(self, at):
        return self.ids[at // 2]

    def GetStopDescription(self, _size):
        return self.description

    def GetFrameAtIndex(self, _index):
        one = types.SimpleNamespace(GetValueAsUnsigned=lambda: self.register)
        group = types.SimpleNamespace(
            GetNumChildren=lambda: 1, GetChildAtIndex=lambda *_: one, GetNonSyntheticValue=None
        )
        group.GetNonSyntheticValue = lambda: group
        groups = types.SimpleNamespace(GetSize=lambda: 1, GetValueAtIndex=lambda _: group)
        return types.SimpleNamespace(GetRegisters=lambda: groups)


class Process(list):
    """Breakpoint 9 is removed."""

    def __init__(self, *threads):
        super().__init__(Thread(self, n, *facts) for n, facts in enumerate(threads, 1))
        self.stop, self.selected = object(), 1
        self.target = types.SimpleNamespace(
            GetProcess=lambda: self,
            FindBreakpointByID=lambda id: types.SimpleNamespace(IsValid=lambda: id != 9),
        )
        session_line.debugger = types.SimpleNamespace(
            GetSelectedTarget=lambda: self.target, GetID=lambda: 1
        )

    def GetUnixSignals(self):
        return types.SimpleNamespace(
            GetShouldStop=lambda number: number != ALARM, GetSignalNumberFromName=lambda _: 5
        )

    def GetTarget(self):
        return self.target

    def GetProcessID(self):
        return 0

    def GetStopID(self):
        return self.stop

    def GetState(self):
        return lldb.eStateStopped

    def GetNumThreads(self):
        return len(self)

    def SetSelectedThreadByID(self, number):
        self.selected = number


HIT, NONE = lldb.eStopReasonBreakpoint, lldb.eStopReasonNone
# The debugger does not stop at this signal.
ALARM = 14
STEP, SIGNAL = lldb.eStopReasonPlanComplete, lldb.eStopReasonSignal


class OtherStops(unittest.TestCase):
    def setUp(self):
        self.sent = []
        codelldb.interface = types.SimpleNamespace(
            send_message=lambda _, message: self.sent.append(message)
        )
        moves = other_stops.prologues.moves
        self.addCleanup(setattr, other_stops.prologues, "moves", moves)
        other_stops.prologues.moves = lambda thread: False

    def report(self, process, reported, stepped=False):
        other_stops.report(reported, stepped)
        return self.sent.pop()["other_stop"]

    def test_each_thread_that_hit_a_breakpoint_is_reported_once(self):
        process = Process((HIT, (1,)), (NONE,), (HIT, (2,)))
        body = {"threadId": 3, "allThreadsStopped": True}
        body.update(reason="breakpoint", hitBreakpointIds=[2])
        self.assertEqual(self.report(process, [1]), body)
        self.assertEqual(process.selected, 3)
        self.assertIsNone(self.report(process, [1, 3]))

    def test_hit_at_the_end_of_a_step_is_reported(self):
        process = Process((STEP,), (HIT, (2,)))
        self.assertEqual(self.report(process, [1])["hitBreakpointIds"], [2])
        self.assertIsNone(self.report(Process((HIT, (2,)), (STEP,)), [1]))

    def test_hit_of_a_condition_that_does_not_hold_is_none(self):
        process = Process((HIT, (1,)), (HIT, (1,)))
        condition_results.record(process[1], False)
        self.assertIsNone(self.report(process, [1]))
        process = Process((HIT, (1,)), (HIT, (1, 2)))
        condition_results.record(process[1], False)
        condition_results.record(process[1], True)
        self.assertEqual(self.report(process, [1])["threadId"], 2)

    def test_breakpoint_that_is_removed_meanwhile_is_not_hit(self):
        self.assertIsNone(self.report(Process((HIT, (1,)), (HIT, (9,))), [1]))

    def test_breakpoint_in_place_of_removed_ones_is_not_hit(self):
        reported = other_stops.internal_breakpoints._reported
        self.addCleanup(reported.clear)
        for owners, is_hit in (([9], False), ([9, 3], True), ([], True)):
            reported["prologues"] = {7: owners}
            found = self.report(Process((HIT, (1,)), (HIT, (7,))), [1])
            self.assertEqual(found is not None, is_hit, owners)

    def test_signal_of_the_program_is_reported_and_a_pause_is_not(self):
        text = "signal SIGSEGV: invalid address (fault address=0x0)"
        body = self.report(Process((HIT, (1,)), (SIGNAL, (11,), text)), [1])
        self.assertEqual((body["reason"], body["description"]), ("exception", text))
        for number, text in ((19, "signal SIGSTOP"), (ALARM, "signal SIGALRM")):
            self.assertIsNone(self.report(Process((HIT, (1,)), (SIGNAL, (number,), text)), [1]))

    def test_trap_that_nothing_explains_is_not_reported(self):
        is_spurious_trap = other_stops.traps.is_spurious_trap
        self.addCleanup(setattr, other_stops.traps, "is_spurious_trap", is_spurious_trap)
        process = Process((HIT, (1,)), (SIGNAL, (5,), "signal SIGTRAP"))
        for spurious in (False, True):
            other_stops.traps.is_spurious_trap = lambda thread: spurious and thread.number == 2
            self.assertEqual(self.report(process, [1]) is None, spurious)

    def test_thread_that_has_not_run_since_is_not_reported_again(self):
        process = Process((HIT, (1,)), (HIT, (1,)))
        for register, stepped, again in (
            (1, False, True),
            (1, True, False),
            (2, True, True),
            (2, True, False),
            (2, False, True),
        ):
            process.stop = object()
            process[1].register = register
            other_stops.note(process, list(process))
            other_stops.note(process, list(process))
            found = self.report(process, [1], stepped)
            self.sent.clear()
            self.assertEqual(found is not None, again, (register, stepped))

    def test_several_stops_are_noted(self):
        process = Process((HIT, (1,)), (HIT, (1,)))
        self.sent.clear()
        other_stops.note(process, [process[0]])
        self.assertEqual(self.sent, [])
        process.stop = object()
        other_stops.note(process, list(process))
        other_stops.note(process, list(process))
        self.assertEqual(self.sent, [{"other_stops": True}])


if __name__ == "__main__":
    unittest.main()
