"""Tests of keyed_entries.py with pairs that are no values of LLDB's."""

import types
import unittest
import unittest.mock

import keyed_entries


class Value:
    def __init__(self, text=None, name="", members=None):
        self.text, self.name, self.members = text, name, members or {}

    def IsValid(self):
        return self.text is not None or bool(self.members)

    def GetName(self):
        return self.name

    def GetNonSyntheticValue(self):
        return self

    def GetChildMemberWithName(self, name):
        return self.members.get(name, Value())

    def Clone(self, name):
        return Value(self.text, name)


class Entries(unittest.TestCase):
    def setUp(self):
        part = keyed_entries.aggregates.part
        self.addCleanup(setattr, keyed_entries.aggregates, "part", part)
        keyed_entries.aggregates.part = lambda value: value.text

    def test_entry_is_the_value_with_the_key_as_its_name(self):
        for names in (("first", "second"), ("__0", "__1"), ("0", "1")):
            pair = Value(members=dict(zip(names, (Value('"nut"'), Value("4")))))
            found = keyed_entries.entry(pair, 0)
            self.assertEqual((found.name, found.text), ('["nut"]', "4"), names)

    def test_key_without_a_text_leaves_the_number(self):
        pair = Value(members={"first": Value(""), "second": Value("4")})
        self.assertEqual(keyed_entries.entry(pair, 3).name, "[3]")

    def test_a_number_in_a_name_is_a_key(self):
        values = [Value("70", "[7]"), Value("10", "[1]"), Value("0", '["nut"]')]
        provider = types.SimpleNamespace(
            num_children=lambda: 4,
            get_child_at_index=lambda index: values[index] if index < 3 else None,
        )
        for name, index in (("[7]", 0), ("[1]", 1), ('["nut"]', 2), ("[0]", -1), ("_M_h", -1)):
            self.assertEqual(keyed_entries.named(provider, name), index, name)

    def test_name_is_sought_for_a_limited_time(self):
        read = []
        provider = types.SimpleNamespace(
            num_children=lambda: 1000,
            get_child_at_index=lambda index: read.append(index) or Value("0", "[%d]" % index),
        )
        with unittest.mock.patch.object(keyed_entries.node_containers, "SECONDS", -1):
            self.assertEqual(keyed_entries.named(provider, "[900]"), -1)
        self.assertEqual(read, [0])
        self.assertEqual(keyed_entries.named(provider, "[900]"), 900)

    def test_other_values_stay(self):
        one = Value("7")
        self.assertIs(keyed_entries.entry(one, 0), one)

    def test_entries_of_a_rust_map_are_named_and_those_of_a_set_are_not(self):
        class Provider:
            show_values = True

            def get_child_at_index(self, index):
                return Value(members={"__0": Value("7"), "__1": Value("70")})

        keyed_entries.name_entries(Provider)
        self.addCleanup(setattr, keyed_entries, "_rust_provider", None)
        provider = Provider()
        self.assertEqual(provider.get_child_at_index(0).name, "[7]")
        provider.show_values = False
        self.assertEqual(provider.get_child_at_index(0).name, "")


if __name__ == "__main__":
    unittest.main()
