# Breakpoints that count, that write, and that are on one function of several of a name, without stopping anybody: part
# of a condition, which pydevd evaluates in the thread that comes by. What is said goes through pydevd's own connection,
# before the stop it is about.
import atexit
import os
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


def stop(condition, names, own):
    """Whether to; a condition that cannot be told stops, and says why."""
    return holds(condition, names, own) is not False


def within(wanted, names):
    """Whether the function that is called is the one that this name means: `Class.method`, `outer.inner`, `module.function`."""
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
    name = getattr(code, "co_qualname", None)  # Python 3.11
    if name is not None or code.co_argcount == 0:
        return name or code.co_name
    first = frame.f_locals.get(code.co_varnames[0])
    owners = (first if isinstance(first, type) else type(first)).__mro__
    owner = next((owner for owner in owners if code.co_name in vars(owner)), None)
    return code.co_name if owner is None else owner.__qualname__ + "." + code.co_name


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


module = types.ModuleType("dapdock_points")
module.hit, module.log, module.stop, module.within = hit, log, stop, within
# Threads that come by first at the same moment each run this: they share what the first of them has made.
if sys.modules.setdefault(module.__name__, module) is module:
    # `atexit` comes when pydevd takes no more to tell; but once the main thread has ended there is nothing earlier.
    try:
        threading._register_atexit(tell_all)
    except (AttributeError, RuntimeError):
        atexit.register(tell_all)
