"""Tests of commands.py: which commands resume the program and which evaluate expressions."""

import unittest

from . import part_of_script

commands = part_of_script("commands.py")


class Words(unittest.TestCase):
    def test_commands_that_resume_run_in_the_background(self):
        for command, background in (
            ("continue", True),
            ("cont 3", True),
            ("c", True),
            ("con", False),  # Also the beginning of `condition`.
            ("next", True),
            ("n", True),
            ("until 12", True),
            ("reverse-step", True),
            ("RUN", True),
            ("start", True),
            ("info locals", False),
            ("x/4x $sp", False),
            ("continue &", False),
        ):
            changed = command + " &" if background else command
            self.assertEqual(commands.in_background(command), changed, command)

    def test_commands_that_evaluate(self):
        for command, evaluates in (
            ("print f()", True),
            ("p f()", True),
            ("call f()", True),
            ("set var x = f()", True),
            ("x/i f()", True),
            ("info line", False),
            ("backtrace", False),
        ):
            self.assertEqual(commands.evaluates(command), evaluates, command)


if __name__ == "__main__":
    unittest.main()
