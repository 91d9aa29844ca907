"""Memory read as an array: `*p@5`, `(int[5])*p` and `*(int(*)[5])p`.

Knows types and addresses; does not know how an expression is written.
"""

import re

import lldb

from operands import Number, Unable, called, checked, here, number_of, typed, value_of

# Elements of one array.
MOST = 100_000
# The type of the elements, the pointer, the lengths.
ARRAY = re.compile(r"^(.*?)\s*(\(\s*\*\s*\))?\s*((?:\[\d+\])+)$")


def array(first, count):
    """`count` elements, of which the operand is the first."""
    value, length = value_of(first), number_of(count).value
    if not isinstance(length, int) or not 0 < length <= MOST:
        raise Unable("the number of elements is %s, not from 1 to %d" % (length, MOST))
    return _at(_address(value), value.GetType().GetArrayType(length))


def cast(operand, found, type):
    """The operand as the array that a match of ARRAY names, of elements of the type."""
    for length in reversed(re.findall(r"\d+", found[3])):
        type = type.GetArrayType(int(length))
    if found[2]:
        address = number_of(operand, pointers=True).value
        return typed(Number(address, "pointer", 8, False, type.GetPointerType()))
    return _at(_address(value_of(operand)), type)


def _address(value):
    address = value.GetLoadAddress()
    if address in (0, lldb.LLDB_INVALID_ADDRESS):
        raise Unable("`%s` is not in memory" % called(value))
    return address


def _at(address, type):
    place = lldb.SBAddress(address, here.target)
    return checked(here.target.CreateValueFromAddress("array", place, type))
