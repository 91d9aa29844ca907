"""Texts behind pointers to characters of one byte in C and C++. LLDB's own is empty if the memory
cannot be read, as for an empty text.

Knows which types point to such a text. What a core file leaves out is read by core_file.py.
"""

import lldb

import aggregates
import bounds
import free_blocks
import rust_formatters
import zero_ended

TYPES = (
    "^(const |volatile )*((un)?signed )?char( const| volatile)* *[*]"
    "( ?(const|volatile|restrict|__restrict))*$"
)


def summary(value, dictionary):
    # LLDB takes the bytes of Rust for characters of C, too.
    if value.GetFrame().GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust:
        return rust_formatters.byte_reference(value, dictionary)
    address = value.GetValueAsUnsigned()
    if address == 0:
        return "<null>"
    if free_blocks.has(value.GetProcess(), address):
        return aggregates.FREED
    error = lldb.SBError()
    data = zero_ended.read(value.GetProcess(), address, aggregates.LONGEST_TEXT, error)
    if error.Fail():
        return aggregates.unreadable(value)
    is_cut = len(data) == aggregates.LONGEST_TEXT
    return aggregates.quoted(data) + (bounds.CUT if is_cut else "")


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type summary add -w default -F c_strings.summary -x '%s'" % TYPES
    )
