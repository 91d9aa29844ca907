"""Tests of condition_results.py with threads that stand at one breakpoint."""

import types
import unittest

import condition_results
import lldb
import session_line


class Thread:
    def __init__(self, process, number, reason):
        self.process, self.number, self.reason = process, number, reason

    def GetProcess(self):
        return self.process

    def GetThreadID(self):
        return self.number

    def GetStopReason(self):
        return self.reason

    def GetStopReasonDataCount(self):
        return 2

    def GetFrameAtIndex(self, _at):
        return types.SimpleNamespace(GetPC=lambda: 64, GetThread=lambda: self)


class Process(list):
    """Three threads, of which the first two have stopped; the first one is selected."""

    def __init__(self, stop):
        reasons = (lldb.eStopReasonBreakpoint, lldb.eStopReasonBreakpoint, lldb.eStopReasonNone)
        super().__init__(Thread(self, number, reason) for number, reason in enumerate(reasons, 1))
        self.stop, self.selected = stop, 1
        self.interrupts = 0
        target = types.SimpleNamespace(GetProcess=lambda: self)
        session_line.debugger = types.SimpleNamespace(GetSelectedTarget=lambda: target)

    def GetTarget(self):
        return None

    def GetThreadByID(self, number):
        return self[number - 1]

    def SendAsyncInterrupt(self):
        self.interrupts += 1

    def GetProcessID(self):
        return 0

    def GetStopID(self):
        return self.stop

    def GetSelectedThread(self):
        return self[self.selected - 1]

    def SetSelectedThreadByID(self, number):
        self.selected = number


class Results(unittest.TestCase):
    def test_thread_whose_condition_holds_is_selected(self):
        for first, second, selected in ((False, True, 2), (True, False, 1), (False, False, 1)):
            process = Process(stop=object())
            condition_results.record(process[0], first)
            condition_results.record(process[1], second)
            condition_results.select(process)
            self.assertEqual(process.selected, selected, (first, second))

    def test_thread_without_a_condition_is_selected_after_a_log_point(self):
        process = Process(stop=object())
        condition_results.record(process[0], False)
        condition_results.select(process)
        self.assertEqual(process.selected, 2)

    def test_thread_continues_once_all_its_conditions_are_known(self):
        process = Process(stop=object())
        condition_results.record(process[0], False)
        self.assertFalse(condition_results.continues(process[0], 2))
        condition_results.record(process[0], False)
        self.assertTrue(condition_results.continues(process[0], 2))
        self.assertFalse(condition_results.continues(process[1], 1))
        condition_results.record(process[0], True)
        self.assertFalse(condition_results.continues(process[0], 2))

    def test_results_of_an_earlier_stop_do_not_count(self):
        process = Process(stop=1)
        condition_results.record(process[1], True)
        process.stop = 2
        condition_results.select(process)
        self.assertEqual(process.selected, 1)
        self.assertFalse(condition_results.continues(process[1], 1))

    def test_pause_stops_at_a_condition_that_does_not_hold(self):
        process = Process(stop=object())
        self.assertFalse(condition_results.record(process[0], False))
        condition_results.pause()
        self.assertEqual(process.interrupts, 1)
        process.stop = object()
        self.assertTrue(condition_results.record(process[0], False))
        self.assertFalse(condition_results.continues(process[0], 1))
        self.assertTrue(condition_results.end_pause(1))
        self.assertFalse(condition_results.record(process[0], False))
        self.assertFalse(condition_results.end_pause(1))

    def test_pause_is_not_the_reason_of_other_stops(self):
        for holds, stop in ((True, 1), (False, 2)):
            process = Process(stop=1)
            condition_results.pause()
            condition_results.record(process[0], holds)
            process.stop = stop
            self.assertFalse(condition_results.end_pause(1), (holds, stop))

    def test_conditions_that_a_pause_has_cut_off_are_evaluated(self):
        def evaluates(holds):
            return lambda: condition_results.record(process[0], holds)

        for known, passes in (([False], True), ([True], False), ([], False), ([False] * 2, False)):
            process = Process(stop=1)
            for holds in known:
                condition_results.remember(process[0].GetFrameAtIndex(0), evaluates(holds))
            condition_results.record(process[0], False)
            condition_results.pause()
            process.stop = 2
            self.assertEqual(condition_results.end_pause(1), passes, known)
            # Once evaluated they are those of this stop, and edits may follow.
            condition_results.pause()
            process.stop = 3
            self.assertFalse(condition_results.end_pause(1), known)

    def test_conditions_of_the_last_arrival_are_evaluated_again(self):
        process, evaluated = Process(stop=1), []
        for number, stop in ((0, 1), (1, 1), (1, 2)):
            process.stop = stop
            frame = process[number].GetFrameAtIndex(0)
            condition_results.remember(frame, lambda at=(number, stop): evaluated.append(at))
        condition_results.pause()
        process.stop = 3
        self.assertTrue(condition_results.end_pause(2))
        self.assertEqual(evaluated, [(1, 2)])


if __name__ == "__main__":
    unittest.main()
