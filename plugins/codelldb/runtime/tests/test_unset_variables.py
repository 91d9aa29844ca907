"""Declarations of one name."""

import types
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


class Code:
    """A frame with its function, module, process and target, whose code is of one line per row."""

    ROWS = {0x100: (7, 0x108), 0x108: (7, 0x110), 0x110: (8, 0x118), 0x118: (7, 0x120)}
    OPERANDS = {0x100: "0x401136", 0x108: "%rax, -0x18(%rbp)", 0x10C: "0x401136"}

    def __init__(self, pc, line=7, bases=0x1000):
        self.pc, self.line, self.base = pc, line, bases
        for name in "GetModule GetThread GetProcess GetTarget GetLineEntry GetFileSpec".split():
            setattr(self, name, lambda: self)
        self.GetPCAddress = self.GetFunction = self.GetCompileUnit = self.GetLineEntry
        self.GetFileAddress, self.GetLine = (lambda: pc), (lambda: line)
        self.GetStartAddress, self.GetEndAddress = lambda: At(0x100), lambda: At(0x120)

    def __str__(self):
        return "a.c"

    def FindLineEntryIndex(self, start, line, file, exact):
        rows = [n for n, row in enumerate(self.ROWS.values()) if row[0] == line and n >= start]
        return min(rows, default=unset_variables.lldb.UINT32_MAX)

    def GetLineEntryAtIndex(self, number):
        return At(list(self.ROWS)[number])

    def ResolveFileAddress(self, address):
        return At(address)

    def FindRegister(self, name):
        found = types.SimpleNamespace(
            IsValid=lambda: self.base is not None, GetValueAsUnsigned=lambda: self.base
        )
        return types.SimpleNamespace(GetNonSyntheticValue=lambda: found)

    def ReadMemory(self, start, size, error):
        return range(start.at, start.at + size)

    def GetInstructions(self, start, code):
        texts = (text for at, text in self.OPERANDS.items() if at in code)
        return [types.SimpleNamespace(GetOperands=lambda target, t=text: t) for text in texts]


class At:
    """An address, or the row of a line there."""

    def __init__(self, at):
        self.at = at
        self.GetLineEntry = self.GetStartAddress = lambda: self
        self.GetFileAddress, self.GetLine = lambda: at, lambda: Code.ROWS[at][0]
        self.GetEndAddress = lambda: At(Code.ROWS[at][1])


class Local(Variable):
    def __init__(self, line, address=0xFE8, size=8):
        super().__init__("total", line)
        self.GetValueType = lambda: unset_variables.lldb.eValueTypeVariableLocal
        self.GetLocation, self.GetFileSpec = lambda: hex(address), lambda: "a.c"
        self.GetLoadAddress, self.GetByteSize = lambda: address, lambda: size


class Unset(unittest.TestCase):
    def setUp(self):
        unset_variables.lldb.SBError.Fail = lambda self: False

    def test_variable_of_the_line_is_not_set_before_its_code_names_it(self):
        for variable, code, expected in (
            (Local(7), Code(0x100), True),
            (Local(7), Code(0x108), True),
            (Local(7), Code(0x10C), False),
            # Another variable is named.
            (Local(7, 0xFC0), Code(0x10C), True),
            # Behind the body of a loop its head is of the same line.
            (Local(7, 0xFC0), Code(0x118), False),
            # A machine without these registers, and a value of unknown size.
            (Local(7), Code(0x108, bases=None), False),
            # The register is no frame pointer.
            (Local(7), Code(0x108, bases=0x10), False),
            (Local(7, size=0), Code(0x108), False),
            (Local(7, size=0), Code(0x100), True),
            (Local(8), Code(0x108), True),
            (Local(6), Code(0x100), False),
        ):
            facts = variable.line, variable.GetLocation(), hex(code.pc)
            self.assertEqual(unset_variables.is_unset(code, variable), expected, facts)


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
