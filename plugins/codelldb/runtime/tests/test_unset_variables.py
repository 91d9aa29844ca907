"""Declarations of one name."""

import unittest

import unset_variables


class Variable:
    def __init__(self, name, line):
        self.name, self.line = name, line

    def GetName(self):
        return self.name

    def GetDeclaration(self):
        return self

    def GetLine(self):
        return self.line


class Frame:
    def __init__(self, *variables):
        self.variables = [Variable(name, line) for name, line in variables]

    def GetVariables(self, arguments, local, static, in_scope):
        return self.variables


class Place:
    """A frame, a function, or an address."""

    def __init__(self, pc, number=0, prologue=8, is_inlined=False):
        self.pc, self.number, self.prologue, self.is_inlined = pc, number, prologue, is_inlined
        self.GetFunction = self.GetPCAddress = lambda: self
        self.GetStartAddress = lambda: Place(0x100)
        self.GetLineEntry = lambda: self
        self.GetEndAddress = lambda: Place(0x108)

    def GetFrameID(self):
        return self.number

    def IsInlined(self):
        return self.is_inlined

    def IsValid(self):
        return True

    def GetFileAddress(self):
        return self.pc

    def GetPrologueByteSize(self):
        return self.prologue


class Prologues(unittest.TestCase):
    def test_arguments_are_stored_at_the_end_of_the_prologue(self):
        for place, expected in (
            (Place(0x100), True),
            (Place(0x107), True),
            (Place(0x108), False),
            (Place(0xFF), False),
            (Place(0x104, number=1), False),
            (Place(0x104, is_inlined=True), False),
            (Place(0x100, prologue=0), False),
            (Place(0x107, prologue=20), True),
            (Place(0x108, prologue=20), False),
        ):
            self.assertEqual(unset_variables.is_before_body(place), expected, vars(place))


class Declarations(unittest.TestCase):
    def test_only_names_of_several_declarations_have_lines(self):
        frame = Frame(("x", 3), ("p", 4), ("x", 6), ("y", 9), ("y", 9))
        last = {one.GetName(): one for one in frame.variables[:3]}
        self.assertEqual(unset_variables.declared_again(frame, last), {"x": 6})
        outer = {one.GetName(): one for one in frame.variables[:2]}
        self.assertEqual(unset_variables.declared_again(frame, outer), {"x": 3})


if __name__ == "__main__":
    unittest.main()
