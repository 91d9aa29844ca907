"""Tests of rust_elements.py: lengths that cannot be."""

import types
import unittest

import lldb
import rust_elements


class Value:
    def __init__(self, number=0, type=None, **members):
        self.number, self.type, self.members = number, type, members

    def IsValid(self):
        return self.number is not None

    def GetNonSyntheticValue(self):
        return self

    def GetTypeName(self):
        return "&[u32]"

    def GetType(self):
        return types.SimpleNamespace(GetPointeeType=lambda: self.type)

    def GetValueAsUnsigned(self):
        return self.number

    def GetChildMemberWithName(self, name):
        return self.members.get(name, Value(None))

    def GetProcess(self):
        return types.SimpleNamespace(ReadMemory=self.read)

    def read(self, address, size, error):
        error.failed = not 0x1000 <= address % (1 << 47) < 0x2000


def slice_of(start, length, size=4):
    type = types.SimpleNamespace(IsValid=lambda: True, GetByteSize=lambda: size)
    return Value(data_ptr=Value(start, type), length=Value(length))


class Lengths(unittest.TestCase):
    def setUp(self):
        lldb.SBError = type("SBError", (), {"Success": lambda self: not self.failed})

    def check(self, value, expected):
        self.assertEqual(rust_elements.impossible(value), expected)

    def test_elements_in_memory_are_possible(self):
        self.check(slice_of(0x1000, 3), None)
        self.check(slice_of(0x1000, 0x400), None)
        # Addresses of 48 bits, as aarch64 has them.
        self.check(slice_of((1 << 47) + 0x1000, 0x400), None)
        self.check(slice_of(4, 0), None)
        self.check(slice_of(1, 1 << 50, size=0), None)
        self.check(Value(), None)

    def test_elements_outside_of_memory_are_not(self):
        self.check(slice_of(0x1000, 0x401), "<not valid: 1025 elements at 0x1000>")
        self.check(slice_of(0x1000, 1 << 62), "<not valid: %d elements at 0x1000>" % (1 << 62))
        last = (1 << 64) - 4
        self.check(slice_of(last, 2), "<not valid: 2 elements at 0x%x>" % last)
        self.check(slice_of(0, 2), "<not valid: 2 elements at 0x0>")


if __name__ == "__main__":
    unittest.main()
