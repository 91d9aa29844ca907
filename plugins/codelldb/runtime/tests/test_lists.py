"""Tests of lists.py: how far the links of a list are followed."""

import sys
import types
import unittest

provider = types.SimpleNamespace(AbstractListSynthProvider=types.SimpleNamespace())
for name in ("lldb.formatters", "lldb.formatters.cpp"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["lldb.formatters.cpp"].gnu_libstdcpp = provider

import lists


class Nodes(unittest.TestCase):
    def test_links_are_followed_as_far_as_wanted(self):
        read = []

        def link(address):
            read.append(address)
            return address + 16

        nodes = lists.Nodes(link, 16, 0x1000)
        self.assertEqual((nodes.at(2), len(read)), (48, 3))
        self.assertEqual((nodes.at(1), len(read)), (32, 3))

    def test_list_ends_at_its_header_or_nowhere(self):
        links = {16: 32, 32: 8, 64: None}
        self.assertEqual(lists.Nodes(links.get, 16, 8).at(5), None)
        self.assertEqual(len(lists.Nodes(links.get, 8, 8).found), 0)
        unreadable = lists.Nodes(links.get, 64, 8)
        self.assertEqual((unreadable.at(0), unreadable.at(1)), (64, None))


if __name__ == "__main__":
    unittest.main()
