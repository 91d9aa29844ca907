"""Sends what waits to be sent to the client before the program ends by `os._exit`, which runs no
`atexit` functions: hits of breakpoints, log messages.
"""

import os

from _pydev_bundle import pydev_log
from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_constants
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand

import dapdock_debuggee as debuggee

SECONDS = 1.0  # at most; after a fork without a debugger nobody sends


class Last(NetCommand):
    """Is sent after everything else."""

    def __init__(self):
        NetCommand.__init__(self, CMD_RETURN, 0, {}, is_json=True)
        self.as_dict = None  # nothing for pydevd's listeners
        self.sent = threading.Event()

    def send(self, sock):
        self.sent.set()


def send_all():
    debugger = pydevd_constants.get_global_debugger()
    writer = debugger.writer if debugger is not None and not debugger.pydb_disposed else None
    if writer is None or not writer.is_alive():
        return
    debuggee.report_hits()
    last = Last()
    writer.add_command(last)
    last.sent.wait(SECONDS)


@debuggee.replace(os, "_exit")
def exit_at_once(original, *arguments):
    try:
        send_all()
    except Exception:
        pydev_log.exception()
    original(*arguments)
