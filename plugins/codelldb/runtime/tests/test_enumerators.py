"""Tests of enumerators in expressions, with types that are not LLDB's."""

import unittest
from unittest import mock

import operands
from operands import Unable


class Members(list):
    def GetSize(self):
        return len(self)

    def GetTypeEnumMemberAtIndex(self, at):
        return self[at]


def enumeration(name, **members):
    found = mock.Mock()
    found.GetName.return_value = name
    found.GetByteSize.return_value = 4
    listed = Members()
    for one, value in members.items():
        member = mock.Mock(**{"GetName.return_value": one, "GetValueAsSigned.return_value": value})
        listed.append(member)
    found.GetEnumMembers.return_value = listed
    return found


class Enumerators(unittest.TestCase):
    TYPES = [
        enumeration("Perm", P_R=1, P_X=4),
        enumeration("shop::State", Open=1, Closed=99),
        enumeration("Door", Open=1, Shut=2),
        enumeration("Gate", Shut=3),
        enumeration("Signed", Below=-2),
    ]

    def setUp(self):
        types = Members(self.TYPES)
        types.GetTypeAtIndex = types.__getitem__
        self.frame = mock.Mock()
        self.unit = self.frame.GetCompileUnit.return_value
        self.unit.GetTypes.return_value = types
        self.addCleanup(operands._enumerators.clear)

    def find(self, name):
        """The type and the bytes of what is found."""
        data = mock.Mock()
        patches = (
            mock.patch.object(operands.here, "frame", self.frame),
            mock.patch.object(operands.lldb, "SBData", lambda: data),
            mock.patch.object(operands.here, "target", mock.Mock()),
        )
        with patches[0], patches[1], patches[2] as target:
            if operands.enumerator(name) is None:
                return None
            arguments = target.CreateValueFromData.call_args.args
            return arguments[2].GetName(), data.SetDataWithOwnership.call_args.args[1]

    def test_enumerators_are_found_by_their_names(self):
        for name, type, value in (
            ("P_X", "Perm", 4),
            ("Closed", "shop::State", 99),
            ("State::Closed", "shop::State", 99),
            ("shop::State::Closed", "shop::State", 99),
            ("::shop::Closed", "shop::State", 99),
            ("Below", "Signed", -2),
        ):
            self.assertEqual(self.find(name), (type, value.to_bytes(4, "little", signed=True)), name)

    def test_parts_of_names_are_no_names(self):
        for name in ("X", "_X", "tate::Closed", "Perm::Closed", "shop::P_X"):
            self.assertIsNone(self.find(name), name)

    def test_name_of_several_values_is_an_error(self):
        with self.assertRaises(Unable):
            self.find("Shut")
        self.assertEqual(self.find("Door::Shut")[0], "Door")

    def test_types_of_a_unit_are_read_once(self):
        members = self.TYPES[0].GetEnumMembers
        self.find("P_X")
        count = members.call_count
        self.find("P_R")
        self.assertEqual((self.unit.GetTypes.call_count, members.call_count), (1, count))


if __name__ == "__main__":
    unittest.main()
