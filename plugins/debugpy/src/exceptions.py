"""Exceptions that stop where they are raised, or where they leave the user's code. pydevd tells the first ones in each
frame that they come through, and takes for the second ones what a `with` catches (`is_unhandled_exception` knows `try`
alone), what other code of the user's is still to catch, and how a runner skips tests and has them fail as they should.
Types are known by their names: pydevd would import them before the program does, and knows none of a program's own.
"""

import dis
import sys

from _pydevd_bundle import pydevd_breakpoints
from _pydevd_bundle.pydevd_constants import EXCEPTION_TYPE_USER_UNHANDLED, get_global_debugger

import dapdock_debuggee as debuggee

# What skips a test, or ends all of them as told; pytest says of some that they are built in.
OUTCOMES = {"SkipTest", "Skipped", "XFailed", "Exit"}
RUNNERS = {"unittest.case", "_pytest.outcomes", "builtins"}
# Keeps what it has run raise, for whoever asks for the result.
KEEPS = "concurrent.futures.thread"
# Who calls `handle_exception`, up to Python 3.11 and from then on, each compiled or not.
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
        not original(self, breakpoint, inner) for inner in before(trace)
    )


def before(trace):
    """What it came through already."""
    inner = trace and trace.tb_next
    while inner is not None:
        yield inner
        inner = inner.tb_next


@debuggee.replace(pydevd_breakpoints, "get_exception_class")
def get_exception_class(original, name):
    return BaseException if name == BaseException.__name__ else None


def get_exception_breakpoint(original, kind, known):
    return original(kind, known) or next((one for name, one in (known or {}).items() if is_a(kind, name)), None)


def is_a(kind, name):
    """By its own name or that of a base, with the module or without."""
    return any(name in (base.__name__, "%s.%s" % (base.__module__, base.__qualname__)) for base in kind.__mro__)


def handle_exception(original, debugger, thread, frame, arg, kind):
    if kind == EXCEPTION_TYPE_USER_UNHANDLED:
        outcome = any(base.__name__ in OUTCOMES and base.__module__ in RUNNERS for base in arg[0].__mro__)
        if outcome or not ends(frame, arg[2]) or is_expected(debugger, frame):
            return False
    return original(debugger, thread, frame, arg, kind)


def ends(frame, trace):
    """Whether the exception ends the frame, which returns or waits otherwise."""
    last, *after = (dis.opname[code] for code in frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 4 : 2])
    if last == "YIELD_VALUE":
        return trace.tb_lasti == frame.f_lasti
    # What waits stands before it, up to Python 3.10.
    return not last.startswith("RETURN_") and after != ["YIELD_FROM"]


def is_expected(debugger, frame):
    """Whether somebody who called is still to catch it, or knows of it beforehand."""
    callers = list(above(frame))
    if any(not debugger.apply_files_filter(caller, caller.f_code.co_filename, True) for caller in callers):
        return True
    for caller in callers:
        module, name = caller.f_globals.get("__name__"), caller.f_code.co_name
        if module == KEEPS:
            return True
        if (module, name) == ("unittest.case", "run") and "outcome" in caller.f_locals:
            return caller.f_locals["outcome"].expecting_failure
        if (module, name) == ("_pytest.python", "pytest_pyfunc_call"):
            return fails_as_marked(caller.f_locals.get("pyfuncitem"))
    return False


def above(frame):
    frame = frame.f_back
    while frame is not None:
        yield frame
        frame = frame.f_back


def fails_as_marked(test):
    """`xfail`, as it was judged before the test began (`_pytest/skipping.py`)."""
    key = getattr(sys.modules.get("_pytest.skipping"), "xfailed_key", None)
    return key is not None and hasattr(test, "stash") and test.stash.get(key, None) is not None


for tracer in TRACERS:
    if hasattr(sys.modules.get(tracer), "handle_exception"):
        debuggee.replace(sys.modules[tracer], "handle_exception")(handle_exception)

# Each debugger, one of a forked child's too, takes it from there.
owner = sys.modules[debuggee.PyDB.__module__]
debuggee.replace(owner, "get_exception_breakpoint")(get_exception_breakpoint)
get_global_debugger().get_exception_breakpoint = owner.get_exception_breakpoint
