"""Lengths of arrays that LLDB 20 misreads in the debug information of gcc: members of unions, which
get no elements, and variable length arrays, whose bound is an expression.

Reads DWARF (versions 4 and 5) of the compile unit of a frame, if that is not too long; knows neither
values nor how they are displayed.
"""

import struct

import lldb

# Bytes of a unit that are read, once and in 0.3 s, and of the table of address ranges, in 0.1 s.
LONGEST, LONGEST_TABLE = 1 << 19, 1 << 24
UNION, MEMBER, ARRAY, BOUND, VARIABLE, FUNCTION = 0x17, 0x0D, 0x01, 0x21, 0x34, 0x2E
# A typedef, `const`, `volatile`.
WRAPPERS = (0x16, 0x26, 0x35)
NAME, SIZE, LOW, HIGH, UPPER, COUNT, BASE, TYPE = 0x03, 0x0B, 0x11, 0x12, 0x2F, 0x37, 0x40, 0x49
WANTED = (NAME, SIZE, LOW, HIGH, UPPER, COUNT, BASE, TYPE)
# Operations of expressions: an offset in the frame, the word there, the frame's CFA.
IN_FRAME, WORD_AT, CFA = 0x91, 0x06, 0x9C
# Sizes of attributes by their form; 0 for those with a size of their own.
SIZES = {
    **{form: 1 for form in (0x0B, 0x0C, 0x11, 0x25, 0x29)},
    **{form: 2 for form in (0x05, 0x12, 0x26, 0x2A)},
    **{form: 3 for form in (0x27, 0x2B)},
    **{form: 4 for form in (0x06, 0x0E, 0x10, 0x13, 0x17, 0x1C, 0x1D, 0x1F, 0x28, 0x2C)},
    **{form: 4 for form in (0x1F20, 0x1F21)},
    **{form: 8 for form in (0x01, 0x07, 0x14, 0x20)},
    0x1E: 16,
    0x19: 0,
}
NUMBERS, BLOCKS = (0x0D, 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23), {0x03: 2, 0x04: 4, 0x0A: 1}
REFERENCES, IMPLICIT, STRING = (0x11, 0x12, 0x13, 0x14, 0x15), 0x21, 0x08
STRINGS = {0x0E: ".debug_str", 0x1F: ".debug_line_str"}


