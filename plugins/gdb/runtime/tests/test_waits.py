"""Tests of waits.py: how the threads of a pause are described."""

import unittest

from . import part_of_script

waits = part_of_script("waits.py")


class Described(unittest.TestCase):
    def test_circle_of_locks_is_a_deadlock(self):
        text = waits.described(
            [
                waits.Wait(1, 100, "in main a.c:25", "join", None, 101),
                waits.Wait(2, 101, "in one a.c:9", "lock", "second", 102),
                waits.Wait(3, 102, "in two a.c:16", "lock", "first", 101),
            ]
        )
        self.assertEqual(
            text,
            "deadlock of threads 2 and 3; thread 2 in one a.c:9 waits for the lock second held by"
            " thread 3; thread 3 in two a.c:16 waits for the lock first held by thread 2; thread 1"
            " in main a.c:25 joins thread 2",
        )

    def test_lock_without_a_circle(self):
        text = waits.described(
            [
                waits.Wait(1, 100, "in main a.c:25"),
                waits.Wait(2, 101, "in one a.c:9", "lock", None, 100),
                waits.Wait(3, 102, "in two a.c:16", "lock", None, 0),
            ]
        )
        self.assertEqual(
            text,
            "thread 2 in one a.c:9 waits for the lock held by thread 1; thread 3 in two a.c:16 waits"
            " for the lock; thread 1 in main a.c:25",
        )

    def test_threads_are_limited(self):
        text = waits.described([waits.Wait(n, 100 + n, "in f a.c:%d" % n) for n in range(1, 9)])
        self.assertTrue(text.endswith("thread 6 in f a.c:6; 2 more threads"), text)


if __name__ == "__main__":
    unittest.main()
