"""Return values of Rust functions in registers, which LLDB reads by C's calling convention.

Rust puts the members of a small struct, tuple, enum or array into registers as it likes (`Some(41)`
has two of them); C packs them into as few as hold the bytes. Both agree on a single scalar, however
wrapped, on fat pointers, and on values returned in memory. The rest is not displayed: rustc does
not promise where it is. Knows types; does not know values.
"""

import re

import lldb

import aggregates
import bounds

# LLDB returns larger values in memory; Rust does, too.
IN_REGISTERS = 16
UNKNOWN = "<unknown to LLDB>"
# LLDB's names of stored results.
RESULT_NAME = re.compile(r"\$\d+$")
FAT = ({"data_ptr", "length"}, {"pointer", "vtable"})
PARTS = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion | lldb.eTypeClassArray


def is_unknown(value):
    """Is this a return value that LLDB may have misread?"""
    return (
        value.GetValueType() == lldb.eValueTypeConstResult
        and RESULT_NAME.match(value.GetName() or "") is not None
        and may_be_misread(value.GetType())
    )


def may_be_misread(type, _dict=None):
    type = type.GetCanonicalType()
    size, parts = type.GetByteSize(), type.GetTypeClass() & PARTS
    return bool(parts) and 0 < size <= IN_REGISTERS and not _is_fat(type) and not _is_scalar(type)


def _is_fat(type):
    return {field.GetName() for field in type.fields} in FAT


def _is_scalar(type):
    """Is it one scalar, however wrapped?"""
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
    """Summary of types that have no other: LLDB takes this one for all small types."""
    if is_unknown(value):
        return UNKNOWN
    if not aggregates.applies_to_rust(value.GetType(), None):
        return ""
    # The formatter of a tuple asks for the summary of the same value once more.
    summarize = aggregates.summary if bounds.is_innermost(value) else aggregates.bounded_summary
    return summarize(value, _dict)


class NoChildren:
    """A value without children."""

    def __init__(self, valobj, _dict):
        pass

    def num_children(self):
        return 0

    def has_children(self):
        return False
