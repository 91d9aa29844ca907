"""Tests of registers.py: which registers have changed."""

import unittest

from . import part_of_script

registers = part_of_script("registers.py")


class Changed(unittest.TestCase):
    def test_value_of_the_earlier_stop_follows(self):
        found = registers.Registers()
        self.assertEqual(found.text((1, "rax"), "0xd"), "0xd")
        self.assertEqual(found.text((1, "rax"), "0x5"), "0x5", "at the same stop")
        found.on_continue(None)
        self.assertEqual(found.text((1, "rax"), "0x6"), "0x6 (was 0x5)")
        self.assertEqual(found.text((1, "rbx"), "0x1"), "0x1")
        self.assertEqual(found.text((2, "rax"), "0x7"), "0x7", "of another thread")
        found.on_continue(None)
        found.on_continue(None)
        self.assertEqual(found.text((1, "rax"), "0x6"), "0x6")
        self.assertEqual(found.text((1, "rbx"), "0x2"), "0x2 (was 0x1)")


if __name__ == "__main__":
    unittest.main()
