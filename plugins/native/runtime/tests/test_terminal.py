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
        self.received += written

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
        self.terminal.drain = lambda: (drains.append(None), drain())
        self.terminal.drain_written()
        self.assertEqual(drains, [])
        for number in range(300):
            line = b"line %d\n" % number
            os.write(self.program, line)
            self.terminal.drain_written()
            self.assertTrue(self.received.endswith(line))

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
