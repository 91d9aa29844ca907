"""Keys of containers as bytes in memory, compared with a wanted one: whole numbers, and texts that
store their address and length.

Knows the hash functions of libstdc++ (functional_hash.h, hash_bytes.cc); reads no container.
"""

import lldb

import enums
import strings
from arithmetic import wrapped
from operands import BASIC, Missing, Number, Text, is_rust, read

WORD = 1 << 64
# Bytes of a page, and how many are stored.
PAGE, PAGES = 4096, 2048
# Of hash_bytes.cc: the multiplier and the seed for texts.
FACTOR, SEED, SHIFT = 0xC6A4A7935BD1E995, 0xC70F6907, 47


def of(sample, key, element=None):
    """The pattern of a wanted key, by a key of the container and the element that it is in; None:
    keys of this type are compared as values.
    """
    place, start = sample.GetLoadAddress(), (element or sample).GetLoadAddress()
    if lldb.LLDB_INVALID_ADDRESS in (place, start):
        return None
    reads, offset = _reader(sample.GetProcess()), place - start
    stored = strings.place(sample)
    if stored is not None:
        text = strings.text(key) if isinstance(key, (Text, lldb.SBValue)) else None
        if text is None:
            return None
        words = [one.GetLoadAddress() - place + offset for one in stored]
        return TextPattern(reads, text, *words)
    return _number(sample.GetType().GetCanonicalType(), key, reads, offset)


def _number(type, key, reads, offset):
    is_plain, size = enums.is_plain(type), type.GetByteSize()
    basic = type.GetEnumerationIntegerType() if is_plain else type
    kind, signed = BASIC.get(basic.GetBasicType(), (None, False))
    if kind not in ("int", "char", "bool"):
        return None
    if isinstance(key, Missing):
        wanted = key.name.rpartition("::")[2]
        found = enums.enumerators(type).get(wanted) if is_plain else None
        number = None if found is None else wrapped(found, Number(0, "int", size, signed))
    else:
        found = read(key)
        is_whole = found is not None and found.kind in ("int", "char", "bool")
        number = int(found.value) if is_whole else None
        # An index of C++ is converted to the type of the key.
        if number is not None and not is_rust():
            number = wrapped(number, Number(0, "int", size, signed))
    return None if number is None else NumberPattern(reads, number, offset, size, signed)


def _reader(process):
    """Reads parts of memory; of the page that a short one is in all at once."""
    pages = {}

    def direct(address, size):
        error = lldb.SBError()
        found = process.ReadMemory(address, size, error) if size else b""
        return b"" if error.Fail() or found is None else found

    def reads(address, size):
        number, at = divmod(address, PAGE)
        if at + size > PAGE:
            return direct(address, size)
        if number not in pages:
            if len(pages) >= PAGES:
                pages.clear()
            pages[number] = direct(number * PAGE, PAGE)
        return pages[number][at : at + size]

    return reads


class Pattern:
    """A wanted key. `order` compares the key of an element with it: below 0 is less."""

    def order(self, address):
        found, wanted = self.found(address), self.wanted
        return (found > wanted) - (found < wanted)

    def code(self, address):
        """The hash of an element's key by the library's function."""
        return self.hash(self.found(address))

    def wanted_code(self):
        return self.hash(self.wanted)


class NumberPattern(Pattern):
    def __init__(self, reads, wanted, offset, size, signed):
        self.reads, self.wanted = reads, wanted
        self.offset, self.size, self.signed = offset, size, signed

    def found(self, address):
        data = self.reads(address + self.offset, self.size)
        return int.from_bytes(data, "little", signed=self.signed)

    def hash(self, number):
        return number % WORD

    def places(self, data, step):
        """Where the key is in the bytes of elements of a size."""
        try:
            wanted = self.wanted.to_bytes(self.size, "little", signed=self.signed)
        except OverflowError:
            return
        at = data.find(wanted, self.offset)
        while at >= 0:
            if at % step == self.offset:
                yield at - self.offset
            at = data.find(wanted, at + 1)


class TextPattern(Pattern):
    def __init__(self, reads, wanted, pointer, length):
        self.reads, self.wanted, self.pointer, self.length = reads, wanted, pointer, length

    def found(self, address):
        pointer, length = (
            int.from_bytes(self.reads(address + at, 8), "little")
            for at in (self.pointer, self.length)
        )
        return self.reads(pointer, min(length, strings.LONGEST))

    def hash(self, text):
        return hash_of(text)

    def places(self, data, step):
        length = len(self.wanted).to_bytes(8, "little")
        for at in range(0, len(data) - step + 1, step):
            if data[at + self.length : at + self.length + 8] == length:
                pointer = data[at + self.pointer : at + self.pointer + 8]
                if self.reads(int.from_bytes(pointer, "little"), len(self.wanted)) == self.wanted:
                    yield at


def hash_of(text):
    """libstdc++'s hash of the bytes of a text: MurmurHash64A."""
    code = SEED ^ len(text) * FACTOR % WORD
    for at in range(0, len(text), 8):
        part = text[at : at + 8]
        word = int.from_bytes(part, "little")
        if len(part) == 8:
            word = _mixed(word * FACTOR % WORD) * FACTOR % WORD
        code = (code ^ word) * FACTOR % WORD
    return _mixed(_mixed(code) * FACTOR % WORD)


def _mixed(code):
    return code ^ code >> SHIFT
