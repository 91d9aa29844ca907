"""Tests of hash_maps.py: how many buckets are read."""

import unittest

import hash_maps


class Entries(unittest.TestCase):
    def test_buckets_are_read_as_far_as_wanted(self):
        states = bytes([255, 3, 128, 7]) * 4096
        read = []

        def part(at, size):
            read.append(at)
            return states[at : at + size]

        buckets = hash_maps.Buckets(part, len(states))
        self.assertEqual([buckets[at] for at in (0, 1, 2)], [1, 3, 5])
        self.assertEqual(read, [0])
        self.assertEqual((buckets[8191], len(read)), (len(states) - 1, 4))

    def test_buckets_end_where_memory_does(self):
        for states in (None, b""):
            buckets = hash_maps.Buckets(lambda at, size: states, 1 << 60)
            with self.assertRaises(IndexError):
                buckets[0]
        with self.assertRaises(IndexError):
            hash_maps.Buckets(lambda at, size: bytes([255] * size), 8)[0]


if __name__ == "__main__":
    unittest.main()
