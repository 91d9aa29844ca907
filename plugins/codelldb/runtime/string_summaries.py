"""Texts of C++'s strings by their lengths: LLDB's own end at the first zero.

Knows where libstdc++ has pointer and length (basic_string.h, string_view).
"""

import lldb

import aggregates
import bounds

CHARACTERS = "(unsigned )?char|wchar_t|char(8|16|32)_t"
TYPES = "^std::(__cxx11::)?basic_string(_view)?<(%s)(, .*| *)>$" % CHARACTERS
# The prefix of a literal, by the type of its characters, and their encoding by their size.
# LLDB has no char8_t.
PREFIXES = {"wchar_t": "L", "unsigned char": "u8", "char16_t": "u", "char32_t": "U"}
ENCODINGS = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}
PLACES = (("_M_dataplus._M_p", "_M_string_length"), ("_M_str", "_M_len"))
INVALID = "<not a valid string>"


def summary(value, _dict):
    pointer, length = place(value.GetNonSyntheticValue())
    if pointer is None:
        return None
    of = pointer.GetType().GetCanonicalType().GetPointeeType().GetUnqualifiedType()
    prefix, width = PREFIXES.get(of.GetCanonicalType().GetName(), ""), of.GetByteSize()
    size, error = length.GetValueAsUnsigned() * width, lldb.SBError()
    if size == 0:
        return prefix + '""'
    longest = aggregates.LONGEST_TEXT
    data = value.GetProcess().ReadMemory(pointer.GetValueAsUnsigned(), min(size, longest), error)
    if error.Fail():
        return INVALID
    if width > 1:
        data = data.decode(ENCODINGS[width], "replace").encode("utf8", "surrogatepass")
    return prefix + aggregates.quoted(data) + (bounds.CUT if size > longest else "")


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
