"""Texts of a program as bytes in its memory: where they end, and parts of them.

Knows no debugger: `read` of the caller returns bytes at an address, or raises `Unreadable`.
"""

# Bytes of the longest text that is returned in full. Of a longer one the beginning is returned, and
# its parts are read by the numbers of their bytes.
WHOLE = 2**20
# Bytes among which the end of a text is sought.
LONGEST = 2**32
# Bytes that are read at once: first the rest of a page, as the page behind a text may not be
# readable.
PAGE, BLOCK = 2**12, 2**20
ENCODINGS = {1: "utf-8", 2: "utf-16", 4: "utf-32"}


class Unreadable(Exception):
    """Memory that cannot be read."""


class Span:
    """A text in memory: its address, the bytes of each character, and of all; None: it ends at its
    first zero. With `has_end` it may end at a zero before that.
    """

    def __init__(self, address, size, length, has_end):
        self.address, self.size, self.length, self.has_end = address, size, length, has_end

    def blocks(self, read):
        """The stored bytes, block by block; in smaller ones towards the end of readable memory."""
        end = None if self.length is None else self.address + self.length
        at, most = self.address, PAGE
        while end is None or at < end:
            step = most - at % most
            if end is not None:
                step = min(step, end - at)
            try:
                block = bytes(read(at, step))
            except Unreadable:
                if most == self.size:
                    raise
                most //= 2
                continue
            yield block
            at, most = at + step, min(2 * most, BLOCK)

    def zero_in(self, block):
        """Where the first zero is; -1: there is none."""
        at = block.find(bytes(self.size))
        while at % self.size and at >= 0:
            at = block.find(bytes(self.size), at + 1)
        return at

    def read(self, read, most):
        """The first bytes of the text, as many as are returned, and the number of all. In an array
        the zero is sought only among those; elsewhere among `most` bytes.
        """
        beginning, count = [], 0
        for block in self.blocks(read):
            end = self.zero_in(block) if self.has_end else -1
            block = block if end < 0 else block[:end]
            if count < WHOLE:
                beginning.append(block)
            count += len(block)
            if end >= 0:
                break
            if self.length is not None and count >= WHOLE:
                count = self.length
                break
            if count >= most:
                raise Unreadable("the text does not end within %d bytes" % most)
        return b"".join(beginning), count

    def part(self, read, start, end):
        start, end = (at - at % self.size for at in (start, end))
        return bytes(read(self.address + start, end - start)) if end > start else b""

    def text(self, read, order, part=None, most=LONGEST):
        """The text, with the number of its bytes if it is only its beginning; with `part` the bytes
        from and to these numbers.
        """
        if part is not None:
            return self.decoded(self.part(read, *part), order), None
        data, count = self.read(read, most)
        if count <= WHOLE:
            return self.decoded(data, order), None
        return self.decoded(data[:PAGE], order), count

    def decoded(self, data, order):
        encoding = ENCODINGS[self.size] + ("" if self.size == 1 else "-" + order)
        return data.decode(encoding, "replace")
