"""Tests of lookups.py: which node of a tree or a table has a key."""

import unittest

from . import part_of_script

HEADER = 1_000


def script(memory):
    return part_of_script(
        "lookups.py", Call=object, memory_word=lambda address: memory.get(address, 0)
    )


def tree(keys, order):
    """A balanced tree of these sorted keys, whose nodes are the keys times 100."""
    memory = {}

    def build(part):
        if not part:
            return 0
        middle = len(part) // 2
        node = part[middle] * 100
        memory[node + 16], memory[node + 24] = build(part[:middle]), build(part[middle + 1 :])
        return node

    memory[HEADER + 8] = build(keys)
    names = script(memory)
    found = object.__new__(names.Keyed)
    found.order, found.is_tree = order, True
    found.header = lambda: HEADER
    found.key_at = lambda node: node // 100
    return found


class Trees(unittest.TestCase):
    def test_key_is_found_in_the_order_of_the_tree(self):
        for order, keys in (
            ("std::less<int>", [1, 3, 5, 7, 9, 11]),
            ("std::greater<int>", [11, 9, 7, 5, 3, 1]),
        ):
            found = tree(keys, order)
            for key in range(13):
                self.assertEqual(found.find(key), key * 100 if key in keys else None, (order, key))

    def test_tree_of_another_order_is_searched(self):
        found = tree([4, 2, 8, 6], "ByName")
        self.assertEqual([found.find(2), found.find(6), found.find(5)], [200, 600, None])

    def test_damaged_tree_is_an_error(self):
        found = tree([1], "std::less<int>")
        found.key_at = lambda node: 0
        names = script({HEADER + 8: 100, 124: 100})
        found.find_in_order = names.Keyed.find_in_order.__get__(found)
        with self.assertRaisesRegex(Exception, "its tree is damaged"):
            found.find(7)


class Tables(unittest.TestCase):
    def test_search_in_a_table_has_a_bound(self):
        names = script({})
        found = object.__new__(names.Keyed)
        found.order, found.key_at = "", lambda node: node
        found.nodes = lambda: iter(range(names.COMPARED + 5))
        self.assertEqual(found.find(7), 7)
        with self.assertRaisesRegex(Exception, "more than 20000 entries"):
            found.find(-1)


if __name__ == "__main__":
    unittest.main()
