# Lookups by key in C++'s maps and sets, for expressions: `stock["Heft"] + 1`, `codes.at(5)`,
# `names.contains("x")`. The program's own `[]` adds a key that it does not find.
#
# Compares numbers and texts, as their standard orders do. Knows libstdc++'s nodes.

# Seconds for comparing entries where there is no order to follow, and no hash that is known.
SEARCH = 1.0
NOT_AMONG = "not found among the first %d of its %d entries, in %g s"
# Levels of a tree: more than its nodes could fill.
TREE_LEVELS = 128
TEXT_KEY = Pattern(r"^std::(__cxx11::)?basic_string<char\b")
TEXT_VIEW = Pattern(r"^std::basic_string_view<char\b")
KEYED = Pattern(r"^std::(?:unordered_)?(multi)?(map|set)<")
NUMBER_KEYS = (
    gdb.TYPE_CODE_INT,
    gdb.TYPE_CODE_CHAR,
    gdb.TYPE_CODE_BOOL,
    gdb.TYPE_CODE_ENUM,
    gdb.TYPE_CODE_FLT,
    gdb.TYPE_CODE_PTR,
)
# Bytes of a node of a tree and of a table before its element.
TREE_NODE, TABLE_NODE = 32, 8
PARENT, LEFT, RIGHT = 8, 16, 24


def is_text_class(ty):
    return ty.code in TYPES and bool(TEXT_KEY.match(ty.tag or ""))


def is_text_view(ty):
    return ty.code in TYPES and bool(TEXT_VIEW.match(ty.tag or ""))


def is_text_pointer(ty):
    return ty.code == gdb.TYPE_CODE_PTR and ty.target().strip_typedefs().sizeof == 1


def comparable(value, most=None):
    """A number, or the bytes of a text, with `most` not more of them."""
    ty = value.type.strip_typedefs()
    if ty.code in POINTERS[1:]:
        return comparable(value.referenced_value(), most)
    if is_text_class(ty) or is_text_view(ty):
        start = int(first_member(value, "_M_dataplus._M_p", "_M_str"))
        length = int(first_member(value, "_M_string_length", "_M_len"))
        return text_bytes(start, length, most)
    if ty.code == gdb.TYPE_CODE_ARRAY or is_text_pointer(ty):
        return value.string("latin-1").encode("latin-1")
    return float(value) if ty.code == gdb.TYPE_CODE_FLT else int(value)


def rounded(place, align):
    return (place + align - 1) // align * align


def chain(node, link):
    """The nodes from this one on, which have the address of the next one at `link`."""
    word = word_reader()
    while node:
        yield node
        node = word(node + link)


def tree_nodes(root, before, after):
    """The nodes of a tree in its order, or in the opposite one."""
    word, waiting, node = word_reader(), [], root
    while node or waiting:
        while node:
            waiting.append(node)
            node = word(node + before)
        node = waiting.pop()
        yield node
        node = word(node + after)


