"""Tests of rust_texts.py: comparisons of texts in expressions."""

import re
import types
import unittest

from . import part_of_script

TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
closing_of = part_of_script("syntax.py", TEXTS=TEXTS).closing_of


class Texts(unittest.TestCase):
    def setUp(self):
        self.calls = part_of_script(
            "rust_calls.py", TEXTS=TEXTS, closing_of=closing_of, settings={"rust": None}
        )
        names = ("PRIMARY", "steps_of")
        self.script = part_of_script(
            "rust_texts.py",
            TEXTS=TEXTS,
            **{name: getattr(self.calls, name) for name in names},
        )
        self.calls.put("comparison_at", self.script.comparison_at)
        self.calls.put("compared", self.script.compared)
        self.calls.gdb.set_convenience_variable = lambda name, value: None
        self.values = {"name": b"bob", "a.b[0]": b"x", "who": b"eve", "n": 3, "m.len()": 1}
        self.script.put("value_of_chain", self.value)
        self.calls.put("value_of_chain", self.value)
        self.script.put("text_in", self.text)
        self.script.put("enough_for", lambda text: len(text) + 1)
        self.read, self.most = [], []

    def text(self, value, most):
        self.most.append(most)
        return value[:most] if isinstance(value, bytes) else None

    def value(self, code, end):
        self.read.append(code)
        if code not in self.values:
            raise self.script.gdb.error("No symbol '%s' in current context" % code)
        return self.values[code]

    def test_comparisons_of_texts_become_their_results(self):
        for text, expect in (
            ('name == "bob"', "true"),
            ('"bob" != name', "false"),
            ('n > 1 && &name == "bob" && !(*who == "bob")', "n > 1 && true && !(false)"),
            ('a.b[0] == "x" || n*n == 9', "true || n*n == 9"),
            ('name == who && m.len() == 1', "false && $_value0 == 1"),
            ('name < "c" == true', "true == true"),
            ('name == "bob".to_string()', "true"),
            ("n == n && c == 'x'", "n == n && c == 'x'"),
            ("n & name", "n & name"),
        ):
            self.assertEqual(self.calls.with_values(text), expect, text)

    def test_each_chain_is_read_once(self):
        self.values.update({"c.next()": 1, "limit.get()": 2, "c.name()": b"bob"})
        for text, expect, chains in (
            ("c.next() == n", "$_value0 == n", ["c.next()"]),
            ("&c.next() == m.len() + 1", "&$_value0 == $_value1 + 1", ["c.next()", "m.len()"]),
            ("c.name() == limit.get()", "$_value0 == $_value1", ["c.name()", "limit.get()"]),
            ("c.name() == name", "true", ["c.name()"]),
        ):
            self.read.clear()
            self.assertEqual(self.calls.with_values(text), expect, text)
            self.assertEqual([one for one in self.read if "(" in one], chains, text)
        with self.assertRaisesRegex(self.script.gdb.error, "c.fails"):
            self.read.clear()
            self.calls.with_values("c.fails() == n")
        self.assertEqual(self.read, ["c.fails()"])

    def test_as_much_of_a_text_is_read_as_decides(self):
        self.values["long"] = b"bobby and others"
        for text, expect in (
            ('long == "bob"', "false"),
            ('long > "bob"', "true"),
            ('"bobc" > long', "true"),
            ('long < "boa"', "false"),
            ("long == long", "true"),
        ):
            self.most.clear()
            self.assertEqual(self.calls.with_values(text), expect, text)
            literal = re.search('"(.*)"', text)
            self.assertEqual(set(self.most), {len(literal[1]) + 1 if literal else None}, text)

    def test_text_that_is_too_long_is_an_error(self):
        def text_in(value, most):
            raise self.script.gdb.GdbError("a text of 9 bytes is too long")

        self.script.put("text_in", text_in)
        with self.assertRaisesRegex(self.script.gdb.GdbError, "too long"):
            self.calls.with_values("name == who")

    def test_other_value_and_unknown_name_are_errors(self):
        for text, why in (('n == "x"', "`n` is no text"), ('nowhere == "x"', "nowhere")):
            with self.assertRaisesRegex(RuntimeError, why):
                self.calls.with_values(text)

    def test_condition_of_numbers_is_left_to_gdb(self):
        for text, expect in (
            ('name == "bob"', True),
            ("name == self.who", True),
            ("n == 3", False),
            ("n > 3 && c == 'x'", False),
            ("c == 'x' || name == other", True),
            ("c == 'x' || n == 3", False),
        ):
            self.assertIs(self.script.compares_texts(text), expect, text)

    def test_escapes_of_a_literal_are_its_characters(self):
        for literal, text in (
            (r'"a\"b\\\n"', 'a"b\\\n'),
            (r'"\u{e9}\x41\0"', "éA\0"),
            ('"a\\\n   b"', "ab"),
        ):
            self.assertEqual(self.script.literal_bytes(literal), text.encode(), literal)


class Owners(unittest.TestCase):
    """A `String`, an empty one, an `Rc<String>` and a number."""

    def setUp(self):
        printer = lambda text, hint="string", inner=None: types.SimpleNamespace(  # noqa: E731
            to_string=lambda: text, hint=hint, children=lambda: [("value", inner)]
        )
        self.printers = {
            "String": printer(types.SimpleNamespace(address=5, length=3)),
            "empty": printer(""),
            "alloc::rc::Rc<": printer(None, None, self.value("String")),
            "i32": None,
        }
        self.script = part_of_script(
            "rust_texts.py",
            TEXT_LEVELS=4,
            OWNER=re.compile(r"^alloc::(rc::Rc|sync::Arc)<"),
            SharedText=type("SharedText", (), {}),
            hint_of=lambda printer: getattr(printer, "hint", None),
            container_in=lambda value: (value, self.printers[value.type.name]),
            text_bytes=lambda address, length, most: b"x" * min(length, most or length),
        )
        self.script.gdb.Value = type("Value", (), {})

    def value(self, name):
        ty = types.SimpleNamespace(name=name, fields=lambda: [])
        ty.strip_typedefs = lambda: ty
        return types.SimpleNamespace(type=ty)

    def test_text_is_read_where_its_owner_has_it(self):
        for name, text in (
            ("String", b"xxx"), ("empty", b""), ("alloc::rc::Rc<", b"xxx"), ("i32", None)
        ):
            self.assertEqual(self.script.text_in(self.value(name)), text, name)
        self.assertEqual(self.script.text_in(self.value("String"), 2), b"xx")

    def test_cow_of_no_variant_is_no_text(self):
        self.printers["alloc::borrow::Cow<str>"] = None
        self.assertIsNone(self.script.text_in(self.value("alloc::borrow::Cow<str>")))


if __name__ == "__main__":
    unittest.main()
