"""Tests of std_sequences.py with values that are not LLDB's."""

import unittest
from unittest import mock

import std_sequences


class Value:
    """A value with members, of which those without a name are looked through by number."""

    def __init__(self, text=None, number=0, members=None, name=""):
        self.text, self.number, self.members, self.name = text, number, members or {}, name

    def IsValid(self):
        return self.text is not None or bool(self.members)

    def GetNonSyntheticValue(self):
        return self

    def GetChildMemberWithName(self, name):
        return self.members.get(name, Value())

    def GetNumChildren(self):
        return len(self.members)

    def GetChildAtIndex(self, at):
        return list(self.members.values())[at]

    def GetValueAsUnsigned(self):
        return self.number

    def GetLoadAddress(self):
        return 0

    def GetTypeName(self):
        return "std::expected<int, int>"

    def Clone(self, name):
        return Value(self.text, self.number, self.members, name)


def expected(has_value):
    inside = Value(members={"_M_val": Value("3"), "_M_unex": Value('"bad"')})
    return Value(members={"": inside, "_M_has_value": Value("flag", has_value)})


class Expected(unittest.TestCase):
    def setUp(self):
        part = mock.patch.object(std_sequences.aggregates, "part", lambda value: value.text)
        part.start()
        self.addCleanup(part.stop)

    def test_text_is_the_value_or_the_error(self):
        texts = [std_sequences.expected(expected(flag), None) for flag in (1, 0)]
        self.assertEqual(texts, ["3", 'unexpected("bad")'])

    def test_child_is_the_one_that_there_is(self):
        for flag, name, text in ((1, "value", "3"), (0, "error", '"bad"')):
            children = std_sequences.Expected(expected(flag), None)
            found = children.get_child_at_index(0)
            self.assertEqual((children.num_children(), found.name, found.text), (1, name, text))

    def test_nothing_is_void(self):
        void = Value(members={"_M_has_value": Value("flag", 1)})
        self.assertEqual(std_sequences.expected(void, None), "void")
        self.assertEqual(std_sequences.Expected(void, None).num_children(), 0)


if __name__ == "__main__":
    unittest.main()
