"""Tests of rust_calls.py: how expressions are taken apart."""

import re
import types
import unittest

from . import part_of_script

TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
closing_of = part_of_script("syntax.py", TEXTS=TEXTS).closing_of
calls = part_of_script(
    "rust_calls.py",
    TEXTS=TEXTS,
    closing_of=closing_of,
    settings={"rust": None},
    comparison_at=lambda text, at: None,
)


class Steps(unittest.TestCase):
    def test_chain_has_members_subscripts_and_calls(self):
        for text, steps in (
            ("v.len()", [("len", "")]),
            ("list.next.unwrap().value", [("next", None), ("unwrap", ""), ("value", None)]),
            ('map["a]b"].0', [(None, '"a]b"'), ("0", None)]),
            ("list.next[0].value", [("next", None), (None, "0"), ("value", None)]),
            ("nested.0.0", [("0", None), ("0", None)]),
            ("v.get(f(1, [2])) + 1", [("get", "f(1, [2])")]),
            ("0..3", []),
        ):
            end = calls.PRIMARY.match(text).end() if text[0].isalpha() else 1
            found = [step[:2] for step in calls.steps_of(text, end)]
            self.assertEqual(found, steps, text)

    def test_values_take_the_place_of_chains(self):
        values = {"v.len()": 3, "rc.r": 1.5, "shapes[0].w": 2}
        read = {}
        calls.put("value_of_chain", lambda text, end: (text, end))
        calls.gdb.set_convenience_variable = lambda name, chain: read.update({name: chain})
        for text, expect in (
            ("v.len() + 1", "$_value0 + 1"),
            ("v.len() == 3 && shapes[0].w > rc.r", "$_value0 == 3 && $_value1 > $_value2"),
            ('name == "v.len()"', 'name == "v.len()"'),
        ):
            read.clear()
            self.assertEqual(calls.with_values(text), expect)
            for chain, end in read.values():
                self.assertIn(chain, values)
                self.assertEqual(chain[:end], re.match(r"\w+", chain)[0])

    def test_open_bracket_is_an_error(self):
        with self.assertRaisesRegex(Exception, "a bracket is not closed"):
            calls.steps_of("v[1", 1)

    def test_function_and_macro_are_no_chain(self):
        for text in ("vec![1]", "a::b"):
            found = calls.PRIMARY.match(text)
            self.assertEqual(found and found[0], {"a::b": "a::b"}.get(text), text)

    def test_operand_is_read_only_if_none_before_it_decides(self):
        values, read = {"no": False, "yes": True, "(no || yes)": True}, []
        calls.put("truth", bool)
        calls.put("is_true", bool)
        calls.put("target_in", lambda text: read.append(text) or values[text])
        for text, holds, names in (
            ("no && fails", False, ["no"]),
            ("yes || fails", True, ["yes"]),
            ("no && fails || yes", True, ["no", "yes"]),
            ("(no || yes) && yes && no", False, ["(no || yes)", "yes", "no"]),
        ):
            read.clear()
            self.assertIs(calls.read_in_pieces(text), holds, text)
            self.assertEqual(read, names, text)
        for text, operands in (('a == "x && y"', 1), ("a && &&b == c", 2), ("f(a && b)", 1)):
            self.assertEqual(len(calls.operands_of(text, "&&")), operands, text)

    def test_element_that_is_found_is_what_its_option_has(self):
        with_own_names, called = calls.with_own_names, []
        self.addCleanup(calls.put, "with_own_names", with_own_names)
        self.addCleanup(calls.put, "called_method", calls.called_method)
        self.addCleanup(calls.put, "length_of", calls.length_of)
        calls.put("with_own_names", lambda name: name)
        calls.put("length_of", {"map": 2, "v": 3}.get)
        calls.put("called_method", lambda value, owner, name, inside: called.append(name) or value)
        for text, names in (
            ('map.get("k").unwrap()', ["get"]),
            ("v.first().expect().unwrap()", ["first", "unwrap"]),
            ("v.pop().unwrap()", ["pop", "unwrap"]),
            # Of the program, like `Cell::get`: the value is an Option.
            ("cell.get().unwrap()", ["get", "unwrap"]),
        ):
            called.clear()
            calls.value_of_chain(text, text.index("."))
            self.assertEqual(called, names, text)


