"""Tests of exit_codes.py with processes of this machine."""

import os
import signal
import types
import unittest

import exit_codes


class ExitCodes(unittest.TestCase):
    def end(self, end):
        """What is known of a child that ends so, after its parent has read its status."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.read(reading, 1)
            end()
        os.close(reading)
        served, exit_codes.is_served = exit_codes.is_served, lambda number: True
        exit_codes.follow(types.SimpleNamespace(GetProcessID=lambda: child))
        exit_codes.is_served = served
        os.close(writing)
        os.waitpid(child, 0)
        return exit_codes.exit_code()

    def test_status_is_known_after_it_was_read(self):
        # Older kernels do not say.
        self.assertIn(self.end(lambda: os._exit(7)), (7, None))
        killed = self.end(lambda: os.kill(os.getpid(), signal.SIGKILL))
        self.assertIn(killed, (-9, None))

    def test_a_process_of_another_server_is_not_followed(self):
        for number in (os.getpid(), 1 << 40):
            exit_codes.follow(types.SimpleNamespace(GetProcessID=lambda: number))
            self.assertIsNone(exit_codes.exit_code())


if __name__ == "__main__":
    unittest.main()
