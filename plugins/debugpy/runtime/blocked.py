"""Shows threads that do not stop, and asyncio's suspended tasks, as if they had stopped.

A thread in a C function (a lock, a system call) stops when that returns. pydevd then knows neither
its variables nor, if all threads are such, any stop. Here its stack comes with variables and with
what it waits for (`locks.py`); and if a pause has stopped no thread after `SECONDS`, one of these
counts as stopped, or a task if all threads are in code of libraries: of the program's own code it
can run none until it is resumed.

Its requests are answered by threads of the debugger. They evaluate what changes nothing; code with
effects, which may need the thread itself, is refused.

The tasks are listed as threads, while nothing has stopped and at a pause: where a program hangs.
"""

import itertools
import sys
import weakref

from _pydev_bundle import pydev_log
from _pydev_bundle._pydev_saved_modules import _queue, threading, time
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_constants, pydevd_frame_utils
from _pydevd_bundle import pydevd_thread_lifecycle as lifecycle
from _pydevd_bundle._debug_adapter.pydevd_base_schema import BaseSchema
from _pydevd_bundle._debug_adapter.pydevd_schema import Response
from _pydevd_bundle.pydevd_comm_constants import (
    CMD_RETURN,
    CMD_STEP_INTO,
    CMD_STEP_INTO_MY_CODE,
    CMD_THREAD_SUSPEND,
)
from _pydevd_bundle.pydevd_constants import (
    PYTHON_SUSPEND,
    STATE_SUSPEND,
    ForkSafeLock,
    get_thread_id,
)
from _pydevd_bundle.pydevd_daemon_thread import PyDBDaemonThread
from _pydevd_bundle.pydevd_net_command import NetCommand
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor
from _pydevd_bundle.pydevd_suspended_frames import _FramesTracker
from _pydevd_bundle.pydevd_utils import get_non_pydevd_threads

import dapdock_debuggee as debuggee
import dapdock_locks as locks
import dapdock_tasks as tasks

SECONDS = 0.2  # in which a thread stops that runs Python code
TASK = "task:"
BLOCKED = "blocked:"  # begins the key of the stack of a thread or task that has not stopped
EFFECTS = "repl"  # the context of an evaluation that may have effects
REFUSED = "its thread is in native code, so no code that may have effects can run there"
NO_STEP = "a suspended task cannot step with this Python; continue until the line after its `await`"
Notification = sys.modules[debuggee.PyDB.__module__].AbstractSingleNotificationBehavior
Notification.NOTIFY_OF_PAUSE_TIMEOUT = SECONDS
count = itertools.count()
numbers = weakref.WeakKeyDictionary()  # task -> its name among pydevd's names of threads
numbered = weakref.WeakValueDictionary()  # and back
# Not that of `debuggee`, which a thread may hold while it starts another.
lock = ForkSafeLock(rlock=True)
trackers = {}  # key of a stack -> its tracker
awaited = {}  # id of a thread -> the event of its stop
paused = None  # id and thread of what counts as stopped; of a task the thread of its event loop
idle = []  # readers without work


@debuggee.replace(PyDevJsonCommandProcessor, "on_threads_request")
def on_threads_request(original, self, debugger, request):
    command = original(self, debugger, request)
    if debuggee.own_stops:  # not for a pause
        return command
    listed = command.as_dict["body"]["threads"]
    for task in sorted(tasks.all_tasks(), key=by_name):
        if not tasks.is_running(task):
            number = BaseSchema._translate_id_to_dap(number_of(task))
            listed.append({"id": number, "name": task_name(task)})
    return NetCommand(CMD_RETURN, 0, command.as_dict, is_json=True)


def number_of(task):
    number = numbers.get(task)
    if number is None:
        number = numbers[task] = TASK + str(next(count))
        numbered[number] = task
    return number


def by_name(task):
    """`Task-9` before `Task-10`."""
    name = tasks.name_of(task)
    return len(name), name


def task_name(task):
    name = tasks.name_of(task)
    return " ".join(filter(None, ["task", name, tasks.stored(task.get_coro(), "__qualname__")]))


