"""Parts of variables that have no place in optimised code: pieces of a location that is empty. LLDB
fills them with zeros (DWARFExpression::Evaluate, `DW_OP_piece`).

Knows locations, which LLDB only prints; does not know how a part is displayed.
"""

import re

import lldb

VARIABLE = re.compile(r'^ *Variable: id = .*?, name = "(.*?)", .*, location = (.*), decl = ', re.M)
PIECE = re.compile(r"DW_OP_piece (0x[0-9a-fA-F]+|\d+)$")
PLACES = (lldb.eValueTypeVariableLocal, lldb.eValueTypeVariableArgument)
STRUCTURES = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion

# The function that makes texts of members.
MEMBERS = "aggregates."

# What is printed for the variables of a frame, by its place, at one stop.
_stop, _locations = None, {}


class Lost:
    """The bytes of a variable without a place."""

    def __init__(self, value):
        self.value, self.ranges = value, _ranges(value)

    def __bool__(self):
        return bool(self.ranges)

    def is_whole(self):
        """Is there no member that could be displayed alone?"""
        names = self.names()
        return not names or len(names) == len(self._parts()) or not self._shows_members()

    def _shows_members(self):
        """Does its text consist of those of its members?"""
        summary = self.value.GetTypeSummary()
        return not summary.IsValid() or MEMBERS in (summary.GetData() or "")

    def names(self):
        """The names of the members or elements that have no place, as a whole or in part."""
        return [
            name
            for name, first, size in self._parts()
            if any(first < end and start < first + size for start, end in self.ranges)
        ]

    def _parts(self):
        kind = self.value.GetType().GetCanonicalType()
        if kind.IsArrayType():
            size = kind.GetArrayElementType().GetByteSize()
            count = kind.GetByteSize() // size if size else 0
            return [("[%d]" % at, at * size, size) for at in range(min(count, 4096))]
        if kind.GetTypeClass() & STRUCTURES:
            return list(_fields(kind, 0))
        return []


def _fields(kind, start, depth=0):
    """The members with those of base classes and of anonymous members: name, offset, size."""
    bases = range(kind.GetNumberOfDirectBaseClasses()) if depth < 4 else ()
    for base in map(kind.GetDirectBaseClassAtIndex, bases):
        yield from _fields(base.GetType(), start + base.GetOffsetInBytes(), depth + 1)
    for field in map(kind.GetFieldAtIndex, range(kind.GetNumberOfFields())):
        first, type = start + field.GetOffsetInBytes(), field.GetType().GetCanonicalType()
        if not field.GetName() and depth < 4:
            yield from _fields(type, first, depth + 1)
        else:
            yield field.GetName() or "", first, type.GetByteSize()


def _ranges(value):
    """Where the variable has no place, in bytes from its beginning; empty for other values."""
    is_variable = value.GetValueType() in PLACES
    if not is_variable or value.GetLoadAddress() != lldb.LLDB_INVALID_ADDRESS:
        return []
    frame, name, plain = value.GetFrame(), value.GetName(), value.GetNonSyntheticValue()
    if not frame.IsValid() or not name:
        return []
    # A member has the kind of the variable.
    if frame.FindVariable(name).GetNonSyntheticValue().GetID() != plain.GetID():
        return []
    return empty_pieces(locations_of(frame).get(name, ""), plain.GetByteSize())


def empty_pieces(location, size):
    """The ranges of the pieces without a place of a location as LLDB prints it."""
    found, at, has_place, has_pieces = [], 0, False, False
    for operation in location.rpartition(" -> ")[2].split(", "):
        piece = PIECE.search(operation)
        if piece is None:
            has_place = has_place or bool(operation.strip())
            continue
        end, has_pieces = at + int(piece[1], 0), True
        if not has_place:
            found.append((at, end))
        at, has_place = end, False
    if has_pieces and at < size:
        found.append((at, size))
    return found


def locations_of(frame):
    """The locations of the variables of a frame by their names; the innermost come first."""
    global _stop, _locations
    thread = frame.GetThread()
    process = thread.GetProcess()
    stop = process.GetStopID()
    if stop != _stop:
        _stop, _locations = stop, {}
    # The return address of a call may be of the next statement. The caller of an inlined function
    # has the address of that function.
    younger = (thread.GetFrameAtIndex(at) for at in range(frame.GetFrameID()))
    is_return_address = any(not one.IsInlined() for one in younger)
    place = frame.GetPC() - (1 if is_return_address else 0)
    if place not in _locations:
        result = lldb.SBCommandReturnObject()
        interpreter = process.GetTarget().GetDebugger().GetCommandInterpreter()
        interpreter.HandleCommand("image lookup -v -a %d" % place, result)
        found = _locations[place] = {}
        for name, location in VARIABLE.findall(result.GetOutput() or ""):
            found.setdefault(name, location)
    return _locations[place]
