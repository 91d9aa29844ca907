"""Tests of ends.py."""

import os
import signal
import unittest

import ends


class Exceptions(unittest.TestCase):
    def test_runtime_ends_the_program(self):
        for names, is_end in (
            (["raise", "abort", "std::terminate()", "__cxa_throw", "main"], True),
            (["raise", "__GI_abort", "", "", "__gxx_personality_v0", "", "__cxa_throw"], True),
            # A signal while an exception is on its way to its handler.
            (["on_signal", "", "__gxx_personality_v0", "_Unwind_RaiseException", "main"], False),
            (["raise", "abort", "main"], False),
            (["main"], False),
            ([], False),
        ):
            self.assertEqual(ends.is_terminated(names), is_end, names)


class Signals(unittest.TestCase):
    def test_mode_follows_the_masks(self):
        usr1, child, segv = 10, 17, 11
        for number, caught, ignored, mode in (
            (usr1, (), (), "unhandled"),
            (usr1, (usr1,), (), "always"),
            (usr1, (), (usr1,), ""),
            (usr1, (segv,), (segv,), "unhandled"),
            (child, (), (), ""),
            (child, (child,), (), "always"),
        ):
            masks = ("%016x" % sum(1 << one - 1 for one in mask) for mask in (caught, ignored))
            status = dict(zip(("SigCgt", "SigIgn"), masks))
            self.assertEqual(ends.break_mode_of_signal(number, status), mode, (number, status))

    def test_masks_are_read_from_the_system(self):
        for number, handler in (
            (signal.SIGUSR1, signal.SIG_IGN),
            (signal.SIGUSR2, lambda *_: None),
        ):
            self.addCleanup(signal.signal, number, signal.signal(number, handler))
        status = ends.process_status(os.getpid())
        self.assertEqual(status["Pid"], str(os.getpid()))
        self.assertEqual(ends.break_mode_of_signal(signal.SIGUSR1, status), "")
        self.assertEqual(ends.break_mode_of_signal(signal.SIGUSR2, status), "always")


class Errors(unittest.TestCase):
    def test_code_of_the_system_is_in_the_upper_half(self):
        self.assertEqual(ends.io_error(2 << 32 | 2), "os error 2: No such file or directory")
        self.assertEqual(ends.io_error(0x7FFF_0001), "")


if __name__ == "__main__":
    unittest.main()
