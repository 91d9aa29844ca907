"""Tests of unset.py: which variables a frame has not reached."""

import types
import unittest

from . import part_of_script

unset = part_of_script("unset.py")
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

    def test_variable_of_the_line_is_not_set_where_the_line_begins(self):
        entries = [types.SimpleNamespace(pc=pc) for pc in (0x30, 0x18, 0x80)]
        table = types.SimpleNamespace(line=lambda line: entries)
        symtab = types.SimpleNamespace(**vars(SYMTAB), linetable=lambda: table)
        for pc, later in ((0x18, True), (0x1C, False), (0x30, False)):
            frame = Frame(7, pc, symtab)
            self.assertEqual(self.is_later(symbol(7), frame), later, hex(pc))

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
