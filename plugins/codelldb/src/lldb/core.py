"""Reads what a core file leaves out from the files that were mapped there.

No system dumps what is in a file as it was in memory: constants, and texts among them. LLDB's reading of a target knows
those files; that of a process does not, and the summary of a `char *` is an empty text then.
"""

import json

import lldb

# As far as texts of a process that lives are read: `TEXTS` in lib.rs.
LONGEST = 131072
CHUNK = 256


def _read(process, address, size, error):
    target = process.GetTarget()
    return target.ReadMemory(lldb.SBAddress(address, target), size, error)


def _ended(process, address, longest, error):
    """The bytes up to a zero, by ever smaller pieces towards the end of what can be read."""
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
    return _ended(process, address, longest, error).decode("utf8", "surrogateescape")


def summary(value, _dict):
    address, error = value.GetNonSyntheticValue().GetValueAsUnsigned(), lldb.SBError()
    if not address:
        return ""
    found = _ended(value.GetProcess(), address, LONGEST, error)
    return "" if error.Fail() else json.dumps(found.decode("utf8", "replace"), ensure_ascii=False)


def __lldb_init_module(debugger, _dict):
    lldb.SBProcess.ReadMemory = _read
    lldb.SBProcess.ReadCStringFromMemory = _text
    debugger.HandleCommand('type summary add -p -x -F core.summary "^(const )?char \\\\*( const)?$"')
