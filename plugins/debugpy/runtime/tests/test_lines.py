"""Tests of lines.py: the line to which a breakpoint on a line without code moves."""

import dis
import types
import unittest

import tests

tests.module("_pydevd_bundle.pydevd_api", PyDevdAPI=None)
tests.module("_pydevd_bundle.pydevd_net_command", NetCommand=None)

import lines  # noqa: E402

SOURCE = '''\
# first
import sys


@staticmethod
# between
def outer(
    a,
):
    # in the body
    """Several
    lines."""
    names = [
        # in a list
        "a",

        a,
    ]

    # more
    if a:
        pass
    else:
        # other
        a = 1

    def inner():
        return a

    # outer again
    return inner


# last
outer(1)
'''


def code_lines(code):
    found = {line for _, line in dis.findlinestarts(code) if line}
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            found |= code_lines(constant)
    return found


class Moves(unittest.TestCase):
    def check(self, text, expect, after=0):
        """From the line with a text, or some lines after it, to the line that begins so."""
        texts = SOURCE.splitlines()
        line = next(at for at, one in enumerate(texts, 1) if text in one) + after
        found = sorted(code_lines(compile(SOURCE, "x.py", "exec")))
        moved = lines.line_with_code(SOURCE, line, found)
        self.assertTrue(texts[moved - 1].strip().startswith(expect), texts[moved - 1])

    def test_comment_moves_down(self):
        self.check("# first", "import sys")
        self.check("# in the body", "names")
        self.check("# more", "if a")
        self.check("    a,", "names")
        self.check("# other", "a = 1")
        self.check("# outer again", "return inner")
        self.check("# last", "outer(1)")

    def test_line_of_a_statement_stays_in_it(self):
        self.check("# in a list", "names")
        self.check("    ]", "a,")
        self.check("names", "names")

    def test_documentation_is_no_code(self):
        self.check("lines.", "names")

    def test_empty_line_after_a_function_moves_up(self):
        self.check("return a", "return a", 1)
        self.check("return inner", "return inner", 1)

    def test_end_of_the_file_moves_up(self):
        self.check("outer(1)", "outer(1)", 5)


if __name__ == "__main__":
    unittest.main()
