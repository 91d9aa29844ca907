"""Values that take too long to tell of themselves: a `__repr__` or a property of the program that sleeps, loops or waits
for a thread that stands.

pydevd would let all other threads go after three seconds and tell the end of it as one more stop
(`pydevd_vars.unblock_threads_on_timeout`), at which the same value is asked again, and so on for ever. Here the code of
the program is interrupted instead, and an error stands for the value. That is an exception in the thread that runs it:
the main thread gets it by a signal, which ends a sleep, too; another one once it is back in Python.

What an expression of the caller does by itself, `repr(value)` for one, takes the time that the caller gives it
(`patience` among the arguments of `evaluate`). `sys.exit()` in it, or in a condition, is an error of theirs: pydevd would
let it through, and answer nothing or end the program.
"""

import ctypes
import signal
import sys
import time

from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_constants, pydevd_resolver, pydevd_vars
from _pydevd_bundle.pydevd_daemon_thread import PyDBDaemonThread
from _pydevd_bundle.pydevd_safe_repr import SafeRepr

from dapdock_debuggee import PyDB, replace

SECONDS = 1.0
AGAIN = 0.05  # for what did not answer the last time
FORGOTTEN = 30.0  # after a miss
KNOWN = 256
ROUND = 0.02
PLAIN = {bool, bytes, float, int, str, type(None)}
HOLDERS = {dict, frozenset, list, set, tuple}
late = {}  # key of what did not answer -> until when that is known
watchman = None
asked = threading.local()  # `patience`: of the request that this thread is at
pydevd_comm.PYDEVD_UNBLOCK_THREADS_ON_VARIABLES_TIMEOUT = -1


class NoAnswer(BaseException):
    """No `Exception`: programs, and pydevd, go on after those."""

    seconds = SECONDS

    def __str__(self):
        return "no answer within %g s" % self.seconds


class Watchman(PyDBDaemonThread):
    def __init__(self, debugger):
        PyDBDaemonThread.__init__(self, debugger)
        self.lock = threading.Lock()
        self.some = threading.Event()
        self.watches = []

    def _on_run(self):
        while not self._kill_received:
            self.some.wait()
            with self.lock:
                for watch in self.watches[:]:
                    watch.look()
                if not self.watches:
                    self.some.clear()
            time.sleep(ROUND)

    def do_kill_pydev_thread(self):
        PyDBDaemonThread.do_kill_pydev_thread(self)
        self.some.set()


class Watch:
    """Interrupts its thread again and again, as long as the frame is there: what comes next in it may be as slow."""

    def __init__(self, watchman, frame, seconds):
        self.watchman, self.frame, self.seconds = watchman, frame, seconds
        self.thread = threading.get_ident()
        self.due = None  # it is not to be interrupted yet, or no more
        self.sent = self.came = 0
        self.before = handler()
        self.kind = type("NoAnswer", (NoAnswer,), {"__init__": self.arrive, "seconds": seconds})
        self.woken = None

    def begin(self):
        if self.before is not None:
            self.woken = signal.set_wakeup_fd(-1)  # an event loop hears of signals there, and calls its own handler
            signal.signal(signal.SIGINT, self.on_signal)
        with self.watchman.lock:
            self.watchman.watches.append(self)
        self.watchman.some.set()
        self.due = time.monotonic() + self.seconds

    def end(self):
        self.due = None
        with self.watchman.lock:
            if self in self.watchman.watches:
                self.watchman.watches.remove(self)
        self.frame = None
        while self.came < self.sent:  # nobody else would know what to do with it
            try:
                time.sleep(0.001)
            except NoAnswer:
                pass
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        if self.woken is not None:
            signal.set_wakeup_fd(self.woken)

    def look(self):
        if self.due is None or time.monotonic() < self.due:
            return
        at = sys._current_frames().get(self.thread)
        while at is not None and at is not self.frame:
            at = at.f_back
        if at is None:
            self.watchman.watches.remove(self)
            return
        self.due = time.monotonic() + self.seconds
        self.sent += 1
        if self.before is None:
            raised = ctypes.c_ulong(self.thread), ctypes.py_object(self.kind)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(*raised)
        else:
            signal.pthread_kill(self.thread, signal.SIGINT)

    def arrive(self):
        self.came = self.sent  # several at once are one

    def on_signal(self, *_):
        self.arrive()
        if self.due is not None:
            raise self.kind


