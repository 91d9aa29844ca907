"""Tests of execution.py: where a recording begins and ends."""

import unittest

from . import part_of_script

execution = part_of_script("execution.py")


class Recording(unittest.TestCase):
    def test_ends_are_named_by_the_way_of_the_move(self):
        recording = execution.Recording()
        self.assertIsNone(recording.move(True))
        self.assertEqual(recording.describe("Replay mode:"), "beginning of the recording")
        self.assertEqual(recording.move(True), "this is the beginning of the recording")
        self.assertIsNone(recording.move(False))
        self.assertEqual(recording.describe("Replay mode:"), "end of the recording")
        self.assertIsNone(recording.move(True))

    def test_instruction_that_cannot_be_recorded_is_no_end(self):
        recording = execution.Recording()
        recording.move(False)
        self.assertIn("cannot record", recording.describe("Active record target: record-full"))
        self.assertTrue(recording.is_stuck)

    def test_end_that_was_replayed_to_is_not_stuck(self):
        recording = execution.Recording()
        recording.on_stop("Replay mode:")
        recording.move(False)
        self.assertEqual(recording.describe("Record mode:"), "end of the recording")
        self.assertFalse(recording.is_stuck)

    def test_new_recording_is_at_its_beginning(self):
        recording = execution.Recording()
        recording.describe("Record mode:")
        recording.begin()
        self.assertEqual(recording.move(True), "this is the beginning of the recording")
        self.assertFalse(recording.is_stuck)


if __name__ == "__main__":
    unittest.main()
