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


class Declarations(unittest.TestCase):
    def test_only_names_of_several_declarations_have_lines(self):
        frame = Frame(("x", 3), ("p", 4), ("x", 6), ("y", 9), ("y", 9))
        last = {one.GetName(): one for one in frame.variables[:3]}
        self.assertEqual(unset_variables.declared_again(frame, last), {"x": 6})
        outer = {one.GetName(): one for one in frame.variables[:2]}
        self.assertEqual(unset_variables.declared_again(frame, outer), {"x": 3})


if __name__ == "__main__":
    unittest.main()
