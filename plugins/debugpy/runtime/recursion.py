"""Reports a RecursionError that was raised inside a function of pydevd.

Endless recursion may exceed the limit in pydevd's own trace function. Up to Python 3.11 the
interpreter then stops tracing the thread (`call_trampoline` in sysmodule.c), so pydevd never
reports the exception. (`tracing.py` has it trace again. What has been reported is not again:
`failures.py`.)
"""

import sys

from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle.pydevd_breakpoints import stop_on_unhandled_exception
from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING, get_global_debugger

import dapdock_debuggee as debuggee


def report_recursion(kind, value, trace):
    debugger = get_global_debugger()
    if debugger is None or not issubclass(kind, RecursionError):
        return
    drop_pydevd_frames(value, trace)
    if PYDEVD_USE_SYS_MONITORING:
        return
    thread = threading.current_thread()
    info = debugger.set_additional_thread_info(thread)
    debugger.enable_tracing()
    info.is_tracing += 1
    try:
        stop_on_unhandled_exception(debugger, thread, info, (kind, value, trace))
    finally:
        info.is_tracing -= 1


def drop_pydevd_frames(value, trace):
    """Ends the traceback, and the chain of contexts, in code of the program."""
    last = None
    while trace is not None and trace.tb_next is not None:
        if is_pydevd(trace.tb_next) and not is_pydevd(trace):
            last = trace
        trace = trace.tb_next
    if last is not None:
        last.tb_next = None
    while value.__context__ is not None and is_pydevd(value.__context__.__traceback__):
        value.__context__ = value.__context__.__context__


def is_pydevd(trace):
    path = trace.tb_frame.f_code.co_filename if trace is not None else ""
    return "pydevd" in path and "pydevd_runpy" not in path


@debuggee.replace(sys, "excepthook")
def excepthook(original, kind, value, trace):
    report_recursion(kind, value, trace)
    original(kind, value, trace)


if hasattr(threading, "excepthook"):

    @debuggee.replace(threading, "excepthook")
    def excepthook_of_thread(original, args):
        report_recursion(args.exc_type, args.exc_value, args.exc_traceback)
        original(args)
