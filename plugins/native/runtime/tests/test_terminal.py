"""Tests of terminal.py."""

import os
import threading
import unittest

from terminal import Terminal


class Terminals(unittest.TestCase):
    def setUp(self):
        self.terminal, self.received = Terminal(), b""
        threading.Thread(target=self.terminal.listen, args=(self.receive,), daemon=True).start()
        self.program = os.open(self.terminal.name, os.O_WRONLY | os.O_NOCTTY)
        self.addCleanup(os.close, self.program)

    def receive(self, written):
        self.receive_now()
        self.received += written

    def receive_now(self):
        pass

    def test_output_is_received_before_the_end_of_a_drain(self):
        for number in range(100):
            line = b"line %d\r\n" % number
            os.write(self.program, line)
            self.terminal.drain()
            self.assertTrue(self.received.endswith(line))
        self.assertEqual(self.received.count(b"\n"), 100)

    def test_only_output_that_waits_is_drained(self):
        drains = []
        drain = self.terminal.drain
        self.terminal.drain = lambda seconds: (drains.append(None), drain(seconds))
        for number in range(300):
            line = b"line %d\n" % number
            os.write(self.program, line)
            self.terminal.drain_written()
            self.assertTrue(self.received.endswith(line))
            before = len(drains)
            self.terminal.drain_written()
            self.assertEqual(len(drains), before)

    def test_a_drain_waits_for_bytes_that_are_read_and_not_received(self):
        begun, may_end, drained = (threading.Event() for _ in range(3))
        self.receive_now = lambda: (begun.set(), may_end.wait())
        os.write(self.program, b"line\n")
        begun.wait()
        wait = threading.Thread(target=lambda: (self.terminal.drain_written(60), drained.set()))
        wait.start()
        self.assertTrue(self.terminal.reading.locked())
        self.assertFalse(drained.is_set())
        may_end.set()
        wait.join()
        self.assertEqual(self.received, b"line\n")

    def test_a_text_may_end_as_a_mark_begins(self):
        os.write(self.program, b"record\0")
        self.terminal.drain_written()
        self.assertEqual(self.received, b"record\0")

    def test_much_output_is_complete(self):
        line = b"x" * 99 + b"\n"
        for _ in range(1000):
            os.write(self.program, line * 10)
        self.terminal.drain()
        self.assertEqual(self.received, line * 10_000)

    def test_input_is_at_its_end(self):
        program = os.open(self.terminal.name, os.O_RDONLY | os.O_NOCTTY)
        self.addCleanup(os.close, program)
        self.assertEqual(os.read(program, 100), b"")
