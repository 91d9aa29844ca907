"""Tests of node_containers.py and key_search.py with a tree and a chain in memory of words."""

import unittest
from unittest import mock

import node_containers
from operands import Unable


class Memory:
    """Nodes by their addresses: each a list of words."""

    word, offset, element, first_bucket, buckets = 8, 0, None, 0, 0

    def __init__(self, nodes, head, walk, count):
        self.words, self.nodes, self.count = nodes, walk, count
        self.head = mock.Mock(**{"GetLoadAddress.return_value": head})
        self.value = mock.Mock(**{"GetProcess.return_value.GetStopID.return_value": 1})
        self.read = []

    def link(self, node, word):
        self.read.append(node)
        return self.words[node][word]

    def element_of(self, node, number):
        return node

    def broken(self):
        return Unable("broken")

    is_tree = node_containers.NodeContainer.is_tree
    checked_nodes = node_containers.NodeContainer.checked_nodes
    at = node_containers.NodeContainer.at


def tree(count):
    """Nodes 1 to `count` in order, of which each has the greater ones to its right."""
    nodes = {at: [0, at - 1, 0, at + 1 if at < count else 0] for at in range(1, count + 1)}
    nodes[100] = [0, 1, 1, count]
    return Memory(nodes, 100, node_containers._tree, count)


class Positions(unittest.TestCase):
    def setUp(self):
        node_containers.forget()

    def test_element_is_at_its_position_from_both_ends(self):
        found = tree(9)
        self.assertEqual([found.at(at) for at in (0, 3, 4, 5, 8)], [1, 4, 5, 6, 9])
        self.assertEqual([found.at(-1), found.at(9)], [None, None])

    def test_later_request_goes_on_where_an_earlier_one_ended(self):
        chain = {at: [at + 1 if at < 50 else 0] for at in range(1, 51)}
        chain[100] = [1]
        first = Memory(chain, 100, node_containers._chain, 50)
        self.assertEqual(first.at(40), 41)
        second = Memory(chain, 100, node_containers._chain, 50)
        self.assertEqual((second.at(39), second.read), (40, []))
        node_containers.forget()
        self.assertEqual((second.at(2), len(second.read)), (3, 3))

    def test_failed_walk_fails_again(self):
        nodes = {at: [at + 1] for at in range(1, 5)}
        nodes[100], nodes[5] = [1], [0]
        found = Memory(nodes, 100, node_containers._chain, 10)
        for _ in range(2):
            with self.assertRaises(Unable):
                found.at(7)
        self.assertEqual(found.at(2), 3)
        short = tree(9)
        short.count = 30
        with self.assertRaises(Unable):
            short.at(16)

    def test_walk_that_takes_too_long_goes_on_later(self):
        chain = {at: [at + 1] for at in range(1, 1001)}
        chain[2000], chain[1000] = [1], [0]
        found = Memory(chain, 2000, node_containers._chain, 1000)
        with mock.patch.object(node_containers, "SECONDS", -1):
            for count in (256, 512):
                with self.assertRaisesRegex(Unable, "first %d elements" % count):
                    found.at(600)
            self.assertEqual((found.at(600), found.at(511)), (601, 512))

    def test_other_count_of_nodes_is_no_list(self):
        endless = Memory({1: [1], 100: [1]}, 100, node_containers._chain, 3)
        with self.assertRaises(Unable):
            list(endless.checked_nodes())


class Search(unittest.TestCase):
    def setUp(self):
        import key_search

        self.search = key_search

    def pattern(self, wanted):
        order = lambda place: (place // 10 > wanted) - (place // 10 < wanted)
        code = lambda place: place // 10 % 4
        return mock.Mock(order=order, code=code, wanted_code=lambda: wanted % 4)

    def test_tree_finds_the_first_of_equal_keys(self):
        # Keys are tens of the addresses: 1 1 2 4.
        nodes = {11: [0, 0, 10, 20], 10: [0, 0, 0, 0], 20: [0, 0, 0, 40], 40: [0] * 4, 500: [0, 11]}
        found = Memory(nodes, 500, node_containers._tree, 4)
        keys = [self.search._in_tree(found, self.pattern(key)) for key in (1, 2, 4, 3, 9)]
        self.assertEqual(keys, [10, 20, 40, None, None])

    def test_table_is_searched_in_one_bucket(self):
        # The head, 500, is before the nodes 50 and 10 of one bucket and 30 of another.
        nodes = {500: [50], 50: [10], 10: [30], 30: [0]}
        found = Memory(nodes, 500, node_containers._chain, 3)
        found.buckets, found.bucket = 4, {0: 0, 1: 500, 2: 0, 3: 10}.get
        keys = [self.search._in_bucket(found, self.pattern(key)) for key in (1, 5, 3, 9, 2, 7)]
        self.assertEqual(keys, [10, 50, 30, None, None, None])

    def test_search_that_takes_too_long_is_an_error(self):
        value = mock.Mock()
        with mock.patch.object(self.search, "SECONDS", -1), self.assertRaises(Unable):
            self.search.first(value, 1000, range(1000), lambda one: one == 900)
        self.assertEqual(self.search.first(value, 3, range(3), lambda one: one == 2), 2)


if __name__ == "__main__":
    unittest.main()
