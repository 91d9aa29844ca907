"""Tests of marked_breakpoints.py: texts, conditions and hit conditions of marked breakpoints."""

import contextlib
import json
import re
import types
import unittest

from . import part_of_script


class Reports:
    def __init__(self):
        self.texts, self.hits = [], []
        self.add_hit = self.hits.append

    def add_text(self, number, thread, text):
        self.texts.append((number, thread, text))


class Marked(unittest.TestCase):
    def setUp(self):
        self.reports, self.failed, self.values, self.read = Reports(), [], {}, []
        conditions = types.SimpleNamespace(report=lambda *words: self.failed.append(words))
        self.script = part_of_script(
            "marked_breakpoints.py",
            json=json,
            reports=self.reports,
            conditions=conditions,
            terminal=None,
            error_text=lambda error: "<error: late>",
            is_in_rust=lambda: False,
            NO_NAME=re.compile("No symbol "),
        )
        self.script.put("thread_name", lambda thread: "main")
        gdb = self.script.gdb
        gdb.selected_thread = lambda: None
        gdb.parse_and_eval = self.value
        gdb.with_parameter, self.may_call = self.with_parameter, True
        gdb.selected_frame = lambda: types.SimpleNamespace(pc=lambda: 0x10)
        self.script.put("described_value", lambda code: (None, str(self.value(code))))
        self.script.put("is_scalar", lambda value, text: False)
        self.script.put("is_true", bool)
        self.script.put("is_built_in", lambda code: "own" not in code)

    @contextlib.contextmanager
    def with_parameter(self, name, value):
        self.assertEqual(name, "may-call-functions")
        self.may_call = value
        try:
            yield
        finally:
            self.may_call = True

    def value(self, code):
        self.read.append(code)
        if code not in self.values:
            raise self.script.gdb.error('No symbol "%s" in current context.' % code)
        return self.values[code]

    def mark(self, condition=None, **written):
        mark = self.script.Mark(json.dumps({"number": 7, **written}))
        mark.condition = condition
        return mark

    def test_condition_of_rust_is_read_in_pieces(self):
        self.script.put("is_in_rust", lambda: True)
        self.script.put("read_in_pieces", lambda code: {"v.len() > 2": 1}[code])
        self.assertIs(self.mark("v.len() > 2").holds(), True)

    def test_condition_of_rust_calls_only_in_pieces(self):
        gdb, calls = self.script.gdb, []

        def parse(code):
            calls.append(self.may_call)
            raise gdb.error("You can't do that")

        self.script.put("is_in_rust", lambda: True)
        self.script.put("read_in_pieces", lambda code: calls.append(self.may_call) or 1)
        gdb.parse_and_eval = parse
        self.assertIs(self.mark("c.next() > v.len()").holds(), True)
        self.assertEqual(calls, [False, True])

    def test_text_has_values_and_errors(self):
        pieces = [{"text": "x = "}, {"expression": "x"}, {"text": " of "}, {"expression": "y"}]
        self.values = {"x": 3}
        self.assertFalse(self.mark(log=pieces).stops())
        text = 'x = 3 of <error: No symbol "y" in current context>'
        self.assertEqual(self.reports.texts, [(7, "main", text)])

    def test_condition_selects_hits(self):
        mark = self.mark("x", log=[{"text": "hit"}])
        for self.values in ({"x": 0}, {"x": 1}, {"x": 0}):
            self.assertFalse(mark.stops())
        self.assertEqual(len(self.reports.texts), 1)

    def test_condition_that_fails_is_reported_once_and_counts_as_a_hit(self):
        mark = self.mark("y", log=[{"text": "hit"}])
        self.assertEqual([mark.stops(), mark.stops()], [False, False])
        self.assertEqual(self.failed, [("y", 'No symbol "y" in current context')])
        self.assertEqual(len(self.reports.texts), 2)
        hits = {"earlier": 0, "operator": "==", "number": 100}
        self.assertTrue(self.mark("y", hits=hits).stops())

    def test_hits_are_compared_with_the_wanted_number(self):
        for operator, stops in (("==", [3]), (">=", [3, 4, 5, 6]), ("%", [3, 6])):
            self.script.counts_of_hits.hits.clear()
            hits = {"earlier": 0, "operator": operator, "number": 3}
            mark = self.mark(hits=hits)
            found = [hit for hit in range(1, 7) if mark.stops()]
            self.assertEqual(found, stops, operator)
        self.assertEqual(self.reports.hits, [7] * 18)

    def test_count_goes_on_where_a_breakpoint_is_replaced(self):
        first = self.mark(hits={"earlier": 0, "operator": "==", "number": 9})
        self.assertEqual([first.stops(), first.stops()], [False, False])
        # The report of the last hits may be under way.
        second = self.mark(hits={"earlier": 1, "operator": "==", "number": 3})
        self.assertTrue(second.stops())
        third = self.mark(hits={"earlier": 8, "operator": "==", "number": 9})
        self.assertTrue(third.stops())

    def test_scalar_is_read_without_a_description_once_its_type_is_known(self):
        read = []
        self.script.put("is_scalar", lambda value, text: True)
        self.script.put("described_value", lambda code: (read.append(code), "1"))
        for code, texts, described in (
            ("x", ["1", "2", "2"], 1),
            ("p->x[i]", ["1", "2", "2"], 1),
            ("own->x", ["1", "1", "1"], 3),
            ("f(x)", ["1", "1", "1"], 3),
        ):
            self.values = {code: types.SimpleNamespace(format_string=lambda raw: "2")}
            read.clear()
            expression = self.script.Expression(code)
            self.assertEqual([expression.text(0x10) for _ in range(3)], texts, code)
            self.assertEqual(len(read), described, code)

    def test_unknown_name_is_sought_once_at_each_address(self):
        expression, text = self.script.Expression("y"), '<error: No symbol "y" in current context>'
        self.assertEqual([expression.text(at) for at in (8, 8, 16, 8)], [text] * 4)
        self.assertEqual(self.read, ["y", "y"])
        self.script.Unknown.loaded += 1  # A library that may have it.
        self.values = {"y": 4}
        self.assertEqual(expression.text(8), "4")

    def test_other_failures_are_read_at_each_hit(self):
        expression = self.script.Expression("*p")
        self.script.put("NO_NAME", re.compile("none"))
        self.assertIn("error", expression.text(8))
        self.values = {"*p": 4}
        self.assertEqual(expression.text(8), "4")

    def test_condition_with_an_unknown_name_is_read_once(self):
        mark = self.mark("y", log=[{"text": "hit"}])
        self.assertEqual([mark.holds() for _ in range(3)], [None] * 3)
        self.assertEqual(self.read, ["y"])
        mark.set_condition("x")
        self.values = {"x": 0}
        self.assertIs(mark.holds(), False)

    def test_breakpoints_that_have_not_stopped_are_not_named(self):
        self.script.passed.add(2)
        self.assertEqual(self.script.stopping([1, 2, 3]), [1, 3])


