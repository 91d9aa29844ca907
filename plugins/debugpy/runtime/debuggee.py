"""Patches pydevd in the debuggee, in its forked children, and in the child processes in which
pydevd starts itself; those import this module through `PREIMPORT`.

Stops are reported one at a time. When two threads hit a breakpoint at the same moment, pydevd
loses one of the stops: each thread marks the other as suspended (`suspend_all_threads`), and a
thread marked so neither evaluates the breakpoint on its line (`pydevd_frame.py`,
`info.pydev_state != STATE_SUSPEND`) nor reports its own stop. Here the first stop is reported,
and each other one as soon as all threads are resumed, unless its breakpoint was removed by then.
No thread stops while others are being resumed: it would continue, and the others would stay
suspended for ever (`resume_threads` marks them one by one without a lock).

Other patches: a resumed thread wakes at once, not at the next round of its wait, up to 0.2 s
later (`_do_wait_suspend`). The end of the program is not delayed by half a second. Messages are
sent without delay (see sitecustomize.py). A condition that raises stops the thread and reports
the error, in child processes too. A value that cannot be set reports its error in a line.

Fits the pydevd of debugpy 1.8.16 and newer.
"""

import os
import stat
import sys
import traceback

from _pydev_bundle import pydev_log, pydev_monkey
from _pydev_bundle._pydev_saved_modules import socket, threading, time
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_constants, pydevd_defaults
from _pydevd_bundle import pydevd_daemon_thread, pydevd_net_command_factory_xml
from _pydevd_bundle import pydevd_thread_lifecycle as lifecycle
from _pydevd_bundle.pydevd_additional_thread_info import PyDBAdditionalThreadInfo
from _pydevd_bundle._debug_adapter import pydevd_base_schema
from _pydevd_bundle._debug_adapter.pydevd_schema import OutputEvent, OutputEventBody
from _pydevd_bundle.pydevd_comm_constants import (
    CMD_RETURN,
    CMD_SET_BREAK,
    CMD_SET_FUNCTION_BREAK,
    CMD_THREAD_SUSPEND,
    CMD_WRITE_TO_CONSOLE,
)
from _pydevd_bundle.pydevd_constants import STATE_SUSPEND, ForkSafeLock
from _pydevd_bundle.pydevd_dont_trace_files import DONT_TRACE, PYDEV_FILE
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor
from _pydevd_bundle.pydevd_net_command import NetCommand
from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame as paths_of

import dapdock_imports as imports

HERE = os.path.dirname(os.path.abspath(__file__))
PRINTED = 1.0  # most seconds that a stop waits for the output before it
PRINTED_BY_CHILD = 0.05
COMING = "output is still coming\n"
# Since debugpy 1.8.22 pydevd itself stores the ids of the breakpoints that were hit.
STORES_HIT_IDS = hasattr(PyDBAdditionalThreadInfo, "hit_breakpoint_ids")
PyDB = type(pydevd_constants.get_global_debugger())
if not hasattr(pydevd_constants.get_global_debugger(), "_thread_events"):
    raise ImportError("this debugpy is too old for the patches of pydevd")
ORIGINAL_PREIMPORT = pydevd_defaults.PydevdCustomization.PREIMPORT
lock = ForkSafeLock(rlock=True)
own_stops = {}  # threads that stopped for a reason of their own, until resumed -> the reason
reported = None  # the thread whose stop the client knows
rejected = set()  # infos of threads whose condition was false while another thread stopped them
launched = True  # this module was loaded at the start of the process, not by an attach
suspend_time = 0.0  # time of the last request to suspend threads
hit_ids = {}  # info of a thread -> ids of the breakpoints that it hit, if several are on its line


def replace(owner, name):
    """Replaces a function; the new one gets the original as its first argument."""

    def put(function):
        original = getattr(owner, name)
        setattr(owner, name, lambda *args, **kwargs: function(original, *args, **kwargs))
        return function

    return put


@replace(PyDB, "set_suspend")
def set_suspend(original, self, thread, stop_reason, *args, **kwargs):
    global suspend_time
    suspend_time = time.monotonic()
    with lock:
        if thread is threading.current_thread() and not kwargs.get("is_pause"):
            step = kwargs.get("original_step_cmd", -1)
            own_stops[thread] = stop_reason if step == -1 else step
        return original(self, thread, stop_reason, *args, **kwargs)


