# Part of the condition of a breakpoint that counts hits, that writes a log message, or that is on
# one of several functions with the same last name. pydevd evaluates the condition in the thread
# that reaches the breakpoint, so that no thread stops for it. Messages go the way of the program's
# output, and so in order with it (`output.py`). Where the launcher does not read that, as in child
# processes, they go through pydevd's own connection, and so arrive before the stop that they belong
# to. The thread that sends pydevd's messages takes all log messages so far at once: a message for
# each hit would take longer than the hit, and the rest would be lost when the program ends.
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
MOST_TEXTS = 10000  # that wait to be sent; the rest is counted
MOST_IN_EVENT = 500
MOST_CHARACTERS = 2000  # of a text
WAITING_CHARACTERS = 2**24
EVENT_CHARACTERS = 2**20  # the host takes messages of 64 MiB, and a character can take 12 bytes
waiting = None  # the Texts that wait to be sent


def evaluate(text, names, own):
    code = codes.get(text)
    if code is None:
        code = codes[text] = compile(text.strip(), "<string>", "eval")
    if any(type(constant) is types.CodeType for constant in code.co_consts):
        # One dictionary: scopes nested in the expression see the frame's names too.
        return eval(code, {**names, **own})
    return eval(code, names, own)


def output(data):
    """An `output` event with `data` as in `BreakpointOutput`."""
    event = OutputEvent(OutputEventBody("", "stdout", data=data))
    return NetCommand(CMD_WRITE_TO_CONSOLE, 0, event, is_json=True)


def send(command):
    debugger = get_global_debugger()
    if debugger is not None and debugger.writer is not None:
        debugger.writer.add_command(command)


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
    # Without `__class__`, or a method of a metaclass, of the program's.
    fields = type.__dict__
    kind = first if issubclass(type(first), type) else type(first)
    for owner in fields["__mro__"].__get__(kind):
        if code.co_name in fields["__dict__"].__get__(owner):
            return fields["__qualname__"].__get__(owner) + "." + code.co_name
    return code.co_name


def report(number, counter):
    if counter[0] > counter[1]:
        send(output({"breakpoint": number, "hits": counter[0] - counter[1]}))
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


class Texts(NetCommand):
    """Log messages; those that are added until it is sent are sent with it."""

    def __init__(self):
        NetCommand.__init__(self, CMD_WRITE_TO_CONSOLE, 0, {}, is_json=True)
        self.as_dict = None  # what pydevd gives to listeners before it sends
        self.texts = []
        self.characters = 0
        self.uncounted = {}  # id of the breakpoint -> hits without a text

    def add(self, number, text):
        thread = cut(threading.current_thread().name)
        entry = {"breakpoint": number, "thread": thread, "text": text or ""}
        size = self.characters + characters(entry)
        has_room = len(self.texts) < MOST_TEXTS and size <= WAITING_CHARACTERS
        if text is not None and has_room:
            self.characters = size
            self.texts.append(entry)
        else:
            self.uncounted[number] = self.uncounted.get(number, 0) + 1

    def send(self, sock):
        global waiting
        with lock:
            if waiting is self:
                waiting = None
        for texts in parts(self.texts):
            output({"breakpoint": texts[0]["breakpoint"], "texts": texts}).send(sock)
        for number, hits in self.uncounted.items():
            output({"breakpoint": number, "hits": hits, "unlogged": True}).send(sock)


def parts(texts):
    """The texts of each event."""
    part, size = [], 0
    for entry in texts:
        size += characters(entry)
        if part and (len(part) >= MOST_IN_EVENT or size > EVENT_CHARACTERS):
            yield part
            part, size = [], characters(entry)
        part.append(entry)
    if part:
        yield part


def characters(entry):
    return len(entry["thread"]) + len(entry["text"])


def cut(text):
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"


def log(number, pieces, condition, names, own):
    """Writes the log message; true if the condition raises."""
    global waiting
    holds = test(condition, names, own)
    if not holds:
        return holds is None
    text = message(pieces, names, own)
    if is_written(number, text):
        return False
    with lock:
        is_new = waiting is None or not is_last(waiting)
        if is_new:
            waiting = Texts()
        waiting.add(number, text)
        if is_new:
            send(waiting)
    return False


def is_written(number, text):
    """Whether the launcher passes the message on, in order with the program's output."""
    questions = getattr(sys.modules.get("dapdock_output"), "questions", None)
    if questions is None:
        return False
    thread = cut(threading.current_thread().name)
    entry = "%d,%d,%s%s" % (number, len(thread), thread, text)
    return questions.write_log(entry.encode("utf-8", "replace"))


def is_last(command):
    """Whether nothing is to be sent after it: output of the program stays in order."""
    writer = getattr(get_global_debugger(), "writer", None)
    queue = getattr(getattr(writer, "_cmd_queue", None), "queue", None)
    try:
        return queue[-1] is command
    except (IndexError, TypeError):
        return False


def message(pieces, names, own):
    """The text, with the error of an expression that fails."""
    texts = []
    for literal, piece in pieces:
        if literal:
            texts.append(piece)
            continue
        try:
            texts.append(SafeRepr()(evaluate(piece, names, own)))
        except Exception as error:
            why = traceback.format_exception_only(type(error), error)[-1].strip()
            texts.append("<error: %s>" % why)
    return cut("".join(texts))


def report_all():
    with lock:
        for number, counter in list(counters.items()):
            report(number, counter)


module = types.ModuleType("dapdock_breakpoints_3")
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