class Variants(unittest.TestCase):
    def variant(self, text, *names):
        fields = [types.SimpleNamespace(name=name) for name in names]
        ty = types.SimpleNamespace(name="core::option::Option<u8>", code=5, fields=lambda: fields)
        ty.strip_typedefs = lambda: ty
        inner = types.SimpleNamespace(fields=lambda: ["__0"])

        class Value:
            type = ty
            format_string = staticmethod(lambda raw: text)

            def __getitem__(self, field):
                content = type("Content", (dict,), {"type": inner})
                return content({"__0": "the content of " + field.name})

        calls.put("container_in", lambda value: (value, None))
        calls.put("TYPES", (5,))
        calls.put("VARIANTS", "core::option::Option<")
        return calls.variant_of(Value())

    def test_result_of_a_call_has_one_of_all_variants(self):
        self.addCleanup(calls.put, "container_in", calls.container_in)
        some = ("Some", "the content of Some")
        self.assertEqual(self.variant("", None, "Some"), some)
        text = "core::option::Option<u8>::%s"
        self.assertEqual(self.variant(text % "Some(4)", None, "None", "Some"), some)
        self.assertEqual(self.variant(text % "None", None, "None", "Some")[0], "None")
        self.assertIsNone(self.variant("", None))


class Arguments(unittest.TestCase):
    def test_argument_that_calls_is_read_once(self):
        read, variables = [], {}
        self.addCleanup(calls.put, "read_in_pieces", calls.read_in_pieces)
        ty = types.SimpleNamespace(strip_typedefs=lambda: ty, code=calls.gdb.TYPE_CODE_INT)
        other = types.SimpleNamespace(strip_typedefs=lambda: other, code=None)
        number = type("Number", (int,), {"type": ty})(7)
        text = types.SimpleNamespace(type=other)
        values = {"c.next()": number, "c.name()": text}
        calls.put("read_in_pieces", lambda code: read.append(code) or values[code])
        calls.gdb.set_convenience_variable = variables.__setitem__
        for argument, name in (
            ("c.next()", "7"),
            ("&c.name()", "$_argument"),
            ("n + 1", "n + 1"),
            ('"f()"', '"f()"'),
            ("(n)", "(n)"),
            ("0..f()", "0..f()"),
        ):
            self.assertEqual(calls.read_once(argument), name, argument)
        self.assertEqual(read, ["c.next()", "c.name()"])
        self.assertEqual(variables, {"_argument": text})


class Modules(unittest.TestCase):
    def test_modules_around_a_function_are_the_innermost_first(self):
        for function, modules in (
            ("shop::cart::total", ["shop::cart", "shop"]),
            ("<shop::cart::Item as core::fmt::Debug>::fmt", ["shop::cart", "shop"]),
            ("shop::{impl#0}::total", ["shop"]),
            ("main", []),
        ):
            self.assertEqual(calls.modules_of(function), modules, function)

    def test_unknown_name_may_be_of_each_module_around(self):
        unknown = calls.UNKNOWN_NAME.match("No symbol 'LIMIT' in current context")
        modules = ["shop::cart::Item", "shop::cart", "shop"]
        self.assertEqual(
            list(calls.full_names("n > LIMIT + OFF_LIMIT", unknown, modules[1:])),
            ["n > shop::cart::LIMIT + OFF_LIMIT", "n > shop::LIMIT + OFF_LIMIT"],
        )
        for path, full in (
            ("crate::LIMIT", ["shop::LIMIT", "shop::LIMIT"]),
            ("self::LIMIT", ["shop::cart::Item::LIMIT", "shop::cart::LIMIT"]),
            ("super::LIMIT", ["shop::cart::LIMIT", "shop::LIMIT"]),
            ("super::super::LIMIT", ["shop::LIMIT", "super::super::LIMIT"]),
        ):
            self.assertEqual(list(calls.full_names(path, None, modules)), full, path)
        self.assertEqual(list(calls.full_names("LIMIT", unknown, [])), [])


if __name__ == "__main__":
    unittest.main()
