# Part of the condition of a breakpoint that counts hits, that writes a log message, or that is on
# one of several functions with the same last name. pydevd evaluates the condition in the thread
# that reaches the breakpoint, so that no thread stops for it. Messages go through pydevd's own
# connection, and so arrive before the stop that they belong to.
import atexit
import os
import sys
import threading
import time
import traceback
import types

from _pydevd_bundle._debug_adapter.pydevd_schema import OutputEvent, OutputEventBody
from _pydevd_bundle.pydevd_api import PyDevdAPI
from _pydevd_bundle.pydevd_comm_constants import CMD_WRITE_TO_CONSOLE
from _pydevd_bundle.pydevd_constants import ForkSafeLock, get_global_debugger
from _pydevd_bundle.pydevd_net_command import NetCommand
from _pydevd_bundle.pydevd_safe_repr import SafeRepr

INTERVAL = 0.05  # seconds between two reports of a breakpoint that does not stop
lock = ForkSafeLock()
codes = {}
counters = {}  # id of the breakpoint -> [hits, reported hits, time of the report]


def evaluate(text, names, own):
    code = codes.get(text)
    if code is None:
        code = codes[text] = compile(text.strip(), "<string>", "eval")
    # One dictionary, so that scopes nested in the expression see the frame's names too.
    return eval(code, {**names, **own})


def send(text, data):
    """Sends an `output` event with `data` as in `BreakpointOutput`."""
    debugger = get_global_debugger()
    if debugger is not None and debugger.writer is not None:
        event = OutputEvent(OutputEventBody(text, "stdout", data=data))
        debugger.writer.add_command(NetCommand(CMD_WRITE_TO_CONSOLE, 0, event, is_json=True))


def test(condition, names, own):
    """Whether the condition is true. None if it raises, which is reported in pydevd's words."""
    try:
        return condition is None or bool(evaluate(condition, names, own))
    except Exception:
        text = "Error while evaluating expression in conditional breakpoint: %s\n%s"
        message = text % (condition, traceback.format_exc())
        PyDevdAPI().send_error_message(get_global_debugger(), message)
        return None


def stop(condition, names, own):
    """Whether to stop; a condition that raises stops too."""
    return test(condition, names, own) is not False


def is_function(wanted, names):
    """Whether the calling function has this qualified name: `Class.method`, `outer.inner` or
    `module.function`."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals is not names:
        frame = frame.f_back
    if frame is None:
        return True
    name = qualified(frame).replace(".<locals>", "")
    modules = [names.get("__name__") or ""]
    if modules[0] == "__main__":
        modules.append(os.path.splitext(os.path.basename(names.get("__file__") or ""))[0])
    return any(("." + module + "." + name).endswith("." + wanted) for module in modules)


def qualified(frame):
    code = frame.f_code
    name = getattr(code, "co_qualname", None)  # since Python 3.11
    if name is not None or code.co_argcount == 0:
        return name or code.co_name
    first = frame.f_locals.get(code.co_varnames[0])
    owners = (first if isinstance(first, type) else type(first)).__mro__
    owner = next((owner for owner in owners if code.co_name in vars(owner)), None)
    return code.co_name if owner is None else owner.__qualname__ + "." + code.co_name


def report(number, counter):
    if counter[0] > counter[1]:
        send("", {"breakpoint": number, "hits": counter[0] - counter[1]})
    counter[1], counter[2] = counter[0], time.monotonic()


def hit(number, before, operator, wanted, condition, names, own):
    """Counts a hit; true if the hit condition holds."""
    holds = test(condition, names, own)
    if holds is False:
        return False
    with lock:
        counter = counters.setdefault(number, [before, before, 0.0])
        if counter[0] < before:
            counter[:2] = before, before
        counter[0] += 1
        n = counter[0]
        reached = {"==": n == wanted, ">=": n >= wanted, "%": n % wanted == 0}[operator]
        stops = holds is None or reached
        if stops or n == 1 or time.monotonic() - counter[2] > INTERVAL:
            report(number, counter)
    return stops


def log(number, pieces, condition, names, own):
    """Writes the log message; true if the condition raises."""
    holds = test(condition, names, own)
    if holds:
        text = "".join(
            piece if literal else format_value(piece, names, own) for literal, piece in pieces
        )
        send(text + "\n", {"breakpoint": number, "thread": threading.current_thread().name})
    return holds is None


def format_value(expression, names, own):
    try:
        return SafeRepr()(evaluate(expression, names, own))
    except Exception as error:
        return "<error: %s>" % traceback.format_exception_only(type(error), error)[-1].strip()


def report_all():
    with lock:
        for number, counter in list(counters.items()):
            report(number, counter)


module = types.ModuleType("dapdock_breakpoints_2")
module.hit, module.log, module.stop, module.is_function = hit, log, stop, is_function
module.report_all = report_all
# Threads that reach their first breakpoint at the same moment each run this code: they share the
# module that the first of them made.
if sys.modules.setdefault(module.__name__, module) is module:
    # `atexit` runs after pydevd has stopped sending; but once the main thread has ended there is
    # no earlier callback.
    try:
        threading._register_atexit(report_all)
    except (AttributeError, RuntimeError):
        atexit.register(report_all)
