"""Tests of unset.py: which variables a frame has not reached."""

import types
import unittest

from . import part_of_script

FRAME_BASES = ("rbp", "rsp")
unset = part_of_script(
    "unset.py",
    FRAME_BASES=FRAME_BASES,
    names_part=lambda texts, bases, start, size: "store to %#x" % start in texts,
)
gdb = unset.gdb
SYMTAB = types.SimpleNamespace(filename="a.c", producer="GNU C17 12.2.0 -mtune=generic -g")


def symbol(line, **more):
    facts = {"is_variable": True, "is_argument": False, "addr_class": -1, "symtab": SYMTAB}
    return types.SimpleNamespace(line=line, **{**facts, **more})


class Frame:
    def __init__(self, line, pc=0x10, symtab=SYMTAB, function="f(int)"):
        self.place = types.SimpleNamespace(line=line, symtab=symtab)
        self.address = pc
        self.name = function

    def function(self):
        return types.SimpleNamespace(print_name=self.name)

    def find_sal(self):
        return self.place

    def pc(self):
        return self.address

    def read_register(self, name):
        return 0x100

    def architecture(self):
        return self

    def disassemble(self, begin, last):
        code = {0x18: "call", 0x1C: "store to 0x90", 0x20: "call"}
        return [{"asm": text} for at, text in code.items() if begin <= at <= last]

    def block(self):
        return types.SimpleNamespace(function="f", start=0x10, end=0x40)


class Unset(unittest.TestCase):
    def is_later(self, symbol, frame):
        return unset.unset.is_later(symbol, frame)

    def test_variable_of_a_later_line_is_not_set(self):
        self.assertTrue(self.is_later(symbol(9), Frame(7)))
        self.assertFalse(self.is_later(symbol(5), Frame(7)))
        for facts in ({"is_argument": True}, {"is_variable": False}):
            self.assertFalse(self.is_later(symbol(9, **facts), Frame(7)), facts)

    def test_variables_of_a_coroutine_keep_their_values(self):
        frame = Frame(7, function="count(_Z5countii.Frame *)")
        self.assertFalse(self.is_later(symbol(9), frame))

    def test_variable_of_the_line_is_not_set_before_its_code_names_it(self):
        entries = [types.SimpleNamespace(pc=pc) for pc in (0x30, 0x18, 0x80)]
        table = types.SimpleNamespace(line=lambda line: entries)
        symtab = types.SimpleNamespace(**vars(SYMTAB), linetable=lambda: table)
        rows = {0x18: (7, 0x1B), 0x1C: (7, 0x23), 0x24: (8, 0x2F)}
        gdb.find_pc_line = lambda pc: types.SimpleNamespace(line=rows[pc][0], last=rows[pc][1])
        plain = {"code": gdb.TYPE_CODE_INT, "dynamic": False, "sizeof": 8}
        begin = (0x18, True)
        for facts, places in (
            # Behind the body of a loop its head is of the same line.
            ({}, (begin, (0x1C, True), (0x20, False), (0x24, False), (0x30, False))),
            ({"address": 0x94}, (begin, (0x1C, True), (0x20, True), (0x30, False))),
            ({"address": None}, (begin, (0x1C, False))),
            ({"code": gdb.TYPE_CODE_REF}, (begin, (0x1C, False))),
            ({"dynamic": True}, (begin, (0x1C, False))),
        ):
            ty = types.SimpleNamespace(**{**plain, **facts})
            ty.strip_typedefs = lambda ty=ty: ty
            value = types.SimpleNamespace(address=facts.get("address", 0x90))
            one = symbol(7, type=ty, value=lambda frame, value=value: value)
            for pc, later in places:
                found = self.is_later(one, Frame(7, pc, symtab))
                self.assertEqual(found, later, (facts, hex(pc)))

    def test_optimised_code_is_not_in_the_order_of_its_lines(self):
        for producer, later in (
            ("GNU C17 12.2.0 -g -O0", True),
            ("GNU C++17 12.2.0 -g -O2", False),
            ("GNU C17 12.2.0 -g -Og", False),
            ("clang version 14", False),
            (None, False),
        ):
            symtab = types.SimpleNamespace(filename="a.c", producer=producer)
            self.assertEqual(self.is_later(symbol(9), Frame(7, symtab=symtab)), later, producer)


if __name__ == "__main__":
    unittest.main()
