"""Tests of assign.py: texts of `std::string`, and assignments by a function of the program."""

import types
import unittest

from . import part_of_script


class Member:
    """A member of a value at an address, with what gdb assigns to it."""

    def __init__(self, number, address=0, size=0):
        self.number, self.address = number, address
        self.type = types.SimpleNamespace(sizeof=size)

    def __int__(self):
        return self.number

    def assign(self, number):
        self.number = number


class Text(dict):
    fetched = False

    def fetch_lazy(self):
        self.fetched = True


def text(start, room=0):
    """A `std::string` with its text at an address; its own place is at 100."""
    return Text(
        _M_dataplus={"_M_p": Member(start)},
        _M_local_buf=Member(0, 100, 16),
        _M_allocated_capacity=Member(room),
        _M_string_length=Member(3),
    )


class Texts(unittest.TestCase):
    def setUp(self):
        self.script = part_of_script("assign.py", comparable=lambda given: given)
        self.written = {}
        inferior = types.SimpleNamespace(write_memory=self.written.__setitem__)
        self.script.gdb.selected_inferior = lambda: inferior
        self.script.put("assigning_call", lambda expression, given: None)

    def test_text_is_set_in_the_memory_that_it_has(self):
        for start, room, size in ((100, 999, 15), (500, 30, 30)):
            target = text(start, room)
            self.assertEqual(self.script.room_of(target), size)
            self.assertIsNone(self.script.set_text("s", '"new!"', target, b"new!"))
            self.assertEqual(self.written.pop(start), b"new!\0")
            self.assertEqual(int(target["_M_string_length"]), 4)
            self.assertTrue(target.fetched)

    def test_longer_text_is_rejected(self):
        why = self.script.set_text("s", "t", text(100), b"x" * 16)
        self.assertEqual(why, "`s` has room for 15 bytes, the text has 16")
        self.assertEqual(self.written, {})


class Assignments(unittest.TestCase):
    def test_assignment_is_told_from_a_comparison(self):
        parts = part_of_script("assign.py").ASSIGNMENT.fullmatch
        self.assertEqual(parts('s = "a = b"').groups(), ("s", '"a = b"'))
        self.assertEqual(parts("bag.items[2]= x").groups(), ("bag.items[2]", "x"))
        for other in ("a == b", "a += b", "a <= b", "a != b", "s"):
            self.assertIsNone(parts(other), other)


if __name__ == "__main__":
    unittest.main()
