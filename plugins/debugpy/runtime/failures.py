"""Stops at an exception that ends a test, a request, a task or a child process: one that left the
program's code and was caught by the code that runs it, which reports a failure.

pydevd's stop for uncaught exceptions knows only those that end a thread. Whether a library will
report a failure is known when it does, so the stop comes then. The exception is past its handlers,
as with any uncaught one: an exception that the library or the program caught in silence does not
stop. What is reported is what a person would see: the result of a test, an error in the log, a
traceback on stderr. So a framework needs an entry here only if it reports in a way of its own.

Knows what libraries call when they report. Does not know how a stop is made.
"""

import importlib.machinery
import sys
import threading

from _pydev_bundle import pydev_log
from _pydevd_bundle import pydevd_constants, pydevd_frame_utils
from _pydevd_bundle.pydevd_breakpoints import stop_on_unhandled_exception
from _pydevd_bundle.pydevd_comm_constants import CMD_STEP_INTO_MY_CODE
from _pydevd_bundle.pydevd_dont_trace_files import PYDEV_FILE

import dapdock_debuggee as debuggee

ERROR = 40  # logging.ERROR; logging itself may not be loaded yet
MOST_FRAMES = 2000  # of a stack that is searched


class Ended:
    """An exception that ended a part of a function of the program: the function itself runs on."""

    def __init__(self, error):
        self.error = error


def of_test_result(result, test, error=None, *_):
    """`TestResult.addError` and `addFailure`: (type, exception, traceback)."""
    return error[1] if error is not None else None


def of_subtest(result, test, subtest, error=None, *_):
    """Since Python 3.11 it is called in the test, which goes on after the subtest."""
    return Ended(error[1]) if error is not None else None


def of_pytest(call, report, *_):
    """`check_interactive_exception` decides whether a result counts as a failure of its own. It may
    be that of a subtest."""
    return Ended(call.excinfo.value) if call.excinfo is not None else None


def of_record(logger, record, *_):
    """A log record of an error with its exception."""
    error = record.exc_info if record.levelno >= ERROR else None
    return error[1] if type(error) is tuple and len(error) == 3 else None


def of_traceback(*args, **names):
    """`print_exception(exception)`, and before Python 3.10 `print_exception(type, exception, …)`.
    A log record that is formatted has been considered as a record."""
    if is_called_by("logging"):
        return None
    values = [*args[:2], names.get("value"), names.get("exc")]
    return next((value for value in values if issubclass(type(value), BaseException)), None)


def of_debug_page(page, exception=None, *_, **names):
    return names.get("exc", exception)


# Module -> its functions that report, each with a function that finds the exception in the call,
# and with whether the result has to be true.
REPORTS = {
    "unittest.result": [
        ("TestResult.addError", of_test_result, False),
        ("TestResult.addFailure", of_test_result, False),
        ("TestResult.addSubTest", of_subtest, False),
    ],
    "_pytest.runner": [("check_interactive_exception", of_pytest, True)],
    "logging": [("Logger.handle", of_record, False)],
    "traceback": [("print_exception", of_traceback, False)],
    # A page with the traceback, or its text on the server's stderr.
    "werkzeug.debug.tbtools": [("DebugTraceback.__init__", of_debug_page, False)],
}

# Module -> its class that passes requests to an application in the same process, and the field
# without which it drops what the application raises.
CLIENTS = {
    "starlette.testclient": [("_TestClientTransport", "raise_server_exceptions")],
    "httpx._transports.asgi": [("ASGITransport", "raise_app_exceptions")],
}


