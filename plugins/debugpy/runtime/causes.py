"""Adds the types and the causes of an exception to the response to `exceptionInfo`: `__cause__`,
`__context__` and the members of a group, each with its traceback. At the stop itself two causes at
most, and no types; a request that wants a number of causes (`causes`) gets them with the types.

The links and tracebacks are fields of the exceptions, so reading them runs no code of the program.

Also says how far the frame of the stop has run since it raised the exception: an uncaught exception
has left its frame, and `finally` may have changed the values.
"""

import builtins
import dis
import inspect
import os
import sys
import types

from _pydevd_bundle import pydevd_api, pydevd_comm
from _pydevd_bundle._debug_adapter import pydevd_schema
from _pydevd_bundle.pydevd_dont_trace_files import PYDEV_FILE
from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame as paths_of

import dapdock_messages as messages
import dapdock_plain as plain
from dapdock_debuggee import DONT_TRACE, replace

AT_STOP = 2  # causes
MOST_FRAMES = 64
MOST_CHARACTERS = 4000
GROUPS = getattr(builtins, "BaseExceptionGroup", None)  # new in Python 3.11
# Instructions, of all versions of Python.
ENDS = {"RETURN_VALUE", "RETURN_CONST", "RERAISE", "RAISE_VARARGS"}
RAISES = {"RERAISE", "RAISE_VARARGS", "END_FINALLY"}
WITH_BEGINS = ("BEFORE_WITH", "BEFORE_ASYNC_WITH", "SETUP_WITH")
WITH_ENDS = {"WITH_EXCEPT_START", "WITH_CLEANUP_START"}
LOADS = {"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"}
wanted = None  # number of causes that the present request wants


@replace(pydevd_api, "internal_get_exception_details_json")
def internal_get_exception_details_json(original, debugger, request, *args, **kwargs):
    global wanted
    # A suspended thread serves one request after the other.
    wanted = request.arguments.kwargs.get("causes")
    try:
        return original(debugger, request, *args, **kwargs)
    finally:
        wanted = None


@replace(pydevd_comm, "build_exception_info_response")
def build_exception_info_response(original, debugger, thread_id, *args, **kwargs):
    response = original(debugger, thread_id, *args, **kwargs)
    frames = debugger.suspended_frames_manager.get_frames_list(thread_id)
    raised = getattr(frames, "exc_desc", None)
    details = getattr(response.body, "details", None)
    if not plain.is_a(raised, BaseException) or details is None:
        return response
    if wanted is None:
        details.innerException = Causes(AT_STOP, raised).of(raised)
        line = ran_on(raised, next(iter(frames), None))
        if line is not None:
            details.kwargs["ranOn"] = line
    else:
        details.fullTypeName = type_name(type(raised))
        details.kwargs["baseTypes"] = [type_name(base) for base in bases(type(raised))]
        if wanted > 0:
            details.message = message(raised)
            details.innerException = Causes(wanted, raised).of(raised)
    return response


class Causes:
    """Describes at most `most` causes, none of them twice: exceptions can form a circle."""

    def __init__(self, most, raised):
        self.left = most
        self.seen = {id(raised)}

    def of(self, raised):
        described = []
        for link, cause in links(raised):
            if self.left <= 0 or id(cause) in self.seen:
                continue
            self.left -= 1
            self.seen.add(id(cause))
            described.append(
                pydevd_schema.ExceptionDetails(
                    message=message(cause),
                    typeName=plain.name_of(type(cause)),
                    fullTypeName=type_name(type(cause)),
                    innerException=self.of(cause),
                    link=link,
                    frames=frames_of(cause),
                )
            )
        return described


def links(raised):
    """The exceptions that led to this one, each with the kind of its link."""
    found = []
    cause = BaseException.__cause__.__get__(raised)
    context = BaseException.__context__.__get__(raised)
    while context is not None and is_debuggers(context):
        context = BaseException.__context__.__get__(context)
    if cause is not None:
        found.append(("cause", cause))
    elif context is not None and not BaseException.__suppress_context__.__get__(raised):
        found.append(("context", context))
    if GROUPS is not None and plain.is_a(raised, GROUPS):
        found.extend(("member", member) for member in GROUPS.exceptions.__get__(raised))
    return found


def is_debuggers(raised):
    """Whether code of pydevd has raised it, as where endless recursion exceeds the limit there."""
    trace = BaseException.__traceback__.__get__(raised)
    path = trace.tb_frame.f_code.co_filename if trace is not None else ""
    return "pydevd" in path and "pydevd_runpy" not in path


def bases(kind):
    """The types that it is derived from, without `object`."""
    return type.__dict__["__mro__"].__get__(kind)[1:-1]


