"""Tests of children.py: the command of a child process in which pydevd starts."""

import os
import unittest
from unittest import mock

import tests

tests.module("_pydev_bundle.pydev_monkey", patch_args=None, is_python=None)

import children  # noqa: E402


class Commands(unittest.TestCase):
    def patched(self, args, changed):
        return children.patch_args(lambda args, is_exec=False: changed, args, is_exec=True)

    def test_modules_of_a_child_are_not_frozen(self):
        args = ["python", "-I", "x.py"]
        changed = ["python", "-I", "pydevd.py", "--file", "x.py"]
        expect = ["python", "-X", "frozen_modules=off", *changed[1:]]
        self.assertEqual(self.patched(args, changed), expect)
        as_bytes = [word.encode() for word in changed]
        expect = [word.encode() for word in expect]
        self.assertEqual(self.patched([b"python", b"-I", b"x.py"], as_bytes), expect)

    def test_other_commands_stay(self):
        for args in (["ls", "-l"], ("python", "pydevd.py"), "ls -l", None):
            self.assertIs(self.patched(args, args), args)
        changed = ["pypy3", "pydevd.py", "--file", "x.py"]
        self.assertIs(self.patched(["pypy3", "x.py"], changed), changed)

    def test_env_that_clears_the_environment_gets_the_variables(self):
        def found(line, as_bytes=False):
            words = [word.encode() if as_bytes else word for word in line.split()]
            return b" ".join(map(os.fsencode, children.extended_words(words))).decode()

        def additions(path):
            return {"CHILD": "code", "PYTHONPATH": "here:" + path}

        with mock.patch.object(children, "additions", additions):
            more = "CHILD=code PYTHONPATH=here:"
            rows = [
                ("env -i python x.py A=1", "env -i %s python x.py A=1" % more),
                ("/usr/bin/env - -u X -C dir A=1 python", "/usr/bin/env - -u X -C dir A=1 %s python" % more),
                ("env -i PYTHONPATH=lib -- python", "env -i PYTHONPATH=lib %slib -- python" % more),
                ("env -i -- python", "env -i -- %s python" % more),
            ]  # fmt: skip
            for line, expect in rows:
                self.assertEqual(found(line), expect)
                self.assertEqual(found(line, as_bytes=True), expect)
            for line in ("env A=1 python -i x.py", "env", "other -i python", "sh -c env"):
                self.assertEqual(found(line), line)


if __name__ == "__main__":
    unittest.main()
