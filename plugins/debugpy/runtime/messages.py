"""Has pydevd describe an exception without effects: by what `str(exception)` returns, if that
changes nothing in the program, and else by its arguments and fields. And has it name the library
that a step in passes over, and the option of dapdock that steps into it.
"""

import builtins
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
NO_MESSAGE = "exception: no description"  # what pydevd writes in place of an empty one
PASSED = (
    "the step in passed over code of a library; a start with "
    'options={"just_my_code": false} steps into it\n'
)
GROUP = getattr(builtins, "BaseExceptionGroup", None)  # new in Python 3.11
PRINT_FIELDS = (ImportError, OSError, SyntaxError, UnicodeError)
PATHS = ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")


class Message:
    """Stands for an exception that pydevd writes into a text."""

    def __init__(self, raised):
        self.text = "\n".join(filter(None, [message(raised), *notes(raised)]))

    def __str__(self):
        return self.text


def message(raised):
    """As Python prints it, which escapes characters that no encoding has."""
    return read(raised).encode("utf-8", "backslashreplace").decode()


def read(raised):
    function, owner = plain.lookup(type(raised), "__str__")
    arguments = BaseException.args.__get__(raised)
    # Those of libraries may print values of the program, as pydantic's.
    is_native = type(function) is types.WrapperDescriptorType and plain.is_known(owner)
    # Others print no fields: that of an AttributeError is the object.
    fields = native_fields(raised) if plain.is_a(raised, *PRINT_FIELDS) else ()
    printed = [*arguments, *fields]
    if GROUP is not None and owner is GROUP:  # counts its members
        printed = arguments[:1]
    if is_native and not all(map(is_simple, printed)):
        return texts.text(arguments[0] if len(arguments) == 1 else arguments)
    try:
        key = "message", id(type(raised))
        found = function if is_native else functools.partial(checked, function)
        return read_value(key, lambda: str.__str__(found(raised)))[: texts.OUTER]
    except Refused:
        inside = texts.text(raised).partition("(")[2][:-1]
        return inside + " (its __str__ was not run)"
    except NoAnswer as error:
        return "<error: __str__: %s>" % error
    except BaseException as error:
        return "<error: __str__: %s>" % plain.name_of(type(error))


def notes(raised):
    """The notes of `add_note`, which Python prints after the message."""
    found = dict.get(BaseException.__dict__["__dict__"].__get__(raised), "__notes__")
    return [note for note in found if type(note) is str] if type(found) is list else []


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
        response = original(debugger, thread_id, *args, **kwargs)
    finally:
        for frames, raised in described:
            frames.exc_desc = raised
    if response.body.description == NO_MESSAGE:
        response.body.description = ""
    return response


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
