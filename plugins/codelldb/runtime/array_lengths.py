"""Lengths of arrays that LLDB 20 misreads in the debug information of gcc: members of unions, which
get no elements, and variable length arrays, whose bound is an expression or, in optimised code, a
variable without a name.

Reads DWARF (versions 4 and 5) of the compile unit of a frame, if that is not too long; knows neither
values nor how they are displayed.
"""

import struct

import lldb

import locations
from locations import Bytes

# Bytes of a unit that are read, once and in 0.3 s, and of the table of address ranges, in 0.1 s.
LONGEST, LONGEST_TABLE = 1 << 19, 1 << 24
# Callers that pass a number on.
CALLERS = 8
UNION, MEMBER, ARRAY, BOUND, VARIABLE, FUNCTION = 0x17, 0x0D, 0x01, 0x21, 0x34, 0x2E
PARAMETER, CALL = 0x05, 0x48
# A typedef, `const`, `volatile`.
WRAPPERS = (0x16, 0x26, 0x35)
LOCATION, NAME, SIZE, LOW, HIGH, VALUE, UPPER = 0x02, 0x03, 0x0B, 0x11, 0x12, 0x1C, 0x2F
ORIGIN, COUNT, BASE, TYPE, RETURN, PASSED = 0x31, 0x37, 0x40, 0x49, 0x7D, 0x7E
WANTED = (LOCATION, NAME, SIZE, LOW, HIGH, VALUE, UPPER, ORIGIN, COUNT, BASE, TYPE, RETURN, PASSED)
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
# A number of a list of locations, whose place a table has.
NUMBERED_LIST = 0x22


class Reference(int):
    """The offset of an entry in its unit."""


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
        size, self.version = header.number(4), header.number(2)
        version = self.version
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
                if name in WANTED and not (name == LOCATION and form == NUMBERED_LIST):
                    attributes[name] = Reference(found) if form in REFERENCES else found
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
        """The name of an entry, or of the one that it is a copy of."""
        origin = self.entries.get(entry.get(ORIGIN))
        found = entry.get(NAME) if origin is None else origin.get(NAME)
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
    is_number = isinstance(upper, int) and not isinstance(upper, Reference)
    return upper + 1 if is_number else upper if upper is not None else count


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
    """The lengths of the variable length arrays of a function and their addresses, by the names of
    the variables: numbers, and for those that cannot be computed None.
    """
    unit, address = unit_of(frame), frame.GetPCAddress().GetFileAddress()
    function = _function(unit, address)
    return _variable_lengths(frame, unit, function) if function else {}


def _function(unit, address):
    """The function that has an address."""
    for entry in unit.entries.values() if unit else ():
        low, size = entry.get(LOW), entry.get(HIGH)
        if entry.tag == FUNCTION and low is not None and low <= address < low + (size or 0):
            return entry
    return None


def _variable_lengths(frame, unit, function):
    found, place = {}, _place(frame, unit, function)
    for entry in _below(function):
        lengths = unit.bounds(entry) if entry.tag in (VARIABLE, PARAMETER) else None
        if any(isinstance(one, (bytes, Reference)) for one in lengths or ()):
            name, lengths = unit.name(entry), [length(one, unit, place) for one in lengths]
            address = locations.computed(_location(entry, unit, place), place)
            # Of the copies of an inlined function the others are not known here.
            if None not in lengths or name not in found:
                found[name] = lengths, None if address is None else address & locations.MASK
    return found


class _Place(locations.Place):
    """The place of a frame, with the list of locations that counts from an address."""

    def __init__(self, *known, base, address):
        super().__init__(*known)
        self.base, self.address = base, address


def _place(frame, unit, function, callers=CALLERS):
    cfa = frame.GetCFA() if function.get(BASE) == bytes([locations.CFA]) else None
    process = frame.GetThread().GetProcess()
    is_known_machine = process.GetTarget().GetTriple().startswith("x86_64")

    def read(address, size):
        error = lldb.SBError()
        word = process.ReadUnsignedFromMemory(address, size, error)
        return None if error.Fail() else word

    def register(number):
        if not is_known_machine or number >= len(locations.REGISTERS):
            return None
        found = frame.FindRegister(locations.REGISTERS[number])
        return found.GetValueAsUnsigned() if found and not found.GetError().Fail() else None

    def at_entry(expression):
        return _passed(frame, expression, callers) if callers else None

    first = next(iter(unit.entries.values()))
    address = frame.GetPCAddress().GetFileAddress() - _is_caller(frame)
    return _Place(register, cfa, read, at_entry, base=first.get(LOW) or 0, address=address)


def _is_caller(frame):
    """Is the frame's place a return address, which may belong to the next statement?"""
    thread = frame.GetThread()
    return any(not thread.GetFrameAtIndex(at).IsInlined() for at in range(frame.GetFrameID()))


def _passed(frame, expression, callers):
    """The number that the caller has put where the expression says, by the entry of the call: the
    callee may have written something else there since. The caller may itself have got it; so many
    callers are read.
    """
    thread, at = frame.GetThread(), frame.GetFrameID()
    while thread.GetFrameAtIndex(at).IsInlined():
        at += 1
    caller = thread.GetFrameAtIndex(at + 1)
    unit = unit_of(caller) if caller.IsValid() else None
    address = caller.GetPCAddress().GetFileAddress()
    function = _function(unit, address - 1)
    for entry in _below(function) if function else ():
        if entry.tag == CALL and entry.get(RETURN) == address:
            values = [one.get(PASSED) for one in entry.inside if one.get(LOCATION) == expression]
            place = _place(caller, unit, function, callers - 1)
            return locations.computed(values[0], place) if values and values[0] else None
    return None


def _location(entry, unit, place):
    """The expression of an entry's location at the place; empty: it has none."""
    found = entry.get(LOCATION)
    if isinstance(found, int):
        lists = unit.section(locations.LISTS[unit.version], found, locations.LONGEST)
        found = locations.holding(lists, unit.version, place.base, place.address)
    return found or b""


def _below(entry):
    """What is inside an entry, but for functions inside it."""
    for one in entry.inside:
        yield one
        if one.tag != FUNCTION:
            yield from _below(one)


def length(bound, unit, place):
    """The length of an array: a number, or computed from its last index, which an expression or a
    variable without a name has; None: it is not known.
    """
    if isinstance(bound, Reference):
        entry = unit.entries.get(bound)
        last = None if entry is None else _constant(entry)
        if entry is not None and last is None:
            last = locations.value(_location(entry, unit, place), place)
    elif isinstance(bound, bytes):
        last = locations.computed(bound, place)
    else:
        return bound
    count = None if last is None else last + 1
    return count if count is not None and 0 <= count < 1 << 31 else None


def _constant(entry):
    found = entry.get(VALUE)
    return found if isinstance(found, int) else None
