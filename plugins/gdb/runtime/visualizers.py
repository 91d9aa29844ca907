# Printers for values that gdb's own leave out, or fail at.


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


@part
def visualizers():
    import gdb.printing as printing

    make = printing.make_visualizer

    def make_visualizer(value):
        ty = value.type.strip_typedefs()
        if ty.code in TYPES and ARRAY_CLASS.match(ty.tag or ""):
            value = elements_of_array(value)
        try:
            found = make(value)
        except (gdb.error, RuntimeError, ValueError, TypeError, AttributeError):
            # A library's printer for another version of the library.
            if ty.code not in TYPES:
                raise
            return Members(value)
        is_plain = isinstance(found, printing.NoOpStructPrinter)
        return Members(value) if is_plain and has_anonymous_members(ty) else found

    printing.make_visualizer = make_visualizer


def dynamic(value):
    """What a pointer or reference refers to, as an object of the class that it has."""
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
