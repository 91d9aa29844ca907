"""Texts behind pointers to characters in C and C++. LLDB's own is empty if the memory
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


WIDE = "^(const |volatile )*(wchar_t|char16_t|char32_t)( const| volatile)* *[*]( ?const)?$"
# Characters of a wide text.
LONGEST = 4096


def wide(value, _dict):
    """The text behind a pointer to wide characters."""
    address, of = value.GetValueAsUnsigned(), value.GetType().GetPointeeType()
    if address == 0:
        return "<null>"
    width, error = of.GetByteSize(), lldb.SBError()
    data, process = bytearray(), value.GetProcess()
    while len(data) < LONGEST * width:
        # A page at a time: the next one may not be readable.
        size = 4096 - (address + len(data)) % 4096
        part = process.ReadMemory(address + len(data), size - size % width or width, error)
        if error.Fail() or not part:
            return aggregates.unreadable(value)
        data += part
        end = next((at for at in range(0, len(data), width) if not any(data[at : at + width])), None)
        if end is not None:
            break
    text = bytes(data[:end]).decode(aggregates.ENCODINGS[width], "replace")
    prefix = aggregates.wide_prefix(of)
    return prefix + aggregates.quoted(text.encode("utf8", "surrogatepass")) + (
        bounds.CUT if end is None else ""
    )


class Target:
    """What a pointer to wide characters points to. CodeLLDB displays the summary of a pointer to a
    typedef, as these characters are in C, only if it has children like this one.
    """

    def __init__(self, value, _dict):
        self.value = value

    def num_children(self):
        return 1 if self.value.GetValueAsUnsigned() else 0

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        target = self.value.GetNonSyntheticValue().Dereference()
        return target if index == 0 and target.IsValid() else None

    def get_child_index(self, name):
        return 0


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
    debugger.HandleCommand("type summary add -w default -F c_strings.wide -x '%s'" % WIDE)
    debugger.HandleCommand("type synthetic add -w default -l c_strings.Target -x '%s'" % WIDE)
