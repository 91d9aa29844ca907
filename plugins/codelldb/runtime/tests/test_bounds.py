"""Tests of bounds.py: what stops a summary inside another one."""

import threading
import unittest

import bounds


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Bounds(unittest.TestCase):
    def setUp(self):
        self.clock, self.processor = Clock(), Clock()
        self.work = bounds.Work(self.clock, self.processor)

    def begin(self, key):
        refusal = self.work.refusal(key)
        if refusal is None:
            self.work.begin(key)
        return refusal

    def test_value_inside_itself_is_named(self):
        node, other = (16, "Node"), (32, "Node")
        self.assertEqual([self.begin(key) for key in (node, other)], [None, None])
        self.assertEqual(self.begin(node), bounds.CYCLE)
        # The first member has the place of its owner, and another type.
        self.assertIsNone(self.begin((16, "Member")))

    def test_depth_is_limited(self):
        texts = [self.begin((16 * depth, "Node")) for depth in range(1, bounds.DEPTH + 2)]
        self.assertEqual(texts, [None] * bounds.DEPTH + [bounds.CUT])

    def test_number_of_values_is_limited(self):
        self.begin((8, "Root"))
        texts = []
        for at in range(bounds.VALUES + 1):
            texts.append(self.begin((16 * (at + 1), "Leaf")))
            if texts[-1] is None:
                self.work.end()
        self.assertEqual(texts, [None] * bounds.VALUES + [bounds.CUT])
        self.work.end()
        self.assertIsNone(self.begin((8, "Root")), "the next summary has its own")

    def late_after(self, clock, processor=0.0):
        """Whether a part of a value is left out so many seconds after the value was begun."""
        self.begin((8, "Root"))
        self.clock.now += clock
        self.processor.now += processor
        refusal = self.work.refusal((16, "Leaf"))
        self.work.end()
        return refusal == bounds.LATE

    def test_processor_time_of_another_thread_is_not_counted(self):
        self.begin((8, "Root"))
        self.processor.now += bounds.SECONDS * 2
        refusals = []
        other = threading.Thread(target=lambda: refusals.append(self.work.refusal((16, "Leaf"))))
        other.start()
        other.join()
        self.assertEqual(refusals, [None])
        self.assertEqual(self.work.refusal((16, "Leaf")), bounds.LATE)

    def test_time_is_limited(self):
        self.assertFalse(self.late_after(bounds.SECONDS * 2), "the machine was busy")
        self.assertTrue(self.late_after(0.3, bounds.SECONDS + 0.01))
        self.assertTrue(self.late_after(bounds.CLOCK_SECONDS + 0.01))
        # A request that has used up its time leaves little to each of the rest.
        self.assertTrue(self.late_after(bounds.SECONDS / 5, bounds.SECONDS / 5))
        self.clock.now += bounds.PAUSE + 0.01
        self.assertFalse(self.late_after(bounds.SECONDS / 5, bounds.SECONDS / 5), "another request")


if __name__ == "__main__":
    unittest.main()
