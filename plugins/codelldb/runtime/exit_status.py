"""Reports whether a signal ended the program.

LLDB's exit status is either the signal number or the exit code, with nothing to tell them apart.
The reply of its server does: `W` with a code, `X` with a signal (ProcessGDBRemote.cpp). It is in
the history of packets.
"""

import re

import lldb

import codelldb

import log_points
import output

END = re.compile(r"read packet: \$([WX])([0-9a-f]{2})")


def report(certain=None):
    """Sends the message in every case, because the plugin delays the exit until then. If the server
    did not reply in time LLDB makes up a status: -1, or 6 for a program it ended itself.
    """
    log_points.reports.send()
    output.drain_all()
    if certain is not None:
        codelldb.interface.send_message(lldb.debugger.GetID(), {"ended": certain})
        return
    ends = []
    try:
        history = lldb.SBCommandReturnObject()
        lldb.debugger.GetCommandInterpreter().HandleCommand(
            "process plugin packet history", history
        )
        ends = END.findall(history.GetOutput() or "")
    finally:
        kind, code = ends[-1] if ends else ("", "")
        known = int(code, 16) if code else None
        ended = -known if kind == "X" else known
        codelldb.interface.send_message(lldb.debugger.GetID(), {"ended": ended})