def handler():
    """What handles the signal otherwise. None: it does not get here, or cannot be put back."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_kill"):
        return None
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return None if blocked else signal.getsignal(signal.SIGINT)


def within(seconds, tell, done=lambda watch: None):
    global watchman
    if watchman is None or not watchman.is_alive():  # so it is in a forked child
        watchman = Watchman(pydevd_constants.get_global_debugger())
        watchman.start()
    watch = Watch(watchman, sys._getframe(), seconds)
    try:
        watch.begin()
        return tell()
    finally:
        try:
            watch.end()
        except NoAnswer:
            watch.end()
        done(watch)


def in_time(key, tell):
    seconds = AGAIN if time.monotonic() < late.get(key, 0) else SECONDS
    return within(seconds, tell, lambda watch: remember(key, watch))


def remember(key, watch):
    if not watch.sent:
        late.pop(key, None)
    elif watch.seconds == SECONDS:  # a miss in the short time does not make it last
        late.pop(key, None)
        late[key] = time.monotonic() + FORGOTTEN
        if len(late) > KNOWN:
            late.pop(next(iter(late)), None)


def like(value):
    """What values are slow together. Of a list, what is in it is slow."""
    kind = type(value)
    if kind not in HOLDERS:
        return id(kind)
    first = next(iter(value.values() if kind is dict else value), None)
    return id(kind), id(type(first))


@replace(SafeRepr, "__call__")
def safe_repr(original, self, value):
    if type(value) in PLAIN:
        return original(self, value)
    try:
        return in_time(like(value), lambda: original(self, value))
    except NoAnswer as why:
        return "<error: __repr__: %s>" % why


@replace(pydevd_resolver.DefaultResolver, "_get_py_dictionary")
def get_py_dictionary(original, self, value, *args, **kwargs):
    return in_time(("attributes", id(type(value))), lambda: original(self, value, *args, **kwargs))


@replace(pydevd_api, "internal_evaluate_expression_json")
def internal_evaluate_expression_json(original, py_db, request, *args, **kwargs):
    asked.patience = request.arguments.kwargs.get("patience")
    try:
        return original(py_db, request, *args, **kwargs)
    finally:
        asked.patience = None


@replace(pydevd_vars, "evaluate_expression")
def evaluate_expression(original, py_db, frame, expression, is_exec):
    """An expression's exceptions are its value, those of statements are raised."""
    seconds = getattr(asked, "patience", None)
    if seconds is None:
        return original(py_db, frame, expression, is_exec)
    try:
        return within(seconds, lambda: original(py_db, frame, expression, is_exec))
    except NoAnswer as why:
        late = TimeoutError(str(why))
        if is_exec:
            raise late from None
        return pydevd_vars.ExceptionOnEvaluate(late, TimeoutError, why.__traceback__)


def ending_nothing(run):
    def tamed(*args):
        try:
            return run(*args)
        except BaseException as cause:
            if isinstance(cause, (Exception, KeyboardInterrupt, NoAnswer)):
                raise
            kind = type(cause)
            error = type(kind.__name__, (Exception,), {"__module__": kind.__module__})
            raise error(*cause.args) from None

    return tamed


pydevd_vars.eval, pydevd_vars.Exec = ending_nothing(eval), ending_nothing(pydevd_vars.Exec)
sys.modules[PyDB.__module__].eval = ending_nothing(eval)