@debuggee.replace(PyDevJsonCommandProcessor, "on_stacktrace_request")
def on_stacktrace_request(original, self, debugger, request):
    arguments = request.arguments
    found = stack_of(debugger, arguments.threadId)
    if found is None:
        return original(self, debugger, request)
    frames, why = found
    key = track(debugger, arguments.threadId, frames)
    fmt = arguments.format
    command = debugger.cmd_factory.make_get_thread_stack_message(
        debugger,
        request.seq,
        key,
        frames[0],
        fmt.to_dict() if hasattr(fmt, "to_dict") else fmt,
        start_frame=int(arguments.startFrame or 0),
        levels=int(arguments.levels or 0),
    )
    if not is_suspended():
        drop(key)  # the program runs: it may end the frames at any time
    if why:
        command.as_dict["body"]["waits"] = why
        return NetCommand(CMD_RETURN, 0, command.as_dict, is_json=True)
    return command


def stack_of(debugger, thread_id):
    """Frames of a task or of a thread that does not stop, innermost first, and what it waits for.
    None for a thread that has stopped or has no code of the program's own."""
    is_own = debugger.in_project_scope
    task = numbered.get(thread_id)
    if task is not None:
        frames = tasks.frames_of(task)[::-1]
        return (frames, locks.reason_of_task(task, frames, is_own)) if frames else None
    if has_stopped(debugger, thread_id):
        return None
    await_stop(debugger, thread_id)
    current = sys._current_frames()
    top, own = tops(debugger, lifecycle.pydevd_find_thread_by_id(thread_id), current)
    if own is None or has_stopped(debugger, thread_id):
        return None
    return list(locks.frames_from(top)), locks.reason(top, own, current, is_own)


def tops(debugger, thread, current):
    """A thread's innermost frame, and the innermost of the program's own code; none without."""
    top = current.get(thread.ident) if thread is not None else None
    own = next((one for one in locks.frames_from(top) if debugger.in_project_scope(one)), None)
    return top, own


def has_stopped(debugger, thread_id):
    return debugger.suspended_frames_manager.get_frames_list(thread_id) is not None


def await_stop(debugger, thread_id):
    """Waits until the thread has stopped, at most for the time in which one does that runs Python
    code. There is no event for a thread that is in native code."""
    left = debuggee.suspend_time + SECONDS - time.monotonic()
    if left <= 0 or not is_suspended():
        return
    stop = awaited[thread_id] = threading.Event()
    try:
        if not has_stopped(debugger, thread_id):
            stop.wait(left)
    finally:
        awaited.pop(thread_id, None)


@debuggee.replace(_FramesTracker, "track")
def on_track(original, self, thread_id, *args, **kwargs):
    original(self, thread_id, *args, **kwargs)
    stop = awaited.get(thread_id)
    if stop is not None:
        stop.set()


def is_suspended():
    """Whether the threads have stopped or are about to."""
    infos = (getattr(thread, "additional_info", None) for thread in threading.enumerate())
    return any(info is not None and info.pydev_state == STATE_SUSPEND for info in infos)


def track(debugger, thread_id, frames):
    """Makes the variables of these frames readable; returns the key of the stack."""
    key = BLOCKED + str(thread_id)
    drop(key)
    listed = pydevd_frame_utils.FramesList()
    for frame in frames:
        listed.append(frame)
    tracker = trackers[key] = _FramesTracker(debugger.suspended_frames_manager, debugger)
    tracker.track(key, listed)
    return key


def drop(key):
    tracker = trackers.pop(key, None)
    if tracker is not None:
        tracker.untrack_all()


@debuggee.replace(_FramesTracker, "untrack_all")
def untrack_all(original, self):
    """A frame may have two trackers: its thread was read as blocked, and stopped meanwhile."""
    with lock, self._lock:
        manager = self._suspended_frames_manager
        known = {} if manager is None else manager._variable_reference_to_frames_tracker
        others = {}
        for frame in self._frame_id_to_frame:
            if known.get(frame) not in (None, self):
                others[frame] = known[frame]
            known[frame] = self
        original(self)
        known.update(others)


