# Iterators of C++'s containers: what they point to, and which are at the end.
#
# The end of a tree is a node of its own. An iterator of another container is at the end if it is
# the end of a container among the variables of the innermost frames. Knows libstdc++'s members.

ITERATOR = Pattern(
    r"^(__gnu_cxx::__normal_iterator|std::(_Deque|_Fwd_list|_List|_Rb_tree|__detail::_Node)"
    r"(_const)?_iterator)<"
)
BIT = Pattern(r"^std::_Bit_(const_iterator|iterator|reference)$")
AT_END = "<end>"
# Bytes of a node before its element.
TREE, OTHERS = 32, 8
BEFORE = {
    "_List_iterator": 16,
    "_List_const_iterator": 16,
    "_Rb_tree_iterator": TREE,
    "_Rb_tree_const_iterator": TREE,
}
# Frames, and variables of one with their members, among which a container is looked for.
SEARCHED_FRAMES, SEARCHED_VARIABLES, INSIDE = 12, 200, 2


def position(value):
    """The address of the element or of its node; of a bit that of its word, and its number."""
    pointer = first_member(value, "_M_current", "_M_cur", "_M_node")
    if pointer is not None:
        return int(pointer)
    return int(value["_M_p"]), int(value["_M_offset"])


def is_header(node):
    """The end of a tree is its header, which is red, and the parent of its parent."""
    parent = node["_M_parent"]
    return not int(node["_M_color"]) and (not int(parent) or parent["_M_parent"] == node)


def is_at_end(value):
    place = position(value)
    if not place or place == (0, 0):
        return True
    name = value.type.strip_typedefs().tag.partition("<")[0].rpartition("::")[2]
    if BEFORE.get(name) == TREE:
        return is_header(value["_M_node"])
    return place in ends.found()


def iterated(value):
    """What an iterator points to."""
    if is_at_end(value):
        raise gdb.GdbError("it is at the end")
    name = value.type.strip_typedefs().tag.partition("<")[0].rpartition("::")[2]
    pointer = first_member(value, "_M_current") if name == "__normal_iterator" else None
    pointer = first_member(value, "_M_cur") if name == "_Deque_iterator" else pointer
    found = pointer.dereference() if pointer is not None else None
    return found if found is not None else node_value(value, BEFORE.get(name, OTHERS))


def vector_end(value):
    end = value["_M_impl"]["_M_finish"]
    return int(end) if end.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else position(end)


def text_end(value):
    length = int(value["_M_string_length"])
    return int(value["_M_dataplus"]["_M_p"] + length)


END_READERS = [
    (Pattern(pattern), end)
    for pattern, end in (
        (r"^std::(__debug::)?vector<", vector_end),
        (r"^std::__cxx11::basic_string<", text_end),
        (r"^std::deque<", lambda value: int(value["_M_impl"]["_M_finish"]["_M_cur"])),
        (r"^std::(__cxx11::)?list<", lambda value: int(value["_M_impl"]["_M_node"].address)),
    )
]


def end_reader(ty):
    """The function that reads the end of containers of this class; None: it is no container."""
    tag = ty.tag or "" if ty.code in TYPES else ""
    return next((end for pattern, end in END_READERS if pattern.match(tag)), None)


class Ends:
    """The ends of the containers among the variables of the innermost frames, until the program
    continues.
    """

    def __init__(self):
        self.thread, self.known, self.left = None, set(), 0

    def forget(self, event):
        self.thread = None

    def found(self):
        thread = gdb.selected_thread()
        number = thread.global_num if thread is not None else 0
        if number != self.thread:
            self.thread, self.known = number, set()
            self.read_frames()
        return self.known

    def read_frames(self):
        frame = gdb.newest_frame()
        for _ in range(SEARCHED_FRAMES):
            if frame is None:
                break
            self.left = SEARCHED_VARIABLES
            for symbol in symbols_of(frame):
                self.read_variable(symbol, frame)
            frame = frame.older()

    def read_variable(self, symbol, frame):
        try:
            ty = symbol.type.strip_typedefs()
            is_own = symbol.name == "this" and ty.code == gdb.TYPE_CODE_PTR
            if is_own or ty.code in POINTERS[1:]:
                ty = ty.target().strip_typedefs()
            if ty.code in TYPES and has_end(ty) and not unset.holds(symbol, frame):
                value = symbol.value(frame)
                is_behind = value.type.strip_typedefs().code in POINTERS
                self.read(value.referenced_value() if is_behind else value, INSIDE)
        except (gdb.error, RuntimeError):
            pass  # It cannot be read.

    def read(self, value, depth):
        ty = value.type.strip_typedefs()
        end = end_reader(ty)
        self.left -= 1
        if end is not None:
            try:
                self.known.add(end(value))
            except (gdb.error, KeyError):
                pass  # It is of another version of the library.
            return
        if depth < 0 or ty.code not in TYPES or (ty.tag or "").startswith("std::"):
            return
        for field in ty.fields():
            if hasattr(field, "bitpos") and self.left > 0:
                self.read(value[field], depth - 1)


def has_end(ty, depth=INSIDE):
    """Whether a value of this class is a container with an end, or has one inside."""
    if end_reader(ty) is not None:
        return True
    if depth < 0 or ty.code not in TYPES or (ty.tag or "").startswith("std::"):
        return False
    types = (field.type.strip_typedefs() for field in ty.fields() if hasattr(field, "bitpos"))
    return any(has_end(one, depth - 1) for one in types)


def symbols_of(frame):
    """The variables and arguments of a frame."""
    try:
        block = frame.block()
    except RuntimeError:
        return  # A frame without debug information.
    while block is not None and not block.is_static and not block.is_global:
        yield from (one for one in block if one.is_variable or one.is_argument)
        block = block.superblock


ends = Ends()


def bit_text(value):
    """The bit that an iterator or a reference of a `vector<bool>` stands for."""
    mask = first_member(value, "_M_mask")
    if mask is None and is_at_end(value):
        return AT_END
    mask = int(mask) if mask is not None else 1 << int(value["_M_offset"])
    return "true" if int(value["_M_p"].dereference()) & mask else "false"


def iterator_printer(value):
    """A printer for an iterator that is at the end, which has no element, or for one of bits."""
    ty = value.type.strip_typedefs()
    tag = ty.tag or "" if ty.code in TYPES else ""
    try:
        if BIT.match(tag):
            return Described(bit_text(value))
        return Described(AT_END) if ITERATOR.match(tag) and is_at_end(value) else None
    except (gdb.error, RuntimeError):
        return None  # It is of another version of the library.


@part
def iterators():
    import gdb.printing as printing

    register = printing.register_pretty_printer

    def register_others(place, printer, replace=False):
        """The library's printers describe every iterator by the element that it points to, and a
        smart pointer by an address.
        """
        register(place, printer, replace)
        if str(getattr(printer, "name", "")).startswith("libstdc++"):
            library_printers.found = printer
            printers = (gdb if place is None else place).pretty_printers
            printers[:0] = [iterator_printer, owner_printer]

    printing.register_pretty_printer = register_others
    gdb.pretty_printers.append(iterator_printer)
    gdb.events.cont.connect(ends.forget)
    gdb.events.memory_changed.connect(ends.forget)