@replace(lifecycle, "mark_thread_suspended")
def mark_thread_suspended(original, thread, *args, **kwargs):
    if not kwargs.get("main_suspend", True) and thread in own_stops:
        return lifecycle.set_additional_thread_info(thread)
    return original(thread, *args, **kwargs)


class Threading:
    """The module `threading` as pydevd makes its own threads with it: those with a name leave the
    numbers in names of threads to the program (`Thread-1`)."""

    class Thread:
        def __init__(self):
            threading.Thread.__init__(self, name="pydevd")

    def __getattr__(self, name):
        return getattr(threading, name)


pydevd_daemon_thread.threading = Threading()


@replace(PyDB, "_PyDB__wait_for_threads_to_finish")
def wait_for_threads_to_finish(original, self, timeout):
    """Does not wait for the calling thread: two such threads would wait until the timeout."""
    threads, own = self.created_pydb_daemon_threads, threading.current_thread()
    known = threads.pop(own, None)
    try:
        return original(self, timeout)
    finally:
        if known is not None:
            threads[own] = known


@replace(pydevd_api.PyDevdAPI, "request_stack")
def request_stack(original, *args, **kwargs):
    """A thread that is not suspended after half a second is in a C function: pydevd would wait
    as long again for each such thread."""
    if time.monotonic() - suspend_time > 0.5:
        kwargs["timeout"] = 0
    return original(*args, **kwargs)


# Requests about a frame, with the name of its reference and the body of a failed response.
OF_A_FRAME = {
    "on_evaluate_request": ("frameId", {"result": "", "variablesReference": 0}),
    "on_setexpression_request": ("frameId", {"value": ""}),
    "on_setvariable_request": ("variablesReference", {"value": ""}),
    "on_variables_request": ("variablesReference", {"variables": []}),
}


def check_thread(name, body):
    """Has a request fail in plain words if the thread of its frame is not suspended."""

    def check(original, self, debugger, request):
        reference = getattr(request.arguments, name)
        reference = getattr(reference, "variable_reference", reference)
        frames = debugger.suspended_frames_manager
        if reference is None or frames.get_thread_id_for_variable_reference(reference) is not None:
            return original(self, debugger, request)
        why = "its thread is in a C function, so nothing can be read; debug_stack shows where it is"
        failed = {"body": body, "success": False, "message": why}
        response = pydevd_base_schema.build_response(request, kwargs=failed)
        return NetCommand(CMD_RETURN, 0, response, is_json=True)

    return check


for function in OF_A_FRAME:
    replace(PyDevJsonCommandProcessor, function)(check_thread(*OF_A_FRAME[function]))


def resume_threads(original, *args, **kwargs):
    global reported
    with lock:
        reported = None
        own_stops.clear()
        original(*args, **kwargs)
    debugger = pydevd_constants.get_global_debugger()
    for event in list(debugger._thread_events.values()) if debugger is not None else ():
        event.set()


replace(pydevd_api, "resume_threads")(resume_threads)
replace(pydevd_comm, "resume_threads")(resume_threads)


@replace(PyDB, "do_wait_suspend")
def do_wait_suspend(original, self, thread, frame, event, arg, exception_type=None):
    info = thread.additional_info
    missed = (
        thread not in own_stops
        and event == "line"
        and info not in rejected
        and breakpoint_at(self, frame) is not None
    )
    rejected.discard(info)
    hits = None
    while True:
        hits = hit_ids.pop(info, None) or hits or find_hits(self, thread, frame)
        set_hits(info, hits)
        why, first = begin_report(thread)
        report_hits()
        await_output()
        try:
            original(self, thread, frame, event, arg, exception_type)
        finally:
            end_report(thread)
        if self.pydb_disposed or self.quitting or info.pydev_original_step_cmd != -1:
            return
        if not first and (event == "exception" or why in (CMD_SET_BREAK, CMD_SET_FUNCTION_BREAK)):
            hits = renumber(self, why, hits, frame)
        elif missed:
            why, hits, missed = CMD_SET_BREAK, hits_on_line(self, info, frame), False
        else:
            return
        if hits == []:
            return
        self.set_suspend(thread, why)


