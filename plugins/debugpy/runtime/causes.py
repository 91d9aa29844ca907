"""Adds the types and the causes of an exception to the response to `exceptionInfo`: `__cause__`,
`__context__` and the members of a group, each with its traceback. At the stop itself two causes at
most, and no types; a request that wants a number of causes (`causes`) gets them with the types.

The links and tracebacks are fields of the exceptions, so reading them runs no code of the program.

Also says how far the frame of the stop has run since it raised the exception: an uncaught exception
has left its frame, and `finally` may have changed the values.
"""

import builtins
import dis
import os
import types

from _pydevd_bundle import pydevd_api, pydevd_comm
from _pydevd_bundle._debug_adapter import pydevd_schema
from _pydevd_bundle.pydevd_dont_trace_files import PYDEV_FILE
from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame as paths_of

import dapdock_messages as messages
from dapdock_debuggee import DONT_TRACE, replace

AT_STOP = 2  # causes
MOST_FRAMES = 64
MOST_CHARACTERS = 4000
GROUPS = getattr(builtins, "BaseExceptionGroup", None)  # new in Python 3.11
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
    if not isinstance(raised, BaseException) or details is None:
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
                    typeName=type(cause).__name__,
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
    if cause is not None:
        found.append(("cause", cause))
    elif context is not None and not BaseException.__suppress_context__.__get__(raised):
        found.append(("context", context))
    if GROUPS is not None and isinstance(raised, GROUPS):
        found.extend(("member", member) for member in GROUPS.exceptions.__get__(raised))
    return found


def bases(kind):
    """The types that it is derived from, without `object`."""
    return type.__dict__["__mro__"].__get__(kind)[1:-1]


def type_name(kind):
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def message(raised):
    text = "\n".join(filter(None, [messages.message(raised), *notes(raised)]))
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"


def ran_on(raised, frame):
    """The line up to which the frame ran after the exception had been raised in it, if values may
    have changed since. None if it did not run on."""
    entry = BaseException.__traceback__.__get__(raised)
    while entry is not None and entry.tb_frame is not frame:
        entry = entry.tb_next
    if entry is None or frame.f_lasti == entry.tb_lasti:
        return None
    return frame.f_lineno if stores(frame.f_code, entry.tb_lasti, frame.f_lasti) else None


def stores(code, begin, end):
    """Whether the handler around the instruction `begin` may have changed a value before `end`. The
    table of handlers is known since Python 3.11."""
    table = getattr(dis, "_parse_exception_table", lambda _: ())(code)
    handlers = [entry.target for entry in table if entry.start <= begin < entry.end]
    start = max([target for target in handlers if target <= end], default=begin)
    executed = [one for one in dis.get_instructions(code) if start < one.offset <= end]
    for one, following in zip(executed, [*executed[1:], None]):
        # The interpreter deletes the name of `except … as name` at its end: `STORE`, `DELETE`.
        own = following is not None and following.argval == one.argval
        if one.opname.startswith("STORE_") and own and following.opname.startswith("DELETE_"):
            continue
        if one.opname.startswith(("STORE_", "CALL")):
            return True
    return False


def notes(raised):
    """The notes of `add_note`, which Python prints after the message."""
    found = dict.get(BaseException.__dict__["__dict__"].__get__(raised), "__notes__")
    return [note for note in found if type(note) is str] if type(found) is list else []


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
