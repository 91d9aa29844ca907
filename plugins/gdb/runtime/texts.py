# Texts themselves, without quotes and escapes, from the memory of the program: gdb writes literals,
# and all of a text at once.

import contextlib

# Bytes of a text that is answered in full. Of a longer one the beginning is, and parts are read by
# the numbers of their bytes.
WHOLE = 2**20
# Bytes that are read at once: the first page alone, as the one behind a text may not be readable.
PAGE, BLOCK = 2**12, 2**20
ENCODINGS = {1: "utf-8", 2: "utf-16", 4: "utf-32"}


class Span:
    """A text in memory: its address, the bytes of each character, and of all; None: it ends at its
    first zero. With `has_end` it may end at a zero before that.
    """

    def __init__(self, address, size, length, has_end):
        self.address, self.size, self.length, self.has_end = address, size, length, has_end

    def blocks(self, read):
        """The stored bytes, block by block."""
        end = None if self.length is None else self.address + self.length
        at, most = self.address, PAGE
        while end is None or at < end:
            step = most - at % most
            if end is not None:
                step = min(step, end - at)
            try:
                block = bytes(read(at, step))
            except gdb.MemoryError:
                if most == PAGE:
                    raise
                most = PAGE
                continue
            yield block
            at, most = at + step, min(2 * most, BLOCK)

    def zero_in(self, block):
        """Where the first zero is; -1: there is none."""
        at = block.find(bytes(self.size))
        while at % self.size and at >= 0:
            at = block.find(bytes(self.size), at + 1)
        return at

    def read(self, read):
        """The first bytes of the text, as many as are answered, and the number of all."""
        beginning, count = [], 0
        for block in self.blocks(read):
            end = self.zero_in(block) if self.has_end else -1
            block = block if end < 0 else block[:end]
            if count < WHOLE:
                beginning.append(block)
            count += len(block)
            if end >= 0:
                break
            if not self.has_end and count >= WHOLE:
                count = self.length
                break
        return b"".join(beginning), count

    def part(self, read, start, end):
        start, end = (at - at % self.size for at in (start, end))
        return bytes(read(self.address + start, end - start)) if end > start else b""

    def decoded(self, data, order):
        encoding = ENCODINGS[self.size] + ("" if self.size == 1 else "-%se" % order[0])
        return data.decode(encoding, "replace")


def span_of(value, printer):
    """Where the text of a value is; None: it has none, or it is not in memory."""
    found = printer.to_string() if hint_of(printer) == "string" else None
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
        span = span_of(value, printer)
        if span is None:
            return None
        read = gdb.selected_inferior().read_memory
        order = "little" if "little" in gdb.execute("show endian", to_string=True) else "big"
        if part is not None:
            return span.decoded(span.part(read, *part), order), None
        data, count = span.read(read)
        is_whole = count <= WHOLE
        return span.decoded(data if is_whole else data[:PAGE], order), None if is_whole else count
    except gdb.error:
        return None


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