def report_hits():
    """Reports the hits of breakpoints that were not reported yet (`breakpoints.py`)."""
    counts = sys.modules.get("dapdock_breakpoints_3")
    if counts is not None:
        counts.report_all()


def find_hits(debugger, thread, frame):
    """Ids of the breakpoints that the thread stopped at."""
    if STORES_HIT_IDS:
        return thread.additional_info.hit_breakpoint_ids
    if own_stops.get(thread) != CMD_SET_BREAK:
        return None
    breakpoint = breakpoint_at(debugger, frame)
    return None if breakpoint is None else [breakpoint.breakpoint_id]


def set_hits(info, hits):
    if STORES_HIT_IDS:
        info.hit_breakpoint_ids = hits


def begin_report(thread):
    """The reason of the thread's own stop, and whether it is the one to report now."""
    global reported
    with lock:
        why = own_stops.get(thread)
        first = why is None or reported in (None, thread)
        if why is not None and first:
            reported = thread
        elif why is not None:
            thread.stop_reason = CMD_THREAD_SUSPEND
        return why, first


def await_output():
    """Waits until the launcher has passed on what was printed: output takes another way to the
    client than the stop, and has to arrive first. A process that was attached to prints elsewhere.
    """
    output = sys.modules.get("dapdock_output")
    questions = getattr(output, "questions", None)
    is_unread = launched and (questions is not None and output.has_written or has_unread())
    if not is_unread:
        return
    has_passed = questions.ask(PRINTED) if questions is not None else None
    if has_passed is None:
        # A child process cannot ask, and no event tells that another process has read a pipe.
        deadline = time.monotonic() + PRINTED_BY_CHILD
        while has_unread() and time.monotonic() < deadline:
            time.sleep(0.001)
        has_passed = not has_unread()
    if not has_passed:
        report_text(COMING)


def report_text(text):
    """Has the client show a text about the next stop."""
    debugger = pydevd_constants.get_global_debugger()
    event = OutputEvent(OutputEventBody(text, "important"))
    debugger.writer.add_command(NetCommand(CMD_WRITE_TO_CONSOLE, 0, event, is_json=True))


def has_unread():
    return any(map(unread, (1, 2)))


def unread(stream):
    try:
        import fcntl
        import termios
        if not stat.S_ISFIFO(os.fstat(stream).st_mode):
            return False
        return any(fcntl.ioctl(stream, termios.FIONREAD, bytes(4)))
    except (ImportError, OSError):
        return False


def end_report(thread):
    global reported
    with lock:
        own_stops.pop(thread, None)
        if reported is thread:
            reported = None


def breakpoint_at(debugger, frame):
    """The breakpoint on the frame's line."""
    return debugger.breakpoints.get(paths_of(frame)[1], {}).get(frame.f_lineno)


def renumber(debugger, why, hits, frame):
    """The current ids of these breakpoints: pydevd gives all breakpoints of a file new ids when
    one of them changes. Empty if they were removed."""
    if why == CMD_SET_FUNCTION_BREAK:
        name = frame.f_code.co_name
        breakpoint = debugger.function_breakpoint_name_to_breakpoint.get(name)
    else:
        breakpoint = breakpoint_at(debugger, frame)
    known = ids_of(breakpoint) if breakpoint is not None else []
    return hits and ([hit for hit in hits if hit in known] or known[:1])


def ids_of(breakpoint):
    members = getattr(breakpoint, "members", None)
    if members is None:
        return [breakpoint.breakpoint_id]
    return [number for member in members for number in ids_of(member)]


def hits_on_line(debugger, info, frame):
    """Ids of the breakpoints that stop on the frame's line now."""
    breakpoint = breakpoint_at(debugger, frame)
    if breakpoint is None or breakpoint.is_logpoint:
        return []
    stops = True
    if breakpoint.has_condition:
        stops = debugger.handle_breakpoint_condition(info, breakpoint, frame)
    rejected.discard(info)
    return hit_ids.pop(info, [breakpoint.breakpoint_id]) if stops else []


