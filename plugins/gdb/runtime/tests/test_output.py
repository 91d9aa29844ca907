"""Tests of output.py: a real shell reads the text that runs a program with long arguments."""

import subprocess
import sys
import unittest

from . import part_of_script

output = part_of_script("output.py")

# What a program gets: its arguments, the variables of this script, and standard input.
PRINTED = (
    "import os, sys; print(ascii((sys.argv[1:], [n for n in os.environ if 'DAPDOCK' in n],"
    " sys.stdin.read())))"
)


class Wrapper(unittest.TestCase):
    def run_program(self, args, stdin, *more):
        program, variables = output.in_shell(args, stdin)
        for name, value in variables:
            self.assertLess(len(name) + len(value.encode()) + 2, 128 * 1024)
        command = ["sh", "-c", program, sys.executable, *more]
        printed = subprocess.check_output(
            command, env=dict(variables), stdin=subprocess.DEVNULL, encoding="ascii"
        )
        return eval(printed)

    def test_long_arguments_arrive_unchanged(self):
        args = ["%03d '\"$HOME`x` \\\n*世" % number + "z" * 1000 for number in range(300)]
        args += ["", "世" * 40_000]
        printed = self.run_program(["-c", PRINTED] + args, None)
        self.assertEqual(printed, (args, [], ""))

    def test_standard_input_is_a_file(self):
        for args in ([], ["-c", PRINTED, "a b"]):
            more = [] if args else ["-c", PRINTED, "a b"]
            printed = self.run_program(args, __file__, *more)
            self.assertEqual(printed[:2], (["a b"], []))
            self.assertIn("standard_input_is_a_file", printed[2])


if __name__ == "__main__":
    unittest.main()
