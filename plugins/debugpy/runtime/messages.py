"""Has pydevd describe an exception without effects: by what `str(exception)` returns, if that
changes nothing in the program, and else by its arguments and fields. And has it name the library
that a step in passes over, and the option of dapdock that steps into it.
"""

import functools
import sys
import types

from _pydevd_bundle import pydevd_comm, pydevd_net_command_factory_json

import dapdock_plain as plain
import dapdock_texts as texts
from dapdock_debuggee import replace
from dapdock_effects import Refused, checked
from dapdock_timeouts import NoAnswer, read_value

SIMPLE = (bool, bytes, complex, float, int, str, type(None))
PASSED = (
    "the step in passed over code of a library; a start with "
    'options={"just_my_code": false} steps into it\n'
)
PATHS = ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")


class Message:
    """Stands for an exception that pydevd writes into a text."""

    def __init__(self, raised):
        self.text = message(raised)

    def __str__(self):
        return self.text


def message(raised):
    function, owner = plain.lookup(type(raised), "__str__")
    arguments = BaseException.args.__get__(raised)
    # Those of libraries may print values of the program, as pydantic's.
    is_native = type(function) is types.WrapperDescriptorType and plain.is_known(owner)
    if is_native and not all(map(is_simple, [*arguments, *native_fields(raised)])):
        return texts.text(arguments[0] if len(arguments) == 1 else arguments)
    try:
        key = "message", id(type(raised))
        read = function if is_native else functools.partial(checked, function)
        return read_value(key, lambda: str.__str__(read(raised)))[: texts.OUTER]
    except Refused:
        inside = texts.text(raised).partition("(")[2][:-1]
        return inside + " (its __str__ was not run)"
    except NoAnswer as error:
        return "<error: __str__: %s>" % error
    except BaseException as error:
        return "<error: __str__: %s>" % plain.name_of(type(error))


def is_simple(value):
    """Whether printing it runs no code of the program."""
    if type(value) is tuple:
        return all(map(is_simple, value))
    paths = [getattr(sys.modules.get("pathlib"), name, None) for name in PATHS]
    return plain.is_exactly(value, *SIMPLE, *paths)


def native_fields(raised):
    """What the types of Python itself keep beside the arguments: `SyntaxError.msg`."""
    for base in plain.bases_of(type(raised)):
        for name, entry in plain.dict_of_type(base).items():
            if plain.is_known(base) and plain.is_slot(name, entry, False):
                try:
                    yield entry.__get__(raised)
                except AttributeError:
                    pass


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


@replace(
    pydevd_net_command_factory_json.NetCommandFactoryJson,
    "make_skipped_step_in_because_of_filters",
)
def make_skipped_step_in(original, self, debugger, frame):
    if not debugger.get_use_libraries_filter():
        return original(self, debugger, frame)
    return self.make_warning_message(PASSED)


for module in (pydevd_comm, pydevd_net_command_factory_json):
    replace(module, "build_exception_info_response")(build_exception_info_response)
