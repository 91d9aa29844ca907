"""Tests of unwinding.py: which instructions a function reaches without unwinding."""

import unittest

from . import part_of_script

unwinding = part_of_script("unwinding.py")


def function(*texts):
    return [{"addr": 16 * n, "asm": text, "length": 16} for n, text in enumerate(texts)]


class Reachable(unittest.TestCase):
    def check(self, texts, numbers):
        found = unwinding.reachable(function(*texts), 0)
        self.assertEqual(found, {16 * n for n in numbers}, texts)

    def test_code_after_a_jump_or_a_return_is_not_reached(self):
        self.check(["push   %rbp", "jmp    0x30 <f+48>", "call   0x999", "ret"], [0, 1, 3])
        self.check(["jne    0x20 <f+32>", "ret", "ud2", "leave"], [0, 1, 2])
        self.check(["call   0x5000 <panic>", "ud2", "jmp    0x10 <f+16>"], [0, 1])

    def test_jumps_of_arm_are_followed(self):
        self.check(["b.ne   0x20 <f+32>  // b.any", "ret", "ret"], [0, 1, 2])
        self.check(["cbz    x0, 0x20 <f+32>", "ret", "brk    #0x1", "nop"], [0, 1, 2])
        self.check(["tbz    w0, #3, 0x20 <f+32>", "b      0x10", "brk    #0x1"], [0, 1, 2])
        self.check(["bl     0x5000 <g>", "b      0x30 <f+48>", "nop", "ret"], [0, 1, 3])

    def test_computed_jump_leads_anywhere(self):
        for text in ("jmp    *%rax", "jmp    *0x8(%rax,%rbx,8)", "br     x16"):
            self.assertIsNone(unwinding.reachable(function("nop", text, "ret"), 0), text)


if __name__ == "__main__":
    unittest.main()
