"""Assigns a value to a variable, field, element or register.

Numbers, booleans, characters, pointers, C strings in arrays, and enums without fields can be set,
if the value fits the type exactly. Types that own memory or have fields are rejected: bytes copied
over them would be freed twice or never.
"""

import math

import codelldb
import lldb

import enums
import node_containers
import strings
from arithmetic import wrapped
from operands import (
    BASIC,
    Missing,
    Number,
    Text,
    Unable,
    bits,
    bits_of,
    here,
    is_rust,
    number_of,
    raw,
    read,
    rounded,
    checked,
    type_name,
)

# LLDB's location of a value that is neither in memory nor in a register.
COMPUTED = "scalar"
# Values that need no address.
IN_REGISTERS = (
    lldb.eValueTypeRegister,
    lldb.eValueTypeVariableLocal,
    lldb.eValueTypeVariableArgument,
)


def assign(target, value, expression):
    """Returns the new value of the target; `expression` is its text in the request."""
    node_containers.forget()
    if isinstance(target, Missing):
        raise target.error()
    if not isinstance(target, lldb.SBValue):
        raise Unable("only a variable, a field or an element can be set")
    # Of a pointer to a class with virtual functions, LLDB computes the value with the object's type.
    target = target.GetStaticValue() if target.IsDynamic() else target
    while target.GetType().GetCanonicalType().IsReferenceType():
        target = checked(target.Dereference())
    place = Place(target, expression)
    data = _fit(place, value)
    if target.GetID() in here.bit_fields:
        _write_bits(place, data, *here.bit_fields[target.GetID()])
    elif bits_of(target) is not None:
        raise place.error(
            "is a bit field whose offset LLDB does not report; a call can set it: effects=allow"
        )
    else:
        _write(place, data)
    return target


class Place:
    """The target of an assignment: its value, and its text in the request."""

    def __init__(self, target, expression):
        self.value, self.expression, self.type = (
            target,
            expression,
            target.GetType().GetCanonicalType(),
        )
        kind, signed = BASIC.get(self.type.GetBasicType(), (None, False))
        self.number_type = Number(0, kind, self.type.GetByteSize(), signed) if kind else None

    def error(self, words):
        return Unable("`%s` %s" % (self.expression, words))

    def type_name(self):
        rust = is_rust() and self.number_type is not None and self.number_type.kind == "int"
        return (
            self.number_type.type_text()
            if rust
            else "char"
            if is_rust() and self._is_char()
            else type_name(self.value)
        )

    def parts(self):
        """What can be set instead."""
        name = self.type.GetName() or ""
        if is_rust():
            return "a field, an element, or what it points to"
        if name.startswith("std::optional<"):
            return "the value inside, `*%s`" % self.expression
        if name.startswith("std::") and not name.startswith(strings.CPP):
            return "a field or an element"
        return "a field or an element, or let the program assign it: debug_evaluate effects=allow"

    def _is_char(self):
        return self.number_type is not None and self.number_type.kind == "char"


def _fit(place, value):
    """The bytes to write."""
    if enums.is_plain(place.type):
        return _named(place, value)
    if place.type.IsPointerType():
        return _pointer(place, value)
    if place.type.IsArrayType() and isinstance(value, Text):
        return _letters(place, value)
    if place.number_type is None:
        raise place.error(
            "is %s, which cannot be set as a whole: set %s"
            % (
                place.type_name(),
                place.parts(),
            )
        )
    if isinstance(value, Missing):
        raise value.error()
    if isinstance(value, Text):
        raise place.error("is %s, not a string" % place.type_name())
    return _scalar(place, number_of(value))


def _scalar(place, value):
    number_type, kind = place.number_type, place.number_type.kind
    if kind == "float" and value.kind in ("int", "float"):
        if math.isinf(rounded(value.value, number_type.size)) and not math.isinf(value.value):
            raise place.error("is %s, which %r does not fit" % (place.type_name(), value.value))
        return raw(Number(value.value, "float", number_type.size))
    if kind == "bool" and (value.kind == "bool" or not is_rust()):
        return raw(Number(int(bool(value.value)), "int", number_type.size, False))
    if value.kind == "float" and kind == "int":
        raise place.error("is %s, and %r is not an integer" % (place.type_name(), value.value))
    chars = (kind == "char", value.kind == "char")
    if (
        kind == "float"
        or value.kind in ("pointer", "float")
        or (is_rust() and (chars[0] != chars[1] or "bool" in (kind, value.kind)))
    ):
        raise place.error("is %s; the value has another type" % place.type_name())
    return raw(Number(_in_range(place, value), "int", number_type.size, number_type.signed))


def _in_range(place, value):
    """The number wrapped to the target's type. In C, -1 is the largest unsigned number, 200 fits a
    `char`, and 0x80004005, which is unsigned, fits an int.
    """
    number, number_type, bits_of_it = (
        int(value.value),
        place.number_type,
        8 * place.number_type.size,
    )
    if value.size == number_type.size and not is_rust():
        return wrapped(number, number_type)
    low = -(1 << bits_of_it - 1) if number_type.signed or not is_rust() else 0
    high = (
        (1 << bits_of_it) - 1
        if not number_type.signed or (not is_rust() and number_type.size == 1)
        else (1 << bits_of_it - 1) - 1
    )
    if not low <= number <= high:
        raise place.error("is %s, which %d does not fit" % (place.type_name(), number))
    return wrapped(number, number_type)


