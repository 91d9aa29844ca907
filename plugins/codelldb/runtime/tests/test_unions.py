"""Tests of unions.py with values that are not LLDB's."""

import unittest
from unittest import mock

import unions


class Type:
    def __init__(self, name, size, element=None, fields=()):
        self.name, self.size, self.element, self.fields = name, size, element, fields

    def GetCanonicalType(self):
        return self

    def GetTypeClass(self):
        return unions.lldb.eTypeClassUnion if self.fields else 0

    def GetName(self):
        return self.name

    def GetByteSize(self):
        return self.size

    def IsArrayType(self):
        return self.element is not None

    def GetArrayElementType(self):
        return self.element

    def GetArrayType(self, length):
        return Type("%s[%d]" % (self.name, length), self.size * length, self)

    def GetNumberOfFields(self):
        return len(self.fields)

    def GetFieldAtIndex(self, at):
        return self.fields[at]


class Member(mock.Mock):
    pass


def member(name, type):
    found = Member()
    found.GetName.return_value, found.GetType.return_value = name, type
    return found


SHORT = Type("short", 2)
FIELDS = (member("value", Type("int", 4)), member("pair", Type("short[0]", 0, SHORT)))


class Unions(unittest.TestCase):
    def elements(self, lengths):
        """What the provider makes of the array."""
        value = mock.Mock()
        plain = value.GetNonSyntheticValue.return_value
        plain.GetType.return_value = Type("word", 8, fields=FIELDS)
        plain.GetLoadAddress.return_value = 0x1000
        plain.GetChildAtIndex.side_effect = FIELDS.__getitem__
        unions._lengths.clear()
        with mock.patch.object(unions.array_lengths, "of_union", lambda *_: lengths):
            provider = unions.Members(value, {})
            self.assertIs(provider.get_child_at_index(0), FIELDS[0])
            provider.get_child_at_index(provider.get_child_index("pair"))
        return value.CreateValueFromAddress.call_args.args[2].name

    def test_array_has_the_length_of_its_type(self):
        self.assertEqual(self.elements({"pair": 2}), "short[2]")

    def test_array_of_unknown_length_fills_the_union(self):
        self.assertEqual(self.elements({}), "short[4]")

    def test_unions_with_such_arrays_alone_are_recognized(self):
        self.assertTrue(unions.applies(Type("word", 8, fields=FIELDS), {}))
        self.assertFalse(unions.applies(Type("word", 8, fields=FIELDS[:1]), {}))


if __name__ == "__main__":
    unittest.main()
