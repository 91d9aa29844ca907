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

    def test_key_is_found_in_the_table_before_its_control_bytes(self):
        count, size, control = 4096 + 2, 2, 1 << 16
        memory = {control - 2: 5, control - 2 * count: 7, control - 4: 9}

        class Process:
            def ReadMemory(self, address, length, error):
                if address >= control:
                    return bytes(255 if address + at == control + 1 else 0 for at in range(length))
                return bytes(memory.get(address + at, 0) for at in range(length))

        class Pattern:
            def __init__(self, wanted):
                self.wanted = wanted

            def places(self, data, step):
                return (at for at in range(0, len(data), step) if data[at] == self.wanted)

        def find(wanted, is_late=lambda: False):
            return hash_maps.find(Process(), control, count, size, Pattern(wanted), is_late)

        self.assertEqual(find(5), (control - 2, None))
        self.assertEqual(find(7), (control - 2 * count, None))
        # The bucket is free: what is there is of an earlier entry.
        self.assertEqual(find(9), (None, None))
        self.assertEqual(find(8), (None, None))
        self.assertEqual(find(5, lambda: True), (None, 0))


if __name__ == "__main__":
    unittest.main()
