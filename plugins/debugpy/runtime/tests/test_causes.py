"""Tests of causes.py: the exceptions that led to one, without running code of the program."""

import sys
import unittest

import causes


def raised(function, *arguments):
    try:
        function(*arguments)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def handled(error):
    """Raises while it handles."""
    try:
        raise error
    except BaseException:
        raise KeyError("handler")


class Links(unittest.TestCase):
    def links(self, error):
        return [(link, type(cause).__name__) for link, cause in causes.links(error)]

    def test_cause_and_context(self):
        error = raised(handled, ValueError("first"))
        self.assertEqual(self.links(error), [("context", "ValueError")])
        error.__cause__ = OSError("other")
        self.assertEqual(self.links(error), [("cause", "OSError")])
        error.__cause__ = None
        error.__suppress_context__ = True
        self.assertEqual(self.links(error), [])

    @unittest.skipIf(sys.version_info < (3, 11), "groups are new in Python 3.11")
    def test_members_of_a_group(self):
        group = ExceptionGroup("several", [ValueError("a"), KeyError("b")])
        self.assertEqual(self.links(group), [("member", "ValueError"), ("member", "KeyError")])

    def test_properties_of_the_program_are_not_read(self):
        class Hostile(Exception):
            __cause__ = property(lambda self: self.fail())
            __context__ = property(lambda self: self.fail())

        self.assertEqual(self.links(Hostile()), [])

    def test_circle_ends_and_causes_are_bounded(self):
        first, second = ValueError("a"), ValueError("b")
        first.__cause__, second.__cause__ = second, first
        (found,) = causes.Causes(10, first).of(first)
        self.assertEqual((found.message, found.innerException), ("b", []))
        chain = ValueError("0")
        for number in range(1, 6):
            outer = ValueError(str(number))
            outer.__cause__, chain = chain, outer
        (found,) = causes.Causes(2, chain).of(chain)
        self.assertEqual(found.innerException[0].message, "3")
        self.assertEqual(found.innerException[0].innerException, [])


class Texts(unittest.TestCase):
    def test_message_is_that_of_the_program(self):
        class Silent(Exception):
            def __str__(self):
                raise OSError("gone")

        self.assertEqual(causes.message(ValueError("text")), "text")
        self.assertEqual(causes.message(Silent()), "<error: __str__: OSError>")
        self.assertEqual(len(causes.message(ValueError("x" * 5000))), causes.MOST_CHARACTERS + 1)

    def test_notes_follow(self):
        error = ValueError("text")
        error.__notes__ = ["one", 2, "three"]
        self.assertEqual(causes.message(error), "text\none\nthree")
        empty = ValueError()
        empty.__notes__ = ["note"]
        self.assertEqual(causes.message(empty), "note")
        empty.__notes__ = "no list"
        self.assertEqual(causes.message(empty), "")

    def test_dictionary_of_the_program_runs_no_code(self):
        class Own(dict):
            def get(self, *_):
                raise AssertionError("code of the program ran")

        error = ValueError("text")
        error.__dict__ = Own(__notes__=["note"])
        self.assertEqual(causes.message(error), "text\nnote")

    def test_names_have_their_module(self):
        self.assertEqual(causes.type_name(ValueError), "ValueError")
        self.assertEqual(causes.type_name(unittest.SkipTest), "unittest.case.SkipTest")
        self.assertEqual(list(causes.bases(KeyError)), [LookupError, Exception, BaseException])


class Frames(unittest.TestCase):
    def test_innermost_frame_is_first(self):
        frames = causes.frames_of(raised(handled, ValueError("x")))
        self.assertEqual([frame["name"] for frame in frames], ["handled", "raised"])
        self.assertTrue(frames[0]["source"]["path"].endswith("test_causes.py"))
        self.assertEqual(causes.frames_of(ValueError("never raised")), [])


class Ends(unittest.TestCase):
    """Frames that ran on after they raised."""

    def ran_on(self, function):
        error = raised(function)
        line = causes.ran_on(error, error.__traceback__.tb_next.tb_frame)
        return None if line is None else line - function.__code__.co_firstlineno

    def test_finally_that_changes_a_value(self):
        def charge():
            state = "charging"
            try:
                raise ValueError(state)
            finally:
                state = "rolled back"

        self.assertEqual(self.ran_on(charge), 5)

    def test_frame_that_raised_last(self):
        def plain():
            raise ValueError

        def renamed():
            try:
                raise KeyError
            except KeyError as error:
                raise ValueError from error

        self.assertEqual([self.ran_on(plain), self.ran_on(renamed)], [None, None])

    def test_finally_that_changes_nothing(self):
        def silent():
            try:
                raise ValueError
            finally:
                pass

        self.assertEqual(self.ran_on(silent), None)


if __name__ == "__main__":
    unittest.main()
