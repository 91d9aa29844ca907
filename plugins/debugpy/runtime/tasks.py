"""Asyncio's tasks: where each is suspended, and who waits for it. Reads what asyncio stores in
tasks, futures and coroutines; runs no code of the program, and knows nothing of pydevd.
"""

import sys

import dapdock_plain as plain

RESUMED = 0x20 | 0x80 | 0x200  # flags of generators, coroutines and asynchronous generators
AWAITED = 0x80 | 0x100 | 0x200  # of what an event loop resumes
MOST = 1000  # futures that are searched


def stored(value, name):
    """What an object stores under a name, or a type in C offers; none without it."""
    found, owner = plain.lookup(type(value), name)
    try:
        if owner is None:
            # Futures have a dictionary that no descriptor offers.
            return object.__getattribute__(value, name)
        if plain.is_exactly(found, *plain.DESCRIPTORS):
            return found.__get__(value)
    except (AttributeError, TypeError):  # there is none, or the slot is empty
        return None
    return dict.get(plain.own_dict(value) or {}, name)


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
            frame = stored(awaited, prefix + "_frame")
            if frame is not None:
                frames.append(frame)
                awaited = stored(awaited, "%s_%s" % (prefix, inner))
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
    return any(stored(awaited, prefix + "_running") for prefix in ("cr", "gi", "ag"))


def task_of(frame):
    """The task whose outermost frame this is."""
    for task in all_tasks():
        frames = frames_of(task)
        if frames and frames[0] is frame:
            return task
    return None


def awaited_by(task):
    """The tasks whose end a suspended task awaits, directly or through `gather`."""
    future = stored(task, "_fut_waiter")
    found = []
    for one in [future, *(stored(future, "_children") or ())]:
        if is_task(one) and not one.done():
            found.append(one)
    return found


def is_task(value):
    return plain.lookup(type(value), "get_coro")[1] is not None


def is_future(value):
    """As `asyncio.isfuture`, without an attribute of the program's own."""
    return plain.lookup(type(value), "_asyncio_future_blocking")[1] is not None


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
            if stored(callback, "__name__") == "_run_until_complete_cb":
                found.append(None)
                continue
            task = waiting_task(callback)
            if task is not None:
                found.append(task)
            else:
                left.extend(value for value in captured(callback) if is_future(value))
    return found


def callbacks_of(future):
    callbacks = stored(future, "_callbacks") or ()
    return [one[0] if type(one) is tuple else one for one in callbacks]


def waiting_task(callback):
    """The task that a callback resumes: its method, or a method of its task group."""
    owner = stored(callback, "__self__")
    if owner is None:
        return None
    task = stored(owner, "_parent_task") or owner
    return task if is_task(task) else None


def captured(callback):
    """Values that a function or `functools.partial` object holds."""
    values = []
    for cell in stored(callback, "__closure__") or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # not set yet
            pass
    return values + list(stored(callback, "args") or ())
