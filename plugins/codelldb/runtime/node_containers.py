"""Lists all elements of libstdc++'s node-based containers by following their links.

LLDB lists 256 elements of a list, none of a hash table whose allocator g++ abbreviates (20.1.4),
and walks a tree from its beginning for each element. Knows where nodes are (stl_list.h,
forward_list.h, hashtable_policy.h, stl_tree.h); rejects what is inconsistent.
"""

import time

import lldb

from operands import Unable, called

# Elements where they are not counted, and of containers without nodes.
LONGEST = 10_000
DEEPEST = 128
# Bytes that are read at once, a page, and how many pages are stored.
BLOCK, BLOCKS = 4096, 2048
# Seconds for a walk to an element, and nodes that are read before the time is looked at.
SECONDS, AT_ONCE = 0.7, 256
# Walks through containers that are stored for later requests at the same stop.
WALKS = 8
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
        self.value, self.head, self.nodes = value, _at(plain, head), nodes
        self.first_bucket = self.buckets = 0
        self.blocks = {}
        self.element, self.word = element, value.GetTarget().GetAddressByteSize()
        align = element.GetByteAlign() or 1
        self.offset = (words * self.word + align - 1) // align * align
        found = _at(plain, counted) if counted else None
        self.count = found.GetValueAsUnsigned() if found is not None and found.IsValid() else None

    def is_known(self):
        return self.head.IsValid() and self.element.IsValid() and self.element.GetByteSize() > 0

    def elements(self):
        """The elements in order."""
        return (self.element_of(node, at) for at, node in enumerate(self.checked_nodes()))

    def element_of(self, node, number):
        """The element in a node."""
        place = node + self.offset
        return self.value.CreateValueFromAddress("[%d]" % number, place, self.element)

    def checked_nodes(self):
        """The addresses of the nodes in order; fails where they contradict the count."""
        found, most = 0, LONGEST if self.count is None else self.count
        for node in self.nodes(self, self.head.GetLoadAddress()):
            if found == most:
                raise self.broken()
            yield node
            found += 1
        if self.count not in (None, found):
            raise self.broken()

    def at(self, number):
        """The element at a position; None: there are not as many. Of a tree the later half is
        counted from its end.
        """
        if number < 0 or (self.count is not None and number >= self.count):
            return None
        from_end = self.nodes is _tree and number > self.count // 2
        walk = _walk(self, from_end)
        node = walk.at(self.count - 1 - number if from_end else number)
        if node is None and from_end:
            raise self.broken()
        if node is None:
            return None
        if node is LATE:
            raise Unable(UNREAD % (called(self.value), len(walk.found), SECONDS))
        return self.element_of(node, number)

    def add_buckets(self, table):
        """Notes where the buckets of a hash table are, if it has the library's hash function."""
        if (_template_argument(table, 5).GetName() or "").startswith("std::hash<"):
            self.first_bucket = _at(table, "_M_buckets").GetValueAsUnsigned()
            self.buckets = _at(table, "_M_bucket_count").GetValueAsUnsigned()

    def bucket(self, code):
        """The address of the node before the first one of the bucket of a hash; 0: it is empty."""
        return self.link(self.first_bucket, code % self.buckets)

    def is_tree(self):
        return self.nodes is _tree

    def is_ordered(self, is_map):
        """Are the keys of the tree in their own order?"""
        order = _template_argument(self.value.GetNonSyntheticValue(), 2 if is_map else 1)
        return (order.GetName() or "").startswith("std::less<")

    def link(self, node, word):
        """A word of a node, of a block of memory that is read at once."""
        number, at = divmod(node + word * self.word, BLOCK)
        block = self.blocks.get(number)
        if block is None:
            if len(self.blocks) >= BLOCKS:
                self.blocks.clear()
            process, error = self.value.GetProcess(), lldb.SBError()
            block = process.ReadMemory(number * BLOCK, BLOCK, error)
            block = self.blocks[number] = b"" if error.Fail() or block is None else block
        found = block[at : at + self.word]
        if len(found) < self.word:
            raise self.broken()
        return int.from_bytes(found, "little")

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
        found.add_buckets(_at(plain, "_M_h"))
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


# The words of a tree's node: its colour, parent, left child and right child.
PARENT, LEFT, RIGHT = 1, 2, 3


def _tree(container, head, first=LEFT, last=RIGHT):
    above, node = [], container.link(head, PARENT)
    while above or node:
        while node:
            above.append(node)
            if len(above) > DEEPEST:
                raise container.broken()
            node = container.link(node, first)
        yield above[-1]
        node = container.link(above.pop(), last)


UNREAD = "of `%s` only the first %d elements are read, in %g s; another request reads on from there"
# In place of a node that is not read in time.
LATE = object()


class Walk:
    """The nodes of a container, as far as they have been read. `nodes` begins a walk."""

    def __init__(self, nodes):
        self.nodes, self.found, self.rest = nodes, [], None

    def at(self, index):
        """A node; None: there are not as many; LATE: it is not read in time, and a later request
        goes on with the walk.
        """
        until = time.monotonic() + SECONDS
        if self.rest is None:
            self.rest = self.nodes()
        try:
            while len(self.found) <= index:
                node = next(self.rest, None)
                if node is None:
                    return None
                self.found.append(node)
                is_checked = len(self.found) % AT_ONCE == 0 and len(self.found) <= index
                if is_checked and time.monotonic() > until:
                    return LATE
        except BaseException:
            # A generator that has failed has ended.
            self.found, self.rest = [], None
            raise
        return self.found[index]


# The walks of one stop, by the place of the container.
_stop, _walks = None, {}


def _walk(container, from_end):
    """The walk through a container, which goes on where an earlier request ended."""
    global _stop
    stop = container.value.GetProcess().GetStopID(True)
    if stop != _stop or len(_walks) >= WALKS:
        _stop = stop
        _walks.clear()
    head = container.head.GetLoadAddress()
    key = head, container.count, from_end
    if key not in _walks:
        from_last = lambda: _tree(container, head, RIGHT, LEFT)
        _walks[key] = Walk(from_last if from_end else container.checked_nodes)
    return _walks[key]


def forget():
    """Forgets the walks: memory has been written."""
    _walks.clear()


def _at(value, path):
    for part in path.split("."):
        value = value.GetChildMemberWithName(part).GetNonSyntheticValue()
    return value