class Application:
    """An application of ASGI whose exceptions its client drops."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, *args):
        try:
            await self.app(*args)
        except Exception as error:
            report(error)
            raise


def watch_client(kind, field):
    def initialize(original, self, *args, **names):
        original(self, *args, **names)
        if not getattr(self, field, True):
            self.app = Application(self.app)

    debuggee.replace(kind, "__init__")(initialize)


def is_called_by(name):
    """Whether a module's code made the present call: frames of this file and of the standard
    `traceback` pass it on."""
    frame = sys._getframe(1)
    passing = {__name__, debuggee.__name__, "traceback"}
    while frame is not None and frame.f_globals.get("__name__") in passing:
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == name


def report(error):
    """Stops at the exception, unless code of the program that is still running has caught it."""
    debugger = pydevd_constants.get_global_debugger()
    if debugger is None or not debugger.break_on_uncaught_exceptions or debugger.pydb_disposed:
        return
    trace = raised(debugger, error)
    thread = threading.current_thread()
    if trace is None or getattr(thread, "pydev_do_not_trace", False):
        return
    info = debugger.set_additional_thread_info(thread)
    if info.is_tracing:
        return
    error, trace = trace
    resume = suspend_monitoring()
    info.is_tracing += 1
    try:
        stop_on_unhandled_exception(debugger, thread, info, (type(error), error, trace))
    finally:
        info.is_tracing -= 1
        resume()
    if info.pydev_step_cmd != -1:
        # The frames of the stop have ended: a step ends at the next line of the program's code.
        info.pydev_step_cmd, info.pydev_step_stop = CMD_STEP_INTO_MY_CODE, None


class Reported:
    """Marks an exception as reported, as the trace function of the frame that raised it: that frame
    has ended. Nothing else of an exception takes a mark without a trace in the program."""

    def __init__(self, error):
        self.number = id(error)

    def __call__(self, *_):
        return None


def was_reported(error, trace):
    marks = [frame.f_trace for frame in frames_of(trace)]
    numbers = [mark.number for mark in marks if type(mark) is Reported]
    return bool(numbers) and (id(error) in numbers or type(error) is RecursionError)


def mark_reported(error, trace):
    running = set(map(id, running_frames()))
    for frame in marked(error, trace):
        if id(frame) not in running:
            frame.f_trace = Reported(error)


def marked(error, trace):
    """The frames that take the mark. Endless recursion may exceed the limit in pydevd too: its
    exception takes the place of the program's, or its frames are cut off the traceback. Both have
    ended the same outermost frame."""
    found = [raiser(trace)]
    if type(error) is RecursionError:
        running = set(map(id, running_frames()))
        found.append(next((one for one in frames_of(trace) if id(one) not in running), None))
    return [frame for frame in found if frame is not None]


def raiser(trace):
    """The innermost frame. Those of pydevd may be cut off between two reports (`recursion.py`)."""
    found = None
    for frame in frames_of(trace):
        if "pydevd" not in frame.f_code.co_filename:
            found = frame
    return found


@debuggee.replace(debuggee.PyDB, "do_stop_on_unhandled_exception")
def do_stop_on_unhandled_exception(original, self, thread, frame, frames_byid, arg):
    """Several report the same exception: a test and the log, or a request and its test."""
    if not was_reported(arg[1], arg[2]):
        mark_reported(arg[1], arg[2])
        original(self, thread, frame, frames_byid, arg)


def suspend_monitoring():
    """Python 3.12 and newer: no events while the thread is suspended. Returns the opposite."""
    monitoring = getattr(sys.modules[debuggee.PyDB.__module__], "pydevd_sys_monitoring", None)
    suspend = getattr(monitoring, "suspend_current_thread_tracing", None)
    if suspend is None or not pydevd_constants.PYDEVD_USE_SYS_MONITORING or not suspend():
        return lambda: None
    return monitoring.resume_current_thread_tracing


def raised(debugger, error):
    """The exception with its traceback, or its cause if only that one passed code of the program
    (pytest raises an error of its own for a module that fails to load). None if there is no such
    code, or if some of it is running: then the program has caught the exception."""
    seen = set()
    ends_part = type(error) is Ended
    error = error.error if ends_part else error
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        trace = from_own(debugger, error.__traceback__)
        if trace is not None:
            running = set(map(id, running_frames()))
            if ends_part:
                # Before a function that runs are frames that its `with` has called since.
                is_running = id(trace.tb_frame) in running
                return error, trace if is_running else error.__traceback__
            own = (frame for frame in frames_of(trace) if is_own(debugger, frame))
            is_caught = any(id(frame) in running for frame in own)
            return None if is_caught else (error, error.__traceback__)
        error = error.__cause__
    return None


def from_own(debugger, trace):
    """The traceback from the first function of the program."""
    while trace is not None and not is_own(debugger, trace.tb_frame):
        trace = trace.tb_next
    return trace


def frames_of(trace):
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def running_frames():
    frame, left = sys._getframe(1), MOST_FRAMES
    while frame is not None and left > 0:
        yield frame
        frame, left = frame.f_back, left - 1


def is_own(debugger, frame):
    """Whether it is code of the program, not of a library and not of the debugger."""
    if debugger.get_file_type(frame) == PYDEV_FILE:
        return False
    return debugger.in_project_scope(frame)


def watched(find, has_to_hold):
    """A function in place of one that reports."""

    def reporting(original, *args, **names):
        answer = original(*args, **names) if has_to_hold else None
        if answer or not has_to_hold:
            try:
                error = find(*args, **names)
                if error is not None:
                    report(error)
            except Exception:
                pydev_log.exception()
        return answer if has_to_hold else original(*args, **names)

    return reporting


def watch(module):
    """Replaces the functions of a loaded module. One that this version lacks is passed over."""
    for name, field in CLIENTS.get(module.__name__, ()):
        if hasattr(module, name):
            watch_client(getattr(module, name), field)
    for path, find, has_to_hold in REPORTS.get(module.__name__, ()):
        *owners, name = path.split(".")
        owner = module
        for part in owners:
            owner = getattr(owner, part, None)
        if hasattr(owner, name):
            debuggee.replace(owner, name)(watched(find, has_to_hold))


class Importer:
    """Finds the modules that are not loaded yet, and has them watched once they are executed."""

    def __init__(self, missing):
        self.missing = set(missing)

    def find_spec(self, name, path=None, target=None):
        if name not in self.missing:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        execute = getattr(spec and spec.loader, "exec_module", None)
        if execute is None:
            return None

        def exec_module(module):
            execute(module)
            # One loader may serve several modules, as `zipimporter` does.
            if module.__name__ in self.missing:
                self.missing.discard(module.__name__)
                watch(module)

        spec.loader.exec_module = exec_module
        return spec


def each_once(original, trace, *args, **names):
    """The frames of an exception. One that raised it again is in the traceback several times, and
    pydevd gives each of them the outermost line: here it is there once, with the innermost."""
    found = original(trace, *args, **names)
    entries = {}
    while trace is not None:
        entries[id(trace.tb_frame)] = trace
        trace = trace.tb_next
    found._frames[:] = {id(frame): frame for frame in found._frames}.values()
    for number in entries.keys() & found.frame_id_to_lineno.keys():
        found.frame_id_to_lineno[number] = entries[number].tb_lineno
        columns = pydevd_frame_utils._get_line_col_info_from_tb(entries[number])
        found.frame_id_to_line_col_info[number] = columns
    return found


def of_ignored(unraisable, *_):
    """An exception that has no caller: of a destructor or a callback of C code. When the functions
    of atexit run, the main thread counts as ended, and pydevd can stop none any more."""
    return unraisable.exc_value if threading.main_thread().is_alive() else None


debuggee.replace(pydevd_frame_utils, "create_frames_list_from_traceback")(each_once)
WATCHED = [*REPORTS, *CLIENTS]
debuggee.replace(sys, "unraisablehook")(watched(of_ignored, False))
for loaded in [name for name in WATCHED if name in sys.modules]:
    watch(sys.modules[loaded])
sys.meta_path.insert(0, Importer(name for name in WATCHED if name not in sys.modules))
