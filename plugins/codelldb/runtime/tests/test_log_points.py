"""Tests of log_points.py with a thread at a log point."""

import sys
import types
import unittest

provider = types.SimpleNamespace(
    AbstractListSynthProvider=types.SimpleNamespace(),
    StdUnorderedMapSynthProvider=types.SimpleNamespace(),
)
for name in ("codelldb", "lldb.formatters", "lldb.formatters.cpp"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["lldb.formatters.cpp"].gnu_libstdcpp = provider

import codelldb
import condition_results
import internal_breakpoints
import log_points
import operators
import prologues


class Process:
    def __init__(self):
        self.stop = object()

    def GetProcessID(self):
        return 0

    def GetStopID(self):
        return self.stop


class Thread:
    process, name = Process(), "worker"

    def GetProcess(self):
        return self.process

    def GetThreadID(self):
        return 7

    def GetIndexID(self):
        return 2

    def GetName(self):
        return self.name


def unreadable():
    raise operators.Unable("there is no `y` here")


class Messages(unittest.TestCase):
    def setUp(self):
        self.thread = Thread()
        self.thread.process = Process()
        self.entry, self.sent, self.later = None, [], []
        self.replaced = []
        self.replace(operators, "here", lambda: None)
        self.replace(operators.operands.here, "thread", self.thread)
        frame = types.SimpleNamespace(GetPC=lambda: 64, GetThread=lambda: self.thread)
        self.replace(operators.operands.here, "frame", frame)
        self.replace(log_points.breakpoint_locations, "narrow", lambda target: None)
        self.replace(prologues, "prologue_end", lambda frame: self.entry)
        self.replace(internal_breakpoints, "at", lambda target, address: address)
        self.replace(
            internal_breakpoints,
            "stop_once",
            lambda at, thread, condition: self.later.append(condition),
        )
        interface = types.SimpleNamespace(send_message=lambda *message: self.sent.append(message))
        self.replace(codelldb, "interface", interface)
        self.now = 0.0
        self.replace(log_points, "reports", log_points.Reports(lambda: self.now))
        self.replace(log_points.Reports, "_send_later", lambda reports: None)
        debugger = types.SimpleNamespace(GetID=lambda: 1)
        target = types.SimpleNamespace(GetDebugger=lambda: debugger)
        self.replace(operators.operands.here, "target", target)

    def replace(self, module, name, other):
        self.replaced.append((module, name, getattr(module, name, None)))
        setattr(module, name, other)

    def tearDown(self):
        for module, name, earlier in reversed(self.replaced):
            setattr(module, name, earlier)

    def texts(self):
        return [one["text"] for _, message in self.sent for one in message["texts"]]

    def results(self):
        return condition_results._results.get(7)

    def test_message_has_number_thread_and_values(self):
        pieces = ("i=", (lambda: 3, ""), " ok=", (lambda: True, ""), " s=", (lambda: 'a"b', ""))
        self.assertIs(log_points.passed(12, pieces), False)
        text = {"breakpoint": 12, "thread": "worker", "text": 'i=3 ok=true s="a\\"b"'}
        self.assertEqual(self.sent, [(1, {"texts": [text], "hits_of": {12: 1}})])
        self.assertEqual(self.results(), [False])

    def test_failing_expression_leaves_the_others(self):
        log_points.passed(1, ((unreadable, ""), " ", (lambda: 2, "")))
        self.assertEqual(self.texts(), ["<error: there is no `y` here> 2"])

    def test_thread_without_a_name_has_its_number(self):
        self.thread.name = None
        log_points.passed(1, ("x",))
        self.assertEqual(self.sent[0][1]["texts"][0]["thread"], "2: tid=7")

    def test_text_is_bounded(self):
        log_points.passed(1, ("x" * 3000,))
        self.assertEqual(self.texts(), ["x" * log_points.LONGEST + "…"])

    def test_frequent_hits_share_a_message(self):
        for number in range(100):
            log_points.passed(1, (str(number),))
        burst = log_points.BURST - 1
        self.assertEqual(self.texts(), [str(number) for number in range(burst)])
        self.now += 2 * log_points.INTERVAL
        log_points.passed(1, ("100",))
        self.assertEqual(self.texts(), [str(number) for number in range(101)])
        self.assertEqual((len(self.sent), self.sent[-1][1]["hits_of"]), (burst + 1, {1: 101}))

    def test_fence_leaves_nothing_behind(self):
        log_points.session_line.debugger = types.SimpleNamespace(GetID=lambda: 1)
        for number in range(30):
            log_points.passed(1, (str(number),))
        log_points.fence(7)
        self.assertEqual(self.sent.pop(), (1, {"logged": True, "paused": False}))
        self.assertEqual(self.texts(), [str(number) for number in range(30)])

    def test_condition_decides(self):
        self.assertIs(log_points.passed(1, ("x",), lambda: False), False)
        self.assertEqual((self.sent, self.results()), ([], [False]))

    def test_failing_condition_stops(self):
        self.assertIs(log_points.passed(1, ("x",), lambda: None), True)
        self.assertEqual((self.sent, self.results()), ([], [True]))

    def test_entry_without_prologue_logs_behind_it(self):
        self.entry = "end"
        self.assertIs(log_points.passed(1, ("x",)), False)
        self.entry, (later,) = None, self.later
        self.assertEqual(self.sent, [])
        self.assertIs(later(), False)
        self.assertEqual(self.texts(), ["x"])


if __name__ == "__main__":
    unittest.main()
