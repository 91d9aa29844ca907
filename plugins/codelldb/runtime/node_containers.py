"""Lists all elements of libstdc++'s node-based containers by following their links.

LLDB lists 256 elements of a list, none of a hash table whose allocator g++ abbreviates (20.1.4),
and walks a tree from its beginning for each element. Knows where nodes are (stl_list.h,
forward_list.h, hashtable_policy.h, stl_tree.h); rejects what is inconsistent.
"""

import math
import time

import lldb

from operands import Unable, called

# Seconds for a search in one container; elements where they are not counted, and of containers
# without nodes.
SEARCH = 2.0
LONGEST = 10_000
DEEPEST = 128
LISTS = ("std::list<", "std::__cxx11::list<")
FORWARD = ("std::forward_list<",)
TREES = ("std::map<", "std::set<", "std::multimap<", "std::multiset<")
TABLES = (
    "std::unordered_map<",
    "std::unordered_set<",
    "std::unordered_multimap<",
    "std::unordered_multiset<",
)


class NodeContainer:
    """A container: the address of its first node, which words of a node are links, and how many
    words precede an element.
    """

    def __init__(self, value, head, counted, element, words, nodes):
        plain = value.GetNonSyntheticValue()
        self.value, self.head, self.words, self.nodes = value, _at(plain, head), words, nodes
        self.element, self.word = element, value.GetTarget().GetAddressByteSize()
        found = _at(plain, counted) if counted else None
        self.count = found.GetValueAsUnsigned() if found is not None and found.IsValid() else None

    def is_known(self):
        return self.head.IsValid() and self.element.IsValid() and self.element.GetByteSize() > 0

    def elements(self, seconds=SEARCH):
        """The elements in order; None: without a time limit."""
        until = time.monotonic() + (math.inf if seconds is None else seconds)
        found, offset, align = 0, self.words * self.word, self.element.GetByteAlign() or 1
        offset = (offset + align - 1) // align * align
        for node in self.nodes(self, self.head.GetLoadAddress()):
            if found == (LONGEST if self.count is None else self.count):
                raise self.broken()
            if found % 256 == 255 and time.monotonic() > until:
                words = "`%s` has %s elements, too many to look through"
                raise Unable(words % (called(self.value), self.count))
            yield self.value.CreateValueFromAddress("[%d]" % found, node + offset, self.element)
            found += 1
        if self.count not in (None, found):
            raise self.broken()

    def link(self, node, word):
        error = lldb.SBError()
        process = self.value.GetProcess()
        found = process.ReadPointerFromMemory(node + word * self.word, error)
        if error.Fail():
            raise self.broken()
        return found

    def broken(self):
        count_text = (
            "not the %s elements that it counts" % self.count
            if self.count
            else "more than %d elements" % LONGEST
        )
        return Unable("`%s` has %s" % (called(self.value), count_text))


def nodes_of(value):
    """None if the layout of its nodes is not known."""
    name = value.GetType().GetCanonicalType().GetName() or ""
    plain = value.GetNonSyntheticValue()
    if name.startswith(LISTS):
        found = NodeContainer(
            value,
            "_M_impl._M_node",
            "_M_impl._M_node._M_size",
            _template_argument(plain, 0),
            2,
            _ring,
        )
    elif name.startswith(FORWARD):
        found = NodeContainer(
            value, "_M_impl._M_head", None, _template_argument(plain, 0), 1, _chain
        )
    elif name.startswith(TABLES):
        found = NodeContainer(
            value,
            "_M_h._M_before_begin",
            "_M_h._M_element_count",
            _template_argument(_at(plain, "_M_h"), 1),
            1,
            _chain,
        )
    elif name.startswith(TREES):
        found = NodeContainer(
            value,
            "_M_t._M_impl._M_header",
            "_M_t._M_impl._M_node_count",
            _template_argument(_at(plain, "_M_t"), 1),
            4,
            _tree,
        )
    else:
        return None
    return found if found.is_known() else None


def _template_argument(value, index):
    return value.GetType().GetCanonicalType().GetTemplateArgumentType(index)


def _ring(container, head):
    node = container.link(head, 0)
    while node != head:
        yield node
        node = container.link(node, 0)


def _chain(container, head):
    node = container.link(head, 0)
    while node:
        yield node
        node = container.link(node, 0)


def _tree(container, head):
    """The words of a node: its colour, parent, left child and right child."""
    above, node = [], container.link(head, 1)
    while above or node:
        while node:
            above.append(node)
            if len(above) > DEEPEST:
                raise container.broken()
            node = container.link(node, 2)
        yield above[-1]
        node = container.link(above.pop(), 3)


def _at(value, path):
    for part in path.split("."):
        value = value.GetChildMemberWithName(part).GetNonSyntheticValue()
    return value