evaluate_as_pydevd = PyDB.handle_breakpoint_condition
compiled = {}  # text of a condition of ours (`breakpoints.py`) -> its code
OWN = "(__import__('sys').modules.get('dapdock_breakpoints_"


def evaluate_condition(self, info, breakpoint, frame):
    """pydevd compiles a condition each time."""
    text = breakpoint.condition
    if not text or breakpoint.hit_condition or not text.startswith(OWN):
        return evaluate_as_pydevd(self, info, breakpoint, frame)
    code = compiled.get(text)
    if code is None:
        code = compiled[text] = compile(text, "<string>", "eval")
    try:
        return eval(code, frame.f_globals, frame.f_locals)
    except Exception:
        pydev_log.exception()
        return False


def handle_breakpoint_condition(self, info, breakpoint, frame):
    decide = getattr(breakpoint, "decide", None)
    if decide is None:
        stops = evaluate_condition(self, info, breakpoint, frame)
    else:
        stops = decide(self, info, frame)
    rejected.discard(info)
    # No other thread may run between this check and pydevd's own check of the state: so no call
    # follows it, and `replace` is not used for this function.
    if info.pydev_state == STATE_SUSPEND and not stops:
        rejected.add(info)
    return stops


PyDB.handle_breakpoint_condition = handle_breakpoint_condition


# `sys.exit(3)` is an exit, not an exception. pydevd respects `breakOnSystemExit` since debugpy
# 1.8.21; this has the same effect for older ones.
PyDB.ignore_system_exit_code = lambda self, error: True


@replace(PyDB, "initialize_network")
def initialize_network(original, self, sock, *args, **kwargs):
    if launched:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    self.skip_suspend_on_breakpoint_exception = self.skip_print_breakpoint_exception = ()
    return original(self, sock, *args, **kwargs)


SILENT = (
    "__import__('_pydevd_bundle.pydevd_constants', fromlist=['*']).DISABLE_FILE_VALIDATION = True; "
)


@replace(pydev_monkey, "_get_python_c_args")
def python_c_args(original, host, port, code, args, setup):
    """Changes the code that starts pydevd in a `python -c` child process: adds PREIMPORT, and turns
    off a warning about the interpreter's own modules (`children.py`)."""
    command = original(host, port, code, args, setup)
    customization = pydevd_defaults.PydevdCustomization
    values = pydevd_constants.get_protocol(), customization.DEBUG_MODE
    changes = [("import pydevd; ", SILENT + "import pydevd; ")]
    if launched:
        after = "pydevd.config(%r, %r, %r" % (*values, customization.PREIMPORT)
        changes.append(("pydevd.config(%r, %r" % values, after))
    for before, after in changes:
        if isinstance(command, bytes):
            before, after = before.encode(), after.encode()
        command = command.replace(before, after, 1)
    return command


class ConsoleLog:
    """Sends pydevd's log to the client, not to the program's stderr."""

    def write(self, text):
        debugger = pydevd_constants.get_global_debugger()
        if debugger is not None and debugger.writer is not None:
            debugger.writer.add_command(debugger.cmd_factory.make_console_message(text))

    def flush(self):
        pass


@replace(pydev_log, "initialize_debug_stream")
def initialize_debug_stream(original, *args, **kwargs):
    original(*args, **kwargs)
    if pydev_log._LoggingGlobals._debug_stream in (sys.stderr, sys.__stderr__):
        pydev_log._LoggingGlobals._debug_stream = ConsoleLog()


@replace(pydevd_comm, "_set_expression_response")
def set_expression_response(original, debugger, request, *args, **kwargs):
    kind, cause = sys.exc_info()[:2]
    if kind is not None and "error_message" in kwargs:
        kwargs["error_message"] += ":\n" + traceback.format_exception_only(kind, cause)[-1]
    return original(debugger, request, *args, **kwargs)


@replace(pydevd_net_command_factory_xml.NetCommandFactory, "_iter_visible_frames_info")
def iter_visible_frames_info(original, self, debugger, frames_list, flatten_chained=False):
    """Omits frames of chained exceptions: they are not part of this call stack."""
    return original(self, debugger, frames_list)


def load(name):
    """Imports another module of this directory; none if it does not fit this pydevd."""
    try:
        return imports.load(name)
    except Exception:
        pydev_log.exception()


