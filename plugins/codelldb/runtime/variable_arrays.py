"""Variable length arrays of C and C++, whose number of elements LLDB 20 takes from the size of an
expression, or from where the last index is described, in the debug information of gcc.

Knows which variables they are, and makes values with all elements; array_lengths.py computes how
many.
"""

import re

import lldb

import array_lengths
import pieces

PLACES = (lldb.eValueTypeVariableLocal, lldb.eValueTypeVariableArgument)
# What LLDB prints of the location of such a variable, which is not at a fixed place of the frame;
# in optimised code its address is in a register.
MOVABLE = re.compile("DW_OP_(deref|breg)")
# The types with a provider; the lengths in a frame, by the stop and the frame.
_types, _lengths = set(), {}


def lengths_in(frame):
    """The lengths and addresses of the arrays of a frame by their names
    (`array_lengths.of_variables`).
    """
    key = frame.GetThread().GetProcess().GetStopID(True), frame.GetCFA(), frame.GetPC()
    if key not in _lengths:
        _lengths.clear()
        _lengths[key] = array_lengths.of_variables(frame)
    return _lengths[key]


def lengths_of(value):
    """The lengths of a variable that is such an array; None: it is none."""
    found = described(value)
    return found[0] if found else None


def described(value):
    """The lengths and the address of such an array, by gcc's description; None: it is none."""
    frame = value.GetFrame()
    is_array = value.GetType().GetCanonicalType().IsArrayType()
    if not is_array or value.GetValueType() not in PLACES or not frame.IsValid():
        return None
    name = value.GetName() or ""
    # LLDB finds no place of some that gcc describes.
    location = pieces.locations_of(frame).get(name)
    if location and not MOVABLE.search(location):
        return None
    return lengths_in(frame).get(name)


def resized(value):
    """The array with all of its elements, without a length if the number of its elements is not
    known; other values as they are. None: not even the size of an element is known.
    """
    found = described(value)
    if found is None:
        return value
    lengths, address = found
    type = value.GetType()
    for _ in lengths:
        type = type.GetArrayElementType()
    if None in lengths[1:] or not type.IsValid():
        return None
    for length in reversed(lengths):
        type = type.GetArrayType(length or 0)
    # LLDB has no address of an array that it takes for longer than the memory behind it.
    load = value.GetLoadAddress()
    address = address if load == lldb.LLDB_INVALID_ADDRESS else load
    return None if address is None else value.CreateValueFromAddress(value.GetName(), address, type)


class Elements:
    """The elements of an array, of a variable length array all."""

    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        self.plain = self.value.GetNonSyntheticValue()
        found = resized(self.plain)
        self.array = found.GetNonSyntheticValue() if found is not None else None
        return False

    def num_children(self):
        return 0 if self.array is None else self.array.GetNumChildren()

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        return None if self.array is None else self.array.GetChildAtIndex(index)

    def get_child_index(self, name):
        digits = name.strip("[]")
        return int(digits) if digits.isdigit() else -1


def report(frame):
    """The dimensions of the frame's arrays as their types have them, `[3][2]`, by their names; lets
    LLDB list their elements.
    """
    found = {}
    for one in frame.GetVariables(True, True, False, True):
        lengths = lengths_of(one)
        if lengths is None:
            continue
        found[one.GetName()] = "".join("[%s]" % ("" if n is None else n) for n in lengths)
        name = one.GetTypeName()
        if name not in _types:
            _types.add(name)
            frame.GetThread().GetProcess().GetTarget().GetDebugger().HandleCommand(
                "type synthetic add -w default -l variable_arrays.Elements -x '^%s$'"
                % re.escape(name)
            )
    return found