@debuggee.replace(Notification, "_notify_after_timeout")
def notify_after_timeout(original, self, global_suspend_time):
    """A pause of a program all of whose threads are blocked. The calling thread has a lock that a
    pause needs."""
    original(self, global_suspend_time)
    debugger = self._py_db()
    if debugger is not None and global_suspend_time > self._last_suspend_notification_time:
        free_reader(debugger).work.put(lambda: stop_blocked(self, debugger))


def stop_blocked(self, debugger):
    global paused
    found = blocked_thread(debugger) or waiting_task(debugger)
    with lock:
        is_pausing = self._pause_requested and is_suspended()
        if is_pausing and found is not None and not self._suspended_thread_id_to_thread:
            paused = found
            self.on_thread_suspend(*found, CMD_THREAD_SUSPEND)


def blocked_thread(debugger):
    """Id and thread of the first in the program's own code."""
    current = sys._current_frames()
    for thread in get_non_pydevd_threads():
        if tops(debugger, thread, current)[1] is not None:
            return get_thread_id(thread), thread
    return None


def waiting_task(debugger):
    """Id of the first task in the program's own code, and the thread that runs its event loop. One
    that waits for no other task comes first."""
    found = sorted(tasks.all_tasks(), key=by_name)
    for task in sorted(found, key=lambda one: bool(tasks.awaited_by(one))):
        if any(map(debugger.in_project_scope, tasks.frames_of(task))):
            ident = getattr(task.get_loop(), "_thread_id", None)
            for thread in get_non_pydevd_threads():
                if thread.ident == ident:
                    return number_of(task), thread
    return None


@debuggee.replace(debuggee.PyDB, "do_wait_suspend")
def do_wait_suspend(original, self, thread, frame, *args, **kwargs):
    """A thread that was blocked stops: its frames are pydevd's from now on."""
    global paused
    with lock:
        if paused == (get_thread_id(thread), thread):
            paused = None
        frames = set(map(id, locks.frames_from(frame)))
        for key, tracker in list(trackers.items()):
            if not frames.isdisjoint(tracker._frame_id_to_frame):
                drop(key)
    return original(self, thread, frame, *args, **kwargs)


@debuggee.replace(debuggee.PyDB, "notify_thread_created")
def notify_thread_created(original, self, thread_id, thread, *args, **kwargs):
    """A library may start threads meanwhile: they stop before they run the program's own code. A
    thread that begins has no `ident` yet; pydevd notices others late, as the main thread."""
    with lock:
        if thread.ident is None and is_suspended():
            suspend(thread)
    return original(self, thread_id, thread, *args, **kwargs)


def suspend(thread):
    """As `mark_thread_suspended`, which reports a thread without an `ident` as an error."""
    info = lifecycle.set_additional_thread_info(thread)
    info.suspend_type = PYTHON_SUSPEND
    thread.stop_reason = info.pydev_step_cmd = CMD_THREAD_SUSPEND
    info.pydev_step_stop = None
    info.pydev_state = STATE_SUSPEND


def resume_threads(original, *args, **kwargs):
    original(*args, **kwargs)
    release()


def release():
    """Has the client know that the thread which counts as stopped goes on."""
    global paused
    with lock:
        for key in list(trackers):
            drop(key)
        resumed, paused = paused, None
        debugger = pydevd_constants.get_global_debugger()
        if resumed is not None and debugger is not None:
            debugger.threads_suspended_single_notification.on_thread_resume(*resumed)


debuggee.replace(pydevd_api, "resume_threads")(resume_threads)
debuggee.replace(pydevd_comm, "resume_threads")(resume_threads)


def frame_of(debugger, thread_id):
    """The program's innermost frame of the blocked thread or the task that counts as stopped; none
    of another."""
    if paused is None or paused[0] != thread_id:
        return None
    task = numbered.get(thread_id)
    if task is None:
        return tops(debugger, paused[1], sys._current_frames())[1]
    frames = tasks.frames_of(task)[::-1]
    return next(filter(debugger.in_project_scope, frames), None)


