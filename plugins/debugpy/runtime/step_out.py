"""Steps out of coroutines and generators, and refuses a step out of the outermost frame of the
program's code.

pydevd returns to the frame below on the stack. Below a coroutine that an event loop resumed, that
is the loop, or whoever started the loop. Here the step ends at the next line of the code that
waits: of the caller, of the coroutine that awaits the task, or of the consumer of the generator.
So does a step over the last line of a task, which pydevd would end in whatever task is next.

Without such code pydevd would resume the program without a stop and without a word.
"""

import dis
import inspect

from _pydevd_bundle import pydevd_thread_lifecycle as lifecycle
from _pydevd_bundle._debug_adapter import pydevd_base_schema
from _pydevd_bundle.pydevd_comm_constants import (
    CMD_RETURN,
    CMD_STEP_OVER,
    CMD_STEP_OVER_MY_CODE,
)
from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING
from _pydevd_bundle.pydevd_net_command import NetCommand
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor

import dapdock_blocked as blocked
import dapdock_causes as causes
import dapdock_debuggee as debuggee
import dapdock_tasks as tasks

NOWHERE = "a step out would end nowhere: no function of the program's own code %s `%s`"
MOST_FRAMES = 2000
SUSPENDS = {"YIELD_FROM", "YIELD_VALUE", "SEND"}
destinations = {}  # thread -> the frame at whose next line its step ends


@debuggee.replace(PyDevJsonCommandProcessor, "on_stepout_request")
def on_stepout_request(original, self, debugger, request):
    thread_id = request.arguments.threadId
    if str(thread_id).startswith(blocked.TASK):
        return original(self, debugger, request)
    frames = debugger.suspended_frames_manager.get_frames_list(thread_id)
    is_blocked = frames is None
    frame = blocked.step_of(debugger, thread_id)[1] if is_blocked else next(iter(frames), None)
    if frame is None or not hasattr(frame, "f_back"):
        return original(self, debugger, request)
    found = destination(debugger, frame)
    if found is None:
        verb = "awaits" if tasks.is_awaited(frame) else "called"
        why = NOWHERE % (verb, frame.f_code.co_name)
        failed = {"success": False, "message": why}
        response = pydevd_base_schema.build_response(request, kwargs=failed)
        return NetCommand(CMD_RETURN, 0, response, is_json=True)
    if not tasks.is_resumed(frame) or is_last_line(debugger, frame, found):
        return original(self, debugger, request)
    thread = lifecycle.pydevd_find_thread_by_id(thread_id)
    destinations[thread] = found
    own = debugger.get_use_libraries_filter()
    self.api.request_step(debugger, thread_id, CMD_STEP_OVER_MY_CODE if own else CMD_STEP_OVER)
    if is_blocked:
        lead(debugger, thread)
    response = pydevd_base_schema.build_response(request)
    return NetCommand(CMD_RETURN, 0, response, is_json=True)


@debuggee.replace(PyDevJsonCommandProcessor, "on_next_request")
def on_next_request(original, self, debugger, request):
    frames = debugger.suspended_frames_manager.get_frames_list(request.arguments.threadId)
    frame = next(iter(frames), None) if frames is not None else None
    if ends_task(frame):
        found = destination(debugger, frame)
        if found is not None and causes.Flow(found).reaches_line():
            return self.on_stepout_request(debugger, request)
    return original(self, debugger, request)


def ends_task(frame):
    """Whether it is the outermost frame of a task, and ends with its line."""
    if not hasattr(frame, "f_back") or not tasks.is_awaited(frame):
        return False
    is_outermost = frame.f_back is None or not tasks.is_resumed(frame.f_back)
    return is_outermost and not causes.Flow(frame).reaches_line()


@debuggee.replace(debuggee.PyDB, "_do_wait_suspend")
def do_wait_suspend(original, self, thread, *args, **kwargs):
    answer = original(self, thread, *args, **kwargs)
    lead(self, thread)
    return answer


def lead(debugger, thread):
    """Has the step of a resumed thread end at its destination."""
    found = destinations.pop(thread, None)
    info = thread.additional_info
    if found is not None and info.pydev_step_cmd in (CMD_STEP_OVER, CMD_STEP_OVER_MY_CODE):
        info.pydev_step_stop = found
        debugger.set_trace_for_frame_and_parents(thread.ident, found)


def is_last_line(debugger, frame, found):
    """Whether the coroutine below awaits this one where it returns, so that no line of it follows;
    and pydevd, which up to Python 3.11 knows a return by its line, can tell the return of this
    coroutine from an `await`."""
    if found is not frame.f_back or not frame.f_code.co_flags & inspect.CO_COROUTINE:
        return False
    if found.f_lineno not in return_lines(debugger, found.f_code):
        return False
    if causes.Flow(found).reaches_line():  # of `finally`, or the end of a `with`
        return False
    return PYDEVD_USE_SYS_MONITORING or not awaits_on(
        frame.f_code, return_lines(debugger, frame.f_code)
    )


def return_lines(debugger, code):
    return {one.return_line for one in debugger.collect_return_info(code)}


def awaits_on(code, lines):
    """Whether a coroutine may be suspended on one of the lines."""
    line = None
    begins = dict(dis.findlinestarts(code))
    for one in dis.get_instructions(code):
        line = begins.get(one.offset, line)
        if line in lines and one.opname in SUSPENDS:
            return True
    return False


def destination(debugger, frame):
    """The frame to which a step out leads; none: there is no code of the program's own."""
    for _ in range(MOST_FRAMES):
        below = frame.f_back
        if tasks.is_awaited(frame) and (below is None or not tasks.is_resumed(below)):
            frame = awaiting_frame(debugger, frame)
        else:
            frame = below
        if frame is None or is_own(debugger, frame):
            return frame
    return None


def awaiting_frame(debugger, frame):
    """The frame that waits for the task of this frame."""
    task = tasks.task_of(frame)
    for awaiter in tasks.awaiters(task) if task is not None else ():
        if awaiter is None:
            return loop_frame(frame)
        frames = tasks.frames_of(awaiter)
        own = [one for one in frames if is_own(debugger, one)]
        if frames:
            return own[-1] if own else frames[0]
    return None


def loop_frame(frame):
    """The frame of the call `run_until_complete` that runs the event loop."""
    while frame is not None and frame.f_code.co_name != "run_until_complete":
        frame = frame.f_back
    return frame


def is_own(debugger, frame):
    if debugger.get_file_type(frame) is not None:  # of the debugger, or `threading`
        return False
    if not debugger.get_use_libraries_filter():
        return True
    return not debugger.apply_files_filter(frame, frame.f_code.co_filename, True)
