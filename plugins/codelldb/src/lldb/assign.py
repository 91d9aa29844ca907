"""Giving a variable, field, element or register another value.

Numbers, truths, characters, pointers, C's texts in arrays and enums without fields are set,
where the value fits the type exactly. What owns memory or has parts is refused in words:
bytes copied over it would be freed twice or never.
"""

import math

import lldb

import enums
import texts
from arithmetic import wrapped
from operands import (
    BASIC, Missing, Number, Text, Unable, bits, bits_of, here, is_rust, number_of, raw, read, rounded, sound,
    type_name,
)

# Values that need no address.
IN_REGISTERS = (lldb.eValueTypeRegister, lldb.eValueTypeVariableLocal, lldb.eValueTypeVariableArgument)


def assign(target, value, said):
    """Returns what the target, which the caller called `said`, is then."""
    if isinstance(target, Missing):
        raise target.error()
    if not isinstance(target, lldb.SBValue):
        raise Unable("only a variable, a field or an element is set")
    while target.GetType().GetCanonicalType().IsReferenceType():
        target = sound(target.Dereference())
    place = Place(target, said)
    data = _fit(place, value)
    if target.GetID() in here.bit_fields:
        _write_bits(place, data, *here.bit_fields[target.GetID()])
    elif bits_of(target) is not None:
        raise place.error("is a bit field, and where it lies LLDB does not tell; a call can set it: effects=allow")
    else:
        _write(place, data)
    return target


class Place:
    """What is set: its value, and how the caller calls it."""

    def __init__(self, target, said):
        self.value, self.said, self.type = target, said, target.GetType().GetCanonicalType()
        kind, signed = BASIC.get(self.type.GetBasicType(), (None, False))
        self.like = Number(0, kind, self.type.GetByteSize(), signed) if kind else None

    def error(self, words):
        return Unable("`%s` %s" % (self.said, words))

    def type_name(self):
        rust = is_rust() and self.like is not None and self.like.kind == "int"
        return self.like.said() if rust else "char" if is_rust() and self._is_char() else type_name(self.value)

    def _is_char(self):
        return self.like is not None and self.like.kind == "char"


def _fit(place, value):
    """The bytes that it is to have."""
    if enums.is_plain(place.type):
        return _named(place, value)
    if place.type.IsPointerType():
        return _pointer(place, value)
    if place.type.IsArrayType() and isinstance(value, Text):
        return _letters(place, value)
    if place.like is None:
        raise place.error("is %s, which is not set as a whole: set %s" % (place.type_name(), (
            "a field, an element, or what it points to" if is_rust()
            else "a field or an element, or have the program assign it: debug_evaluate effects=allow"
        )))
    if isinstance(value, Missing):
        raise value.error()
    if isinstance(value, Text):
        raise place.error("is %s, no text" % place.type_name())
    return _scalar(place, number_of(value))


def _scalar(place, value):
    like, kind = place.like, place.like.kind
    if kind == "float" and value.kind in ("int", "float"):
        if math.isinf(rounded(value.value, like.size)) and not math.isinf(value.value):
            raise place.error("is %s, which %r does not fit" % (place.type_name(), value.value))
        return raw(Number(value.value, "float", like.size))
    if kind == "bool" and (value.kind == "bool" or not is_rust()):
        return raw(Number(int(bool(value.value)), "int", like.size, False))
    if value.kind == "float" and kind == "int":
        raise place.error("is %s, and %r is no whole number" % (place.type_name(), value.value))
    chars = (kind == "char", value.kind == "char")
    if kind == "float" or value.kind in ("pointer", "float") or (is_rust() and (chars[0] != chars[1] or "bool" in (kind, value.kind))):
        raise place.error("is %s, which that is not" % place.type_name())
    return raw(Number(_within(place, value), "int", like.size, like.signed))


def _within(place, value):
    """In C -1 is the largest unsigned number, 200 is a `char`, and 0x80004005, which is unsigned, fits an int."""
    number, like, bits_of_it = int(value.value), place.like, 8 * place.like.size
    if value.size == like.size and not is_rust():
        return wrapped(number, like)
    low = -(1 << bits_of_it - 1) if like.signed or not is_rust() else 0
    high = (1 << bits_of_it) - 1 if not like.signed or (not is_rust() and like.size == 1) else (1 << bits_of_it - 1) - 1
    if not low <= number <= high:
        raise place.error("is %s, which %d does not fit" % (place.type_name(), number))
    return wrapped(number, like)


def _named(place, value):
    """An enumerator by its name, or a value of the same type; in C by its number."""
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
    alike = isinstance(value, lldb.SBValue) and _points_alike(place.type, value)
    computed = isinstance(value, Number) and value.kind == "pointer"
    if number is None or not ((null and not is_rust()) or alike or computed):
        others = "" if is_rust() else ", `&variable` or 0"
        raise place.error("is a pointer, and `*%s` what it points to; it takes another pointer of its type%s" % (place.said, others))
    return int(number.value).to_bytes(place.type.GetByteSize(), "little")


def _points_alike(type, value):
    """At the same type, at void, or an array of what it points to."""
    other = value.GetType().GetCanonicalType()
    if other.IsArrayType():
        return other.GetArrayElementType().GetCanonicalType() == type.GetPointeeType().GetCanonicalType()
    if not other.IsPointerType():
        return False
    ends = [one.GetPointeeType().GetCanonicalType().GetUnqualifiedType() for one in (type, other)]
    return ends[0] == ends[1] or (not is_rust() and any(one.GetBasicType() == lldb.eBasicTypeVoid for one in ends))


def _letters(place, value):
    if place.type.GetArrayElementType().GetBasicType() not in texts.LETTERS:
        raise place.error("is %s, no text" % place.type_name())
    text, size = value.text.encode() + b"\0", place.type.GetByteSize()
    if len(text) > size:
        raise place.error("holds %d bytes, the text with its end has %d" % (size, len(text)))
    return text.ljust(size, b"\0")


def _write(place, data):
    error, at = lldb.SBError(), place.value.GetLoadAddress()
    if at != lldb.LLDB_INVALID_ADDRESS:
        here.process.WriteMemory(at, data, error)
    elif place.value.GetValueType() not in IN_REGISTERS:
        # Formatters make copies.
        raise place.error("is not where it can be set, as far as LLDB tells")
    else:
        held = lldb.SBData()
        held.SetDataWithOwnership(error, data, lldb.eByteOrderLittle, 8)
        place.value.SetData(held, error)
    if error.Fail():
        raise place.error("cannot be set: %s" % error.GetCString())


def _write_bits(place, data, address, first, count):
    """Those of a bit field, which others share their bytes with."""
    error, signed = lldb.SBError(), place.like is not None and place.like.signed
    number = int.from_bytes(data, "little", signed=signed)
    low, high = (-(1 << count - 1), (1 << count - 1) - 1) if signed else (0, (1 << count) - 1)
    if not low <= number <= high:
        raise place.error("has %d bits, which %d does not fit" % (count, number))
    start, end = first // 8, (first + count + 7) // 8
    held = here.process.ReadMemory(address + start, end - start, error)
    if error.Fail():
        raise place.error("cannot be read: %s" % error.GetCString())
    mask, shift = (1 << count) - 1, first - 8 * start
    there = int.from_bytes(held, "little") & ~(mask << shift) | (number & mask) << shift
    here.process.WriteMemory(address + start, there.to_bytes(end - start, "little"), error)
    if error.Fail():
        raise place.error("cannot be set: %s" % error.GetCString())
