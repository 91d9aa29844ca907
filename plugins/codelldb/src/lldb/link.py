"""Watches over the connection to a server that a program was joined by.

While the program stands LLDB does not listen: it learns that the server has gone by a move that is never answered, after
5 s ("Resume timed out", ProcessGDBRemote.cpp), and says of the program all the same that it stands.
"""

import os
import select
import socket
import stat
import threading

import lldb

import codelldb

HANGS_UP = getattr(select, "POLLRDHUP", 0) | select.POLLHUP


def watch(port):
    debugger = lldb.debugger
    there = _connection(port)
    if there is not None:
        process, id = debugger.GetSelectedTarget().GetProcess(), debugger.GetID()
        threading.Thread(target=_wait, args=(there, process, id), daemon=True).start()


def _connection(port):
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                there = socket.socket(fileno=os.dup(int(name)))
                if there.getpeername()[1:2] == (port,):
                    return there
                there.close()
        except OSError:
            pass  # Not connected, or closed meanwhile.
    return None


def _wait(there, process, id):
    gone = select.poll()
    gone.register(there, HANGS_UP)
    gone.poll()
    # What runs may have told its end: LLDB listens.
    if process.GetState() == lldb.eStateStopped:
        codelldb.interface.send_message(id, {"lost": True})
        process.Kill()
    there.close()
