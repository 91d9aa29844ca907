"""Tests of recording.py: where a recording begins and ends."""

import unittest

from . import part_of_script

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


if __name__ == "__main__":
    unittest.main()
