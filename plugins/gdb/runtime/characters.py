# Arrays of characters with all of their bytes: gdb's own text of one ends at its first zero, or has
# the zeros that fill it.

# Characters that are listed behind the first zero, as the rest may be what was there before.
BEHIND_ZERO = 32
# Characters that the line of a variable lists; a longer array with more in it is read in pages.
LINE = 600
# Characters that no text has.
CONTROL = Pattern("[\0-\6\16-\32\34-\37\177]")
WIDE = ("wchar_t", "char16_t", "char32_t")
END_MARK = "..."


def is_character(ty):
    """Whether arrays of this type are texts. `char16_t` of C is a typedef of a number."""
    while ty.code == gdb.TYPE_CODE_TYPEDEF:
        if ty.name in WIDE:
            return True
        ty = ty.target()
    return str(ty.unqualified()) in ("char", "char8_t", *WIDE) and ty.sizeof in (1, 2, 4)


def first_zero(data, size):
    """The number of the first character that is zero; that of all if none is."""
    at = data.find(bytes(size))
    while at >= 0 and at % size:
        at = data.find(bytes(size), at + 1)
    return len(data) // size if at < 0 else at // size


def filled(data, size):
    """The number of characters without the zeros at the end."""
    return (len(data.rstrip(b"\0")) + size - 1) // size


def extent(data, size, most):
    """The number of characters that are listed, `most` at most (0: all); whether that is all."""
    end, zero = filled(data, size), first_zero(data, size)
    wanted = end if not most else min(end, most, max(zero, 0) + BEHIND_ZERO)
    return wanted, wanted == end


def ends_at_zero(data, size, order):
    """Whether the array is a text that ends at its first zero: all behind that is zero, or what is
    before it is a text, and the line does not list what is behind it in full.
    """
    zero = first_zero(data, size)
    if zero >= filled(data, size):
        return True
    if extent(data, size, LINE)[1]:
        return False
    encoding = ENCODINGS[size] + ("" if size == 1 else "-" + order)
    text = data[: zero * size].decode(encoding, "replace")
    return zero > 0 and not CONTROL.search(text)


def stored_bytes(value):
    """The bytes of an array, the first ones of a large one. Its address would serve only one that
    is in memory: gdb puts any other there by a call of the program's `malloc`.
    """
    part = beginning(value)
    if hasattr(part, "bytes"):
        return bytes(part.bytes)
    ty = part.type.strip_typedefs()  # gdb 14.
    (low, high), size = ty.range(), ty.target().sizeof
    order = "little" if "little" in gdb.execute("show endian", to_string=True) else "big"
    mask = (1 << 8 * size) - 1
    numbers = (int(part[at]) & mask for at in range(low, high + 1))
    return b"".join(number.to_bytes(size, order) for number in numbers)


class Characters:
    """A printer for an array of characters."""

    def __init__(self, value):
        self.value, ty = value, value.type.strip_typedefs()
        self.element, self.data = ty.target(), stored_bytes(value)

    def to_string(self):
        size = self.element.strip_typedefs().sizeof
        most = gdb.parameter("print characters") if limits_characters() else 0
        count, is_all = extent(self.data, size, most or 0)
        # gdb has no array without elements; one zero at its end is not written.
        data = self.data[: count * size] + bytes(size)
        part = gdb.Value(data, self.element.array(count))
        text = part.format_string(raw=True, max_elements=0, repeat_threshold=0, styling=False)
        is_all = is_all and len(self.data) == self.value.type.sizeof
        return text if is_all else text + END_MARK

    def is_text(self, order):
        """Whether the text of the array itself is read, and not a literal with all of its bytes."""
        return ends_at_zero(self.data, self.element.strip_typedefs().sizeof, order)


def characters_printer(value):
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_ARRAY or not ty.sizeof or not is_character(ty.target()):
        return None
    try:
        if value.is_optimized_out:
            return None
        return Characters(value)
    except (gdb.error, TypeError, ValueError):
        return None  # A part of it cannot be read, which gdb says.


@part
def character_arrays():
    gdb.pretty_printers.append(characters_printer)
