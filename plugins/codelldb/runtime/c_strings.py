"""Texts behind pointers to characters of one byte in C and C++. LLDB's own is empty if the memory
cannot be read, as for an empty text.

Knows where a text ends; a core file without the mapped files is core_file.py's.
"""

import lldb

import aggregates
import bounds
import rust_formatters

TYPES = (
    "^(const |volatile )*((un)?signed )?char( const| volatile)* *[*]"
    "( ?(const|volatile|restrict|__restrict))*$"
)
# As many bytes as LLDB reads of its own (`target.max-string-summary-length`).
LONGEST = 128 * 1024


def summary(value, dictionary):
    # LLDB takes the bytes of Rust for characters of C, too.
    if value.GetFrame().GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust:
        return rust_formatters.byte_reference(value, dictionary)
    address = value.GetValueAsUnsigned()
    if address == 0:
        return "<null>"
    error = lldb.SBError()
    text = value.GetProcess().ReadCStringFromMemory(address, LONGEST, error)
    if error.Fail():
        return aggregates.unreadable(value)
    data = text.encode("utf8", "surrogateescape")
    return aggregates.quoted(data) + (bounds.CUT if len(data) >= LONGEST - 1 else "")


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type summary add -w default -F c_strings.summary -x '%s'" % TYPES
    )
