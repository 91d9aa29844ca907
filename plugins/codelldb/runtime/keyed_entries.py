"""Entries of maps of C++'s and Rust's libraries: the values, named by their keys as in a path,
`["nut"]` and `[7]`.

LLDB and rustc list pairs by number, and a number in a path is a key. Knows the pairs of each map;
does not know where they are in memory.
"""

import time

import lldb

import aggregates
import bounds
import node_containers
from operands import Unable

# Elements of a container whose length is believable.
LONGEST = 1 << 31
# rustc's provider, and its function that returns a pair.
_rust_provider = None
MAPS = "^std::(unordered_)?(multi)?map<.+>$"


def halves(pair):
    """The key and the value of an entry; None for what is no entry."""
    plain = pair.GetNonSyntheticValue()
    names = (("first", "__0", "0"), ("second", "__1", "1"))
    found = [[plain.GetChildMemberWithName(name) for name in half] for half in names]
    return [next((one for one in half if one.IsValid()), None) for half in found]


def entry(pair, number):
    """The value, with the key as its name."""
    key, value = halves(pair)
    if key is None or value is None:
        return pair
    return value.Clone("[%s]" % (aggregates.part(key) or number))


def named(provider, name):
    """The index of the entry with that name: a number in it is a key. -1: there is none among
    those that are read in time.
    """
    until = time.monotonic() + node_containers.SECONDS
    for index in range(provider.num_children() if name.startswith("[") else 0):
        found = provider.get_child_at_index(index)
        if found is None or time.monotonic() > until:
            break
        if found.GetName() == name:
            return index
    return -1


class Entries:
    """The children of a map of C++."""

    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        self.nodes = node_containers.nodes_of(self.value)
        return False

    def num_children(self):
        if self.nodes is None:
            return self.value.GetNonSyntheticValue().GetNumChildren()
        return self.nodes.count if (self.nodes.count or 0) < LONGEST else 0

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        if self.nodes is None:
            return self.value.GetNonSyntheticValue().GetChildAtIndex(index)
        try:
            found = self.nodes.at(index)
        except Unable:
            return None
        return None if found is None else entry(found, index)

    def get_child_index(self, name):
        if self.nodes is None:
            return self.value.GetNonSyntheticValue().GetIndexOfChildWithName(name)
        return named(self, name)


@bounds.bounded
def summary(value, _dict):
    value.SetPreferSyntheticValue(True)
    count = value.GetNumChildren()
    return "size=%d %s" % (count, aggregates.elements(value)) if count else "size=0"


def name_entries(provider):
    """Lets rustc's provider of HashMap and HashSet name the entries of a map."""
    global _rust_provider
    pair_at = provider.get_child_at_index

    def get_child_at_index(self, index):
        found = pair_at(self, index)
        return entry(found, index) if self.show_values and found is not None else found

    _rust_provider = provider, pair_at
    provider.get_child_at_index = get_child_at_index


def at(value, number):
    """The entry at a position, as a pair; None: there are not as many."""
    nodes = node_containers.nodes_of(value)
    if nodes is not None:
        return nodes.at(number)
    made = _made(value, True)
    is_one = made is not None and number < made.num_children()
    return _rust_provider[1](made, number) if is_one else None


def pairs(value, is_map=True):
    """All entries of a map as pairs; of a set of Rust's, pairs of the elements and nothing."""
    nodes = node_containers.nodes_of(value)
    if nodes is not None:
        return nodes.elements()
    made = _made(value, is_map)
    if made is None:
        return iter(())
    return (_rust_provider[1](made, number) for number in range(made.num_children()))


def table(value, is_map):
    """The place of the table of a HashMap or HashSet, as `hash_maps.find` takes it; None: it is not
    known.
    """
    return getattr(_made(value, is_map), "table_place", None)


def _made(value, is_map):
    """rustc's provider for a map or a set, which yields pairs."""
    if _rust_provider is None:
        return None
    made = _rust_provider[0](value.GetNonSyntheticValue(), {}, is_map)
    made.show_values = True
    return made


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand("type synthetic add -l keyed_entries.Entries -x '%s'" % MAPS)
    debugger.HandleCommand("type summary add -e -F keyed_entries.summary -x '%s'" % MAPS)
