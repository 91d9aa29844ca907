"""Texts of C++'s strings by their lengths: LLDB's own end at the first zero.

Knows where libstdc++ has pointer and length (basic_string.h, string_view).
"""

import lldb

import aggregates
import bounds

TYPES = "^std::(__cxx11::)?basic_string(_view)?<char(, .*| *)>$"
PLACES = (("_M_dataplus._M_p", "_M_string_length"), ("_M_str", "_M_len"))
INVALID = "<not a valid string>"


def summary(value, _dict):
    pointer, length = place(value.GetNonSyntheticValue())
    if pointer is None:
        return None
    size, error = length.GetValueAsUnsigned(), lldb.SBError()
    if size == 0:
        return '""'
    longest = aggregates.LONGEST_TEXT
    data = value.GetProcess().ReadMemory(pointer.GetValueAsUnsigned(), min(size, longest), error)
    if error.Fail():
        return INVALID
    return aggregates.quoted(data) + (bounds.CUT if size > longest else "")


def place(plain):
    """The values with the address of the text and with its length."""
    for path, counted in PLACES:
        pointer = plain.GetValueForExpressionPath("." + path)
        length = plain.GetChildMemberWithName(counted)
        if pointer.IsValid() and length.IsValid():
            return pointer, length
    return None, None


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type summary add -e -p -F string_summaries.summary -x '%s'" % TYPES
    )
