"""Tests of rust_values.py: lengths that cannot be, and texts of C strings."""

import types
import unittest

from . import part_of_script


class Value:
    """A number, or members by their names."""

    def __init__(self, number=0, target=None, name="", **members):
        self.number, self.members = number, members
        self.type = types.SimpleNamespace(
            strip_typedefs=lambda: self.type, target=lambda: target, code=bool(members), name=name
        )

    def __getitem__(self, name):
        return self.members[name]

    def __int__(self):
        return self.number


def slice_of(start, length, size=4):
    of = types.SimpleNamespace(sizeof=size)
    return Value(name="&[u32]", data_ptr=Value(start, of), length=Value(length))


class RustValues(unittest.TestCase):
    def setUp(self):
        self.script = part_of_script("rust_values.py", TYPES=(True,), Members=object)
        gdb = self.script.gdb
        gdb.MemoryError = type("MemoryError", (gdb.error,), {})
        gdb.selected_inferior = lambda: types.SimpleNamespace(read_memory=self.read)
        self.script.put(
            "first_member",
            lambda value, *names: next((value[n] for n in names if n in value.members), None),
        )

    def read(self, address, size):
        if not 0x1000 <= address % 2**47 < 0x2000:
            raise self.script.gdb.MemoryError("Cannot access memory")
        return types.SimpleNamespace(tobytes=lambda: b"a\"\xff\n"[:size])

    def test_elements_in_memory_are_possible(self):
        for value in (slice_of(0x1000, 0x400), slice_of(4, 0), slice_of(1, 2**50, 0), Value(3)):
            self.assertIsNone(self.script.impossible(value))
        # Addresses of 48 bits, as aarch64 has them.
        self.assertIsNone(self.script.impossible(slice_of(2**47 + 0x1000, 0x400)))

    def test_elements_outside_of_memory_are_not(self):
        for start, length in ((0x1000, 0x401), (0x1000, 2**62), (0, 2)):
            expected = "<not valid: %d elements at %s>" % (length, hex(start))
            self.assertEqual(self.script.impossible(slice_of(start, length)), expected)

    def test_c_string_ends_before_its_zero(self):
        for length, expected in ((5, '"a\\"\\xff\\n"'), (3, '"a\\""'), (1, '""'), (0, '""')):
            fat = Value(data_ptr=Value(0x1000), length=Value(length))
            self.assertEqual(self.script.c_string(fat), expected)


if __name__ == "__main__":
    unittest.main()
