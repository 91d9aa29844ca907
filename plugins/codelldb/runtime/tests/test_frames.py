"""Tests of frames.py: the frame in which a command runs."""

import types
import unittest

import lldb

import frames


class Frames(unittest.TestCase):
    def at(self, stop, name):
        lldb.process = types.SimpleNamespace(GetStopID=lambda: stop)
        lldb.frame = types.SimpleNamespace(name=name, GetThread=lambda: name + "'s thread")

    def test_command_runs_in_the_frame_of_its_request(self):
        self.at(1, "outer")
        frames.store(1002)
        self.at(1, "inner")
        frames.enter(1002)
        self.assertEqual((lldb.frame.name, lldb.thread), ("outer", "outer's thread"))

    def test_frames_of_an_earlier_stop_are_forgotten(self):
        self.at(1, "outer")
        frames.store(1002)
        self.at(2, "inner")
        frames.store(1001)
        with self.assertRaises(KeyError):
            frames.enter(1002)


if __name__ == "__main__":
    unittest.main()
