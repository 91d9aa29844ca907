"""Continues to trace the main thread after pydevd's trace function has failed.

For Python 3.11. Endless recursion may exceed the limit inside the trace function. The interpreter
then stops tracing the thread (`call_trampoline` in sysmodule.c), also if the program catches the
error, and no later breakpoint would stop.

The interpreter drops its reference to the trace function at that moment. A program that calls
`sys.settrace` has it dropped too, and has that changed for good. So the thread has one of
its own, whose end is seen by a weak reference. Too little stack is left for Python code there: the
reference calls `Py_AddPendingCall`, and the interpreter makes the pending call where the program
goes on. Only the main thread makes pending calls. So that enough is left for that call, the
thread's trace function takes some levels of the stack more than pydevd's.
"""

import ctypes
import functools
import operator
import sys
import weakref

import pydevd_tracing
from pydevd_tracing import TracingFunctionHolder as holder
from _pydev_bundle import pydev_log
from _pydev_bundle._pydev_saved_modules import thread, threading
from _pydevd_bundle.pydevd_constants import get_global_debugger

import dapdock_debuggee as debuggee

LEVELS = 4  # of calls before pydevd's function
armed = None  # weak reference to the trace function of the main thread
MAIN = threading.main_thread().ident


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
def trace_again(_):
    try:
        debugger = get_global_debugger()
        if sys.gettrace() is None and debugger is not None and not debugger.pydb_disposed:
            debugger.enable_tracing()
            debugger.set_trace_for_frame_and_parents(MAIN, sys._getframe(1))
    except RecursionError:  # still too deep
        call_later(None)
    except Exception:
        pydev_log.exception()
    return 0


add_pending_call = ctypes.pythonapi.Py_AddPendingCall
add_pending_call.argtypes = ctypes.c_void_p, ctypes.py_object
call_later = functools.partial(add_pending_call, ctypes.cast(trace_again, ctypes.c_void_p))


@debuggee.replace(pydevd_tracing, "SetTrace")
def set_trace(original, function):
    global armed
    if thread.get_ident() != MAIN:
        return original(function)
    armed = None  # a trace function that is replaced is not lost
    if function is None:
        return original(None)
    own = functools.partial(*[operator.call] * LEVELS, function)
    original(own)
    pydevd_tracing._last_tracing_func_thread_local.tracing_func = function
    armed = weakref.ref(own, call_later)


def follow_settrace(original):
    """A function in place of `sys.settrace`, for the program and for pydevd."""

    def settrace(function):
        global armed
        if thread.get_ident() == MAIN:
            armed = None
        original(function)

    settrace.original = original
    return settrace


@debuggee.replace(pydevd_tracing, "replace_sys_set_trace_func")
def replace_settrace(original):
    original()
    if not hasattr(holder._original_tracing, "original"):
        holder._original_tracing = follow_settrace(holder._original_tracing)


@debuggee.replace(pydevd_tracing, "restore_sys_set_trace_func")
def restore_settrace(original):
    holder._original_tracing = getattr(
        holder._original_tracing, "original", holder._original_tracing
    )
    original()


if holder._original_tracing is not None:
    replace_settrace(lambda: None)
