"""Tests of syntax.py: which texts are conditions."""

import re
import unittest

from . import part_of_script

TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")


class Checks(unittest.TestCase):
    def script(self, **errors):
        script = part_of_script("syntax.py", TEXTS=TEXTS)
        self.read = []

        def parse(text):
            self.read.append(text)
            if text in errors:
                raise script.gdb.error(errors[text])

        script.gdb.parse_and_eval = parse
        return script

    def test_unknown_names_are_replaced_until_the_syntax_is_known(self):
        for quote in "\"'":
            script = self.script(**{
                "0 && (a::n > m >)": "No symbol %sa::n%s in current context" % (quote, quote),
                "0 && ($_ > m >)": "No symbol %sm%s in current context." % (quote, quote),
                "0 && ($_ > $_ >)": "unexpected token",
            })
            with self.assertRaisesRegex(Exception, "unexpected token"):
                script.check_syntax("a::n > m >")
            self.assertEqual(len(self.read), 3)

    def test_other_errors_are_of_the_time_before_the_stop(self):
        found = {"0 && (v.len() > 2)": "Could not find function named 'Vec::len'"}
        self.script(**found).check_syntax("v.len() > 2")

    def test_assignment_is_refused(self):
        for text, is_refused in (("n = 3", True), ("n += 1", True), ('s == "a = b"', False)):
            script = self.script()
            if is_refused:
                with self.assertRaisesRegex(Exception, "it assigns"):
                    script.check_syntax(text)
            else:
                script.check_syntax(text)

    def test_text_that_closes_the_brackets_around_it_is_not_read(self):
        script = self.script()
        with self.assertRaisesRegex(Exception, "a bracket is not opened"):
            script.check_syntax("a) || f() || (b")
        self.assertEqual(self.read, [])
        script.check_syntax("(a || b) && c[0] == ')'")
        self.assertEqual(self.read, ["0 && ((a || b) && c[0] == ')')"])


if __name__ == "__main__":
    unittest.main()
