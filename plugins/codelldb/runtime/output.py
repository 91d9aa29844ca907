"""The program's output, which does not go through LLDB: its terminal is copied to the standard
output of the adapter.

CodeLLDB holds 100 messages for its client and drops more, stops and responses too (dap_session.rs,
`try_send_event`); a program that writes fast fills them.
"""

import os
import threading

from terminal import Terminal

STANDARD_OUTPUT = 1

terminal = None


def __lldb_init_module(debugger, _dict):
    global terminal
    terminal = Terminal()
    for stream in ("output", "error"):
        debugger.HandleCommand("settings set target.%s-path %s" % (stream, terminal.name))
    threading.Thread(target=terminal.listen, args=(_copy,), daemon=True).start()


def _copy(written):
    while written:
        written = written[os.write(STANDARD_OUTPUT, written) :]


def drain():
    """Before a stop is reported."""
    if terminal is not None:
        terminal.drain_written()


def drain_all():
    """Before the exit is reported."""
    if terminal is not None:
        terminal.drain()
