"""Tests of output.py and launcher.py: the order of two streams is that of their writes."""

import os
import struct
import subprocess
import sys
import unittest

import launcher
from tests import RUNTIME

ALTERNATING = """
import os, sys
for number in range(1000):
    print("out", number)
    sys.stderr.write(f"err {number}\\n")
os.write(1, b"unannounced\\n")
"""


class Received:
    def __init__(self):
        self.parts = []

    def emit(self, stream, data):
        self.parts.append((stream, data))


class Orders(unittest.TestCase):
    def merged(self):
        received = Received()
        return launcher.Merged(received.emit), received.parts

    def records(self, *pairs):
        return b"".join(launcher.RECORD.pack(*pair) for pair in pairs)

    def test_records_decide(self):
        merged, parts = self.merged()
        merged.bytes = {1: b"aaccc", 2: b"b"}
        merged.add_records(self.records((1, 2), (2, 1), (1, 3)))
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"aa"), (2, b"b"), (1, b"ccc")])

    def test_record_before_its_bytes(self):
        merged, parts = self.merged()
        first, rest = self.records((1, 2))[:3], self.records((1, 2))[3:]
        merged.add_records(first)
        merged.add_records(rest + self.records((2, 1)))
        merged.bytes[2] = b"b"
        self.assertTrue(merged.pass_on())
        self.assertEqual(parts, [])
        merged.bytes[1] = b"aa"
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"aa"), (2, b"b")])

    def test_bytes_without_a_record_come_last(self):
        merged, parts = self.merged()
        merged.bytes = {1: b"ab", 2: b"c"}
        merged.add_records(self.records((1, 1)))
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"a"), (1, b"b"), (2, b"c")])

    def test_announced_bytes_that_do_not_come(self):
        merged, parts = self.merged()
        merged.bytes[2] = b"b"
        merged.add_records(self.records((1, 5), (2, 1)))
        self.assertTrue(merged.pass_on())
        merged.add_records(self.records((1, -5)))
        self.assertFalse(merged.pass_on())
        merged.add_records(self.records((1, 5)))
        self.assertTrue(merged.pass_on())
        merged.give_up()
        self.assertEqual(parts, [(2, b"b")])


@unittest.skipIf(sys.platform == "win32", "the launcher is debugpy's own there")
class Streams(unittest.TestCase):
    def test_alternating_lines_come_in_order(self):
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        code = f"import sys; sys.path.insert(0, {RUNTIME!r}); import output;"
        code += f"output.announce_output({announce})\n" + ALTERNATING
        program = subprocess.Popen(
            [sys.executable, "-u", "-c", code], stdout=out_end, stderr=err_end, pass_fds=[announce]
        )
        for descriptor in (out_end, err_end, announce):
            os.close(descriptor)
        received = Received()
        launcher.read_all({out: 1, err: 2}, records, received.emit)
        self.assertEqual(program.wait(), 0)
        text = b"".join(data for _, data in received.parts).decode()
        lines = [f"{name} {number}" for number in range(1000) for name in ("out", "err")]
        self.assertEqual(text.splitlines(), [*lines, "unannounced"])


if __name__ == "__main__":
    unittest.main()
