# Printers for values that gdb's own leave out, or fail at.

# What the compilers of C++ name the type of `nullptr`, whose values gdb cannot read.
NULL_TYPE = "decltype(nullptr)"
LENGTH_UNKNOWN = "<length unknown>"
NO_LENGTH = "<length 0 or unknown>"  # The length 0 may stand for any other.


class Members(gdb.ValuePrinter):
    """The members of a structure; those of anonymous members as its own."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return ""

    def children(self):
        return members_in(self.value)


def members_in(value):
    for field in value.type.strip_typedefs().fields():
        if not hasattr(field, "bitpos"):
            continue
        if field.name:
            yield field.name, value[field]
        elif field.type.strip_typedefs().code in TYPES:
            yield from members_in(value[field])


def has_anonymous_members(ty):
    return any(
        not field.name and field.type.strip_typedefs().code in TYPES
        for field in ty.fields()
        if hasattr(field, "bitpos")
    )


ARRAY_CLASS = Pattern(r"^std::array<")


def elements_of_array(value):
    """The elements of a `std::array`; the value itself if it has none, or others."""
    try:
        elements = value["_M_elems"]
    except gdb.error:
        return value
    return elements if elements.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else value


def is_null_type(ty):
    ty = ty.strip_typedefs().unqualified()
    return ty.code == gdb.TYPE_CODE_VOID and ty.name == NULL_TYPE


def is_null_pointer(value):
    try:
        return value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and not int(value)
    except gdb.error:
        return False  # It has no value.


def has_no_target(ty):
    """Whether there is nothing to read: gdb 16 reads what a `void *` points to."""
    return ty.target().strip_typedefs().code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_VOID)


def has_unknown_length(ty):
    """Whether it is the last member of a structure of C, with as many elements as there is memory:
    `data[]`, or `data[0]`. gdb gives it one element, or none, and its address as its text.
    """
    ty = ty.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_ARRAY or ty.sizeof or not ty.target().strip_typedefs().sizeof:
        return False
    return str(ty).endswith(("[]", "[0]"))  # Not `[i32; 0]` of Rust.


def open_array_printer(value):
    if not has_unknown_length(value.type) or value.type.strip_typedefs().is_string_like:
        return None
    return Described(LENGTH_UNKNOWN if str(value.type.strip_typedefs())[-2] == "[" else NO_LENGTH)


@part
def open_arrays():
    gdb.pretty_printers.append(open_array_printer)


@part
def visualizers():
    import gdb.printing as printing

    make = printing.make_visualizer

    def make_visualizer(value):
        ty = value.type.strip_typedefs()
        if ty.code in TYPES and ARRAY_CLASS.match(ty.tag or ""):
            value = elements_of_array(value)
        if is_null_type(ty):
            return Described("nullptr")
        try:
            found = make(value)
        except (gdb.error, RuntimeError, ValueError, TypeError, AttributeError):
            # A library's printer for another version of the library.
            if ty.code not in TYPES:
                raise
            return Members(value)
        is_pointer = isinstance(found, printing.NoOpPointerReferencePrinter)
        if is_pointer and (is_null_pointer(value) or has_no_target(ty)):
            return printing.NoOpScalarPrinter(value)
        is_plain = isinstance(found, printing.NoOpStructPrinter)
        return Members(value) if is_plain and has_anonymous_members(ty) else found

    printing.make_visualizer = make_visualizer


def whole_object(value):
    """The object whose part of a base class an expression like `*base` gives."""
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_STRUCT or value.address is None:
        return value
    try:
        if value.dynamic_type.strip_typedefs().unqualified() == ty.unqualified():
            return value
        return dynamic(value.address)
    except gdb.error:
        return value  # Its table of functions cannot be read.


@part
def null_values():
    """A variable of the type of `nullptr` is an error to gdb, also for the whole list."""
    from gdb.dap import evaluate, scopes

    read, read_symbol = evaluate.parse_and_eval, scopes.symbol_value

    def null_of(symbol):
        return gdb.Value(b"", symbol.type)

    def symbol_value(symbol, frame):
        if is_null_type(symbol.symbol().type):
            return symbol.symbol().print_name, null_of(symbol.symbol())
        return read_symbol(symbol, frame)

    def read_or_null(text, *args, **more):
        name = text.strip()
        symbol = gdb.lookup_symbol(name)[0] if re.fullmatch(r"[A-Za-z_]\w*", name) else None
        if symbol is not None and symbol.type is not None and is_null_type(symbol.type):
            return null_of(symbol)
        return read(text, *args, **more)

    evaluate.parse_and_eval, scopes.symbol_value = read_or_null, symbol_value


def dynamic(value):
    """What a pointer or reference refers to, as an object of the class that it has."""
    # What gdb's reference from a cast to a base class refers to is at another place.
    if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR and value.address is not None:
        value = value.address
    try:
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            # gdb finds no class behind a typedef.
            value = value.cast(value.type.strip_typedefs().target().strip_typedefs().pointer())
        kind = value.dynamic_type
        if kind != value.type:
            return value.cast(kind).referenced_value()
    except gdb.error:
        pass  # Its table of functions cannot be read.
    return value.referenced_value()
