# Maps and sets of Rust's library: their entries by number, and the entry of a key.
#
# rustc's printers read each byte of a table as a value of gdb, 0.4 s for 100,000 entries. Here
# tables are read as memory; knows hashbrown's layout and the nodes of B-trees. Keys are numbers,
# characters and texts; others are compared by their displayed text (rust_calls.py).

import bisect

HASH_TABLE = Pattern(r"^std::collections::hash::(map::HashMap|set::HashSet)<")
B_TREE = Pattern(r"^alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<")
EMPTY = 0x80  # The bit of a place without an entry.
TABLE_PART = 2**16  # Places whose bytes of control are read at once.
DATA_PART = 2**20  # Bytes of entries that are read at once.
INTEGERS = gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL
WRAPPERS = "core::mem::manually_drop::", "core::mem::maybe_dangling::"


class KeySearch:
    """The time for a search among the entries of a container."""

    def __init__(self, count):
        self.count, self.until = count, time.monotonic() + SEARCH

    def check(self, number):
        """An error if the time is used up after so many entries."""
        if time.monotonic() > self.until:
            raise gdb.GdbError(NOT_AMONG % (number, self.count or 0, SEARCH))

    def limited(self, entries):
        for number, entry in enumerate(entries):
            yield entry
            self.check(number + 1)