@replace(pydevd_api.PyDevdAPI, "set_function_breakpoints")
def set_function_breakpoints(original, self, debugger, breakpoints):
    functions = None
    if breakpoints or "dapdock_functions" in sys.modules:
        functions = load("dapdock_functions")
    if functions is not None:
        breakpoints = functions.prepare(debugger, breakpoints)
    original(self, debugger, breakpoints)


@replace(PyDevJsonCommandProcessor, "on_setfunctionbreakpoints_request")
def on_setfunctionbreakpoints_request(original, self, debugger, request):
    response = original(self, debugger, request)
    functions = sys.modules.get("dapdock_functions")
    return response if functions is None else functions.add_places(response)


@replace(PyDB, "add_break_on_exception")
def add_break_on_exception(original, self, *args, **kwargs):
    handled = kwargs.get("notify_on_handled_exceptions")
    if handled or kwargs.get("notify_on_user_unhandled_exceptions"):
        load("dapdock_exceptions")
    if kwargs.get("notify_on_unhandled_exceptions"):
        load("dapdock_failures")
    return original(self, *args, **kwargs)


@replace(PyDevJsonCommandProcessor, "on_exceptioninfo_request")
def on_exceptioninfo_request(original, self, debugger, request):
    load("dapdock_causes")
    return original(self, debugger, request)


def attached(types):
    """Called after an attach, with the exception types that stop.

    The directory of this module is deleted before the process ends, so child processes are left
    to pydevd. The delay of its messages is left too: when a client disconnects at once, pydevd
    takes the trace function from a thread that is in it, and the process crashes (seen with
    1.8.22 and Python 3.11, within 44 ms).
    """
    global launched
    launched = False
    debugger = pydevd_constants.get_global_debugger()
    pydevd_defaults.PydevdCustomization.PREIMPORT = ORIGINAL_PREIMPORT
    known = list(debugger.function_breakpoint_name_to_breakpoint.values())
    load("dapdock_functions").prepare(debugger, known)
    load("dapdock_templates").set_known(debugger)
    load("dapdock_lines").move_known(debugger)
    if debugger.break_on_uncaught_exceptions:
        load("dapdock_failures")
    # pydevd got these types before this module was loaded, and could only import them by name.
    libraries = 1 if debugger.get_use_libraries_filter() else 0
    for name in types:
        debugger.add_break_on_exception(
            name,
            condition=None,
            expression=None,
            notify_on_first_raise_only=False,
            ignore_libraries=libraries,
            notify_on_handled_exceptions=1,
            notify_on_unhandled_exceptions=0,
            notify_on_user_unhandled_exceptions=0,
        )
    if known or types:
        debugger.on_breakpoints_changed()


def set_preimport():
    """Has child processes import this module, and imports what debugpy's own PREIMPORT would have
    imported (`force_pydevd.py`)."""
    if hasattr(sys.modules["__main__"], "PyDB") and "debugpy" not in sys.modules:
        root = os.path.abspath(pydevd_constants.__file__)
        for _ in range(5):
            root = os.path.dirname(root)
        sys.path.insert(0, root)
        try:
            import debugpy._vendored.force_pydevd  # noqa: F401
        finally:
            sys.path.remove(root)
    pydevd_defaults.PydevdCustomization.PREIMPORT = HERE + ";" + __name__


MODULES = (
    "blocked", "causes", "children", "debuggee", "effects", "exceptions", "failures",
    "functions", "imports", "leaving", "lines", "listing", "locks", "marks", "messages",
    "operands", "output", "plain", "purity", "python_types", "recursion", "results", "step_out",
    "step_targets", "tables", "tasks", "templates", "texts", "timeouts", "tracing",
)
DONT_TRACE.update(("dapdock_%s.py" % name, PYDEV_FILE) for name in MODULES)
set_preimport()
load("dapdock_timeouts")
load("dapdock_recursion")
load("dapdock_step_targets")
load("dapdock_messages")
load("dapdock_blocked")
load("dapdock_step_out")
load("dapdock_children")
load("dapdock_leaving")
load("dapdock_lines")
load("dapdock_templates")
if sys.version_info[:2] == (3, 11):
    load("dapdock_tracing")
