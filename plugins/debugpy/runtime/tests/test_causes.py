"""Tests of causes.py: the exceptions that led to one, without running code of the program."""

import os
import sys
import threading
import unittest
from contextlib import contextmanager

import causes


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.has_ended = True

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.has_ended = True


class Holder:
    def __init__(self):
        self.guard = Guard()


@contextmanager
def generator(_):
    yield


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

    def test_exceptions_of_the_debugger_are_no_context(self):
        """Endless recursion exceeds the limit in pydevd too, while that handles one of its own."""
        scope = {"handled": handled}
        code = "def look_up(error):\n    try:\n        {}[1]\n    except KeyError:\n        raise error"
        exec(compile(code, "/x/_pydevd_bundle/pydevd_frame.py", "exec"), scope)
        error = raised(scope["look_up"], RecursionError("too deep"))
        self.assertEqual(type(error.__context__), KeyError)
        self.assertEqual(self.links(error), [])
        error.__context__.__context__ = OSError("of the program")
        self.assertEqual(self.links(error), [("context", "OSError")])

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

    def test_handler_that_did_not_match(self):
        def other():
            try:
                return int("a")
            except KeyError:
                total = 5
            except (OSError, EOFError) as error:
                total = error
            return total

        self.assertEqual(self.ran_on(other), None)

    def test_handler_that_matched(self):
        def again():
            state = "charging"
            try:
                raise ValueError(state)
            except KeyError:
                state = "other"
            except ValueError:
                state = "failed"
                raise

        def named():
            try:
                raise ValueError
            except ValueError as error:
                assert error
                raise

        self.assertEqual(self.ran_on(again), 8)
        self.assertEqual(self.ran_on(named), None)

    def test_handler_inside_finally(self):
        def outer():
            state = 1
            try:
                try:
                    raise ValueError
                except KeyError:
                    pass
            finally:
                state = 2
            return state

        def maybe():
            state = 1
            try:
                raise ValueError
            finally:
                if not state:
                    state = 2

        self.assertEqual(self.ran_on(outer), 8)
        self.assertEqual(self.ran_on(maybe), None)

    def test_end_of_with(self):
        guard = Guard()

        def made():
            with Guard():
                raise ValueError

        def kept():
            with guard:
                raise ValueError

        def field():
            holder = Holder()
            with holder.guard:
                raise ValueError

        def generated():
            with generator(1):
                raise ValueError

        def lock():
            with threading.Lock():
                raise ValueError

        def other():
            lock = threading.RLock()
            with lock, open(os.devnull):
                raise ValueError

        def unknown():
            with [Guard()][0]:
                raise ValueError

        for function in (made, kept, field, generated):
            self.assertIn(self.ran_on(function), (1, 2, 3), function)
        for function in (lock, other, unknown):
            self.assertEqual(self.ran_on(function), None, function)

    def test_end_of_with_in_a_coroutine(self):
        def run():
            async def work():
                async with Guard():
                    raise ValueError

            work().send(None)

        error = raised(run)
        frame = error.__traceback__.tb_next.tb_next.tb_frame
        self.assertIsNotNone(causes.ran_on(error, frame))

    def test_frame_that_has_not_ended(self):
        lines = []

        def trace(frame, event, argument):
            if event == "exception":
                lines.append(causes.ran_on(argument[1], frame))
            return trace

        def work():
            with Guard():
                raise ValueError

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            raised(work)
        finally:
            sys.settrace(before)
        self.assertEqual(set(lines), {None})

    def test_finally_that_changes_nothing(self):
        def silent():
            try:
                raise ValueError
            finally:
                pass

        self.assertEqual(self.ran_on(silent), None)


if __name__ == "__main__":
    unittest.main()