def step_of(debugger, thread_id):
    """The thread that a step from a blocked thread or a task resumes, and the frame where it
    begins; no frame: the thread has stopped, or runs no code of the program's own.

    pydevd leaves a step to its thread, which begins it once it has left its native code: the
    others would stand until then, and one of them may have what it waits for."""
    frame = frame_of(debugger, thread_id)
    if frame is not None:
        return paused[1], frame
    thread = lifecycle.pydevd_find_thread_by_id(thread_id)
    if thread_id in numbered or has_stopped(debugger, thread_id):
        return thread, None
    await_stop(debugger, thread_id)
    own = tops(debugger, thread, sys._current_frames())[1]
    return thread, None if has_stopped(debugger, thread_id) else own


@debuggee.replace(pydevd_api.PyDevdAPI, "request_step")
def request_step(original, self, debugger, thread_id, command):
    thread, frame = step_of(debugger, thread_id)
    if frame is None:
        return original(self, debugger, thread_id, command)
    if thread_id in numbered and has_stopped(debugger, get_thread_id(thread)):
        # It has begun another task, where pydevd would have the step end.
        sys.modules["dapdock_step_out"].destinations[thread] = frame
    step(debugger, thread, frame, command)


def refuse_step(original, self, debugger, request):
    """Where pydevd uses `sys.monitoring`, a step from the frame of a task would never end."""
    if request.arguments.threadId not in numbered:
        return original(self, debugger, request)
    response = Response(
        request_seq=request.seq, success=False, command=request.command, message=NO_STEP, body={}
    )
    return NetCommand(CMD_RETURN, 0, response, is_json=True)


if pydevd_constants.PYDEVD_USE_SYS_MONITORING:
    for step_request in ("on_next_request", "on_stepin_request", "on_stepout_request"):
        debuggee.replace(PyDevJsonCommandProcessor, step_request)(refuse_step)


def step(debugger, thread, frame, command):
    """Steps from the frame of a blocked thread or of a task, as pydevd does where a thread has
    stopped."""
    info = thread.additional_info
    info.pydev_original_step_cmd = info.pydev_step_cmd = command
    into = command in (CMD_STEP_INTO, CMD_STEP_INTO_MY_CODE)
    info.pydev_step_stop = None if into else frame
    info.step_in_initial_location = (frame, frame.f_lineno) if into else None
    info.pydev_state = pydevd_constants.STATE_RUN
    info.update_stepping_info()
    debugger.set_trace_for_frame_and_parents(thread.ident, frame)
    pydevd_comm.resume_threads("*", except_thread=thread)


def is_blocked(thread_id):
    return type(thread_id) is str and thread_id.startswith(BLOCKED)


@debuggee.replace(debuggee.PyDB, "post_method_as_internal_command")
def post_method_as_internal_command(original, self, thread_id, method, *args, **names):
    """What a stopped thread would do."""
    if not is_blocked(thread_id):
        return original(self, thread_id, method, *args, **names)
    requests = (one for one in (*args, *names.values()) if hasattr(one, "arguments"))
    request = next(requests, None)
    reads = request is None or method is pydevd_api.internal_get_variable_json
    evaluates = method is pydevd_api.internal_evaluate_expression_json
    if reads or evaluates and request.arguments.context != EFFECTS:
        free_reader(self).work.put(lambda: method(self, *args, **names))
        return None
    response = Response(
        request_seq=request.seq, success=False, command=request.command, message=REFUSED, body={}
    )
    self.writer.add_command(NetCommand(CMD_RETURN, 0, response, is_json=True))


def free_reader(debugger):
    while idle:
        reader = idle.pop()
        if reader.is_alive():  # not in a forked child
            return reader
    return Reader(debugger)


class Reader(PyDBDaemonThread):
    """Answers requests. One that hangs costs the present request."""

    def __init__(self, debugger):
        PyDBDaemonThread.__init__(self, debugger)
        self.work = _queue.Queue()
        self.start()

    def _on_run(self):
        while not self._kill_received:
            read = self.work.get()
            try:
                read()
            except Exception:
                pydev_log.exception()
            idle.append(self)

    def do_kill_pydev_thread(self):
        PyDBDaemonThread.do_kill_pydev_thread(self)
        self.work.put(lambda: None)