class Keyed:
    """A map or a set, its entries and where their nodes have them."""

    def __init__(self, value):
        self.value, ty = value, value.type.strip_typedefs()
        self.is_map = KEYED.match(ty.tag)[2] == "map"
        self.is_tree = not ty.tag.startswith("std::unordered_")
        self.key = ty.template_argument(0).strip_typedefs()
        self.mapped = ty.template_argument(1) if self.is_map else self.key
        # The order of a tree, or the hash of a table.
        self.order = str(ty.template_argument(2 if self.is_map else 1))
        align = max(self.key.alignof, self.mapped.alignof, 1)
        self.before = rounded(TREE_NODE if self.is_tree else TABLE_NODE, align)

    def key_value(self, node):
        return gdb.Value(node + self.before).cast(self.key.pointer()).dereference()

    def key_at(self, node, wanted=None):
        """The key of a node, or as much of it as is compared with a text."""
        most = enough_for(wanted) if isinstance(wanted, bytes) else None
        return comparable(self.key_value(node), most)

    def mapped_at(self, node):
        place = node + self.before
        if self.is_map:
            place = rounded(place + self.key.sizeof, max(self.mapped.alignof, 1))
        return gdb.Value(place).cast(self.mapped.pointer()).dereference()

    def find(self, wanted):
        """The node with this key; None: there is none."""
        orders = () if not self.is_tree else (
            ("std::less<", LEFT, RIGHT),
            ("std::greater<", RIGHT, LEFT),
        )
        for start, left, right in orders:
            if self.order.startswith(start):
                return self.find_in_order(wanted, left, right)
        return next(self.equal(wanted), None)

    def find_in_order(self, wanted, before, after):
        node, found = memory_word(self.header() + PARENT), None
        for _ in range(TREE_LEVELS):
            if not node:
                return found
            key = self.key_at(node, wanted)
            found = node if key == wanted else found
            node = memory_word(node + (before if wanted <= key else after))
        raise gdb.GdbError("its tree is damaged")

    def equal(self, wanted):
        """The nodes with this key, among those of its bucket or among all."""
        until = time.monotonic() + SEARCH
        bucket = None if self.is_tree else self.bucket(wanted)
        for number, node in enumerate(self.nodes() if bucket is None else bucket):
            if self.key_at(node, wanted) == wanted:
                yield node
            if time.monotonic() > until:
                raise gdb.GdbError(NOT_AMONG % (number + 1, self.count(), SEARCH))

    def bucket(self, wanted):
        """The nodes of the bucket of a key; None: the hash is the program's own."""
        known = key_hash(wanted) if self.order.startswith("std::hash<") else None
        if known is None:
            return None
        return self.bucket_nodes(known % int(self.value["_M_h"]["_M_bucket_count"]))

    def bucket_nodes(self, number):
        table = self.value["_M_h"]
        count = int(table["_M_bucket_count"])
        before = memory_word(int(table["_M_buckets"]) + 8 * number)
        node = memory_word(before) if before else 0
        while node and key_hash(self.key_at(node)) % count == number:
            yield node
            node = memory_word(node)

    def count(self):
        if self.is_tree:
            return int(self.value["_M_t"]["_M_impl"]["_M_node_count"])
        return int(self.value["_M_h"]["_M_element_count"])

    def header(self):
        return int(self.value["_M_t"]["_M_impl"]["_M_header"].address)

    def root(self):
        return memory_word(self.header() + PARENT)

    def nodes(self):
        if self.is_tree:
            return tree_nodes(self.root(), LEFT, RIGHT)
        return chain(int(self.value["_M_h"]["_M_before_begin"]["_M_nxt"]), 0)


class Lookup(Call):
    """A member function with a key as its argument."""

    def __init__(self, name, argument):
        self.name, self.argument = name, argument
        self.arguments, self.read = 1, None

    def get_arg_types(self):
        return [self.argument]

    def get_result_type(self, value, key):
        """gdb gives another key here than in the call."""
        if self.name == "contains":
            return gdb.lookup_type("bool")
        if self.name == "count":
            return gdb.lookup_type("unsigned long")
        return owner_type(value).template_argument(1)

    def __call__(self, value, key):
        if self.argument.code in NUMBER_KEYS and not is_text_pointer(self.argument):
            key = key.cast(self.argument)
        self.read = lambda owner, *_: self.result(Keyed(owner), comparable(key))
        return super().__call__(value)

    def result(self, container, wanted):
        if self.name == "count":
            return sum(1 for _ in container.equal(wanted))
        found = container.find(wanted)
        if self.name == "contains":
            return found is not None
        if found is None:
            raise gdb.GdbError("it has no such key")
        return container.mapped_at(found)


class Comparison(Lookup):
    """A comparison of a text with another one; the program's own may be compiled nowhere."""

    def get_result_type(self, value, other):
        return gdb.lookup_type("bool")

    def __call__(self, value, other):
        holds = COMPARED[self.name[len("operator") :]]

        def read(owner):
            wanted = comparable(other)
            return holds(comparable(owner, enough_for(wanted)), wanted)

        self.read = read
        return Call.__call__(self, value)


def lookups_of(ty, name):
    """The functions of this name of a container, one for each type that its key may be given as;
    or of a text.
    """
    tag = ty.tag or "" if ty.code in TYPES else ""
    is_text = is_text_class(ty) or is_text_view(ty)
    if is_text and name.startswith("operator") and name[len("operator") :] in COMPARED:
        texts = gdb.lookup_type("char").const().pointer(), ty
        return [Comparison(name, one) for one in texts]
    keyed = KEYED.match(tag)
    names = ("count", "contains")
    names += ("operator[]", "at") if keyed and keyed.groups() == (None, "map") else ()
    # The places in nodes are those of addresses of 8 bytes.
    if keyed is None or name not in names or ty.pointer().sizeof != 8:
        return []
    key = ty.template_argument(0).strip_typedefs()
    if is_text_class(key) or is_text_view(key):
        return [Lookup(name, gdb.lookup_type("char").const().pointer()), Lookup(name, key)]
    is_number = key.code in NUMBER_KEYS and not is_text_pointer(key)
    return [Lookup(name, key)] if is_number else []
