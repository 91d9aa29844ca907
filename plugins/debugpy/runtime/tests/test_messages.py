"""Tests of messages.py: the text of an exception, without effects."""

import sys
import unittest
from pathlib import Path

from messages import Message, message

printed = 0


class Pure(Exception):
    def __str__(self):
        return "pure %s" % self.args


class Counting(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code

    def __str__(self):
        global printed
        printed += 1
        return "counted"


class Argument:
    def __repr__(self):
        raise AssertionError("code of the program ran")


class Broken(Exception):
    def __str__(self):
        raise OSError("gone")


def attribute_error():
    try:
        Argument().gone
    except AttributeError as error:
        return error


class Messages(unittest.TestCase):
    @unittest.skipIf(sys.version_info < (3, 11), "Python has groups since 3.11")
    def test_group_is_counted(self):
        group = ExceptionGroup("many", [ValueError(Argument()), KeyError(1)])  # noqa: F821
        self.assertEqual(message(group), "many (2 sub-exceptions)")

    def test_notes_follow(self):
        error = ValueError("text")
        error.__notes__ = ["one", 2, "three"]
        self.assertEqual(str(Message(error)), "text\none\nthree")

    def test_message_of_each_kind(self):
        for raised, expected in (
            (ValueError("text"), "text"),
            (ValueError(), ""),
            (KeyError("key"), "'key'"),
            (FileNotFoundError(2, "gone", "a.txt"), "[Errno 2] gone: 'a.txt'"),
            (FileNotFoundError(2, "gone", Path("a")), "[Errno 2] gone: %r" % Path("a")),
            (SyntaxError("bad", ("a.py", 2, 1, "x =")), "bad (a.py, line 2)"),
            (SyntaxError(Argument(), ("a.py", 2, 1, "")), "(Argument{}, ('a.py', 2, 1, ''))"),
            (FileNotFoundError(2, "gone", Argument()), "(2, 'gone')"),
            (ValueError((Argument(), 1)), "(Argument{}, 1)"),
            (ValueError(Argument()), "Argument{}"),
            (ValueError(Argument(), 1), "(Argument{}, 1)"),
            (Pure(3), "pure 3"),
            (Counting(402), "402, code=402 (its __str__ was not run)"),
            (Broken(), "<error: __str__: OSError>"),
            (ValueError("a\udc80b"), "a\\udc80b"),
            (attribute_error(), "'Argument' object has no attribute 'gone'"),
        ):
            self.assertEqual(message(raised), expected)
        self.assertEqual(printed, 0)


if __name__ == "__main__":
    unittest.main()
