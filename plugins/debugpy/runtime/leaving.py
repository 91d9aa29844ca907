"""Sends what waits to be sent to the client before the program ends: hits of breakpoints, log
messages. Also before `os._exit`, which runs no `atexit` functions.
"""

import os

from _pydev_bundle import pydev_log
from _pydev_bundle._pydev_saved_modules import thread, threading
from _pydevd_bundle import pydevd_constants
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand

import dapdock_debuggee as debuggee

SECONDS = 5.0  # at most, if the client does not read
MARK = "dapdock/sent"


def send_all():
    """Returns once the adapter has passed everything on: it drops what it has not read when the
    launcher reports the exit. It answers a request that it does not know after all events before.
    """
    debugger = pydevd_constants.get_global_debugger()
    writer = debugger.writer if debugger is not None and not debugger.pydb_disposed else None
    if writer is None or not writer.is_alive():
        return
    debuggee.report_hits()
    answered = threading.Event()
    reader = debugger.reader
    process = reader.process_net_command_json

    def process_or_notice(debugger, text, *rest, **names):
        if MARK in (text if isinstance(text, str) else text.decode("utf-8", "replace")):
            answered.set()
        else:
            process(debugger, text, *rest, **names)

    reader.process_net_command_json = process_or_notice
    request = {"type": "request", "command": MARK, "arguments": {}}
    writer.add_command(NetCommand(CMD_RETURN, 0, request, is_json=True))
    answered.wait(SECONDS)


def send_in_thread():
    """A signal handler may call `os._exit` while its thread holds locks that sending needs."""
    done = thread.allocate_lock()
    done.acquire()

    def run():
        try:
            send_all()
        except Exception:
            pydev_log.exception()
        finally:
            done.release()

    start = getattr(thread, "_original_start_new_thread", thread.start_new_thread)
    start(run, ())
    done.acquire(timeout=SECONDS)


@debuggee.replace(os, "_exit")
def exit_at_once(original, *arguments):
    try:
        send_in_thread()
    except Exception:
        pydev_log.exception()
    original(*arguments)


def at_exit():
    try:
        send_all()
    except Exception:
        pydev_log.exception()


try:
    threading._register_atexit(at_exit)  # `atexit` runs after pydevd has stopped sending
except (AttributeError, RuntimeError):
    pass
