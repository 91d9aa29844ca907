"""All elements of libstdc++'s containers that are made of nodes, read along their links.

LLDB lists 256 of a list, none of a hashed one where g++ tells its allocator short (20.1.4), and
walks a tree from its beginning for each element. Knows where nodes lie (stl_list.h, forward_list.h,
hashtable_policy.h, stl_tree.h); refuses what does not add up.
"""

import lldb

from operands import Unable, called, here

# Elements that are looked at for one.
LONGEST = 10_000
DEEPEST = 128
LISTS = ("std::list<", "std::__cxx11::list<")
FORWARD = ("std::forward_list<",)
TREES = ("std::map<", "std::set<", "std::multimap<", "std::multiset<")
TABLES = ("std::unordered_map<", "std::unordered_set<", "std::unordered_multimap<", "std::unordered_multiset<")


class Walk:
    """Of a container: where its nodes begin, which of their words lead on, how many words come before an element."""

    def __init__(self, value, head, counted, element, words, nodes):
        plain = value.GetNonSyntheticValue()
        self.value, self.head, self.words, self.nodes = value, _at(plain, head), words, nodes
        self.element = element(plain)
        found = _at(plain, counted) if counted else None
        self.count = found.GetValueAsUnsigned() if found is not None and found.IsValid() else None

    def is_known(self):
        return self.head.IsValid() and self.element.IsValid() and self.element.GetByteSize() > 0

    def elements(self):
        if self.count is not None and self.count > LONGEST:
            raise Unable("`%s` has %d elements, too many to look through" % (called(self.value), self.count))
        found, offset, align = 0, self.words * _word(), self.element.GetByteAlign() or 1
        offset = (offset + align - 1) // align * align
        for node in self.nodes(self, self.head.GetLoadAddress()):
            if found == (LONGEST if self.count is None else self.count):
                raise self.broken()
            yield self.value.CreateValueFromAddress("[%d]" % found, node + offset, self.element)
            found += 1
        if self.count not in (None, found):
            raise self.broken()

    def link(self, node, word):
        error = lldb.SBError()
        found = here.process.ReadPointerFromMemory(node + word * _word(), error)
        if error.Fail():
            raise self.broken()
        return found

    def broken(self):
        told = "not the %s elements that it counts" % self.count if self.count else "more than %d elements" % LONGEST
        return Unable("`%s` has %s" % (called(self.value), told))


def walk(value):
    """None where its nodes are not known."""
    name = value.GetType().GetCanonicalType().GetName() or ""
    own = lambda plain: plain.GetType().GetCanonicalType().GetTemplateArgumentType(0)
    within = lambda part: lambda plain: _at(plain, part).GetType().GetCanonicalType().GetTemplateArgumentType(1)
    if name.startswith(LISTS):
        found = Walk(value, "_M_impl._M_node", "_M_impl._M_node._M_size", own, 2, _ring)
    elif name.startswith(FORWARD):
        found = Walk(value, "_M_impl._M_head", None, own, 1, _chain)
    elif name.startswith(TABLES):
        found = Walk(value, "_M_h._M_before_begin", "_M_h._M_element_count", within("_M_h"), 1, _chain)
    elif name.startswith(TREES):
        found = Walk(value, "_M_t._M_impl._M_header", "_M_t._M_impl._M_node_count", within("_M_t"), 4, _tree)
    else:
        return None
    return found if found.is_known() else None


def _ring(walk, head):
    node = walk.link(head, 0)
    while node != head:
        yield node
        node = walk.link(node, 0)


def _chain(walk, head):
    node = walk.link(head, 0)
    while node:
        yield node
        node = walk.link(node, 0)


def _tree(walk, head):
    """A node's words: its colour, and where its parent, what is before it, and what is behind it are."""
    above, node = [], walk.link(head, 1)
    while above or node:
        while node:
            above.append(node)
            if len(above) > DEEPEST:
                raise walk.broken()
            node = walk.link(node, 2)
        yield above[-1]
        node = walk.link(above.pop(), 3)


def _at(value, path):
    for part in path.split("."):
        value = value.GetChildMemberWithName(part).GetNonSyntheticValue()
    return value


def _word():
    return here.target.GetAddressByteSize()
