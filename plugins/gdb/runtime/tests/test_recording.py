"""Tests of recording.py: where a recording begins and ends."""

import unittest

from . import Gdb, part_of_script

script = part_of_script("recording.py")


class Recording(unittest.TestCase):
    def test_ends_are_named_by_the_way_of_the_move(self):
        recording = script.Recording()
        self.assertIsNone(recording.move(True))
        self.assertEqual(recording.describe("Replay mode:"), "beginning of the recording")
        self.assertEqual(recording.move(True), "this is the beginning of the recording")
        self.assertIsNone(recording.move(False))
        self.assertEqual(recording.describe("Replay mode:"), "end of the recording")
        self.assertIsNone(recording.move(True))

    def test_instruction_that_cannot_be_recorded_is_no_end(self):
        recording = script.Recording()
        recording.move(False)
        self.assertIn("cannot record", recording.describe("Active record target: record-full"))
        self.assertTrue(recording.is_stuck)

    def test_end_that_was_replayed_to_is_not_stuck(self):
        recording = script.Recording()
        recording.on_stop("Replay mode:")
        recording.move(False)
        self.assertEqual(recording.describe("Record mode:"), "end of the recording")
        self.assertFalse(recording.is_stuck)

    def test_new_recording_is_at_its_beginning(self):
        recording = script.Recording()
        recording.describe("Record mode:")
        recording.begin()
        self.assertEqual(recording.move(True), "this is the beginning of the recording")
        self.assertFalse(recording.is_stuck)

    def test_stop_at_which_nothing_is_recorded_is_the_beginning(self):
        recording = script.Recording()
        recording.move(False)
        recording.on_stop("Record mode:\nNo instructions have been logged.")
        self.assertEqual(recording.move(True), "this is the beginning of the recording")
        recording.move(False)
        recording.on_stop("Record mode:\nLog contains 1 instructions.")
        self.assertIsNone(recording.move(True))


class Beginnings(unittest.TestCase):
    def test_recording_begins_once_and_only_in_the_function_itself(self):
        made = []

        def make(self, **place):
            made.append(place)
            self.number, self.enabled = len(made), True

        breakpoint = type("Breakpoint", (), {"__init__": make})
        gdb = Gdb("gdb")
        gdb.Breakpoint, gdb.current_recording = breakpoint, lambda: True
        names = part_of_script("recording.py", gdb=gdb, passed=set())
        points = [names.Beginning(name) for name in ("main", "cart::main")]
        self.assertTrue(all(one["qualified"] and one["internal"] for one in made))
        self.assertFalse(points[1].stop())
        self.assertEqual([one.enabled for one in points], [False, False])
        self.assertEqual(names.of_script["passed"], {2})


if __name__ == "__main__":
    unittest.main()
