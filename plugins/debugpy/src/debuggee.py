"""Mends pydevd where it is: in the debuggee, in its forked children, and in the child processes that pydevd starts
with itself inside, which import this by `PREIMPORT`.

One stop at a time. Of two threads that hit a breakpoint at the same moment pydevd forgets one: each marks the other as
stopped by itself (`suspend_all_threads`), and who is so marked neither looks at the breakpoint it stands at
(`pydevd_frame.py`, `info.pydev_state != STATE_SUSPEND`) nor tells its own stop. Here the first is told, and each other
one as soon as all are let go, unless its breakpoint is gone by then. And none stops while others are being let go: it
would run on, and those stand for good (`resume_threads` marks them one by one without a lock).

Who is let go wakes at once instead of at the next round of its wait, up to 0.2 s later (`_do_wait_suspend`), and the
end of a program does not take half a second more. Messages are not held back (see sitecustomize.py). A condition that
raises stops, and says why, in children, too. What cannot be set or read says why in a line. Calls to step into are
those of the statement.

Fits the pydevd of debugpy 1.8.16 and newer.
"""

import ast
import importlib
import linecache
import os
import stat
import sys
import traceback
import types

from _pydev_bundle import pydev_log, pydev_monkey
from _pydev_bundle._pydev_saved_modules import socket, threading, time
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_constants, pydevd_defaults
from _pydevd_bundle import pydevd_net_command_factory_xml, pydevd_resolver
from _pydevd_bundle import pydevd_thread_lifecycle as lifecycle
from _pydevd_bundle.pydevd_additional_thread_info import PyDBAdditionalThreadInfo
from _pydevd_bundle._debug_adapter import pydevd_base_schema
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN, CMD_SET_BREAK, CMD_SET_FUNCTION_BREAK, CMD_THREAD_SUSPEND
from _pydevd_bundle.pydevd_constants import STATE_SUSPEND, ForkSafeLock
from _pydevd_bundle.pydevd_dont_trace_files import DONT_TRACE, PYDEV_FILE
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor
from _pydevd_bundle.pydevd_net_command import NetCommand
from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame as paths_of

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class statement made it (object.h)
HERE = os.path.dirname(os.path.abspath(__file__))
NOTES_HITS = hasattr(PyDBAdditionalThreadInfo, "hit_breakpoint_ids")  # pydevd itself, since debugpy 1.8.22
PyDB = type(pydevd_constants.get_global_debugger())
if not hasattr(pydevd_constants.get_global_debugger(), "_thread_events"):
    raise ImportError("this debugpy is too old for it, and is as it comes")
BEFORE = pydevd_defaults.PydevdCustomization.PREIMPORT
lock = ForkSafeLock(rlock=True)
standing = {}  # threads that stopped by themselves and were not let go since -> why
told = None  # the one whose stop the debugger's client knows
judged = set()  # threads whose condition did not hold while another stopped them
came_along = True  # with the process, not after it
asked = 0.0  # when threads were last told to stand
chosen = {}  # thread -> the breakpoints that it hit, where one stands for several


def replace(owner, name):
    """Puts a function in place of one, which is its first argument."""
    def put(function):
        original = getattr(owner, name)
        setattr(owner, name, lambda *args, **kwargs: function(original, *args, **kwargs))
        return function
    return put


@replace(PyDB, "set_suspend")
def set_suspend(original, self, thread, stop_reason, *args, **kwargs):
    global asked
    asked = time.monotonic()
    with lock:
        if thread is threading.current_thread() and not kwargs.get("is_pause"):
            step = kwargs.get("original_step_cmd", -1)
            standing[thread] = stop_reason if step == -1 else step
        return original(self, thread, stop_reason, *args, **kwargs)


@replace(lifecycle, "mark_thread_suspended")
def mark_thread_suspended(original, thread, *args, **kwargs):
    if not kwargs.get("main_suspend", True) and thread in standing:
        return lifecycle.set_additional_thread_info(thread)
    return original(thread, *args, **kwargs)


@replace(PyDB, "_PyDB__wait_for_threads_to_finish")
def wait_for_threads_to_finish(original, self, timeout):
    """Who waits here is not waited for: two such threads had no end but the timeout."""
    threads, own = self.created_pydb_daemon_threads, threading.current_thread()
    known = threads.pop(own, None)
    try:
        return original(self, timeout)
    finally:
        if known is not None:
            threads[own] = known