class Value:
    """A value of gdb: Python takes it for true unless it is the number zero."""

    def __init__(self, code, number=None, target=None):
        self.type = types.SimpleNamespace(strip_typedefs=lambda: types.SimpleNamespace(code=code))
        self.number, self.target = number, target

    def referenced_value(self):
        return self.target

    def __bool__(self):
        return self.number != 0


class Conditions(unittest.TestCase):
    def test_reference_holds_if_its_target_does(self):
        script = part_of_script("marked_breakpoints.py", POINTERS=("pointer", "lvalue", "rvalue"))
        for number in (0, 1):
            target = Value("bool", number)
            for condition in (target, Value("lvalue", None, target), Value("rvalue", None, target)):
                self.assertEqual(script.is_true(condition), bool(number))
        self.assertTrue(script.is_true(Value("pointer", 8, Value("bool", 0))))


class UnknownNames(unittest.TestCase):
    """A breakpoint in `shop::cart::total`; `shop::LIMIT` is a variable."""

    def setUp(self):
        unknown = re.compile(r"No symbol '([\w:]+)' in current context")
        function = types.SimpleNamespace(name="shop::cart::total")
        self.script = part_of_script(
            "marked_breakpoints.py",
            UNKNOWN_NAME=unknown,
            function_at=lambda address: types.SimpleNamespace(function=function),
            modules_of=lambda name: ["shop::cart", "shop"],
        )

        def value(name):
            if name != "shop::LIMIT":
                raise self.script.gdb.error(name)

        self.script.gdb.parse_and_eval = value

    def test_name_of_a_module_around_is_found_at_the_hit(self):
        point = types.SimpleNamespace(locations=[types.SimpleNamespace(address=1)])
        for name, is_found in (("LIMIT", True), ("nowhere", False), ("Level::High", True)):
            error = "No symbol '%s' in current context" % name
            self.assertIs(self.script.names_a_module(error, point), is_found, name)
        error = "Too many super:: uses from 'shop::cart'"
        self.assertTrue(self.script.names_a_module(error, point))


