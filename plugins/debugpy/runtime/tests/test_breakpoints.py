"""Tests of breakpoints.py: texts that wait to be sent are bounded, and the rest is counted."""

import sys
import threading
import types
import unittest
from unittest import mock

STUBS = {
    "_pydevd_bundle._debug_adapter.pydevd_schema": {
        "OutputEvent": lambda body: body,
        "OutputEventBody": lambda *_, data: data,
    },
    "_pydevd_bundle.pydevd_api": {"PyDevdAPI": None},
    "_pydevd_bundle.pydevd_comm_constants": {"CMD_WRITE_TO_CONSOLE": 1},
    "_pydevd_bundle.pydevd_constants": {
        "ForkSafeLock": threading.Lock,
        "get_global_debugger": lambda: None,
    },
    "_pydevd_bundle.pydevd_safe_repr": {"SafeRepr": lambda: str},
}


class Command:
    def __init__(self, _, __, event, is_json):
        self.event = event

    def send(self, sock):
        sock.append(self.event)


def loaded():
    with mock.patch.dict(sys.modules):
        for name, names in STUBS.items():
            known = vars(sys.modules[name]) if name in sys.modules else {}
            made = types.ModuleType(name)
            vars(made).update({**known, **names})
            sys.modules[name] = made
        made = types.ModuleType("_pydevd_bundle.pydevd_net_command")
        made.NetCommand = Command
        sys.modules[made.__name__] = made
        with mock.patch("threading._register_atexit", create=True), mock.patch("atexit.register"):
            sys.modules.pop("breakpoints", None)
            return __import__("breakpoints")


breakpoints = loaded()


class Texts(unittest.TestCase):
    def sent(self, texts):
        waiting, events = breakpoints.Texts(), []
        for text in texts:
            waiting.add(1, text)
        waiting.send(events)
        hits = sum(len(event.get("texts", ())) + event.get("hits", 0) for event in events)
        self.assertEqual(hits, len(texts))
        return events

    def test_long_text_is_cut(self):
        pieces = [(True, "a: "), (False, "'x' * 60000")]
        text = breakpoints.message(pieces, {}, {})
        self.assertEqual((len(text), text[-1]), (breakpoints.MOST_CHARACTERS + 1, "…"))
        self.assertEqual(breakpoints.message([(True, "a"), (False, "1")], {}, {}), "a1")

    def test_message_goes_with_the_output_where_the_launcher_reads_it(self):
        output, sent = types.ModuleType("dapdock_output"), []
        with mock.patch.dict(sys.modules, dapdock_output=output):
            output.questions = None
            self.assertFalse(breakpoints.is_written(7, "a"))
            output.questions = types.SimpleNamespace(write_log=lambda data: sent.append(data) or 1)
            with mock.patch.object(threading.current_thread(), "_name", "T,1"):
                self.assertFalse(breakpoints.log(7, [(True, "a,b\udc80")], None, {}, {}))
        self.assertEqual(sent, [b"7,3,T,1a,b?"])
        self.assertIsNone(breakpoints.waiting)

    def test_event_is_bounded_by_characters(self):
        events = self.sent(["x" * 2000] * 3000)
        for event in events:
            size = sum(len(entry["text"]) for entry in event["texts"])
            self.assertLess(size, 2**20 + 1)
        self.assertEqual(sum(len(event["texts"]) for event in events), 3000)

    def test_event_is_bounded_by_number(self):
        events = self.sent(["x"] * 1200)
        self.assertEqual([len(event["texts"]) for event in events], [500, 500, 200])

    def test_what_waits_is_bounded(self):
        events = self.sent(["x" * 2000] * 9000 + [None])
        self.assertTrue(events[-1]["unlogged"])
        size = sum(len(entry["text"]) for event in events[:-1] for entry in event["texts"])
        self.assertLess(size, 2**24)

    def test_one_text_beyond_the_bound_of_an_event(self):
        self.assertEqual(len(self.sent(["x" * 2**21, "y"])), 2)


if __name__ == "__main__":
    unittest.main()
