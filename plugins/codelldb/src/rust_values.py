"""Corrects rustc's LLDB formatters where LLDB and they disagree.

LLDB names the variants of an enum `$variant$N`, N being the discriminant cut to
32 bits (TypeSystemClang, seen in LLDB 19 to 22); rustc's providers compare N with
all 64 bits. Every enum whose discriminant hides in the capacity of a String or Vec
(`Option<String>::None` is 1 << 63) then reads as its data variant, with a length
that is somebody's pointer: the summary never ends and the adapter grows to 22 GB.
So variants are compared as LLDB names them, and no summary trusts a length.
"""

import itertools
import sys

MAX_FIELDS = 16
MAX_TEXT = 4096
HIGH_BIT = 1 << 63
# The capacity of String and Vec, whose values from 1 << 63 on are free for variants.
CAPACITY_TYPES = ("UsizeNoHighBit", "raw_vec::Cap")

_hides_in_capacity = {}


def _capacity_at(ty, offset, depth=0):
    """Is there a capacity at `offset` bytes into `ty`, in whatever field or variant?"""
    if any(name in (ty.GetName() or "") for name in CAPACITY_TYPES):
        return True
    if depth > 16:
        return False
    for index in range(ty.GetNumberOfFields()):
        field = ty.GetFieldAtIndex(index)
        inner = offset - field.GetOffsetInBytes()
        if 0 <= inner < field.GetType().GetByteSize() and _capacity_at(field.GetType(), inner, depth + 1):
            return True
    return False


def _is_capacity(enum, discriminant, data):
    """Does the discriminant share its place with a capacity in the variant `data`?"""
    name = enum.GetTypeName()
    if name not in _hides_in_capacity:
        value = data.GetChildMemberWithName("value").GetNonSyntheticValue()
        offset = discriminant.GetLoadAddress() - value.GetLoadAddress()
        _hides_in_capacity[name] = _capacity_at(value.GetType(), offset)
    return _hides_in_capacity[name]


def _is_variant(discriminant, number, data, capacity):
    found, size = discriminant.GetValueAsUnsigned(), discriminant.GetByteSize()
    cut = (1 << 8 * min(size, 4)) - 1
    if capacity:
        return found >= HIGH_BIT and (found & cut) == number
    if size == 8 and data is not None:
        return found == number  # the rest is data: a pointer, a character
    return (found & cut) == (number & cut)


def current_variant(provider, variants):
    data, named = None, []
    for index in range(variants.GetNumChildren()):
        variant = variants.GetChildAtIndex(index)
        discriminant = variant.GetChildMemberWithName("$discr$")
        if discriminant.IsValid():
            named.append((index, variant.GetName(), discriminant))
        else:
            data = index
    for index, name, discriminant in named:
        number = name.rpartition("$")[2]
        capacity = (
            data is not None
            and discriminant.GetByteSize() == 8
            and _is_capacity(provider.valobj, discriminant, variants.GetChildAtIndex(data))
        )
        if number.isdigit() and _is_variant(discriminant, int(number), data, capacity):
            return index
    return data or 0


def string_summary(value, _dict):
    """A String's text. Two parameters: LLDB gives a third to functions that take one."""
    inner = value.GetNonSyntheticValue().GetChildMemberWithName("vec").GetNonSyntheticValue()
    pointer = inner.GetChildMemberWithName("buf")
    for name in ("inner", "ptr", "pointer", "pointer"):
        pointer = pointer.GetChildMemberWithName(name)
    length = inner.GetChildMemberWithName("len").GetValueAsUnsigned()
    if not pointer.IsValid():
        return None
    return _text(pointer, length)


def _text(pointer, length):
    import lldb

    if length == 0:
        return '""'
    error = lldb.SBError()
    data = pointer.GetProcess().ReadMemory(pointer.GetValueAsUnsigned(), min(length, MAX_TEXT), error)
    if not error.Success():
        return "<not a String>"
    return '"%s"%s' % (data.decode("utf8", "replace"), "…" if length > MAX_TEXT else "")


def _first_fields(original):
    def aggregate_field_summary(value, _dict):
        return itertools.islice(original(value, _dict), MAX_FIELDS)

    return aggregate_field_summary


def __lldb_init_module(debugger, _dict):
    # lldb_lookup holds copies of lldb_providers' names: LLDB calls those.
    providers = sys.modules.get("lldb_providers")
    if providers is None or not hasattr(providers, "ClangEncodedEnumProvider"):
        return
    bounded = _first_fields(providers.aggregate_field_summary)
    providers.ClangEncodedEnumProvider._getCurrentVariantIndex = current_variant
    for module in (providers, sys.modules.get("lldb_lookup")):
        for name, replacement in (("StdStringSummaryProvider", string_summary), ("aggregate_field_summary", bounded)):
            if hasattr(module, name):
                setattr(module, name, replacement)