@replace(pydevd_api.PyDevdAPI, "request_stack")
def request_stack(original, *args, **kwargs):
    """Who does not stand by then is in a call of C: pydevd would wait as long again for each."""
    if time.monotonic() - asked > 0.5:
        kwargs["timeout"] = 0
    return original(*args, **kwargs)


@replace(PyDevJsonCommandProcessor, "on_evaluate_request")
def on_evaluate_request(original, self, debugger, request):
    frame = request.arguments.frameId
    frames = debugger.suspended_frames_manager
    if frame is None or frames.get_thread_id_for_variable_reference(frame) is not None:
        return original(self, debugger, request)
    why = "its thread is in a call of C, where nothing of it can be read; debug_stack tells where"
    failed = {"body": {"result": "", "variablesReference": 0}, "success": False, "message": why}
    response = pydevd_base_schema.build_response(request, kwargs=failed)
    return NetCommand(CMD_RETURN, 0, response, is_json=True)


def resume_threads(original, *args, **kwargs):
    global told
    with lock:
        told = None
        standing.clear()
        original(*args, **kwargs)
    debugger = pydevd_constants.get_global_debugger()
    for event in list(debugger._thread_events.values()) if debugger is not None else ():
        event.set()


replace(pydevd_api, "resume_threads")(resume_threads)
replace(pydevd_comm, "resume_threads")(resume_threads)


@replace(PyDB, "do_wait_suspend")
def do_wait_suspend(original, self, thread, frame, event, arg, exception_type=None):
    info = thread.additional_info
    missed = thread not in standing and event == "line" and info not in judged and at(self, frame) is not None
    judged.discard(info)
    hits = None
    while True:
        hits = chosen.pop(info, None) or hits or hit(self, thread, frame)
        note(info, hits)
        why, first = announce(thread)
        await_readers()
        try:
            original(self, thread, frame, event, arg, exception_type)
        finally:
            withdraw(thread)
        if self.pydb_disposed or self.quitting or info.pydev_original_step_cmd != -1:
            return
        if not first and (event == "exception" or why in (CMD_SET_BREAK, CMD_SET_FUNCTION_BREAK)):
            hits = renewed(self, why, hits, frame)
        elif missed:
            why, hits, missed = CMD_SET_BREAK, held_now(self, info, frame), False
        else:
            return
        if hits == []:
            return
        self.set_suspend(thread, why)


def hit(debugger, thread, frame):
    """The breakpoints that it stopped at."""
    if NOTES_HITS:
        return thread.additional_info.hit_breakpoint_ids
    one = at(debugger, frame) if standing.get(thread) == CMD_SET_BREAK else None
    return None if one is None else [one.breakpoint_id]


def note(info, hits):
    if NOTES_HITS:
        info.hit_breakpoint_ids = hits


def announce(thread):
    """Why it stands, and whether that is told."""
    global told
    with lock:
        why = standing.get(thread)
        first = why is None or told in (None, thread)
        if why is not None and first:
            told = thread
        elif why is not None:
            thread.stop_reason = CMD_THREAD_SUSPEND
        return why, first


def await_readers():
    """What was printed goes another way than the stop, through debugpy's launcher: it is to be there first."""
    deadline = time.monotonic() + 0.05
    while any(unread(stream) for stream in (1, 2)) and time.monotonic() < deadline:
        time.sleep(0.001)


def unread(stream):
    try:
        import fcntl
        import termios
        if not stat.S_ISFIFO(os.fstat(stream).st_mode):
            return False
        return any(fcntl.ioctl(stream, termios.FIONREAD, bytes(4)))
    except (ImportError, OSError):
        return False


def withdraw(thread):
    global told
    with lock:
        standing.pop(thread, None)
        if told is thread:
            told = None


def at(debugger, frame):
    """The breakpoint on the line."""
    return debugger.breakpoints.get(paths_of(frame)[1], {}).get(frame.f_lineno)


