# Breakpoints that count and breakpoints that write, without stopping anybody: part of a condition, which pydevd
# evaluates in the thread that comes by. What is said goes through pydevd's own connection, before the stop it is about.
import atexit
import sys
import threading
import time
import traceback
import types

from _pydevd_bundle.pydevd_api import PyDevdAPI
from _pydevd_bundle.pydevd_constants import ForkSafeLock, get_global_debugger
from _pydevd_bundle.pydevd_safe_repr import SafeRepr

OFTEN = 0.05  # seconds between two words of a breakpoint that does not stop
lock = ForkSafeLock()
codes = {}
counters = {}  # number of the breakpoint -> [hits, hits told, when]


def evaluate(text, names, own):
    code = codes.get(text)
    if code is None:
        code = codes[text] = compile(text.strip(), "<string>", "eval")
    # In one, so that what is nested in an expression sees the frame's names too.
    return eval(code, {**names, **own})


def say(text):
    debugger = get_global_debugger()
    if debugger is not None and debugger.writer is not None:
        debugger.writer.add_command(debugger.cmd_factory.make_io_message(text + "\n", 1))


def holds(condition, names, own):
    """Whether it does; none: it cannot be told, which is said as pydevd says it."""
    try:
        return condition is None or bool(evaluate(condition, names, own))
    except Exception:
        text = "Error while evaluating expression in conditional breakpoint: %s\n%s"
        PyDevdAPI().send_error_message(get_global_debugger(), text % (condition, traceback.format_exc()))
        return None


def tell(number, counter):
    if counter[0] > counter[1]:
        say("\x1e%d+%d\x1f" % (number, counter[0] - counter[1]))
    counter[1], counter[2] = counter[0], time.monotonic()


def hit(number, before, operator, wanted, condition, names, own):
    """Counts; true where the count says to stop."""
    held = holds(condition, names, own)
    if held is False:
        return False
    with lock:
        counter = counters.setdefault(number, [before, before, 0.0])
        if counter[0] < before:
            counter[:2] = before, before
        counter[0] += 1
        n = counter[0]
        stops = held is None or {"==": n == wanted, ">=": n >= wanted, "%": n % wanted == 0}[operator]
        if stops or n == 1 or time.monotonic() - counter[2] > OFTEN:
            tell(number, counter)
    return stops


def log(mark, pieces, condition, names, own):
    """Writes; true where the condition cannot be told."""
    held = holds(condition, names, own)
    if held:
        text = "".join(piece if literal else shown(piece, names, own) for literal, piece in pieces)
        say("%s\x1f%s\x1f%s" % (mark, threading.current_thread().name, text))
    return held is None


def shown(expression, names, own):
    try:
        return SafeRepr()(evaluate(expression, names, own))
    except Exception as error:
        return "<error: %s>" % traceback.format_exception_only(type(error), error)[-1].strip()


def tell_all():
    for number, counter in list(counters.items()):
        tell(number, counter)


atexit.register(tell_all)
module = types.ModuleType("dapdock_points")
module.hit, module.log = hit, log
sys.modules["dapdock_points"] = module
