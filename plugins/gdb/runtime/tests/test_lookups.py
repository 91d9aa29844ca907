"""Tests of lookups.py: which node of a tree or a table has a key."""

import operator
import time
import unittest

from . import part_of_script

HEADER = 1_000
HASHES = (
    (b"", 6142509188972423790),
    (b"a", 4993892634952068459),
    (b"k5", 9044996090122469136),
    (b"12345678", 10113836418918046885),
    (b"123456789abc", 4852100995784122604),
    (b"the quick brown fox", 2763035191093133517),
)


def script(memory):
    hashes = part_of_script("hashes.py")
    return part_of_script(
        "lookups.py",
        Call=object,
        time=time,
        key_hash=hashes.key_hash,
        memory_word=lambda address: memory.get(address, 0),
        word_reader=lambda: lambda address: memory.get(address, 0),
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
    found.key_at = lambda node, wanted: node // 100
    return found


class Type:
    code, size = "struct", 8

    def __init__(self, tag):
        self.tag = tag

    def const(self):
        return self

    def pointer(self):
        return Type(self.tag + "*")


class Comparisons(unittest.TestCase):
    def test_texts_are_compared_by_their_bytes(self):
        class Call:
            def __call__(self, value, *more):
                return self.read(value)

        names = part_of_script(
            "lookups.py",
            Call=Call,
            TYPES=("struct",),
            COMPARED={"==": operator.eq, "<": operator.lt},
        )
        names.gdb.lookup_type = Type
        most = []
        names.put("comparable", lambda value, limit=None: most.append(limit) or value)
        names.put("enough_for", lambda text: len(text) + 1)
        for tag in ("std::__cxx11::basic_string<char, x>", "std::basic_string_view<char, x>"):
            ty = Type(tag)
            found = names.lookups_of(ty, "operator==")
            self.assertEqual([one.argument.tag for one in found], ["char*", tag])
            most.clear()
            self.assertEqual([found[0](b"bob", other) for other in (b"bob", b"")], [True, False])
            self.assertEqual(most, [None, 4, None, 1])
            self.assertTrue(names.lookups_of(ty, "operator<")[1](b"a", b"b"))
            self.assertEqual(names.lookups_of(ty, "operator+"), [])


class Keys(unittest.TestCase):
    def test_as_much_of_a_key_is_read_as_decides(self):
        names, most = script({}), []
        names.put("comparable", lambda value, limit=None: most.append(limit) or value)
        names.put("enough_for", lambda text: len(text) + 1)
        found = object.__new__(names.Keyed)
        found.key_value = lambda node: node
        for wanted in (b"bob", 5, None):
            found.key_at(1, wanted)
        self.assertEqual(most, [4, None, None])


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
        found.key_at = lambda node, wanted: 0
        names = script({HEADER + 8: 100, 124: 100})
        found.find_in_order = names.Keyed.find_in_order.__get__(found)
        with self.assertRaisesRegex(Exception, "its tree is damaged"):
            found.find(7)


class Tables(unittest.TestCase):
    def table(self, names, order):
        found = object.__new__(names.Keyed)
        found.order, found.is_tree, found.key_at = order, False, lambda node, wanted=None: node
        return found

    def test_search_without_a_hash_has_a_bound(self):
        names = script({})
        names.put("SEARCH", 0)
        found = self.table(names, "ByName")
        found.nodes, found.count = lambda: iter(range(5)), lambda: 5
        self.assertEqual(found.find(0), 0)
        with self.assertRaisesRegex(Exception, "among the first 1 of its 5 entries, in 0 s"):
            found.find(7)

    def test_key_is_sought_in_its_bucket(self):
        # Buckets 1 and 2 of 7: the nodes 8, 15 and 9, each of which has the next one's address.
        memory = {1008: 2000, 2000: 8, 8: 15, 15: 9, 9: 0}
        found = self.table(script(memory), "std::hash<int>")
        found.value = {"_M_h": {"_M_bucket_count": 7, "_M_buckets": 1000}}
        self.assertEqual(list(found.bucket_nodes(1)), [8, 15])
        self.assertEqual([found.find(15), found.find(22), found.find(-1)], [15, None, None])


class Hashes(unittest.TestCase):
    def test_hashes_are_those_of_the_library(self):
        """`std::hash<std::string>` of g++ 12."""
        hashes = part_of_script("hashes.py")
        for text, found in HASHES:
            self.assertEqual(hashes.key_hash(text), found, text)
        self.assertEqual(hashes.key_hash(-1), 2**64 - 1)
        self.assertIsNone(hashes.key_hash(1.5))


if __name__ == "__main__":
    unittest.main()
