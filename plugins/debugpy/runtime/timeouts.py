"""Limits the time that code of the program may take which an evaluation runs: a `__repr__` that
sleeps, loops, or waits for a suspended thread.

pydevd would resume all other threads after three seconds and report the end of the evaluation as
one more stop (`pydevd_vars.unblock_threads_on_timeout`), at which the same value is read again,
and so on for ever. Here the program's code is interrupted instead, and an error is displayed in
place of the value. The interrupt is an exception in the evaluating thread: the main thread gets it
from a signal, which also ends a sleep; another thread gets it when it next runs Python code.

An expression of the caller, `repr(value)` for example, has the time that the caller gives it
(`patience` among the arguments of `evaluate`). `sys.exit()` in such an expression or in a
condition becomes an ordinary error: pydevd would let it pass, and then not reply or end the
program.
"""

import ctypes
import signal
import sys
import time

from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_constants, pydevd_vars
from _pydevd_bundle.pydevd_daemon_thread import PyDBDaemonThread

from dapdock_debuggee import PyDB, replace

SECONDS = 1.0
SHORT_SECONDS = 0.05  # for a value whose like did not finish the last time
FORGET_AFTER = 30.0  # seconds after that
MOST_SLOW = 256
INTERVAL = 0.02
slow = {}  # key of values that did not finish -> time until which that is remembered
watcher = None
current = threading.local()  # `timeout`: of the request that this thread handles
pydevd_comm.PYDEVD_UNBLOCK_THREADS_ON_VARIABLES_TIMEOUT = -1


class NoAnswer(BaseException):
    """Not an `Exception`, because programs and pydevd catch those and continue."""

    seconds = SECONDS

    def __str__(self):
        return "no answer within %g s" % self.seconds


class Watcher(PyDBDaemonThread):
    def __init__(self, debugger):
        PyDBDaemonThread.__init__(self, debugger)
        self.lock = threading.Lock()
        self.has_watches = threading.Event()
        self.watches = []

    def _on_run(self):
        while not self._kill_received:
            self.has_watches.wait()
            with self.lock:
                for watch in self.watches[:]:
                    watch.check()
                if not self.watches:
                    self.has_watches.clear()
            time.sleep(INTERVAL)

    def do_kill_pydev_thread(self):
        PyDBDaemonThread.do_kill_pydev_thread(self)
        self.has_watches.set()


class Watch:
    """Interrupts its thread, repeatedly as long as the frame is on the stack: the code that runs
    next in the frame may be as slow."""

    def __init__(self, watcher, frame, seconds):
        self.watcher, self.frame, self.seconds = watcher, frame, seconds
        self.thread = threading.get_ident()
        self.due = None  # time of the next interrupt; none before the begin and after the end
        self.sent = self.received = 0
        self.previous = current_handler()
        self.kind = type("NoAnswer", (NoAnswer,), {"__init__": self.receive, "seconds": seconds})
        self.wakeup_fd = None

    def begin(self):
        if self.previous is not None:
            # An event loop reads signals from this descriptor and calls its own handler.
            self.wakeup_fd = signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGINT, self.on_signal)
        with self.watcher.lock:
            self.watcher.watches.append(self)
        self.watcher.has_watches.set()
        self.due = time.monotonic() + self.seconds

    def end(self):
        self.due = None
        with self.watcher.lock:
            if self in self.watcher.watches:
                self.watcher.watches.remove(self)
        self.frame = None
        while self.received < self.sent:  # nothing else could handle the interrupt
            try:
                time.sleep(0.001)
            except NoAnswer:
                pass
        if self.previous is not None:
            signal.signal(signal.SIGINT, self.previous)
        if self.wakeup_fd is not None:
            signal.set_wakeup_fd(self.wakeup_fd)

    def check(self):
        if self.due is None or time.monotonic() < self.due:
            return
        frame = sys._current_frames().get(self.thread)
        while frame is not None and frame is not self.frame:
            frame = frame.f_back
        if frame is None:
            self.watcher.watches.remove(self)
            return
        self.due = time.monotonic() + self.seconds
        self.sent += 1
        if self.previous is None:
            thread, kind = ctypes.c_ulong(self.thread), ctypes.py_object(self.kind)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)
        else:
            signal.pthread_kill(self.thread, signal.SIGINT)

    def receive(self):
        self.received = self.sent  # several interrupts at once arrive as one

    def on_signal(self, *_):
        self.receive()
        if self.due is not None:
            raise self.kind


def current_handler():
    """The present handler of SIGINT. None if the signal cannot interrupt this thread, or the
    handler cannot be restored."""
    if threading.current_thread() is not threading.main_thread():
        return None
    if not hasattr(signal, "pthread_kill"):
        return None
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return None if blocked else signal.getsignal(signal.SIGINT)


def run_limited(seconds, read, done=lambda watch: None):
    global watcher
    if watcher is None or not watcher.is_alive():  # not alive in a forked child
        watcher = Watcher(pydevd_constants.get_global_debugger())
        watcher.start()
    watch = Watch(watcher, sys._getframe(), seconds)
    try:
        watch.begin()
        return read()
    finally:
        try:
            watch.end()
        except NoAnswer:
            watch.end()
        done(watch)


def read_value(key, read):
    """Reads a value in the time that its key has."""
    seconds = SHORT_SECONDS if time.monotonic() < slow.get(key, 0) else SECONDS
    return run_limited(seconds, read, lambda watch: remember(key, watch))


def remember(key, watch):
    if not watch.sent:
        slow.pop(key, None)
    elif watch.seconds == SECONDS:  # a miss of the short time does not extend it
        slow.pop(key, None)
        slow[key] = time.monotonic() + FORGET_AFTER
        if len(slow) > MOST_SLOW:
            slow.pop(next(iter(slow)), None)


@replace(pydevd_api, "internal_evaluate_expression_json")
def internal_evaluate_expression_json(original, py_db, request, *args, **kwargs):
    current.timeout = request.arguments.kwargs.get("patience")
    try:
        return original(py_db, request, *args, **kwargs)
    finally:
        current.timeout = None


@replace(pydevd_vars, "evaluate_expression")
def evaluate_expression(original, py_db, frame, expression, is_exec):
    """The exception of an expression is returned as its value, that of statements is raised."""
    seconds = getattr(current, "timeout", None)
    if seconds is None:
        return original(py_db, frame, expression, is_exec)
    try:
        return run_limited(seconds, lambda: original(py_db, frame, expression, is_exec))
    except NoAnswer as error:
        timeout = TimeoutError(str(error))
        if is_exec:
            raise timeout from None
        return pydevd_vars.ExceptionOnEvaluate(timeout, TimeoutError, error.__traceback__)


def without_exit(run):
    """Turns `SystemExit` and the like into an `Exception` of the same name."""

    def wrapped(*args):
        try:
            return run(*args)
        except BaseException as cause:
            if isinstance(cause, (Exception, KeyboardInterrupt, NoAnswer)):
                raise
            kind = type(cause)
            error = type(kind.__name__, (Exception,), {"__module__": kind.__module__})
            raise error(*cause.args) from None

    return wrapped


pydevd_vars.eval, pydevd_vars.Exec = without_exit(eval), without_exit(pydevd_vars.Exec)
sys.modules[PyDB.__module__].eval = without_exit(eval)
