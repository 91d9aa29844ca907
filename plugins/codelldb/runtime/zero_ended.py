"""Texts in memory that end at their first zero, as bytes: LLDB's own function fails for a text that
is not UTF-8.

Knows no types.
"""

# Bytes that are read at once: the first ones, and of a long text.
FIRST, MOST = 256, 4096


def read(process, address, longest, error):
    """The bytes before the zero, at most so many; in smaller pieces towards the end of readable
    memory. `error` fails if no zero is before that.
    """
    found, size = bytearray(), FIRST
    while size and len(found) < longest:
        size = min(size, longest - len(found))
        part = process.ReadMemory(address + len(found), size, error)
        if not part:
            size //= 2
            continue
        error.Clear()
        text, zero, _ = part.partition(b"\0")
        found += text
        if zero:
            break
        size = min(2 * size, MOST)
    return bytes(found)