def renewed(debugger, why, hits, frame):
    """The numbers that these have by now: pydevd numbers all of a file anew when one changes. Empty: they are gone."""
    if why == CMD_SET_FUNCTION_BREAK:
        one = debugger.function_breakpoint_name_to_breakpoint.get(frame.f_code.co_name)
    else:
        one = at(debugger, frame)
    known = numbers(one) if one is not None else []
    return hits and ([hit for hit in hits if hit in known] or known[:1])


def numbers(one):
    members = getattr(one, "members", None)
    return [one.breakpoint_id] if members is None else [number for member in members for number in numbers(member)]


def held_now(debugger, info, frame):
    """What stops on the line by now."""
    one = at(debugger, frame)
    if one is None or one.is_logpoint:
        return []
    held = not one.has_condition or debugger.handle_breakpoint_condition(info, one, frame)
    judged.discard(info)
    return chosen.pop(info, [one.breakpoint_id]) if held else []


holds_by_itself = PyDB.handle_breakpoint_condition


def handle_breakpoint_condition(self, info, one, frame):
    decide = getattr(one, "decide", None)
    held = holds_by_itself(self, info, one, frame) if decide is None else decide(self, info, frame)
    judged.discard(info)
    # Nothing else may run between this look and pydevd's own: hence no call behind it, and no `replace`.
    if info.pydev_state == STATE_SUSPEND and not held:
        judged.add(info)
    return held


PyDB.handle_breakpoint_condition = handle_breakpoint_condition


# `sys.exit(3)` is an exit, as `breakOnSystemExit` says, which pydevd heeds since debugpy 1.8.21.
PyDB.ignore_system_exit_code = lambda self, error: True


@replace(PyDB, "initialize_network")
def initialize_network(original, self, sock, *args, **kwargs):
    if came_along:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    self.skip_suspend_on_breakpoint_exception = self.skip_print_breakpoint_exception = ()
    return original(self, sock, *args, **kwargs)


@replace(pydev_monkey, "_get_python_c_args")
def python_c_args(original, host, port, code, args, setup):
    """`python -c` with pydevd before the code."""
    said = original(host, port, code, args, setup)
    if not came_along:
        return said
    words = ("pydevd.config(%r, %r", "pydevd.config(%r, %r, %r")
    values = pydevd_constants.get_protocol(), pydevd_defaults.PydevdCustomization.DEBUG_MODE
    before, after = words[0] % values, words[1] % (*values, pydevd_defaults.PydevdCustomization.PREIMPORT)
    if isinstance(said, bytes):
        before, after = before.encode(), after.encode()
    return said.replace(before, after, 1)


class Words:
    """What pydevd says of itself, for its client to log: the program's stderr is the program's."""

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
        pydev_log._LoggingGlobals._debug_stream = Words()


class error(str):
    """In place of an attribute that cannot be read."""

    __repr__ = str.__str__


@replace(pydevd_resolver.DefaultResolver, "_get_py_dictionary")
def get_py_dictionary(original, self, *args, **kwargs):
    found = original(self, *args, **kwargs)
    for name, value in found[0].items():
        if type(value) is str and value.startswith("Traceback (") and ", in _get_py_dictionary\n" in value:
            why = value.rstrip().rpartition("\n")[2].replace("dapdock_patience.NoAnswer: ", "")
            found[0][name] = error("<error: %s>" % why)
    return found


@replace(pydevd_comm, "_set_expression_response")
def set_expression_response(original, debugger, request, *args, **kwargs):
    kind, cause = sys.exc_info()[:2]
    if kind is not None and "error_message" in kwargs:
        kwargs["error_message"] += ":\n" + traceback.format_exception_only(kind, cause)[-1]
    return original(debugger, request, *args, **kwargs)


@replace(pydevd_comm.pydevd_bytecode_utils, "calculate_smart_step_into_variants")
def calculate_smart_step_into_variants(original, frame, first, last, *args, **kwargs):
    """Of the statement that is stepped into, where pydevd asks for all calls of the function
    (`internal_get_step_in_targets_json`): a step into one further down leaves the line, or never ends."""
    if (first, last) != (0, 99999999):
        return original(frame, first, last, *args, **kwargs)
    variants = original(frame, *statement(frame), *args, **kwargs)
    for variant in variants:
        # No line of Python begins there: the step would not end.
        variant.is_visited = variant.is_visited or is_compiled(frame, variant.name)
    return variants