class Executions(unittest.TestCase):
    """A function from 0 to 100 with a block from 20 to 90, in which one is from 30 to 40."""

    def setUp(self):
        self.script = part_of_script("marked_breakpoints.py")
        function = types.SimpleNamespace(start=0, end=100, function="f", superblock=None)
        outer = types.SimpleNamespace(start=20, end=90, function=None, superblock=function)
        inner = types.SimpleNamespace(start=30, end=40, function=None, superblock=outer)
        blocks = function, outer, inner
        self.script.gdb.block_for_pc = lambda at: [b for b in blocks if b.start <= at < b.end][-1]
        self.script.gdb.selected_thread = lambda: types.SimpleNamespace(ptid=(1, 1, 0))
        self.execution = self.script.Execution()

    def goes_on(self, address, sp=1000):
        older = types.SimpleNamespace(read_register=lambda name: sp)
        frame = types.SimpleNamespace(pc=lambda: address, older=lambda: older)
        self.script.gdb.selected_frame = lambda: frame
        return self.execution.goes_on()

    def test_place_in_an_inner_block_goes_on_with_the_line(self):
        self.assertEqual([self.goes_on(at) for at in (25, 30, 25, 30)], [False, True, False, True])

    def test_another_round_of_the_inner_block_is_another_one(self):
        self.assertEqual([self.goes_on(at) for at in (25, 30, 30)], [False, True, False])

    def test_same_block_and_other_calls_are_others(self):
        self.assertEqual([self.goes_on(at) for at in (25, 45)], [False, False])
        self.assertFalse(self.goes_on(30, 900))


class Paths(unittest.TestCase):
    def test_paths_have_names_and_keys(self):
        script = part_of_script("marked_breakpoints.py")
        for text, head, steps in (
            ('stock["Heft"].count', "stock", [('"Heft"', ""), ("", "count")]),
            ("cart->items[i]", "cart->items", [("i", "")]),
            ('m[{x = 1, s = "a]b"}].y', "m", [('{x = 1, s = "a]b"}', ""), ("", "y")]),
            (r"m['\'']['\n']", "m", [(r"'\''", ""), (r"'\n'", "")]),
            ("m[1 #2]", "m", [("1 #2", "")]),
        ):
            path = script.PATH.fullmatch(text)
            self.assertEqual((path[1], script.STEP.findall(path[2])), (head, steps), text)
        for text in ("f(x)[1]", "a + b[1]", "x"):
            self.assertIsNone(script.PATH.fullmatch(text), text)

    def test_digits_in_a_name_are_no_index(self):
        script = part_of_script("marked_breakpoints.py")
        for names, index in (({"[i]", "[12]"}, 12), ({"x12"}, None), ({'["7"]'}, None)):
            self.assertEqual(script.index_in(names), index, names)


if __name__ == "__main__":
    unittest.main()
