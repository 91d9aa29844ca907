"""Tests of children.py: the command of a child process in which pydevd starts."""

import unittest

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


if __name__ == "__main__":
    unittest.main()