def pointer_in(ty, before=0):
    """The place of the first pointer in a structure, in bytes; None: there is none."""
    ty = ty.strip_typedefs()
    if ty.code == gdb.TYPE_CODE_PTR:
        return before
    for field in ty.fields() if ty.code in TYPES else ():
        found = pointer_in(field.type, before + field.bitpos // 8) if field.type.sizeof else None
        if found is not None:
            return found
    return None


def member_place(ty, name):
    """The place of a member in bytes, and its type; None: there is none."""
    fields = ty.strip_typedefs().fields() if ty.strip_typedefs().code in TYPES else ()
    found = next((field for field in fields if field.name == name), None)
    return (found.bitpos // 8, found.type) if found is not None else None


class NumberKey:
    """An integer, a character or a bool."""

    def __init__(self, size, is_signed):
        self.size, self.is_signed = size, is_signed

    def same(self, wanted):
        """A function that tells whether the bytes of a key are those of the wanted one."""
        if not isinstance(wanted, int):
            return None
        try:
            stored = wanted.to_bytes(self.size, "little", signed=self.is_signed)
        except OverflowError:
            return lambda data: False
        return lambda data: data == stored

    def read(self, data, wanted=None):
        return int.from_bytes(data, "little", signed=self.is_signed)


class TextKey:
    """A `String` or a `&str`."""

    def __init__(self, size, pointer, length):
        self.size, self.pointer, self.length = size, pointer, length

    def same(self, wanted):
        if not isinstance(wanted, bytes):
            return None
        length, at = len(wanted).to_bytes(8, "little"), self.length

        def is_same(data):
            return data[at : at + 8] == length and self.read(data, wanted) == wanted

        return is_same

    def read(self, data, wanted=None):
        """The text, of which `wanted` may need only the beginning."""
        words = (data[at : at + 8] for at in (self.pointer, self.length))
        address, length = (int.from_bytes(word, "little") for word in words)
        return text_bytes(address, length, enough_for(wanted) if wanted is not None else None)


def key_kind(ty):
    """How keys of this type are read from memory; None: they are of another kind."""
    ty = ty.strip_typedefs()
    if ty.code in INTEGERS:
        return NumberKey(ty.sizeof, ty.code == gdb.TYPE_CODE_INT and ty.is_signed)
    if str(ty.name) == "&str":
        pointer, length = member_place(ty, "data_ptr"), member_place(ty, "length")
        return TextKey(ty.sizeof, pointer[0], length[0]) if pointer and length else None
    if str(ty.name) == "alloc::string::String":
        vector = member_place(ty, "vec")
        length = member_place(vector[1], "len") if vector else None
        pointer = pointer_in(ty)
        if length and pointer is not None:
            return TextKey(ty.sizeof, pointer, vector[0] + length[0])
    return None


class HashTable(gdb.ValuePrinter):
    """A HashMap or a HashSet. Its entries are stored before its bytes of control, backwards."""

    def __init__(self, value):
        self.is_map = HASH_TABLE.match(str(value.type.name))[1].startswith("map")
        table = value["base"]["table"] if self.is_map else value["base"]["map"]["table"]
        inner = table["table"]
        self.length, self.capacity = int(inner["items"]), int(inner["bucket_mask"]) + 1
        self.control = int(inner["ctrl"]["pointer"])
        self.entry = table.type.template_argument(0).strip_typedefs()
        self.found, self.read_until = [], 0

    def to_string(self):
        return "%s(size=%d)" % ("HashMap" if self.is_map else "HashSet", self.length)

    def display_hint(self):
        return "map" if self.is_map else "array"

    def num_children(self):
        return 2 * self.length if self.is_map else self.length

    def place(self, number):
        """The place of an entry in the table."""
        while len(self.found) <= number and self.read_until < self.capacity:
            self.read_part()
        return self.found[number]

    def read_part(self):
        start = self.read_until
        size = min(TABLE_PART, self.capacity - start)
        control = program_bytes(self.control + start, size)
        self.found += [start + at for at, byte in enumerate(control) if byte < EMPTY]
        self.read_until = start + size

    def entry_at(self, place):
        address = self.control - (place + 1) * self.entry.sizeof
        return gdb.Value(address).cast(self.entry.pointer()).dereference()

    def member(self, place, name):
        return self.entry_at(place)[name]

    def child(self, index):
        number, is_value = divmod(index, 2) if self.is_map else (index, 0)
        return "[%d]" % index, self.member(self.place(number), "__%d" % is_value)

    def children(self):
        return (self.child(index) for index in range(self.num_children()))

    def find(self, wanted):
        """The key and the value with this key, in a tuple that is empty if there is none. None:
        keys of this kind are not compared here.
        """
        at, ty = member_place(self.entry, "__0")
        kind = key_kind(ty)
        is_same = kind.same(wanted) if kind is not None else None
        if is_same is None:
            return None
        for place, data in KeySearch(self.length).limited(self.stored_entries()):
            if is_same(data[at : at + kind.size]):
                names = "__0", "__1" if self.is_map else "__0"
                return tuple(self.member(place, name) for name in names)
        return ()

    def stored_entries(self):
        """The places with an entry, and its bytes."""
        size, first = self.entry.sizeof, 0
        step = max(1, DATA_PART // max(size, 1))
        for start in range(0, self.capacity, step):
            end = min(start + step, self.capacity)
            while self.read_until < end:
                self.read_part()
            last = bisect.bisect_left(self.found, end)
            if first == last:
                continue
            data = program_bytes(self.control - end * size, (end - start) * size)
            for place in self.found[first:last]:
                at = (end - place - 1) * size
                yield place, data[at : at + size]
            first = last


class Tree:
    """The nodes of a BTreeMap or a BTreeSet."""

    def __init__(self, value):
        self.is_map = B_TREE.match(str(value.type.name))[1].startswith("map")
        tree = value if self.is_map else value["map"]
        self.length, self.root = int(tree["length"]), tree["root"]

    def members(self):
        return ("keys", "vals") if self.is_map else ("keys", "keys")

    def start(self):
        """The pointer to the first node, and the levels below it."""
        root = self.root
        if is_of_name(root.type, "core::option::Option<"):
            content = next(field for field in root.type.fields() if field.name == "Some")
            root = root[content]
            root = root[root.type.fields()[0]]
        return first_pointer(root["node"]), number_in(root["height"])

    def find(self, wanted):
        """As of a hash table, in the order of the keys."""
        if not self.length:
            return ()
        node, height = self.start()
        kind = key_kind(content_type(node.dereference()["keys"].type.target()))
        if kind is None or kind.same(wanted) is None:
            return None
        while True:
            leaf = node.dereference()
            place, is_here = self.place_in(leaf, kind, wanted)
            if is_here:
                return tuple(element_in(leaf[name], place) for name in self.members())
            if not height:
                return ()
            node, height = self.below(node, place), height - 1

    def place_in(self, leaf, kind, wanted):
        """The place of the key in a node, or of the node below that has it."""
        count = int(leaf["len"])
        for place in range(count):
            key = stored(leaf["keys"][place])
            found = kind.read(program_bytes(int(key.address), kind.size), wanted)
            if found >= wanted:
                return place, found == wanted
        return count, False

    def internal(self, node):
        name = node.type.strip_typedefs().target().name.replace("LeafNode", "InternalNode", 1)
        return gdb.lookup_type(name)

    def below(self, node, place):
        inner = node.cast(self.internal(node).pointer()).dereference()
        return first_pointer(stored(inner["edges"][place]))


class TreeEntries(gdb.ValuePrinter):
    """The entries of a BTreeMap or a BTreeSet by their number."""

    def __init__(self, value):
        self.tree = Tree(value)
        self.name = "BTreeMap" if self.tree.is_map else "BTreeSet"
        if self.tree.length:
            self.node, self.height = self.tree.start()
            self.count_at = member_place(self.node.type.strip_typedefs().target(), "len")[0]
            self.edges_at = self.edge_place() if self.height else 0
        self.walk = Walk(self.places)

    def edge_place(self):
        """The place of the addresses of the nodes below."""
        return member_place(self.tree.internal(self.node), "edges")[0]

    def to_string(self):
        return "%s(size=%d)" % (self.name, self.tree.length)

    def display_hint(self):
        return "map" if self.tree.is_map else "array"

    def num_children(self):
        return 2 * self.tree.length if self.tree.is_map else self.tree.length

    def places(self):
        """The address of the node of each entry, and the place in it."""
        if self.tree.length:
            yield from self.places_in(int(self.node), self.height, word_reader())

    def places_in(self, node, height, word):
        # Two bytes with the number of entries, in a word that may begin before them.
        at = node + self.count_at
        count = word(at - at % 8) >> 8 * (at % 8) & 0xFFFF
        for place in range(count + 1):
            if height:
                below = word(node + self.edges_at + 8 * place)
                yield from self.places_in(below, height - 1, word)
            if place < count:
                yield node, place

    def child(self, index):
        number, is_value = divmod(index, 2) if self.tree.is_map else (index, 0)
        node, place = self.walk.at(number)
        leaf = gdb.Value(node).cast(self.node.type).dereference()
        return "[%d]" % index, element_in(leaf["vals" if is_value else "keys"], place)

    def children(self):
        return (self.child(index) for index in range(self.num_children()))


def is_of_name(ty, start):
    return str(ty.strip_typedefs().name or "").startswith(start)


def content_type(ty):
    """The type in a `MaybeUninit`."""
    found = member_place(ty, "value")[1]
    while is_of_name(found, WRAPPERS):
        found = found.strip_typedefs().fields()[0].type
    return found


def stored(value):
    """The value in a `MaybeUninit`."""
    found = value["value"]
    while is_of_name(found.type, WRAPPERS):
        found = found[found.type.strip_typedefs().fields()[0]]
    return found


def element_in(elements, place):
    """An element of a node; gdb counts no places of elements without a size."""
    return stored(elements[place]) if elements.type.sizeof else gdb.parse_and_eval("()")


def first_pointer(value):
    """The pointer inside wrapper types."""
    while value.type.strip_typedefs().code in TYPES:
        value = value[value.type.strip_typedefs().fields()[0]]
    return value


def container_printer(value):
    ty = value.type.strip_typedefs()
    name = str(ty.name or "") if ty.code in TYPES else ""
    try:
        if HASH_TABLE.match(name):
            return HashTable(value)
        return TreeEntries(value) if B_TREE.match(name) else None
    except (gdb.error, RuntimeError, KeyError, TypeError, StopIteration):
        return None  # It is of another version of the library, or is not set yet.


def entry_with(container, wanted):
    """The key and the value of a map with this key, or the key of a set twice: an empty tuple if
    there is none. None: they are not compared here.
    """
    name = str(container.type.name or "")
    try:
        if HASH_TABLE.match(name):
            return HashTable(container).find(wanted)
        return Tree(container).find(wanted) if B_TREE.match(name) else None
    except (gdb.error, RuntimeError, KeyError, TypeError, StopIteration) as error:
        if isinstance(error, gdb.GdbError):
            raise
        return None  # It is of another version of the library.


@part
def rust_tables():
    if not settings["rust"]:
        return

    def put_first(objfile):
        if container_printer not in objfile.pretty_printers:
            objfile.pretty_printers.insert(0, container_printer)

    gdb.events.new_objfile.connect(lambda event: put_first(event.new_objfile))
    for objfile in gdb.objfiles():
        put_first(objfile)
