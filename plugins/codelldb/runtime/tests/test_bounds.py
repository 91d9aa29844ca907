"""Tests of bounds.py: what stops a summary inside another one."""

import unittest

import bounds


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Bounds(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.work = bounds.Work(self.clock)

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

    def test_time_is_limited(self):
        self.begin((8, "Root"))
        self.clock.now += bounds.SECONDS + 0.01
        self.assertEqual(self.begin((16, "Leaf")), bounds.LATE)
        self.work.end()
        # A request that has used up its time leaves little to each of the rest.
        for _ in range(int(bounds.REQUEST / bounds.SECONDS)):
            self.begin((8, "Root"))
            self.clock.now += bounds.SECONDS
            self.work.end()
        self.begin((8, "Root"))
        self.clock.now += bounds.SECONDS / 5
        self.assertEqual(self.begin((16, "Leaf")), bounds.LATE)
        self.work.end()
        self.clock.now += bounds.PAUSE + 0.01
        self.begin((8, "Root"))
        self.clock.now += bounds.SECONDS / 5
        self.assertIsNone(self.begin((16, "Leaf")), "another request")


if __name__ == "__main__":
    unittest.main()
