"""Tells whether a signal ended the program.

LLDB's exit status is the number of the signal as well as the code, and no word of it says which. What its server said
does, `W` with a code and `X` with a signal (ProcessGDBRemote.cpp), and is kept in the history of packets.
"""

import re

import lldb

import codelldb

END = re.compile(r"read packet: \$([WX])([0-9a-f]{2})")


def tell():
    """Whatever comes of it: the end is held back until then. Where the server said nothing in time LLDB makes up a status:
    -1, or 6 of what it ended itself."""
    ends = []
    try:
        told = lldb.SBCommandReturnObject()
        lldb.debugger.GetCommandInterpreter().HandleCommand("process plugin packet history", told)
        ends = END.findall(told.GetOutput() or "")
    finally:
        kind, code = ends[-1] if ends else ("", "")
        known = int(code, 16) if code else None
        ended = -known if kind == "X" else known
        codelldb.interface.send_message(lldb.debugger.GetID(), {"ended": ended})
