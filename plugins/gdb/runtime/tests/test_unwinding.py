"""Tests of unwinding.py: which instructions a function reaches without unwinding."""

import types
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

    def test_jump_by_a_table_leads_to_its_entries(self):
        texts = ["lea    0x1234(%rip),%rcx        # 0x5000", "add    %rcx,%rax", "jmp    *%rax",
                 "ret", "call   0x999", "ret"]
        table = {0x5000: 0x30 - 0x5000, 0x5004: 0x50 - 0x5000, 0x5008: 7}
        found = unwinding.reachable(function(*texts), 0, table.__getitem__)
        self.assertEqual(found, {16 * n for n in (0, 1, 2, 3, 5)})
        none = {0x5000: 7}
        self.assertIsNone(unwinding.reachable(function(*texts), 0, none.__getitem__))

    def test_table_ends_where_nothing_can_be_read(self):
        def read(address):
            if address not in table:
                raise unwinding.gdb.error("Cannot access memory")
            return table[address]

        texts = ["lea    0x1234(%rip),%rcx        # 0x5000", "jmp    *%rax", "ret", "ret"]
        table = {0x5000: 0x30 - 0x5000}
        found = unwinding.reachable(function(*texts), 0, read)
        self.assertEqual(found, {16 * n for n in (0, 1, 3)})
        table.clear()
        self.assertIsNone(unwinding.reachable(function(*texts), 0, read))


class Starts(unittest.TestCase):
    """A function whose code is a line of a normal return, and one of unwinding."""

    def found(self, lines, address):
        """The start, and whether the line only unwinds; `lines` are those of the instructions."""
        texts = ["nop", "nop", "ret", "call   0x999 <drop>", "call   0x999 <_Unwind_Resume>"]
        entries = [types.SimpleNamespace(pc=16 * n, line=line) for n, line in enumerate(lines)]
        symtab = types.SimpleNamespace(linetable=lambda: entries)
        block = types.SimpleNamespace(start=0, end=80, function="f", superblock=None)
        gdb = unwinding.gdb
        gdb.find_pc_line = lambda at: types.SimpleNamespace(symtab=symtab, line=lines[at // 16])
        gdb.block_for_pc = lambda at: block
        architecture = types.SimpleNamespace(disassemble=lambda start, end: function(*texts))
        gdb.selected_inferior = lambda: types.SimpleNamespace(architecture=lambda: architecture)
        one = unwinding.Function(block)
        one.addresses.append(address)
        one.find_start()
        return one.start, one.is_unwinding

    def test_line_is_moved_to_where_it_returns(self):
        self.assertEqual(self.found([1, 2, 5, 5, 5], 48), (32, False))

    def test_line_that_only_unwinds_is_moved_to_the_next_one(self):
        self.assertEqual(self.found([1, 2, 6, 5, 5], 48), (32, False))
        self.assertEqual(self.found([1, 2, 3, 5, 5], 48), (None, True))

    def test_line_that_is_there_stays(self):
        self.assertEqual(self.found([1, 2, 5, 5, 5], 16), (None, False))


if __name__ == "__main__":
    unittest.main()