def _named(place, value):
    """An enumerator by its name, or a value of the same type; in C also a number."""
    values, size = enums.enumerators(place.type), place.type.GetByteSize()
    mask = (1 << 8 * size) - 1
    if isinstance(value, Missing):
        wanted = value.name.rpartition("::")[2]
        if wanted not in values:
            raise enums.unknown(place.type_name(), wanted, list(values))
        return (values[wanted] & mask).to_bytes(size, "little")
    if isinstance(value, lldb.SBValue) and value.GetType().GetCanonicalType() == place.type:
        return bits(value, False, size).to_bytes(size, "little")
    number = read(value)
    if number is None or is_rust() or number.kind not in ("int", "char"):
        raise place.error("is %s: %s" % (place.type_name(), ", ".join(list(values)[:12])))
    return (number.value & mask).to_bytes(size, "little")


def _pointer(place, value):
    if isinstance(value, Missing):
        raise value.error()
    number = read(value)
    null = number is not None and number.kind == "int" and number.size is None and number.value == 0
    same = isinstance(value, lldb.SBValue) and _same_pointee(place.type, value)
    computed = isinstance(value, Number) and value.kind == "pointer"
    if number is None or not ((null and not is_rust()) or same or computed):
        others = "" if is_rust() else ", `&variable` or 0"
        raise place.error(
            "is a pointer: assign another pointer of its type%s, or set `*%s`"
            % (others, place.expression)
        )
    return int(number.value).to_bytes(place.type.GetByteSize(), "little")


def _same_pointee(type, value):
    """Is the value a pointer to the same type or to void, or an array of that type?"""
    other = value.GetType().GetCanonicalType()
    if other.IsArrayType():
        return (
            other.GetArrayElementType().GetCanonicalType()
            == type.GetPointeeType().GetCanonicalType()
        )
    if not other.IsPointerType():
        return False
    ends = [one.GetPointeeType().GetCanonicalType().GetUnqualifiedType() for one in (type, other)]
    return ends[0] == ends[1] or (
        not is_rust() and any(one.GetBasicType() == lldb.eBasicTypeVoid for one in ends)
    )


def _letters(place, value):
    if place.type.GetArrayElementType().GetBasicType() not in strings.CHARACTER_TYPES:
        raise place.error("is %s, not a string" % place.type_name())
    text, size = value.text.encode() + b"\0", place.type.GetByteSize()
    if len(text) > size:
        raise place.error(
            "holds %d bytes, the string with its terminator has %d" % (size, len(text))
        )
    return text.ljust(size, b"\0")


def _write(place, data):
    error, at, location = lldb.SBError(), place.value.GetLoadAddress(), place.value.GetLocation()
    # LLDB takes the value of a variable in a register for its address.
    in_memory = at != lldb.LLDB_INVALID_ADDRESS and (location or "").startswith("0x")
    if in_memory:
        here.process.WriteMemory(at, data, error)
    elif place.value.GetValueType() not in IN_REGISTERS:
        # Formatters make copies.
        raise place.error("has no address, as far as LLDB reports, and cannot be set")
    elif location == COMPUTED:
        raise place.error("is computed from other values in optimised code, and cannot be set")
    else:
        data_ = lldb.SBData()
        data_.SetDataWithOwnership(error, data, lldb.eByteOrderLittle, 8)
        place.value.SetData(data_, error)
    if error.Fail():
        raise place.error("cannot be set: %s" % error.GetCString())
    if not in_memory and place.value.GetValueType() != lldb.eValueTypeRegister:
        words = "`%s` was set in register %s only; optimised code may still use a copy of the"
        words += " earlier value"
        codelldb.debugger_message(words % (place.expression, location), "important")


def _write_bits(place, data, address, first, count):
    """Writes a bit field, which shares its bytes with others."""
    error, signed = lldb.SBError(), place.number_type is not None and place.number_type.signed
    number = int.from_bytes(data, "little", signed=signed)
    low, high = (-(1 << count - 1), (1 << count - 1) - 1) if signed else (0, (1 << count) - 1)
    if not low <= number <= high:
        raise place.error("has %d bits, which %d does not fit" % (count, number))
    start, end = first // 8, (first + count + 7) // 8
    data_ = here.process.ReadMemory(address + start, end - start, error)
    if error.Fail():
        raise place.error("cannot be read: %s" % error.GetCString())
    mask, shift = (1 << count) - 1, first - 8 * start
    there = int.from_bytes(data_, "little") & ~(mask << shift) | (number & mask) << shift
    here.process.WriteMemory(address + start, there.to_bytes(end - start, "little"), error)
    if error.Fail():
        raise place.error("cannot be set: %s" % error.GetCString())
