"""What a blocked thread or a suspended task waits for: the lock of its current `with` statement or
`acquire` call, and who has it; else the call into the library. Reads source and variables; runs no
code of the program, and knows nothing of pydevd.

A plain lock does not know its owner: it is the thread that is inside a `with` statement on the same
lock. An `RLock` has its owner in its representation, which is the interpreter's.
"""

import _thread
import ast
import dis
import inspect
import itertools
import linecache
import queue
import re
import sys
import threading
import types

import dapdock_plain as plain
import dapdock_tasks as tasks

OWNER = re.compile(r"owner=(\d+)")
LOCKS = {type(_thread.allocate_lock()), type(_thread.RLock())}
MOST_FRAMES = 200
MOST_LINES = 10000
MOST_CHARACTERS = 60
MOST_NAMES = 8
OUTPUT = "dapdock_output"  # the module that writes the program's output
NAMED = {
    threading.Condition, threading.Event, threading.Semaphore, threading.Barrier, queue.Queue,
    queue.LifoQueue, queue.PriorityQueue, queue.SimpleQueue,
}  # fmt: skip
ENTERING = {"SETUP_WITH", "BEFORE_WITH"}  # instructions that call `__enter__`
trees = {}  # file -> its parsed source
places = {}  # (file, line) -> the `with` statements and the calls of `acquire` around it


def frames_from(frame):
    left = MOST_FRAMES
    while frame is not None and left > 0:
        yield frame
        frame, left = frame.f_back, left - 1


def tree_of(frame):
    file = frame.f_code.co_filename
    if file not in trees:
        lines = linecache.getlines(file, frame.f_globals)
        try:
            trees[file] = ast.parse("".join(lines)) if len(lines) < MOST_LINES else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            trees[file] = None
    return trees[file]


def value_of(node, frame):
    """The value of a name, or of an attribute that is stored in an object; none for others."""
    if isinstance(node, ast.Name):
        # The locals of a function are a proxy since Python 3.13; those of the body of a class may
        # be a mapping of the program.
        is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED
        for names in (frame.f_locals, frame.f_globals):
            if (is_function or type(names) is dict) and node.id in names:
                return names[node.id]
        return None
    if isinstance(node, ast.Attribute):
        return stored_in(value_of(node.value, frame), node.attr)
    return None


def stored_in(owner, name):
    """An attribute of an object, in its dictionary or a slot, or of a class."""
    fields = plain.own_dict(owner) or {}
    if dict.__contains__(fields, name):
        return dict.__getitem__(fields, name)
    found = plain.lookup(owner if plain.is_a(owner, type) else type(owner), name)[0]
    if type(found) is not types.MemberDescriptorType:
        return found
    try:
        return found.__get__(owner)
    except (AttributeError, TypeError):  # the slot is empty, or it is the class itself
        return None


def around(frame):
    """The `with` statements around the current line and the calls of `acquire` on it."""
    place = frame.f_code.co_filename, frame.f_lineno
    if place not in places:
        tree, line = tree_of(frame), frame.f_lineno
        places[place] = found_in(tree, line) if tree is not None and line else ([], [])
    return places[place]


def entered(node, frame):
    """How many items of a `with` statement the frame has entered."""
    entries = entries_of(node, frame.f_code)
    if frame.f_lasti in entries:
        # The code of `finally` is there several times.
        return entries.index(frame.f_lasti) % len(node.items)
    return len(node.items) if node.body[0].lineno <= frame.f_lineno else 0


def entries_of(node, code):
    """The instructions that call `__enter__` for the items of a `with` statement, in their order:
    those on its lines before the body, which has no other such statement on its first line if that
    is one of them."""
    last, body = node.items[-1].context_expr.lineno, node.body[0].lineno
    found, line, instructions = [], None, code.co_code
    starts = dict(dis.findlinestarts(code))
    for offset in range(0, len(instructions), 2):
        line = starts.get(offset, line)
        is_entry = dis.opname[instructions[offset]] in ENTERING
        if is_entry and line is not None and node.lineno <= line <= max(last, body - 1):
            found.append(offset)
    return found


