# Values of Rust's library that its own printers leave to gdb, or read wrongly: what pointers, cells
# and locks hold.
#
# Knows the fields of Rust's library, as rustc's printers do.

DANGLING = 2**64 - 1  # The pointer of a Weak made by `Weak::new`.
READERS = 2**30 - 1  # In the state of an RwLock.
# States of a Once, None for a completed one.
ONCE = (None, "<being set>", "<poisoned>", "<not set>")
ESCAPES = str.maketrans({'"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})
CELL = Pattern(
    r"^core::(cell::UnsafeCell|mem::(maybe_uninit::MaybeUninit|manually_drop::ManuallyDrop"
    r"|maybe_dangling::MaybeDangling))<"
)
TEXT_LEVELS = 4  # Texts inside one another, and pointers followed.


def number_in(value):
    """The number inside wrapper types."""
    for _ in range(8):
        if value.type.strip_typedefs().code not in TYPES:
            break
        value = value[value.type.strip_typedefs().fields()[0]]
    return int(value)


def with_states(text, *states):
    states = ", ".join(state for state in states if state)
    return "%s (%s)" % (text, states) if states else text


def is_poisoned(value):
    return "poisoned" if number_in(value["poison"]["failed"]) else None


def mutex(value):
    is_locked = "locked" if number_in(value["inner"]["futex"]) else None
    return with_states(one_line(value["data"]["value"]), is_locked, is_poisoned(value))


def rw_lock(value):
    state = number_in(value["inner"]["state"]) & READERS
    words = "read by %d" % state if state else None
    words = "locked for writing" if state == READERS else words
    return with_states(one_line(value["data"]["value"]), words, is_poisoned(value))


def guarded(value):
    return one_line(value["lock"].referenced_value()["data"]["value"])


def borrowed(value):
    """Of a Ref, a RefMut or a guard of a reader."""
    pointer = first_member(value, "value.pointer", "data.pointer")
    return one_line(pointer.referenced_value())


def atomic(value):
    found = first_member(value, "v.value", "p.value")
    is_bool = "AtomicBool" in str(value.type)
    return ("true" if int(found) else "false") if is_bool else one_line(found)


def weak(value):
    pointer = value["ptr"]["pointer"]
    if pointer.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
        return None
    if int(pointer) == DANGLING:
        return "<points to nothing>"
    inner = pointer.referenced_value()
    return "(strong=%d, weak=%d)" % (number_in(inner["strong"]), number_in(inner["weak"]) - 1)


def time_span(value):
    seconds, nanoseconds = number_in(value["secs"]), number_in(value["nanos"])
    return "%d%ss" % (seconds, (".%09d" % nanoseconds).rstrip("0").rstrip("."))


def once_cell(value):
    text = one_line(value["inner"]["value"])
    if text == "None":
        return "<not set>"
    return text[len("Some(") : -1] if text.startswith("Some(") else None


def once_lock(value):
    """Its state is in a Once, and the text that of its value (std/src/sys/sync/once/futex.rs)."""
    state = ONCE[number_in(value["once"]["inner"]["state_and_queued"]) & 3]
    return state or one_line(value_in(value["value"]))


def value_in(value):
    """The value in an UnsafeCell, a MaybeUninit and the like."""
    while CELL.match(str(value.type.strip_typedefs().name or "")):
        fields = value.type.strip_typedefs().fields()
        value = value[next((one for one in fields if one.name == "value"), fields[0])]
    return value


def c_string(value):
    """Without the zero at its end, which the length counts."""
    fat = first_member(value, "inner") if "CString" in str(value.type) else value
    length = max(int(fat["length"]) - 1, 0)
    if not length:
        return '""'
    count = min(length, 600)
    data = gdb.selected_inferior().read_memory(int(fat["data_ptr"]), count).tobytes()
    text = data.decode("utf8", "backslashreplace")
    quoted = '"%s"' % text.translate(ESCAPES)
    return quoted + "..." * (length > count)


def wrapped(value):
    """The value in the only member."""
    return one_line(value[value.type.strip_typedefs().fields()[0]])


def pinned(value):
    found = value[value.type.strip_typedefs().fields()[0]]
    return pointer_text(found) if found.type.code == gdb.TYPE_CODE_PTR else one_line(found)


def pointer_text(value):
    """The target of a reference or a Box, for which gdb has the type of a plain pointer; None: it
    has none with a text.
    """
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_PTR or InText.depth > TEXT_LEVELS or not int(value):
        return None
    of = ty.target().strip_typedefs()
    if not of.sizeof or of.code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_VOID):
        return None
    try:
        pointee = value.referenced_value()
        pointee.fetch_lazy()
        return one_line(pointee)
    except gdb.error:
        return None  # It cannot be read.


def optional_pointer(value):
    """An Option of a reference or a Box."""
    variant = next((field for field in value.type.fields() if field.name == "Some"), None)
    if variant is None:
        return None
    content = value[variant]
    pointer = content[content.type.fields()[0]]
    text = pointer_text(pointer) if pointer.type.code == gdb.TYPE_CODE_PTR else None
    return "Some(%s)" % text if text is not None else None


SMART = Pattern(r"^core::pin::Pin<")
LOCKED = Pattern(r"^std::sync::(.+::)?(mutex::MutexGuard|rwlock::RwLockWriteGuard)<")
BORROWED = Pattern(r"^(core::cell::(Ref|RefMut)|std::sync::(.+::)?rwlock::RwLockReadGuard)<")


def referred(value):
    """What `*` of a smart pointer, a guard or a reference is; None: it is none of them."""
    ty = value.type.strip_typedefs()
    name = str(ty.name or "")
    if ty.code == gdb.TYPE_CODE_PTR:
        return value.referenced_value()
    if LOCKED.match(name):
        return value["lock"].referenced_value()["data"]["value"]
    if BORROWED.match(name):
        return first_member(value, "value.pointer", "data.pointer").referenced_value()
    if SMART.match(name):
        return referred(value[ty.fields()[0]])
    if OWNER.match(name):
        printer = gdb.default_visualizer(value)
        if isinstance(printer, SharedSlice):
            return printer.whole()
        return next((child for _, child in printer.children()), None)
    return None


RUST_TEXTS = [
    (Pattern(pattern), text)
    for pattern, text in (
        (r"^core::sync::atomic::Atomic", atomic),
        (r"^std::sync::(.+::)?mutex::Mutex<", mutex),
        (r"^std::sync::(.+::)?rwlock::RwLock<", rw_lock),
        (r"^std::sync::(.+::)?(mutex::MutexGuard|rwlock::RwLockWriteGuard)<", guarded),
        (r"^(core::cell::(Ref|RefMut)|std::sync::(.+::)?rwlock::RwLockReadGuard)<", borrowed),
        (r"^alloc::(rc|sync)::Weak<", weak),
        (r"^core::time::Duration$", time_span),
        (r"^core::cell::once::OnceCell<", once_cell),
        (r"^std::sync::(.+::)?once_lock::OnceLock<", once_lock),
        (r"^(alloc::ffi::c_str::CString|&(mut )?core::ffi::c_str::CStr)$", c_string),
        (r"^std::path::PathBuf$", wrapped),
        (r"^core::pin::Pin<", pinned),
        (r"^core::option::Option<(&|alloc::boxed::Box<)", optional_pointer),
    )
]


SEQUENCE = Pattern(r"^(&(?:mut )?\[|alloc::vec::Vec<)")
LARGEST = 2**48  # No memory of a program has as many bytes.


def impossible(value):
    """What is said of a slice or a Vec whose elements cannot be in memory, as of one that is not
    set yet or not any more; None: they can.
    """
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or not SEQUENCE.match(str(ty.name or "")):
        return None
    start = first_member(value, "data_ptr", "buf.inner.ptr.pointer.pointer")
    length = first_member(value, "length", "len")
    if start is None or length is None:
        return None
    of = ty.template_argument(0) if str(ty.name)[0] == "a" else start.type.target()
    start, size = int(start), int(length) * of.sizeof
    if not size:
        return None
    try:
        if start and size < LARGEST:
            gdb.selected_inferior().read_memory(start + size - 1, 1)
            return None
    except (gdb.MemoryError, OverflowError):
        pass
    return "<not valid: %d elements at %s>" % (int(length), hex(start))


LINKED_LIST = "alloc::collections::linked_list::LinkedList"


class SharedSlice:
    """An `Rc<[T]>`, or an Arc."""

    def __init__(self, value):
        fat = value["ptr"]["pointer"]
        owner = fat["data_ptr"].type.strip_typedefs().target()
        self.length, start = int(fat["length"]), int(fat["data_ptr"])
        self.name = "Arc" if str(value.type).startswith("alloc::sync::") else "Rc"
        words = gdb.Value(start).cast(gdb.lookup_type("usize").pointer())
        self.counts = int(words[0]), int(words[1]) - 1
        of = next(one.type for one in owner.fields() if one.name in ("value", "data"))
        align = max(of.alignof, 1)
        place = start + (16 + align - 1) // align * align
        self.first = gdb.Value(place).cast(of.pointer())

    def whole(self):
        """The elements as an array; None: there are none."""
        of = self.first.type.target()
        kind = of.array(self.length - 1).pointer() if self.length else None
        return self.first.cast(kind).dereference() if kind is not None else None

    def to_string(self):
        return "%s(strong=%d, weak=%d)" % ((self.name,) + self.counts)

    def display_hint(self):
        return "array"

    def children(self):
        return (("[%d]" % at, self.first[at]) for at in range(self.length))


class SharedText(SharedSlice):
    def whole(self):
        return None  # gdb has no type for text alone.

    def children(self):
        text = self.first.lazy_string("utf-8", length=self.length)
        return iter([("value", text)] if self.length else [])

    def display_hint(self):
        return None


class Links:
    """A LinkedList."""

    def __init__(self, value):
        self.head, self.length = value["head"], int(value["len"])
        arguments = arguments_of_template(value.type.name, LINKED_LIST + "<")
        self.node = gdb.lookup_type("%sNode<%s>" % (LINKED_LIST[:-10], arguments[0]))

    def to_string(self):
        return "LinkedList(size=%d)" % self.length

    def display_hint(self):
        return "array"

    def children(self):
        link = self.head
        for number in range(self.length):
            place = int(link.address.cast(gdb.lookup_type("usize").pointer()).dereference())
            if not place:
                break
            node = gdb.Value(place).cast(self.node.pointer()).dereference()
            yield "[%d]" % number, node["element"]
            link = node["next"]


def linked_list(value):
    try:
        return Links(value)
    except gdb.error:
        return None  # gdb 16 knows no type of Rust by its name.


SHARED = Pattern(r"^alloc::(rc::Rc|sync::Arc)<(\[|str\b)")
SHARED_TRAIT = Pattern(r"^alloc::(rc::Rc|sync::Arc)<dyn ")


class TraitObjects:
    """The types of trait objects, by the addresses of their tables of functions."""

    def __init__(self):
        self.types = {}

    def forget(self, event):
        self.types.clear()

    def type_of(self, fat):
        table = int(fat["vtable"])
        if table not in self.types:
            gdb.set_convenience_variable("_object", fat)
            # gdb prints warnings about the functions in the table.
            gdb.execute("set $_object = *$_object", to_string=True)
            self.types[table] = gdb.convenience_variable("_object").type
        return self.types[table]

    def object_of(self, fat, before=0):
        """The object behind a reference or a Box, which has so many bytes before it."""
        ty = self.type_of(fat)
        align = max(int(fat["vtable"].dereference()[2]), 1)
        place = int(fat["pointer"]) + (before + align - 1) // align * align
        return gdb.Value(place).cast(ty.pointer()).dereference()


trait_objects = TraitObjects()


def is_trait_pointer(ty):
    return ty.code in TYPES and [one.name for one in ty.fields()] == ["pointer", "vtable"]


class Numbered(Members):
    """The members of a tuple, whose names are `__0` and so on for gdb."""

    def children(self):
        for name, member in super().children():
            yield re.sub(r"^__(\d+)$", r"\1", name), member


def variant(value):
    """The members of the variant that a value of an enum is."""
    return Numbered(next(content for _, content in members_in(value)))


def is_tuple(ty):
    fields = ty.fields() if ty.code in TYPES else ()
    return bool(fields) and fields[0].name == "__0"


def is_variant(ty):
    """Whether the type is that of an enum with one variant, as a value has it."""
    fields = ty.fields() if ty.code in TYPES else ()
    return len(fields) == 2 and fields[0].name is None and fields[0].artificial


class TraitObject(Members):
    """A trait object, with the members of the object itself."""

    def __init__(self, value):
        super().__init__(trait_objects.object_of(value))

    def to_string(self):
        if not 0 < InText.depth <= TEXT_LEVELS:
            return ""
        return one_line(self.value)

    def children(self):
        if InText.depth:
            return iter(())
        ty = self.value.type.strip_typedefs()
        printer = gdb.default_visualizer(self.value)
        if hasattr(printer, "children"):
            return printer.children()
        return members_in(self.value) if ty.code in TYPES else iter((("*", self.value),))


class SharedTraitObject:
    """A trait object in an Rc or an Arc, which counts its owners before the object."""

    def __init__(self, value):
        fat = value["ptr"]["pointer"]
        self.name = "Arc" if str(value.type).startswith("alloc::sync::") else "Rc"
        words = gdb.Value(int(fat["pointer"])).cast(gdb.lookup_type("usize").pointer())
        self.counts = int(words[0]), int(words[1]) - 1
        self.object = trait_objects.object_of(fat, 16)

    def to_string(self):
        return "%s(strong=%d, weak=%d)" % ((self.name,) + self.counts)

    def children(self):
        return iter((("value", self.object),))


def trait_printer(value):
    try:
        is_shared = SHARED_TRAIT.match(str(value.type.name or ""))
        return SharedTraitObject(value) if is_shared else TraitObject(value)
    except gdb.error:
        return None  # It is not set yet.


def rust_printer(value):
    ty = value.type.strip_typedefs()
    name = str(ty.name or "")
    wrong = impossible(value)
    if wrong is not None:
        return Described(wrong)
    shared = SHARED.match(name)
    if shared:
        return SharedText(value) if shared[2] == "str" else SharedSlice(value)
    if name.startswith(LINKED_LIST + "<"):
        return linked_list(value)
    if is_trait_pointer(ty) or SHARED_TRAIT.match(name):
        return trait_printer(value)
    if not InText.depth and is_variant(ty):
        return variant(value)
    if not InText.depth and is_tuple(ty):
        return Numbered(value)
    if not 0 < InText.depth <= TEXT_LEVELS:
        return None
    if ty.code == gdb.TYPE_CODE_PTR:
        found = pointer_text(value)
    else:
        text = next((text for pattern, text in RUST_TEXTS if pattern.match(name)), None)
        found = text(value) if text and ty.code in TYPES else None
    return Described(found) if found is not None else None


def before_others(objfile):
    """Printers of a file come before the ones for all: rustc's are of a file."""
    if rust_printer not in objfile.pretty_printers:
        objfile.pretty_printers.insert(0, rust_printer)


@part
def rust_values():
    if not settings["rust"]:
        return
    gdb.events.new_objfile.connect(lambda event: before_others(event.new_objfile))
    gdb.events.new_objfile.connect(trait_objects.forget)
    for objfile in gdb.objfiles():
        before_others(objfile)
