# Elements of lists, maps and sets by their number: the printers of the library walk to each one as
# values of gdb, some thousand in a second. Here the addresses of nodes are read, from the nearer
# end.
#
# Knows libstdc++'s nodes.

NEXT, PREVIOUS = 0, 8
LIST = Pattern(r"^std::(__cxx11::)?list<")
LIST_NODE = 16  # Bytes of a node of a list before its element.


class Walk:
    """The nodes of a container as far as they have been read, from its beginning or its end."""

    def __init__(self, nodes):
        self.nodes, self.found, self.rest = nodes, [], None

    def at(self, index):
        if self.rest is None:
            self.rest = self.nodes()
        try:
            while len(self.found) <= index:
                self.found.append(next(self.rest))
        except BaseException:
            # An iterator that is interrupted has ended.
            self.found, self.rest = [], None
            raise
        return self.found[index]


class Nodes:
    """The nodes of a container by their number."""

    def __init__(self, count, forward, backward=None):
        self.count, self.forward = count, Walk(forward)
        self.backward = Walk(backward) if backward is not None else None

    def at(self, index):
        behind = self.count - 1 - index
        if self.backward is None or index <= behind:
            return self.forward.at(index)
        return self.backward.at(behind)


class KeyedElements(Nodes):
    """Of a map or a set: its children are the keys and the values, or the keys alone."""

    def __init__(self, keyed):
        self.keyed = keyed
        super().__init__(keyed.count(), keyed.nodes, self.backward_nodes if keyed.is_tree else None)

    def backward_nodes(self):
        return tree_nodes(self.keyed.root(), RIGHT, LEFT)

    def child(self, index):
        if not self.keyed.is_map:
            return self.keyed.key_value(self.at(index))
        node = self.at(index // 2)
        return self.keyed.mapped_at(node) if index % 2 else self.keyed.key_value(node)


class ListElements(Nodes):
    def __init__(self, value):
        end = int(value["_M_impl"]["_M_node"].address)
        self.element = value.type.strip_typedefs().template_argument(0)
        super().__init__(
            stored_count(value),
            lambda: chain_until(end, NEXT),
            lambda: chain_until(end, PREVIOUS),
        )

    def child(self, index):
        place = rounded(self.at(index) + LIST_NODE, max(self.element.alignof, 1))
        return gdb.Value(place).cast(self.element.pointer()).dereference()


def chain_until(end, link):
    """The nodes of a ring without the one that is its end."""
    word = word_reader()
    node = word(end + link)
    while node != end:
        yield node
        node = word(node + link)


def elements_by_number(value):
    """The elements of a container whose nodes are known; None: it is another value."""
    try:
        ty = value.type.strip_typedefs()
        if ty.code in POINTERS:
            value, ty = value.referenced_value(), ty.target().strip_typedefs()
        tag = ty.tag or "" if ty.code in TYPES else ""
        if value.address is None or ty.pointer().sizeof != 8:
            return None
        if KEYED.match(tag):
            return KeyedElements(Keyed(value))
        is_counted = LIST.match(tag) and stored_count(value) is not None
        return ListElements(value) if is_counted else None
    except (gdb.error, RuntimeError, KeyError):
        return None  # It is of another version of the library.