def found_in(tree, line):
    withs, calls, left = [], [], [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.With):
            withs.append(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "acquire":
                calls.append(node.func.value)
        for child in ast.iter_child_nodes(node):
            # A node without a line, as of an argument's default, may have such below it.
            if getattr(child, "lineno", line) <= line <= getattr(child, "end_lineno", line):
                left.append(child)
    return withs, calls


def text_of(node):
    """Of a name or an attribute."""
    if isinstance(node, ast.Attribute):
        return "%s.%s" % (text_of(node.value), node.attr)
    return node.id


def wanted(frame):
    """The lock that the frame waits for, as (text, value); none."""
    withs, calls = around(frame)
    items = [item for node in withs for item in node.items[entered(node, frame) :]]
    for node in [item.context_expr for item in items] + calls:
        value = value_of(node, frame)
        if type(value) in LOCKS:
            return text_of(node), value
    return None


def holder(lock, frames, is_own):
    """The thread that has the lock, as (ident, frame of its `with` statement or none)."""
    owner = OWNER.search(repr(lock))
    for ident, top in frames.items():
        if owner is not None and int(owner[1]) != ident:
            continue
        for frame in filter(is_own, frames_from(top)):
            for node in around(frame)[0]:
                items = node.items[: entered(node, frame)]
                if any(value_of(item.context_expr, frame) is lock for item in items):
                    return ident, frame
    return (int(owner[1]), None) if owner is not None else None


def name_of(ident):
    for thread in threading.enumerate():
        name = (plain.own_dict(thread) or {}).get("_name")
        if thread.ident == ident and type(name) is str:
            return name
    return "thread %d" % ident


def reason(top, own, frames, is_own):
    """Why the thread with this innermost frame waits, in words; none: unknown. `own`: its innermost
    frame of the program's own code. `frames`: the innermost frame of each thread by its ident."""
    if own is not top:
        called = None
        for frame in frames_from(top):
            if frame is own:
                break
            called = frame
        return call_of(called)
    found = wanted(own)
    if found is None:
        return current_call(own)
    text, lock = found
    by = holder(lock, frames, is_own)
    if by is None:
        return "lock `%s`" % text
    ident, frame = by
    place = "" if frame is None else ", in %s line %d" % (frame.f_code.co_name, frame.f_lineno)
    return "lock `%s`, which %s has%s" % (text, name_of(ident), place)


def current_call(frame):
    """The source of the call that the frame executes; known since Python 3.11."""
    line, end_line, begin, end = position_of(frame) or [None] * 4
    if line is None or line != end_line or begin is None:
        return None
    text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals)
    text = text.encode()[begin:end].decode(errors="replace")
    return "`%s`" % text if text.endswith(")") and len(text) <= MOST_CHARACTERS else None


def position_of(frame):
    """Lines and columns of the current instruction; none before Python 3.11."""
    code, number = frame.f_code, frame.f_lasti // 2
    positions = code.co_positions() if hasattr(code, "co_positions") else ()
    return next(itertools.islice(positions, number, number + 1), None)


def call_of(frame):
    """A call of the library in which a thread or a task waits."""
    if frame is None:
        return None
    owner = frame.f_locals.get("self")
    kind = type(owner)
    if issubclass(kind, threading.Thread):
        name = (plain.own_dict(owner) or {}).get("_name")
        return "the end of %s" % (name if type(name) is str else "a thread")
    module = plain.module_of(kind).partition(".")[0]
    if kind in NAMED or module == "asyncio":
        return "%s.%s" % (plain.name_of(kind), frame.f_code.co_name)
    module = frame.f_globals.get("__name__", "")
    if module == OUTPUT:
        return "the debugger to read what it wrote"
    if type(module) is not str or module not in sys.modules:
        return None
    # `asyncio.tasks.sleep` is exported as `asyncio.sleep`.
    module = "asyncio" if module.startswith("asyncio.") else module
    return "%s.%s" % (module, frame.f_code.co_name)


def reason_of_task(task, frames, is_own):
    """Why a suspended task waits; `frames`: its own, innermost first."""
    called = None
    for frame in frames:
        if is_own(frame):
            break
        called = frame
    if called is not None:
        return call_of(called)
    names = [tasks.name_of(one) for one in tasks.awaited_by(task)]
    if not names:
        return None
    more = ", …" if len(names) > MOST_NAMES else ""
    return "the end of task%s %s%s" % ("s"[: len(names) - 1], ", ".join(names[:MOST_NAMES]), more)
