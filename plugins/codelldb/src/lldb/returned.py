"""What functions of Rust return in registers, which LLDB reads by C's rules.

Rust puts the parts of a small struct, tuple, enum or array into registers as it likes
(`Some(41)` has two of them), C packs them into as few as hold the bytes. Both agree on a
single scalar, however wrapped, on fat pointers, and on what is returned in memory. The rest
is not shown: rustc does not promise where it is. Knows types; refuses to know values.
"""

import re

import lldb

# LLDB returns larger ones in memory; Rust does, too.
IN_REGISTERS = 16
UNTOLD = "<unknown to LLDB>"
# LLDB's names of values that it keeps.
KEPT = re.compile(r"\$\d+$")
FAT = ({"data_ptr", "length"}, {"pointer", "vtable"})
PARTS = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion | lldb.eTypeClassArray


def is_untold(value):
    """Is this returned, and not known to be read right?"""
    return (
        value.GetValueType() == lldb.eValueTypeConstResult
        and KEPT.match(value.GetName() or "") is not None
        and may_be_misread(value.GetType())
    )


def may_be_misread(type, _dict=None):
    type = type.GetCanonicalType()
    size, parts = type.GetByteSize(), type.GetTypeClass() & PARTS
    return bool(parts) and 0 < size <= IN_REGISTERS and not _is_fat(type) and not _is_scalar(type)


def _is_fat(type):
    return {field.GetName() for field in type.fields} in FAT


def _is_scalar(type):
    """One scalar, however wrapped."""
    for _ in range(16):
        type = type.GetCanonicalType()
        if not type.GetTypeClass() & PARTS:
            return True
        if type.GetTypeClass() & (lldb.eTypeClassUnion | lldb.eTypeClassArray):
            return False
        fields = [field.GetType() for field in type.fields if field.GetType().GetByteSize()]
        if len(fields) != 1:
            return False
        type = fields[0]
    return False


def summary(value, _dict):
    """Of types that have no other."""
    return UNTOLD if is_untold(value) else ""


class Nothing:
    """A value without children."""

    def __init__(self, valobj, _dict):
        pass

    def num_children(self):
        return 0

    def has_children(self):
        return False
