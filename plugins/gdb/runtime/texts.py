# Texts themselves, without quotes and escapes, from the memory of the program: gdb writes literals,
# and all of a text at once. `Span` is of the runtime that other debuggers share.

import contextlib

def span_of(value, printer, order):
    """Where the text of a value is; None: it has none, or it is not in memory."""
    found = printer.to_string() if hint_of(printer) == "string" else None
    if isinstance(printer, Characters) and printer.is_text(order):
        found = printer.value
    if found is None or isinstance(found, str):
        return None
    ty, length = found.type.strip_typedefs(), getattr(found, "length", None)
    is_array = ty.code == gdb.TYPE_CODE_ARRAY
    if isinstance(found, gdb.Value):
        if not is_array and ty.code != gdb.TYPE_CODE_PTR:
            return None
        address = found.address if is_array else found
        length = ty.sizeof // ty.target().sizeof if is_array else None
    else:
        address = found.address
    size = ty.target().sizeof
    if not address or size not in ENCODINGS:
        return None
    length = None if length in (None, -1) else length * size
    has_end = value.type.strip_typedefs().code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR)
    return Span(int(address), size, length, has_end or length is None)


def text_itself(value, printer, part):
    """The text, with the number of its bytes if it is only its beginning; with `part` the bytes
    from and to these numbers. None: the value has none.
    """
    try:
        order = "le" if "little" in gdb.execute("show endian", to_string=True) else "be"
        span = span_of(value, printer, order)
        if span is None:
            return None
        return span.text(memory, order, part)
    except (gdb.error, Unreadable):
        return None


def memory(address, count):
    try:
        return gdb.selected_inferior().read_memory(address, count)
    except gdb.MemoryError as error:
        raise Unreadable(str(error)) from error


# The numbers of the bytes that are wanted of a text: the first, and the one after the last.
wanted_part = None


@contextlib.contextmanager
def whole(part):
    """While texts are wanted themselves, or these bytes of one."""
    global wanted_part
    quiet_length = "characters" if int(gdb.VERSION.split(".")[0]) >= 14 else "elements"
    wanted_part = part
    try:
        with gdb.with_parameter("print " + quiet_length, 0):
            yield
    finally:
        wanted_part = None