def type_name(kind):
    module, name = plain.module_of(kind), plain.qualified_name_of(kind)
    return name if module in ("builtins", "__main__") else "%s.%s" % (module, name)


def message(raised):
    text = "\n".join(filter(None, [messages.message(raised), *messages.notes(raised)]))
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"


def ran_on(raised, frame):
    """The line up to which the frame ran after the exception had been raised in it, if values have
    changed since. None if it did not run on, and if that is uncertain."""
    entry = BaseException.__traceback__.__get__(raised)
    while entry is not None and entry.tb_frame is not frame:
        entry = entry.tb_next
    if entry is None:
        return None
    has_left = not is_on_stack(frame)
    if frame.f_lasti == entry.tb_lasti and not has_left:
        return None
    flow = Flow(frame)
    begin = entry.tb_lasti
    # A way without a change: perhaps the frame took it.
    if flow.leads(begin, has_left, True) or not flow.leads(begin, has_left, False):
        return None
    if frame.f_lasti != entry.tb_lasti:
        return frame.f_lineno
    # The end of a `with` names the instruction that raised as the last one.
    return flow.line_of_handler(entry.tb_lasti)


class Flow:
    """The ways of an exception through the handlers of the frame that raised it, until it has left
    the frame. The instruction at which a frame ends tells which of them it took."""

    def __init__(self, frame):
        self.frame = frame
        self.instructions = list(dis.get_instructions(frame.f_code))
        self.places = {one.offset: place for place, one in enumerate(self.instructions)}
        self.handlers = self.table() if hasattr(dis, "_parse_exception_table") else self.blocks()

    def table(self):
        """Handlers of instructions as Python stores them since version 3.11: where each begins, and
        whether it keeps the instruction that raised."""
        found = {}
        for entry in dis._parse_exception_table(self.frame.f_code):
            for one in self.instructions:
                if entry.start <= one.offset < entry.end:
                    found[one.offset] = entry.target, entry.lasti
        return found

    def blocks(self):
        """Handlers of instructions, by the blocks that instructions open and close."""
        found, seen, left = {}, set(), [(0, ())]
        while left:
            offset, blocks = left.pop()
            if offset in seen:
                continue
            seen.add(offset)
            one = self.instructions[self.places[offset]]
            if blocks:
                found[offset] = blocks[-1], True
            if one.opname.startswith("SETUP_"):
                left.append((one.argval, blocks))
                blocks += (one.argval,)
            elif one.opname == "POP_BLOCK":
                blocks = blocks[:-1]
            left.extend((following, blocks) for following in self.following(one))
        return found

    def reaches_line(self):
        """Whether the frame, without an exception, executes another line before it ends."""
        begins = dict(dis.findlinestarts(self.frame.f_code))
        seen, left = set(), [self.frame.f_lasti]
        while left:
            offset = left.pop()
            if offset in seen:
                continue
            seen.add(offset)
            if begins.get(offset) not in (None, self.frame.f_lineno):
                return True
            left.extend(self.following(self.instructions[self.places[offset]]))
        return False

    def following(self, one):
        """Offsets of the instructions that follow one without an exception."""
        found = []
        if one.opname in ENDS:
            return found
        is_jump = one.opcode in dis.hasjrel or one.opcode in dis.hasjabs
        if is_jump and not one.opname.startswith("SETUP_"):
            found.append(one.argval)
        if not one.opname.startswith(("JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD")):
            found.extend(two.offset for two in self.instructions[self.places[one.offset] + 1 :][:1])
        return found

    def leads(self, begin, has_left, without_change):
        """Whether an exception of the instruction at `begin` can have led to the end of the frame,
        or to its present instruction, perhaps on a way without a change of values."""
        if begin not in self.handlers:
            return False
        seen, left = set(), [(self.handlers[begin][0], begin)]
        while left:
            offset, kept = state = left.pop()
            if state in seen:
                continue
            seen.add(state)
            one = self.instructions[self.places[offset]]
            if not has_left and offset == self.frame.f_lasti:
                return True
            if without_change and self.changes(one):
                continue
            left.extend((following, kept) for following in self.following(one))
            if one.opname not in RAISES or one.opname == "RAISE_VARARGS" and one.arg:
                continue
            # `RERAISE` with an argument gives the frame the instruction that its handler keeps.
            last = kept if one.opname == "RERAISE" and one.arg else offset
            if offset in self.handlers:
                target, keeps = self.handlers[offset]
                left.append((target, last if keeps else kept))
            elif has_left and last == self.frame.f_lasti:
                return True
        return False

    def changes(self, one):
        """Whether an instruction of a handler may change a value."""
        if one.opname in WITH_ENDS:
            return self.is_of_program(one)
        if one.opname.startswith("CALL"):
            return not one.opname.startswith(("CALL_INTRINSIC", "CALL_FINALLY"))
        if not one.opname.startswith("STORE_"):
            return False
        # The name of `except … as name`, which is bound to the exception and deleted at the end.
        place = self.places[one.offset]
        before, after = self.instructions[place - 1], self.instructions[place + 1]
        is_bound = before.opname == "POP_TOP" or before.opname.endswith("_IF_FALSE")
        is_deleted = after.opname.startswith("DELETE_") and after.argval == one.argval
        return not is_bound and not is_deleted

    def line_of_handler(self, begin):
        """The line of the `with` or the handler around an instruction."""
        place = self.places[self.handlers[begin][0]]
        while place and self.instructions[place].opname not in WITH_ENDS:
            place += 1
        offset = self.instructions[place].offset
        lines = dis.findlinestarts(self.frame.f_code)
        return [line for start, line in lines if start <= offset and line is not None][-1]

    def is_of_program(self, end):
        """Whether the program surely defines the manager of the `with` that ends here."""
        protected = [
            self.places[offset]
            for offset, (target, _) in self.handlers.items()
            if target == end.offset or self.follows_entry(target, end.offset)
        ]
        place = min(protected, default=0)
        while place >= 0 and not self.instructions[place].opname.startswith(WITH_BEGINS):
            place -= 1
        return place > 0 and is_program_manager(*self.called(place))

    def follows_entry(self, target, offset):
        entry = self.instructions[self.places[target]]
        return entry.opname == "PUSH_EXC_INFO" and offset in self.following(entry)

    def called(self, place):
        """The value of the expression that ends before an instruction, or the function that the
        expression calls; and whether it does."""
        begin, size = place, 0
        while size != 1 and begin:
            begin -= 1
            one = self.instructions[begin]
            if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
                return None, False
            size += dis.stack_effect(one.opcode, one.arg)
        unused = ("PUSH_NULL", "PRECALL")
        read = [one for one in self.instructions[begin:place] if one.opname not in unused]
        calls = [one for one in read if one.opname.startswith("CALL")]
        if size != 1 or not read or len(calls) > 1 or calls and read[-1] is not calls[0]:
            return None, False
        value = self.variable(read[0])
        for one in read[1:]:
            if one.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                return (value, True) if calls else (None, False)
            value = attribute(value, one.argval)
        return value, False

    def variable(self, one):
        if one.opname not in LOADS:
            return None
        frame = self.frame
        scopes = [frame.f_globals, frame.f_builtins]
        # The locals of a function are a proxy since Python 3.13; those of the body of a class may
        # be a mapping of the program.
        if type(frame.f_locals) is dict or frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            scopes.insert(0, frame.f_locals)
        for names in scopes:
            if one.argval in names:
                return names[one.argval]
        return None


