"""Has pydevd describe an exception without effects: by what `str(exception)` returns, if that
changes nothing in the program, and else by its arguments and fields.
"""

import types

from _pydevd_bundle import pydevd_comm, pydevd_net_command_factory_json

import dapdock_plain as plain
import dapdock_texts as texts
from dapdock_debuggee import replace
from dapdock_effects import Refused, checked
from dapdock_timeouts import NoAnswer, read_value

SIMPLE = (bool, bytes, complex, float, int, str, type(None))


class Message:
    """Stands for an exception that pydevd writes into a text."""

    def __init__(self, raised):
        self.text = message(raised)

    def __str__(self):
        return self.text


def message(raised):
    function = plain.lookup(type(raised), "__str__")[0]
    arguments = BaseException.args.__get__(raised)
    is_native = type(function) is types.WrapperDescriptorType
    if is_native and not all(plain.is_exactly(one, *SIMPLE) for one in arguments):
        return texts.text(arguments[0] if len(arguments) == 1 else arguments)
    try:
        key = "message", id(type(raised))
        return read_value(key, lambda: str.__str__(checked(function, raised)))[: texts.OUTER]
    except Refused:
        inside = texts.text(raised).partition("(")[2][:-1]
        return inside + " (its __str__ was not run)"
    except NoAnswer as error:
        return "<error: __str__: %s>" % error
    except BaseException as error:
        return "<error: __str__: %s>" % plain.name_of(type(error))


def build_exception_info_response(original, debugger, thread_id, *args, **kwargs):
    described = []
    frames = debugger.suspended_frames_manager.get_frames_list(thread_id)
    while frames:
        raised = frames.exc_desc
        if plain.is_a(raised, BaseException):
            described.append((frames, raised))
            frames.exc_desc = Message(raised)
        frames = frames.chained_frames_list
    try:
        return original(debugger, thread_id, *args, **kwargs)
    finally:
        for frames, raised in described:
            frames.exc_desc = raised


for module in (pydevd_comm, pydevd_net_command_factory_json):
    replace(module, "build_exception_info_response")(build_exception_info_response)
