"""Tests of values.py: how much of a text is read to compare it."""

import re
import types
import unittest

from . import part_of_script


class Texts(unittest.TestCase):
    def setUp(self):
        self.script = part_of_script("values.py", TEXTS=re.compile("x"))
        memory = types.SimpleNamespace(tobytes=lambda: b"text")
        self.read = []
        self.script.gdb.selected_inferior = lambda: types.SimpleNamespace(
            read_memory=lambda *part: self.read.append(part) or memory
        )

    def test_length_of_the_program_has_a_bound(self):
        longest, text_bytes = self.script.LONGEST_TEXT, self.script.text_bytes
        for length, most in ((5, None), (longest, None), (5, 4), (3, 4), (2**64 - 1, 4)):
            self.assertEqual(text_bytes(100, length, most), b"text")
        self.assertEqual([size for _, size in self.read], [5, longest, 4, 3, 4])
        self.assertEqual(text_bytes(0, 0), b"")
        with self.assertRaisesRegex(self.script.gdb.GdbError, "a text of 1048577 bytes"):
            text_bytes(100, longest + 1)
        with self.assertRaisesRegex(self.script.gdb.GdbError, "is too long"):
            text_bytes(100, 2**63, 2**62)


if __name__ == "__main__":
    unittest.main()