def attribute(value, name):
    """An attribute as it is stored; none for one that code would compute."""
    stored = plain.own_dict(value) or {}
    if dict.__contains__(stored, name):
        return dict.__getitem__(stored, name)
    if plain.is_a(value, type):
        return plain.lookup(value, name)[0]
    found = plain.lookup(type(value), name)[0]
    if type(found) is types.MemberDescriptorType:
        try:
            return found.__get__(value)
        except AttributeError:  # the slot is empty
            return None
    return found


def is_program_manager(value, is_called):
    """Whether the program defines what ends a `with` of this value, or of what this value makes."""
    if not is_called:
        kind = type(value)
    elif plain.is_a(value, type):
        kind = value
    else:
        if module_of(value) != "contextlib":
            return False
        made = module_of(value.__dict__.get("__wrapped__"))
        return made is not None and made.partition(".")[0] not in plain.KNOWN
    for name in ("__exit__", "__aexit__"):
        found, owner = plain.lookup(kind, name)
        if type(found) is types.FunctionType and not plain.is_known(owner):
            return True
    return False


def module_of(function):
    """The name of the module whose code a function is; none for other values."""
    if type(function) is not types.FunctionType:
        return None
    found = dict.get(function.__globals__, "__name__")
    return found if type(found) is str else None


def is_on_stack(frame):
    """Whether the present thread still executes the frame."""
    present = sys._getframe()
    while present is not None and present is not frame:
        present = present.f_back
    return present is frame


def frames_of(raised):
    """The traceback, innermost first, without frames of pydevd."""
    frames = []
    entry = BaseException.__traceback__.__get__(raised)
    while entry is not None:
        code = entry.tb_frame.f_code
        if DONT_TRACE.get(os.path.basename(code.co_filename)) != PYDEV_FILE:
            path = paths_of(entry.tb_frame)[0]
            frames.append({"name": code.co_name, "line": entry.tb_lineno, "source": {"path": path}})
        entry = entry.tb_next
    return frames[::-1][:MOST_FRAMES]
