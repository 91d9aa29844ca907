"""Tests of line_tables.py with frames that have no variables."""

import types
import unittest

import line_tables
import lldb


def unit_of(path, language, has_types):
    kinds = [types.SimpleNamespace(IsFunctionType=lambda: not has_types)]
    return types.SimpleNamespace(
        GetLanguage=lambda: language, GetFileSpec=lambda: path, GetTypes=lambda: kinds
    )


def frame(path, language, has_types=False, others=(), has_function=False):
    spec = types.SimpleNamespace(fullpath=path)
    line = types.SimpleNamespace(GetLine=lambda: 7, GetFileSpec=lambda: spec)
    unit = unit_of(path, language, has_types)
    units = [unit] + [unit_of(name, language, has) for name, has in others]
    module = types.SimpleNamespace(
        GetNumCompileUnits=lambda: len(units), GetCompileUnitAtIndex=lambda n: units[n]
    )
    function = types.SimpleNamespace(
        GetType=lambda: types.SimpleNamespace(IsValid=lambda: has_types or has_function)
    )
    return types.SimpleNamespace(
        GetLineEntry=lambda: line,
        GetVariables=lambda *_: types.SimpleNamespace(GetSize=lambda: 0),
        GetFunction=lambda: function,
        GetCompileUnit=lambda: unit,
        GetModule=lambda: module,
    )


class Reasons(unittest.TestCase):
    def check(self, frame, ending):
        why = line_tables.missing_variables(frame)
        expected = ending and line_tables.REASON + ending
        self.assertEqual(why, expected)

    def test_the_users_code_names_what_gives_variables(self):
        self.check(frame("/w/a.c", lldb.eLanguageTypeC99), "compile with -g")
        remedy = "set `debug = true` in the profile of Cargo.toml"
        self.check(frame("/w/a.rs", lldb.eLanguageTypeRust), remedy)

    def test_code_of_a_library_is_not_to_be_compiled_again(self):
        why = "this is code of a library"
        self.check(frame("/rustc/59807616/library/std/src/io.rs", lldb.eLanguageTypeRust), why)
        self.check(frame("./nptl/./nptl/lll.c", lldb.eLanguageTypeC99), why)

    def test_assembly_has_no_variables(self):
        path = "/build/sysdeps/unix/sysv/linux/x86_64/syscall.S"
        self.check(frame(path, lldb.eLanguageTypeMipsAssembler), None)

    def test_unit_with_types_has_debug_information(self):
        self.check(frame("/w/full.c", lldb.eLanguageTypeC99, has_types=True), None)

    def test_types_of_a_crate_may_be_in_another_part_of_it(self):
        rust, remedy = lldb.eLanguageTypeRust, "set `debug = true` in the profile of Cargo.toml"
        one, others = "/w/a/src/lib.rs/@/a.17-cgu.1", [("/w/a/src/lib.rs/@/a.17-cgu.2", True)]
        self.check(frame(one, rust, others=others, has_function=True), None)
        one, others = "/w/b/src/lib.rs/@/b.17-cgu.1", [("/w/c/src/lib.rs/@/c.17-cgu.1", True)]
        self.check(frame(one, rust, others=others, has_function=True), remedy)


if __name__ == "__main__":
    unittest.main()
