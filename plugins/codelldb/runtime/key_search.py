"""Finds the entry of a key in a map or a set: by the order of a tree, in the bucket of a hash table,
or by comparing the bytes of all keys. No value of LLDB's is made of an entry that is not wanted.

Knows how the containers of C++'s and Rust's libraries are searched; other keys than numbers and
texts, and containers in another order, are compared one by one, for a limited time.
"""

import time

import lldb

import enums
import hash_maps
import key_patterns
import keyed_entries
import node_containers
import rust_formatters
import strings
from arithmetic import converted
from operands import Missing, Text, Unable, called, checked, is_rust, number_of, target_of

# Seconds for a search.
SECONDS = 0.7
TREES = ("alloc::collections::btree::",)
TABLES = ("std::collections::hash::", "hashbrown::")
# Entries that are compared before the time is looked at.
AT_ONCE = 256


def entry(value, key, is_map):
    """The element with the key; of a map of Rust's, its key and its value. None: there is none."""
    key = _referred(value, key)
    nodes = node_containers.nodes_of(value)
    if nodes is not None and nodes.count == 0:
        return None
    if nodes is not None:
        return _in_nodes(nodes, key, is_map)
    name = value.GetType().GetCanonicalType().GetName() or ""
    if name.startswith(TREES):
        return _in_btree(value, key)
    if name.startswith(TABLES):
        return _in_hash_table(value, key, is_map)
    count = value.GetNumChildren()
    elements = (value.GetChildAtIndex(at) for at in range(count))
    return first(value, count, elements, lambda one: equal(_key(one, is_map), key))


def first(value, count, elements, fits):
    """The first element that fits; fails if the time is over before all are looked at."""
    until = time.monotonic() + SECONDS
    for at, one in enumerate(elements):
        if at % AT_ONCE == AT_ONCE - 1 and time.monotonic() > until:
            words = "`%s` has %s entries: it is not among the first %d, more take too long"
            raise Unable(words % (called(value), "many" if count is None else count, at))
        if fits(one):
            return one
    return None


def equal(found, key):
    """Is the value equal to the operand?"""
    same = enums.same("==", found, key) if isinstance(key, Missing) else None
    if same is not None:
        return same
    byte_strings = strings.both(found, key) if isinstance(key, Text) else None
    if byte_strings:
        return byte_strings[0] == byte_strings[1]
    left, right = converted(number_of(found, pointers=True), number_of(key, pointers=True))
    return left.value == right.value


def _referred(value, key):
    """A key of Rust's may be written as a reference to it."""
    is_pointer = isinstance(key, lldb.SBValue) and key.GetType().GetCanonicalType().IsPointerType()
    if not is_rust() or not is_pointer or strings.text(key) is not None:
        return key
    return target_of(key)


def _key(element, is_map):
    return checked(keyed_entries.halves(element)[0] if is_map else element)


def _in_nodes(nodes, key, is_map):
    """In a container of C++ with nodes."""
    head = nodes.head.GetLoadAddress()
    start = nodes.link(head, node_containers.LEFT if nodes.is_tree() else 0)
    sample = nodes.element_of(start, 0)
    pattern = key_patterns.of(_key(sample, is_map), key, sample)
    if pattern is None:
        return first(
            nodes.value,
            nodes.count,
            nodes.elements(),
            lambda one: equal(_key(one, is_map), key),
        )
    if nodes.is_tree() and nodes.is_ordered(is_map):
        node = _in_tree(nodes, pattern)
    elif not nodes.is_tree() and _is_hashed(nodes, pattern, start):
        node = _in_bucket(nodes, pattern)
    else:
        node = first(
            nodes.value,
            nodes.count,
            nodes.checked_nodes(),
            lambda node: pattern.order(node + nodes.offset) == 0,
        )
    return None if node is None else nodes.element_of(node, 0)


def _in_tree(nodes, pattern):
    """The first node with the key: keys to the left are less or equal."""
    node, found = nodes.link(nodes.head.GetLoadAddress(), node_containers.PARENT), None
    for _ in range(node_containers.DEEPEST):
        if not node:
            return found
        order = pattern.order(node + nodes.offset)
        found = node if order == 0 else found
        node = nodes.link(node, node_containers.RIGHT if order < 0 else node_containers.LEFT)
    raise nodes.broken()


def _is_hashed(nodes, pattern, start):
    """Is the first node in the bucket that its key has by the library's function? The bucket of the
    first node refers to the head.
    """
    code = pattern.code(start + nodes.offset)
    if code is None or not nodes.buckets:
        return False
    return nodes.bucket(code) == nodes.head.GetLoadAddress()


def _in_bucket(nodes, pattern):
    wanted = pattern.wanted_code() % nodes.buckets
    before = nodes.bucket(wanted)
    node = nodes.link(before, 0) if before else 0
    for _ in range(nodes.count):
        if not node or pattern.code(node + nodes.offset) % nodes.buckets != wanted:
            return None
        if pattern.order(node + nodes.offset) == 0:
            return node
        node = nodes.link(node, 0)
    return None


def _in_btree(value, key):
    """In a BTreeMap or a BTreeSet: the key and its value."""
    tree = rust_formatters.BTreeProvider(value, {})
    first_entry = next(tree.pairs(), None)
    if first_entry is None:
        return None
    pattern = key_patterns.of(first_entry[0], key)
    if pattern is not None:
        return tree.search(lambda found: pattern.order(found.GetLoadAddress()))
    return first(value, tree.length, tree.pairs(), lambda one: equal(checked(one[0]), key))


def _in_hash_table(value, key, is_map):
    """In a HashMap or a HashSet: the key and its value."""
    pairs = keyed_entries.pairs(value, is_map)
    sample = next(pairs, None)
    if sample is None:
        return None
    pattern = key_patterns.of(_key(sample, True), key, sample)
    table = keyed_entries.table(value, is_map) if pattern is not None else None
    if table is None:
        pairs = keyed_entries.pairs(value, is_map)
        found = first(value, None, pairs, lambda one: equal(_key(one, True), key))
        return None if found is None else keyed_entries.halves(found)
    until = time.monotonic() + SECONDS
    place, looked_at = hash_maps.find(*table, pattern, lambda: time.monotonic() > until)
    if looked_at is not None:
        words = "`%s` is too long to be looked through: it is not in the first %d places of it"
        raise Unable(words % (called(value), looked_at))
    if place is None:
        return None
    found = value.CreateValueFromAddress("entry", place, sample.GetType())
    return keyed_entries.halves(found)
