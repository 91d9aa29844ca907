"""Asyncio's tasks: where each is suspended, and who waits for it. Reads what asyncio stores in
tasks, futures and coroutines; runs no code of the program, and knows nothing of pydevd.
"""

import sys

RESUMED = 0x20 | 0x80 | 0x200  # flags of generators, coroutines and asynchronous generators
AWAITED = 0x80 | 0x100 | 0x200  # of what an event loop resumes
MOST = 1000  # futures that are searched


def is_resumed(frame):
    """Whether the frame is one of a generator or a coroutine."""
    return bool(frame.f_code.co_flags & RESUMED)


def is_awaited(frame):
    return bool(frame.f_code.co_flags & AWAITED)


def all_tasks():
    """The tasks of all event loops of the process that have not ended."""
    module = sys.modules.get("asyncio.tasks")
    found = {}
    # `_all_tasks` up to Python 3.11, the others since 3.12.
    for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks"):
        known = getattr(module, name, None)
        for task in copied(known) if known is not None else ():
            if not task.done():
                found[id(task)] = task
    return list(found.values())


def copied(known):
    """The members of a set that another thread may change."""
    for _ in range(100):
        try:
            return list(known)
        except RuntimeError:
            continue
    return []


def frames_of(task):
    """The frames of a suspended task, the outermost first."""
    frames, awaited = [], task.get_coro()
    while awaited is not None and len(frames) < MOST:
        frame = None
        for prefix, inner in (("cr", "await"), ("gi", "yieldfrom"), ("ag", "await")):
            frame = getattr(awaited, prefix + "_frame", None)
            if frame is not None:
                frames.append(frame)
                awaited = getattr(awaited, "%s_%s" % (prefix, inner), None)
                break
        if frame is None:
            break
    return frames


def name_of(task):
    name = task.get_name() if hasattr(task, "get_name") else ""
    return name if type(name) is str else ""


def is_running(task):
    """Whether a thread executes it now."""
    awaited = task.get_coro()
    return any(getattr(awaited, prefix + "_running", False) for prefix in ("cr", "gi", "ag"))


def task_of(frame):
    """The task whose outermost frame this is."""
    for task in all_tasks():
        frames = frames_of(task)
        if frames and frames[0] is frame:
            return task
    return None


def awaited_by(task):
    """The tasks whose end a suspended task awaits, directly or through `gather`."""
    future = getattr(task, "_fut_waiter", None)
    found = []
    for one in [future, *(getattr(future, "_children", None) or ())]:
        if hasattr(type(one), "get_coro") and not one.done():
            found.append(one)
    return found


def is_future(value):
    """As `asyncio.isfuture`, without an attribute of the program's own."""
    return any("_asyncio_future_blocking" in vars(base) for base in type(value).__mro__)


def awaiters(future):
    """The tasks that wait for a future or a task, directly or through `gather` and the like; and
    None for a call of `run_until_complete`."""
    left, seen, found = [future], set(), []
    while left and len(seen) < MOST:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        for callback in callbacks_of(one):
            if getattr(callback, "__name__", "") == "_run_until_complete_cb":
                found.append(None)
                continue
            task = waiting_task(callback)
            if task is not None:
                found.append(task)
            else:
                left.extend(value for value in captured(callback) if is_future(value))
    return found


def callbacks_of(future):
    callbacks = getattr(future, "_callbacks", None) or ()
    return [one[0] if type(one) is tuple else one for one in callbacks]


def waiting_task(callback):
    """The task that a callback resumes: its method, or a method of its task group."""
    owner = getattr(callback, "__self__", None)
    if owner is None:
        return None
    task = getattr(owner, "_parent_task", owner)
    return task if hasattr(type(task), "get_coro") else None


def captured(callback):
    """Values that a function or `functools.partial` object holds."""
    values = []
    for cell in getattr(callback, "__closure__", None) or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # not set yet
            pass
    return values + list(getattr(callback, "args", None) or ())
