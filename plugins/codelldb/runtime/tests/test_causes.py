"""Tests of causes.py: which frames show that the C++ runtime ends the program."""

import unittest

import causes


class Ends(unittest.TestCase):
    def test_runtime_ends_the_program(self):
        for names, ends in (
            (["raise", "abort", "std::terminate()", "__cxa_throw", "main"], True),
            (["raise", "__GI_abort", "", "", "__gxx_personality_v0", "", "__cxa_throw"], True),
            # A signal while an exception is on its way to its handler.
            (["on_signal", "", "__gxx_personality_v0", "_Unwind_RaiseException", "main"], False),
            (["raise", "abort", "main"], False),
            (["main"], False),
            ([], False),
        ):
            self.assertEqual(causes.is_terminated(names), ends, names)

    def test_code_of_the_system_is_in_the_upper_half(self):
        self.assertEqual(causes.io_error(2 << 32 | 2), "os error 2: No such file or directory")
        self.assertEqual(causes.io_error(0x7FFF_0001), "")


if __name__ == "__main__":
    unittest.main()
