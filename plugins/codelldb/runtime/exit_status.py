"""Reports whether a signal ended the program.

LLDB's exit status is either the signal number or the exit code, with nothing to tell them apart.
The reply of its server does: `W` with a code, `X` with a signal (ProcessGDBRemote.cpp). It is in
the history of packets.

The server replies with an error where it cannot interrupt a program because it is ending, or where
it resumes the threads one after the other and the signal of one has ended the others meanwhile
(`NativeProcessLinux::Resume`, which ptrace refuses); LLDB then reports a lost connection. The
kernel may have the code (exit_codes.py), else the signal of that resumption is it.
"""

import re

import lldb

import codelldb

import exit_codes
import log_points
import output

END = re.compile(r"\$([WX])([0-9a-f]{2})")
REFUSAL = re.compile(r"\$E[0-9a-f]{2}")
RESUMPTION = re.compile(r"\$(vCont|[CcSs])")
SIGNAL = re.compile(r"[$;][CS]([0-9a-f]{2})")
# Direction and beginning of a packet; a binary packet takes several lines.
PACKET = re.compile(r"(send|read) packet: (\$.*)")


def report(certain=None):
    """Sends the message in every case, because the plugin delays the exit until then. If the server
    did not reply in time LLDB makes up a status: -1, or 6 for a program it ended itself.
    """
    log_points.reports.send()
    output.drain_all()
    if certain is not None:
        codelldb.interface.send_message(lldb.debugger.GetID(), {"ended": certain})
        return
    ended = None
    try:
        history = lldb.SBCommandReturnObject()
        lldb.debugger.GetCommandInterpreter().HandleCommand(
            "process plugin packet history", history
        )
        packets = PACKET.findall(history.GetOutput() or "")
        ended = next((code for code in ends(packets) if code is not None), None)
    finally:
        codelldb.interface.send_message(lldb.debugger.GetID(), {"ended": ended})


def ends(packets):
    """The exit code, or minus the number of the signal, from the best source to the last; None: it
    does not say.
    """
    yield reported(packets)
    yield exit_codes.exit_code()
    yield refused_signal(packets)


def reported(packets):
    ends = [END.match(text) for direction, text in packets if direction == "read"]
    found = next(filter(None, reversed(ends)), None)
    if found is None:
        return None
    kind, code = found.groups()
    return -int(code, 16) if kind == "X" else int(code, 16)


def refused_signal(packets):
    """The only signal of the last resumption, if the server could not resume all threads."""
    sent = [
        at
        for at, (direction, text) in enumerate(packets)
        if direction == "send" and RESUMPTION.match(text)
    ]
    if not sent:
        return None
    replies = [text for direction, text in packets[sent[-1] :] if direction == "read"]
    signals = set(SIGNAL.findall(packets[sent[-1]][1]))
    if len(signals) != 1 or not replies or not REFUSAL.match(replies[0]):
        return None
    return -int(signals.pop(), 16)
