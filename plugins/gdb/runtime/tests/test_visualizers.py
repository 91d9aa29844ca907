"""Tests of visualizers.py: which values gdb's own printers would fail at, or describe wrongly."""

import types
import unittest

from . import part_of_script

visualizers = part_of_script("visualizers.py")
gdb = visualizers.gdb


class Type(types.SimpleNamespace):
    def strip_typedefs(self):
        return self

    unqualified = strip_typedefs

    def target(self):
        return self.element

    def __str__(self):
        return self.name


class Value:
    def __init__(self, ty, number):
        self.type, self.number = ty, number

    def __int__(self):
        if self.number is None:
            raise gdb.error("value has been optimized out")
        return self.number


SHORT = Type(name="short", code=0, sizeof=2)


class Arrays(unittest.TestCase):
    def array(self, name, size, element=SHORT):
        return Type(name=name, code=gdb.TYPE_CODE_ARRAY, sizeof=size, element=element)

    def test_last_member_of_a_structure_has_no_length(self):
        unknown = visualizers.has_unknown_length
        self.assertTrue(unknown(self.array("short []", 0)))
        self.assertTrue(unknown(self.array("short [0]", 0)))
        self.assertFalse(unknown(self.array("short [3]", 6)))
        self.assertFalse(unknown(self.array("[i16; 0]", 0)))
        self.assertFalse(unknown(SHORT))


class Nulls(unittest.TestCase):
    def test_pointer_to_nothing(self):
        pointer = Type(name="short *", code=gdb.TYPE_CODE_PTR)
        null = visualizers.is_null_pointer
        self.assertTrue(null(Value(pointer, 0)))
        for value in (Value(pointer, 8), Value(pointer, None), Value(SHORT, 0)):
            self.assertFalse(null(value))

    def test_type_of_nullptr_is_no_other_void(self):
        null = visualizers.is_null_type
        self.assertTrue(null(Type(name="decltype(nullptr)", code=gdb.TYPE_CODE_VOID)))
        self.assertFalse(null(Type(name="void", code=gdb.TYPE_CODE_VOID)))


if __name__ == "__main__":
    unittest.main()
