"""Watches the connection to the debug server of a program attached to by address.

While the program is stopped LLDB does not read from the connection. It notices a lost server only
at the next continue or step, after 5 s ("Resume timed out", ProcessGDBRemote.cpp), and still
reports the program as stopped.
"""

import os
import select
import socket
import stat
import threading

import lldb

import codelldb

HANG_UP = getattr(select, "POLLRDHUP", 0) | select.POLLHUP


def watch(port):
    debugger = lldb.debugger
    connection = _connection(port)
    if connection is not None:
        process, id = debugger.GetSelectedTarget().GetProcess(), debugger.GetID()
        threading.Thread(target=_wait, args=(connection, process, id), daemon=True).start()


def _connection(port):
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                connection = socket.socket(fileno=os.dup(int(name)))
                if connection.getpeername()[1:2] == (port,):
                    return connection
                connection.close()
        except OSError:
            pass  # Not connected, or already closed.
    return None


def _wait(connection, process, id):
    poll = select.poll()
    poll.register(connection, HANG_UP)
    poll.poll()
    # A running program's end was reported already: LLDB reads the connection.
    if process.GetState() == lldb.eStateStopped:
        codelldb.interface.send_message(id, {"lost": True})
        process.Kill()
    connection.close()
