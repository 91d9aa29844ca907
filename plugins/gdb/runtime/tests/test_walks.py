"""Tests of walks.py: the nodes of containers by their number, from the nearer end."""

import unittest

from . import part_of_script


def script(memory):
    read = []

    def memory_word(address):
        read.append(address)
        return memory[address]

    lookups = part_of_script("lookups.py", Call=object, word_reader=lambda: memory_word)
    names = {name: vars(lookups)[name] for name in ("tree_nodes", "chain", "LEFT", "RIGHT")}
    return part_of_script("walks.py", word_reader=lambda: memory_word, **names), read


class Rings(unittest.TestCase):
    def nodes(self, count):
        """A ring of the nodes 16, 32, … between which 0 is the end."""
        places = [16 * number for number in range(count + 1)]
        memory = {}
        for number, place in enumerate(places):
            memory[place] = places[(number + 1) % len(places)]
            memory[place + 8] = places[number - 1]
        walks, read = script(memory)
        forward, backward = (
            lambda: walks.chain_until(0, walks.NEXT),
            lambda: walks.chain_until(0, walks.PREVIOUS),
        )
        return walks.Nodes(count, forward, backward), read

    def test_element_is_reached_from_the_nearer_end(self):
        nodes, read = self.nodes(1000)
        self.assertEqual([nodes.at(index) for index in (2, 997, 3)], [48, 998 * 16, 64])
        self.assertLess(len(read), 12)

    def test_interrupted_walk_begins_anew(self):
        nodes, read = self.nodes(10)
        walk, begun = nodes.forward.nodes, []

        def interrupted():
            begun.append(None)
            for number, node in enumerate(walk()):
                if len(begun) == 1 and number == 3:
                    raise KeyboardInterrupt
                yield node

        nodes.forward.nodes = interrupted
        with self.assertRaises(KeyboardInterrupt):
            nodes.at(4)
        self.assertEqual(nodes.at(4), 80)


class Trees(unittest.TestCase):
    def test_tree_is_walked_in_both_orders(self):
        # 200 is the root of 100 and 300, which has 250 before it.
        memory = dict.fromkeys(
            (node + link for node in (100, 200, 250, 300) for link in (16, 24)), 0
        )
        memory.update({216: 100, 224: 300, 316: 250})
        walks, _ = script(memory)
        tree, left, right = walks.tree_nodes, walks.LEFT, walks.RIGHT
        self.assertEqual(list(tree(200, left, right)), [100, 200, 250, 300])
        self.assertEqual(list(tree(200, right, left)), [300, 250, 200, 100])
        self.assertEqual(list(tree(0, left, right)), [])


if __name__ == "__main__":
    unittest.main()
