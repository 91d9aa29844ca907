"""Tests of rust_tables.py: entries of hash tables by number and by key, from memory."""

import time
import types
import unittest

from . import part_of_script

script = part_of_script(
    "rust_tables.py", time=time, SEARCH=1.0, NOT_AMONG="not found among %d of %d in %g s"
)


def table(keys, capacity):
    """A table of these keys of 4 bytes at places 1, 3, …, with as many bytes behind each."""
    control = bytearray(b"\xff" * capacity)
    data = bytearray(8 * capacity)
    for number, key in enumerate(keys):
        place = 2 * number + 1
        control[place] = 0x11
        at = 8 * (capacity - place - 1)
        data[at : at + 4] = key.to_bytes(4, "little", signed=True)
    memory = bytes(data + control)
    script.put("program_bytes", lambda address, size: memory[address : address + size])
    found = object.__new__(script.HashTable)
    found.is_map, found.length, found.capacity = True, len(keys), capacity
    found.control, found.found, found.read_until = len(data), [], 0
    found.entry = types.SimpleNamespace(sizeof=8)
    found.member = lambda place, name: (place, name)
    script.put("member_place", lambda ty, name: (0, None))
    script.put("key_kind", lambda ty: script.NumberKey(4, True))
    return found


class Tables(unittest.TestCase):
    def setUp(self):
        script.put("TABLE_PART", 4)
        script.put("DATA_PART", 4 * 8)

    def test_entries_are_read_by_number(self):
        found = table([5, -6, 7], 16)
        self.assertEqual([found.place(number) for number in (0, 2)], [1, 5])
        self.assertEqual(found.child(3), ("[3]", (3, "__1")))

    def test_key_is_compared_as_bytes(self):
        found = table([5, -6, 7], 16)
        self.assertEqual(found.find(-6), ((3, "__0"), (3, "__1")))
        self.assertEqual([found.find(8), found.find(2**40), found.find(b"5")], [(), (), None])

    def test_large_entries_are_read_in_small_parts(self):
        found, read = table([5, -6, 7], 16), []
        memory = script.of_script["program_bytes"]
        script.put("DATA_PART", 2 * 8 + 3)
        script.put("program_bytes", lambda at, size: read.append(size) or memory(at, size))
        self.assertEqual(found.find(7), ((5, "__0"), (5, "__1")))
        self.assertEqual(set(read) - {4}, {16})
        script.put("DATA_PART", 1)
        self.assertEqual(table([5, -6, 7], 16).find(-6), ((3, "__0"), (3, "__1")))

    def test_search_has_a_bound(self):
        script.put("SEARCH", -1)
        try:
            with self.assertRaisesRegex(Exception, "not found among 1 of 3"):
                table([5, -6, 7], 16).find(9)
        finally:
            script.put("SEARCH", 1.0)


class Trees(unittest.TestCase):
    def test_entries_of_a_tree_are_in_order(self):
        # A root with one entry between two leaves, of two entries and of one. The number of entries
        # is at 10, the addresses of nodes below are at 16.
        counts = {1000: 1, 2000: 2, 3000: 1}
        memory = {node + 8: count << 16 for node, count in counts.items()}
        memory.update({1016: 2000, 1024: 3000})
        found = object.__new__(script.TreeEntries)
        found.count_at, found.edges_at = 10, 16
        places = found.places_in(1000, 1, memory.__getitem__)
        self.assertEqual(list(places), [(2000, 0), (2000, 1), (1000, 0), (3000, 0)])


class Texts(unittest.TestCase):
    def test_text_of_another_length_is_not_read(self):
        read = []

        def text_bytes(address, length, most=None):
            read.append((address, most))
            return b"key1"[:length][:most]

        script.put("text_bytes", text_bytes)
        script.put("enough_for", lambda text: len(text) + 1)
        kind = script.TextKey(16, 0, 8)
        same = kind.same(b"key1")
        stored = (100).to_bytes(8, "little")
        self.assertFalse(same(stored + (3).to_bytes(8, "little")))
        self.assertTrue(same(stored + (4).to_bytes(8, "little")))
        self.assertEqual(read, [(100, 5)])
        self.assertIsNone(kind.same(5))
        read.clear()
        self.assertEqual(kind.read(stored + (4).to_bytes(8, "little"), b"k"), b"ke")
        self.assertEqual(kind.read(stored + (4).to_bytes(8, "little")), b"key1")
        self.assertEqual(read, [(100, 2), (100, None)])


if __name__ == "__main__":
    unittest.main()
