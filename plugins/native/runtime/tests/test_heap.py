"""Tests of heap.py with the memory of a small heap."""

import unittest

import heap

START, LISTS = 0x555555559000, 64


def memory(freed):
    """The words of a heap in whose list for the smallest blocks these are, the last one first."""
    words = {START + 8: 0x291}
    words.update((START + 16 + 2 * LISTS + 8 * n, 0) for n in range(LISTS))
    words[START + 16 + 2 * LISTS] = freed[0] if freed else 0
    for block, following in zip(freed, freed[1:] + [0]):
        words[block] = (block >> 12) ^ following
    return words


class Freed(unittest.TestCase):
    def test_blocks_in_the_list_are_free(self):
        first, second, third = (START + at for at in (0x2A0, 0x2C0, 0x2E0))
        words = memory([second, first])
        for block in (first, second, third):
            words[block - 8] = 0x21

        def is_free(address):
            return heap.is_free_block(address, START, words.__getitem__)

        self.assertEqual([is_free(one) for one in (first, second, third)], [True, True, False])
        words[third - 8] = 0x1001  # Larger than the blocks of any list.
        self.assertFalse(is_free(third))
        words[START + 8] = 0x21  # Another allocator's memory.
        self.assertFalse(is_free(first))


if __name__ == "__main__":
    unittest.main()
