"""Tests of failures.py: which exceptions code outside the program reports as failures."""

import asyncio
import importlib.util
import logging
import os
import sys
import tempfile
import types
import unittest
import zipfile

import failures


class Debugger:
    """Functions of this file whose names begin with `own` are the program's."""

    def get_file_type(self, frame):
        return None

    def in_project_scope(self, frame):
        return frame.f_code.co_name.startswith("own")


def own_raise():
    raise ValueError("text")


def own_wrap():
    try:
        own_raise()
    except ValueError as error:
        raise KeyError("other") from error


def library(function):
    """Calls code of the program and returns what it raises."""
    try:
        function()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def library_error():
    raise OSError("not of the program")


class Imports(unittest.TestCase):
    def test_modules_of_one_loader_are_told_apart(self):
        """`zipimporter` loads all modules of a directory."""
        found, names = [], ["_pytest.runner", "_pytest.other"]
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "all.zip")
            with zipfile.ZipFile(path, "w") as archive:
                for name in ["_pytest.__init__", *names]:
                    archive.writestr(name.replace(".", "/") + ".py", "")
            importer = failures.Importer(["_pytest.runner"])
            sys.meta_path.insert(0, importer)
            sys.path.insert(0, path)
            watch, failures.watch = failures.watch, lambda module: found.append(module.__name__)
            try:
                self.assertIsNotNone(importlib.util.find_spec(names[0]))
                for name in names:
                    importlib.import_module(name)
            finally:
                failures.watch = watch
                sys.path.remove(path)
                sys.meta_path.remove(importer)
                for name in ["_pytest", *names]:
                    sys.modules.pop(name, None)
        # Before Python 3.10 `zipimporter` has no `exec_module`, and nothing is watched.
        self.assertEqual(found, names[:1] if sys.version_info >= (3, 10) else [])


class Raised(unittest.TestCase):
    def test_exception_that_left_the_program(self):
        error = library(own_raise)
        self.assertEqual(failures.raised(Debugger(), error), (error, error.__traceback__))

    def test_exception_that_ended_a_part_of_a_running_function(self):
        class Part:
            def __enter__(self):
                pass

            def __exit__(self, kind, error, trace):
                reported.append(failures.raised(Debugger(), failures.Ended(error)))
                return True

        def own_loop():
            with Part():
                own_raise()
            return True

        reported = []
        self.assertTrue(own_loop())
        ((error, trace),) = reported
        self.assertIsInstance(error, ValueError)
        self.assertIs(trace.tb_frame.f_code, own_loop.__code__)

    def test_exception_that_the_program_caught(self):
        def own_handler():
            try:
                own_raise()
            except ValueError as error:
                return failures.raised(Debugger(), error)

        self.assertIsNone(own_handler())

    def test_exception_of_a_library(self):
        error = library(library_error)
        self.assertIsNone(failures.raised(Debugger(), error))
        error.__cause__ = cause = library(own_raise)
        self.assertEqual(failures.raised(Debugger(), error), (cause, cause.__traceback__))

    def test_circle_of_causes_ends(self):
        error = library(library_error)
        error.__cause__ = error
        self.assertIsNone(failures.raised(Debugger(), error))


class Marks(unittest.TestCase):
    def test_exception_is_reported_once(self):
        error, other = library(own_wrap), library(own_raise)
        self.assertFalse(failures.was_reported(error, error.__traceback__))
        failures.mark_reported(error, error.__traceback__)
        self.assertTrue(failures.was_reported(error, error.__traceback__))
        self.assertFalse(failures.was_reported(other, other.__traceback__))
        self.assertEqual(vars(error), {})


def own_raise_again():
    try:
        own_raise()
    except ValueError as error:
        raise error


class Frames(unittest.TestCase):
    def test_frame_that_raised_again_is_listed_once(self):
        """With the line from which the exception came first."""

        def listed(trace):
            # As pydevd does.
            made = types.SimpleNamespace(
                _frames=[], frame_id_to_lineno={}, frame_id_to_line_col_info={}
            )
            entries = []
            while trace is not None:
                entries.append(trace)
                trace = trace.tb_next
            for entry in reversed(entries):
                made._frames.append(entry.tb_frame)
                made.frame_id_to_lineno[id(entry.tb_frame)] = entry.tb_lineno
            return made

        error = library(own_raise_again)
        found = failures.each_once(listed, error.__traceback__)
        begin = own_raise_again.__code__.co_firstlineno
        names = [frame.f_code.co_name for frame in found._frames]
        self.assertEqual(names, ["own_raise", "own_raise_again", "library"])
        self.assertEqual(found.frame_id_to_lineno[id(found._frames[1])], begin + 2)

    def test_exceptions_without_a_caller_are_reported(self):
        found = types.SimpleNamespace(exc_value=library(own_raise))
        self.assertIs(failures.of_ignored(found), found.exc_value)


class Calls(unittest.TestCase):
    """How the exception is found in a call."""

    def test_log_records(self):
        error = library(own_raise)
        for level, found in ((logging.ERROR, error), (logging.WARNING, None)):
            record = logging.LogRecord("x", level, "x.py", 1, "text", (), None)
            self.assertIsNone(failures.of_record(None, record))
            record.exc_info = (type(error), error, error.__traceback__)
            self.assertIs(failures.of_record(None, record), found)

    def test_tracebacks(self):
        error = library(own_raise)
        self.assertIs(failures.of_traceback(error), error)
        self.assertIs(failures.of_traceback(type(error), error, error.__traceback__), error)
        self.assertIsNone(failures.of_traceback(None, None, None))
        names = {"__name__": "logging", "find": failures.of_traceback, "error": error}
        exec("def log(): return find(error)", names)
        self.assertIsNone(names["log"]())

    def test_results_of_tests(self):
        error = library(own_raise)
        state = (type(error), error, error.__traceback__)
        self.assertIs(failures.of_test_result(None, None, state), error)
        self.assertIsNone(failures.of_subtest(None, None, None, None))
        call = types.SimpleNamespace(excinfo=types.SimpleNamespace(value=error))
        self.assertIs(failures.of_pytest(call, None).error, error)

    def test_client_reports_what_it_drops(self):
        async def app(scope, receive, send):
            raise error

        class Client:
            def __init__(self, app, raises):
                self.app, self.raises = app, raises

        def replace(kind, name):
            def use(changed):
                original = getattr(kind, name)
                setattr(kind, name, lambda *args: changed(original, *args))

            return use

        error, reported = ValueError("text"), []
        saved = failures.report, failures.debuggee.replace
        failures.report, failures.debuggee.replace = reported.append, replace
        try:
            failures.watch_client(Client, "raises")
            self.assertIs(Client(app, True).app, app)
            with self.assertRaises(ValueError):
                asyncio.run(Client(app, False).app({}, None, None))
        finally:
            failures.report, failures.debuggee.replace = saved
        self.assertEqual(reported, [error])

    def test_a_call_is_watched_only_if_its_result_holds(self):
        seen = []
        find = lambda value: seen.append(value)  # noqa: E731
        decide = failures.watched(find, True)
        self.assertEqual([decide(lambda value: value, one) for one in (False, True)], [False, True])
        self.assertEqual(seen, [True])
        self.assertEqual(failures.watched(find, False)(lambda value: value, 7), 7)
        self.assertEqual(seen, [True, 7])


if __name__ == "__main__":
    unittest.main()