class Bytes:
    """Bytes that are read one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, size):
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def leb(self, signed=False):
        found = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found - (1 << shift) if signed and byte & 64 else found

    def text(self):
        end = self.data.index(b"\0", self.at)
        return self.take(end + 1 - self.at)[:-1].decode("utf8", "replace")


class Entry:
    """An entry of the debug information: its tag, its attributes, and those inside it."""

    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.inside = tag, attributes, []

    def get(self, name):
        return self.attributes.get(name)


class Unit:
    """The entries of a unit by their offsets in it. `section` reads a part of a section by its name,
    offset and size.
    """

    def __init__(self, section, offset):
        self.section, self.entries = section, {}
        header = Bytes(section(".debug_info", offset, 16))
        size, version = header.number(4), header.number(2)
        if size + 4 > LONGEST or version not in (4, 5):
            return
        kind = header.number(1) if version == 5 else 1
        word = header.number(1) if version == 5 else None
        self.abbreviations = self._abbreviations(header.number(4))
        if kind == 1 and (word or header.number(1)) == 8:
            self._read(Bytes(section(".debug_info", offset, size + 4), header.at))

    def _abbreviations(self, offset):
        data, found = Bytes(self.section(".debug_abbrev", offset, LONGEST)), {}
        while data.at < len(data.data):
            code = data.leb()
            if code == 0:
                break
            tag, has_inside, pairs = data.leb(), data.number(1), []
            while True:
                name, form = data.leb(), data.leb()
                value = data.leb(True) if form == IMPLICIT else None
                if not (name or form):
                    break
                pairs.append((name, form, value))
            found[code] = tag, has_inside, pairs
        return found

    def _read(self, data):
        open_, end = [], len(data.data)
        while data.at < end:
            offset, code = data.at, data.leb()
            if code == 0:
                open_ = open_[:-1]
                continue
            tag, has_inside, pairs = self.abbreviations[code]
            attributes = {}
            for name, form, value in pairs:
                found = self._attribute(data, form) if value is None else value
                if name in WANTED:
                    attributes[name] = found
            entry = self.entries[offset] = Entry(tag, attributes)
            if open_:
                open_[-1].inside.append(entry)
            if has_inside:
                open_ = open_ + [entry]

    def _attribute(self, data, form):
        """A number, the bytes of an expression, a text, or where a text is."""
        if form in SIZES:
            found = data.number(SIZES[form])
            return (STRINGS[form], found) if form in STRINGS else found
        if form in BLOCKS:
            return data.take(data.number(BLOCKS[form]))
        if form in (0x09, 0x18):
            return data.take(data.leb())
        if form == STRING:
            return data.text()
        if form in NUMBERS:
            return data.leb(form == 0x0D)
        raise ValueError(form)

    def name(self, entry):
        found = entry.get(NAME)
        if not isinstance(found, tuple):
            return found
        part = self.section(found[0], found[1], 512)
        return part.partition(b"\0")[0].decode("utf8", "replace")

    def bounds(self, entry):
        """The lengths of an array type: numbers, expressions of the last index, or None; None: it is
        no array.
        """
        for _ in range(8):
            entry = self.entries.get(entry.get(TYPE))
            if entry is None or entry.tag not in WRAPPERS:
                break
        if entry is None or entry.tag != ARRAY:
            return None
        return [_length(one) for one in entry.inside if one.tag == BOUND]


def _length(bound):
    upper, count = bound.get(UPPER), bound.get(COUNT)
    return upper + 1 if isinstance(upper, int) else upper if upper is not None else count


_units = {}


def unit_of(frame):
    """The unit of the function of a frame; None: it is not known."""
    module = frame.GetModule()
    address = frame.GetPCAddress().GetFileAddress()
    section = _sections(module)
    of_module = module.GetUUIDString(), str(module.GetFileSpec())
    offset = _offset_in(section, of_module, address)
    if offset is None:
        return None
    key = *of_module, offset
    if key not in _units:
        try:
            _units[key] = Unit(section, offset)
        except (ValueError, IndexError, KeyError):
            _units[key] = None
    return _units[key]


# The ranges of addresses that are known, by the module: the first one, the one after the last, and
# the offset of the unit.
_ranges = {}


def _offset_in(section, module, address):
    """The offset of the unit that has an address of a module; None: none has it."""
    known = _ranges.setdefault(module, [])
    for low, high, unit in known:
        if low <= address < high:
            return unit
    found = _range(section(".debug_aranges", 0, LONGEST_TABLE), address)
    known.append(found or (address, address + 1, None))
    return known[-1][2]


def _sections(module):
    def section(name, offset, size):
        found, error = module.FindSection(name), lldb.SBError()
        if not found.IsValid():
            return b""
        data = found.GetSectionData(offset, size)
        return bytes(data.ReadRawData(error, 0, data.GetByteSize()) or b"") if data else b""

    return section


def _range(ranges, address):
    """The range that has an address, and the offset of its unit, by the table of ranges."""
    data = Bytes(ranges)
    while data.at + 12 <= len(ranges):
        start = data.at
        end = start + 4 + data.number(4)
        data.number(2)
        unit, word = data.number(4), data.number(1)
        data.at = start + 16
        pairs = memoryview(ranges)[data.at : data.at + (end - data.at) // 16 * 16]
        for low, size in struct.iter_unpack("<QQ", pairs) if word == 8 else ():
            if low <= address < low + size:
                return low, low + size, unit
        data.at = end
    return None


def of_union(frame, name, size, members):
    """The lengths of the arrays in a union by the names of the members."""
    unit = unit_of(frame)
    for entry in unit.entries.values() if unit else ():
        if entry.tag != UNION or entry.get(SIZE) != size:
            continue
        inside = {unit.name(one): one for one in entry.inside if one.tag == MEMBER}
        # A union that only a typedef names has no name of its own.
        if list(inside) == members and unit.name(entry) in (None, name):
            found = {one: unit.bounds(entry) for one, entry in inside.items()}
            return {
                one: lengths[0]
                for one, lengths in found.items()
                if lengths and isinstance(lengths[0], int)
            }
    return {}


def of_variables(frame):
    """The lengths of the variable length arrays of a function by the names of the variables:
    numbers, and for those that cannot be computed None.
    """
    unit, address = unit_of(frame), frame.GetPCAddress().GetFileAddress()
    for entry in unit.entries.values() if unit else ():
        low, size = entry.get(LOW), entry.get(HIGH)
        if entry.tag == FUNCTION and low is not None and low <= address < low + (size or 0):
            return _variable_lengths(frame, unit, entry)
    return {}


def _variable_lengths(frame, unit, function):
    found, cfa = {}, frame.GetCFA() if function.get(BASE) == bytes([CFA]) else None

    def read(address):
        error = lldb.SBError()
        word = frame.GetThread().GetProcess().ReadUnsignedFromMemory(address, 8, error)
        return None if error.Fail() else word

    for entry in _below(function):
        lengths = unit.bounds(entry) if entry.tag == VARIABLE else None
        if any(isinstance(one, bytes) for one in lengths or ()):
            found[unit.name(entry)] = [
                length(one, cfa, read) if isinstance(one, bytes) else one for one in lengths
            ]
    return found


def _below(entry):
    """What is inside an entry, but for functions inside it."""
    for one in entry.inside:
        yield one
        if one.tag != FUNCTION:
            yield from _below(one)


def length(expression, cfa, read):
    """The length of an array by the expression of its last index, which a word of the frame has."""
    data = Bytes(expression)
    if cfa is None or data.number(1) != IN_FRAME:
        return None
    place = cfa + data.leb(True)
    if expression[data.at :] != bytes([WORD_AT]):
        return None
    last = read(place)
    count = None if last is None else (last + 1) & (1 << 64) - 1
    return count if count is not None and count < 1 << 31 else None