def is_compiled(frame, call):
    """Does the call, as it is written, enter C? Looks up names, and what modules have; calls nothing."""
    try:
        node, rest = ast.parse(call, mode="eval").body.func, []
        while isinstance(node, ast.Attribute):
            node, rest = node.value, [node.attr, *rest]
    except (AttributeError, SyntaxError, ValueError):
        return False
    if not isinstance(node, ast.Name):
        return False
    known = (frame.f_locals, frame.f_globals, frame.f_builtins)
    value = next((names[node.id] for names in known if node.id in names), None)
    for name in rest:
        value = vars(value).get(name) if type(value) is types.ModuleType else None
    return type(value) is types.BuiltinFunctionType or issubclass(type(value), type) and not value.__flags__ & HEAP_TYPE


def statement(frame):
    """Its first and last line, of one with a block its head's; without a source the line."""
    at = frame.f_lineno
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except Exception:
        return at, at
    found = at, at
    for node in ast.walk(tree):  # inner ones come later
        if isinstance(node, ast.stmt) and node.lineno <= at <= node.end_lineno:
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if at <= last:
                found = node.lineno, last
    return found


@replace(pydevd_net_command_factory_xml.NetCommandFactory, "_iter_visible_frames_info")
def iter_visible_frames_info(original, self, debugger, frames_list, flatten_chained=False):
    """Without those of the exceptions that it was raised from: they called nobody here."""
    return original(self, debugger, frames_list)


def load(name):
    """What is needed only then; none: it does not fit."""
    sys.path.insert(0, HERE)
    try:
        return importlib.import_module(name)
    except Exception:
        pydev_log.exception()
    finally:
        sys.path.remove(HERE)


@replace(pydevd_api.PyDevdAPI, "set_function_breakpoints")
def set_function_breakpoints(original, self, debugger, breakpoints):
    functions = load("dapdock_functions") if breakpoints or "dapdock_functions" in sys.modules else None
    original(self, debugger, functions.prepared(debugger, breakpoints) if functions is not None else breakpoints)


@replace(PyDevJsonCommandProcessor, "on_setfunctionbreakpoints_request")
def on_setfunctionbreakpoints_request(original, self, debugger, request):
    answer = original(self, debugger, request)
    functions = sys.modules.get("dapdock_functions")
    return answer if functions is None else functions.answered(answer)


@replace(PyDB, "add_break_on_exception")
def add_break_on_exception(original, self, *args, **kwargs):
    if kwargs.get("notify_on_handled_exceptions") or kwargs.get("notify_on_user_unhandled_exceptions"):
        load("dapdock_exceptions")
    return original(self, *args, **kwargs)


def attached(types):
    """This comes into a process that runs, and its directory goes before that: children are left to pydevd. So is the
    delay: who disconnects at once has pydevd take the trace function from a thread that is in it, and the process dies
    of it (seen with 1.8.22 and Python 3.11, within 44 ms)."""
    global came_along
    came_along = False
    debugger = pydevd_constants.get_global_debugger()
    pydevd_defaults.PydevdCustomization.PREIMPORT = BEFORE
    known = list(debugger.function_breakpoint_name_to_breakpoint.values())
    load("dapdock_functions").prepared(debugger, known)
    # pydevd, to which they were told before, had to import them.
    handled, libraries = {"notify_on_handled_exceptions": 1}, 1 if debugger.get_use_libraries_filter() else 0
    unhandled = dict.fromkeys(("notify_on_unhandled_exceptions", "notify_on_user_unhandled_exceptions"), 0)
    for name in types:
        debugger.add_break_on_exception(
            name, condition=None, expression=None, notify_on_first_raise_only=False, ignore_libraries=libraries, **handled, **unhandled
        )
    if known or types:
        debugger.on_breakpoints_changed()


def preimport():
    """Has children import this, which imports what debugpy would have had them import (`force_pydevd.py`)."""
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


OWN = ("dapdock_debuggee.py", "dapdock_functions.py", "dapdock_exceptions.py", "dapdock_patience.py", "dapdock_recursion.py")
DONT_TRACE.update(dict.fromkeys(OWN, PYDEV_FILE))
preimport()
load("dapdock_patience")
load("dapdock_recursion")
