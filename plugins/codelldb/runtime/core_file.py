"""Reads from the mapped files what a core file leaves out.

No system dumps pages that are unchanged since they were read from a file, so constants are missing,
among them string literals. LLDB reads those files for a target but not for a process, and the
summary of a `char *` is then empty.
"""

import json

import lldb

# As long as strings of a live process are read: `STRING_LENGTH` in plan.rs.
LONGEST = 131072
CHUNK = 256


def _read(process, address, size, error):
    target = process.GetTarget()
    return target.ReadMemory(lldb.SBAddress(address, target), size, error)


def _c_string(process, address, longest, error):
    """The bytes up to a zero, in smaller pieces towards the end of readable memory."""
    found, chunk = b"", CHUNK
    while chunk and len(found) < longest:
        part = _read(process, address + len(found), min(chunk, longest - len(found)), error)
        if not part:
            chunk //= 2
            continue
        error.Clear()
        text, zero, _ = part.partition(b"\0")
        found += text
        if zero:
            break
    return found


def _text(process, address, longest, error):
    return _c_string(process, address, longest, error).decode("utf8", "surrogateescape")


def summary(value, _dict):
    address, error = value.GetNonSyntheticValue().GetValueAsUnsigned(), lldb.SBError()
    if not address:
        return ""
    found = _c_string(value.GetProcess(), address, LONGEST, error)
    return "" if error.Fail() else json.dumps(found.decode("utf8", "replace"), ensure_ascii=False)


def __lldb_init_module(debugger, _dict):
    lldb.SBProcess.ReadMemory = _read
    lldb.SBProcess.ReadCStringFromMemory = _text
    debugger.HandleCommand(
        'type summary add -p -x -F core_file.summary "^(const )?char \\\\*( const)?$"'
    )
