"""Patches pydevd's stops on raised and on user-unhandled exceptions.

pydevd reports a raised exception again in each frame that it propagates through; here it is
reported once. pydevd also takes for unhandled in user code: an exception that a `with` statement
catches (`is_unhandled_exception` knows only `try`), one that another frame of user code will
catch, and the exceptions by which a test runner skips a test or marks an expected failure. These
do not stop here.

Before the program runs, debugpy describes the environment in its log. That reads all installed
packages, and every exception in it would stop, so it is left out.

Exception types are matched by name. pydevd would import a type before the program does, and
cannot import types that the program itself defines.
"""

import dis
import sys

from _pydevd_bundle import pydevd_breakpoints
from _pydevd_bundle.pydevd_constants import EXCEPTION_TYPE_USER_UNHANDLED, get_global_debugger

import dapdock_debuggee as debuggee

# Exceptions that skip a test or end the run; pytest sets `builtins` as the module of some.
OUTCOMES = {"SkipTest", "Skipped", "XFailed", "Exit"}
RUNNERS = {"unittest.case", "_pytest.outcomes", "builtins"}
# Stores the exception of a task for the caller of `result()`.
EXECUTOR = "concurrent.futures.thread"
# Modules that call `handle_exception`: up to Python 3.11 and since 3.12, compiled and plain.
TRACERS = (
    "_pydevd_bundle.pydevd_cython",
    "_pydevd_bundle.pydevd_frame",
    "_pydevd_sys_monitoring._pydevd_sys_monitoring_cython",
    "_pydevd_sys_monitoring._pydevd_sys_monitoring",
)


@debuggee.replace(debuggee.PyDB, "exclude_exception_by_filter")
def exclude_exception_by_filter(original, self, breakpoint, trace):
    if original(self, breakpoint, trace):
        return True
    return bool(breakpoint.notify_on_handled_exceptions) and any(
        not original(self, breakpoint, inner) for inner in inner_frames(trace)
    )


def inner_frames(trace):
    """Traceback entries of the frames that the exception has already left."""
    inner = trace and trace.tb_next
    while inner is not None:
        yield inner
        inner = inner.tb_next


@debuggee.replace(pydevd_breakpoints, "get_exception_class")
def get_exception_class(original, name):
    return BaseException if name == BaseException.__name__ else None


def get_exception_breakpoint(original, kind, known):
    found = original(kind, known)
    if found:
        return found
    for name, breakpoint in (known or {}).items():
        if is_a(kind, name):
            return breakpoint
    return None


def is_a(kind, name):
    """Whether a type or one of its bases has this name, with its module or without."""
    for base in kind.__mro__:
        if name in (base.__name__, "%s.%s" % (base.__module__, base.__qualname__)):
            return True
    return False


def handle_exception(original, debugger, thread, frame, arg, kind):
    if kind == EXCEPTION_TYPE_USER_UNHANDLED:
        if is_outcome(arg[0]) or not ends_frame(frame, arg[2]) or is_expected(debugger, frame):
            return False
    return original(debugger, thread, frame, arg, kind)


def is_outcome(kind):
    return any(base.__name__ in OUTCOMES and base.__module__ in RUNNERS for base in kind.__mro__)


def ends_frame(frame, trace):
    """Whether the exception ends the frame; otherwise the frame returns or is suspended."""
    instructions = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 4 : 2]
    last, *after = (dis.opname[code] for code in instructions)
    if last == "YIELD_VALUE":
        return trace.tb_lasti == frame.f_lasti
    # Up to Python 3.10 a frame that awaits stands before YIELD_FROM.
    return not last.startswith("RETURN_") and after != ["YIELD_FROM"]


def is_expected(debugger, frame):
    """Whether a caller will catch the exception, or is known to expect it."""
    callers = list(callers_of(frame))
    for caller in callers:
        if not debugger.apply_files_filter(caller, caller.f_code.co_filename, True):
            return True
    for caller in callers:
        module, name = caller.f_globals.get("__name__"), caller.f_code.co_name
        if module == EXECUTOR:
            return True
        if (module, name) == ("unittest.case", "run") and "outcome" in caller.f_locals:
            return caller.f_locals["outcome"].expecting_failure
        if (module, name) == ("_pytest.python", "pytest_pyfunc_call"):
            return is_marked_xfail(caller.f_locals.get("pyfuncitem"))
    return False


def callers_of(frame):
    frame = frame.f_back
    while frame is not None:
        yield frame
        frame = frame.f_back


def is_marked_xfail(test):
    """Whether pytest evaluated `xfail` as true before the test (`_pytest/skipping.py`)."""
    key = getattr(sys.modules.get("_pytest.skipping"), "xfailed_key", None)
    return key is not None and hasattr(test, "stash") and test.stash.get(key, None) is not None


def describe_nothing(original, header):
    pass


def replace_in(module, name, function):
    """Replaces the function in a version of debugpy that has it."""
    if hasattr(sys.modules.get(module), name):
        debuggee.replace(sys.modules[module], name)(function)


# `debugpy/server/cli.py` calls it when pydevd traces already.
replace_in("debugpy.common.log", "describe_environment", describe_nothing)
for tracer in TRACERS:
    replace_in(tracer, "handle_exception", handle_exception)

# Every new debugger, also that of a forked child, takes the function from this module.
owner = sys.modules[debuggee.PyDB.__module__]
debuggee.replace(owner, "get_exception_breakpoint")(get_exception_breakpoint)
get_global_debugger().get_exception_breakpoint = owner.get_exception_breakpoint
