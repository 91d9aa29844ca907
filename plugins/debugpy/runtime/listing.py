"""Has pydevd list frames and values without running code of the program: the text of each value
comes from `texts.py`, its children from its fields or, of a builtin container, its elements.

A property of the program's is listed as lazy: reading it would run its code. Methods and class
attributes are not listed. Of the variables of a frame, those whose names begin and end with two
underscores, or with a dot, are the interpreter's own; imported modules, and what `def` and `class`
made, are in a group of their own, in a module also what `import` did. What the program assigned is
listed, and so are arguments, whatever they hold.
"""

import re
import types
from itertools import islice

from _pydevd_bundle import pydevd_suspended_frames, pydevd_xml
from _pydevd_bundle.pydevd_constants import GENERATED_LEN_ATTR_NAME, RETURN_VALUES_DICT
from _pydevd_bundle.pydevd_resolver import TOO_LARGE_ATTR, sorted_attributes_key
from _pydevd_bundle.pydevd_safe_repr import SafeRepr
from _pydevd_bundle.pydevd_suspended_frames import _FrameVariable, _ObjectVariable

import dapdock_plain as plain
import dapdock_python_types as python_types
import dapdock_tables as tables
import dapdock_templates as templates
import dapdock_texts as texts
from dapdock_debuggee import replace
from dapdock_timeouts import NoAnswer, read_value

WHOLE = "clipboard"  # the context of an evaluation that wants a text itself, without quotes
STATEMENT = "repl"  # the context of an evaluation that may run code of the program
MOST = 100  # elements that are listed; the host reads others by `ValueProfile::elements`
MOST_ENTRIES = 500
LEAVES = (bool, bytes, complex, float, int, str, type(None), types.FunctionType, plain.Address)
SETS = (set, frozenset)
CONTAINERS = (dict, list, tuple, python_types.deque, python_types.array.array) + SETS
ARRAYS = (memoryview, python_types.array.array)  # the text says of what
KEYS = (bool, float, int, type(None))
BYTES = (bytes, bytearray)
SHORT = 49  # bytes whose text always fits in a line of a list
MOST_BYTES = 1 << 20  # of a text
MOST_CHARACTERS = 1 << 23  # of a text: the host gets all of it for each page
TEXT = re.compile(rb"[\t\n\r -~]*")
# What debugpy's code leaves in `__main__` when it attaches by pid (`debugpy/server/cli.py`).
INJECTOR = "attach_pid_injected"
INJECTED = {INJECTOR, "decode", "script_dir", "setup"}
DEFINED = "imports and definitions"  # the group that `ValueProfile::hidden` names


class Group:
    """Stands for variables that are not listed."""

    def __init__(self, count):
        self.count = count


class Unread:
    """The value of a property."""


UNREAD = Unread()


def text(value, limit=texts.OUTER, is_hex=False):
    if value is UNREAD:
        return "<property>"
    if type(value) is pydevd_xml.ExceptionOnEvaluate:
        value = value.result
    return "" if type(value) is Group else texts.text(value, limit, is_hex)


@replace(SafeRepr, "__call__")
def safe_repr(_, self, value):
    return text(value, self.maxstring_outer, self.convert_to_hex)


def describe(self, fmt=None, context=None, **bounds):
    """The variable as DAP has it; in place of `_AbstractVariable.get_var_data`."""
    fmt, value, name = fmt or {}, self.value, self.name
    kind = type(value)
    attributes = ["rawString"] if issubclass(kind, (str, bytes, bytearray)) else []
    if self._is_return_value:
        name = "(return) %s" % name
    if self._is_return_value or name in (TOO_LARGE_ATTR, GENERATED_LEN_ATTR_NAME):
        attributes.append("readOnly")
    limit = bounds.get("maxstring_outer", texts.OUTER)
    written = raw(value) if fmt.get("rawString") else whole(value) if context == WHOLE else None
    if written is None and context == STATEMENT:
        written = printed(value)
    data = {
        "name": name,
        "value": text(value, limit, fmt.get("hex", False)) if written is None else written,
        "type": type_name(value),
        "variablesReference": self.get_variable_reference() if opens(value) else 0,
    }
    if self.evaluate_name is not None:
        data["evaluateName"] = self.evaluate_name
    if attributes:
        data["presentationHint"] = {"attributes": attributes}
    if value is UNREAD:
        data["presentationHint"] = {"lazy": True}
    if kind is Group:
        data["namedVariables"] = value.count
    return data


def printed(value):
    """The text of the program's own `__repr__`; none where the program has none for this type."""
    owner, function = plain.printer(type(value))
    if owner is None:
        return None
    try:
        found = read_value(id(type(value)), lambda: str.__str__(function(value)))
    except NoAnswer as error:
        return "<error: __repr__: %s>" % error
    except BaseException as error:
        return "<error: __repr__: %s>" % plain.name_of(type(error))
    return "%s (printed by %s.__repr__)" % (found[: texts.OUTER], plain.name_of(owner))


def raw(value):
    """A string as it is, a byte as the character of its number; none for other values."""
    if plain.is_a(value, str):
        return str.__str__(value)
    if plain.is_a(value, *BYTES):
        return string_type(value).decode(value, "latin-1")
    return None


def whole(value):
    """A string as it is, and bytes that are those of a text; none for other values."""
    is_text = plain.is_a(value, str, *BYTES) and is_one_text(value, string_type(value))
    return raw(value) if is_text else None


def string_type(value):
    return next(base for base in (str, *BYTES) if plain.is_a(value, base))


def is_one_text(value, base):
    """Whether the string, or bytes, is read as a text. Each byte has to be a character that is
    shown as it is: then its number in the text is that of the byte."""
    size = base.__len__(value)
    if base is str:
        return size <= MOST_CHARACTERS
    if size > MOST_BYTES:
        return False
    return TEXT.fullmatch(base.__getitem__(value, slice(None))) is not None


def elements_type(value):
    """The type of a string or of bytes whose elements are listed; none for other values."""
    if not plain.is_a(value, str, *BYTES):
        return None
    base = string_type(value)
    return None if base.__len__(value) <= SHORT or is_one_text(value, base) else base


def type_name(value):
    if type(value) is Group:
        return ""
    return "property" if value is UNREAD else plain.name_of(type(value))


def opens(value):
    """Whether the value has children."""
    if elements_type(value) is not None:
        return True
    if plain.is_exactly(value, Group, *LEAVES) or tables.is_leaf(value):
        return False
    if value is UNREAD or plain.is_a(value, *CONTAINERS):
        return True
    if type(value) is pydevd_xml.ExceptionOnEvaluate or tables.has_elements(value):
        return True
    if type(value) is memoryview:
        return python_types.in_memory(value, 1) is not None
    if plain.is_c_array(value):
        return True
    return bool(attributes_of(value))


def children(value):
    """Names, values and the ends of the expressions of a value's children, in their order."""
    if type(value) is pydevd_xml.ExceptionOnEvaluate:
        value = value.result
    if plain.is_exactly(value, Group, Unread) or tables.is_leaf(value):
        return []
    table = table_of(value)
    if table is not None:
        return table
    attributes = attributes_of(value)
    base = elements_type(value)
    if base is not None:
        return attributes + elements_of(value, base)
    if plain.is_c_array(value):
        return attributes + elements_of_c(value)
    if type(value) is memoryview:
        return elements_of_memory(value)
    for base in CONTAINERS:
        if plain.is_a(value, base):
            listed = entries_of(value) if base is dict else elements_of(value, base)
            return attributes + listed
    return attributes


def table_of(value):
    """Those of an array or a table of a library; none for other values, and in a version that lacks
    what is read."""
    try:
        table = tables.elements(value, MOST)
        attributes = [] if table is None else tables.attributes(value)
    except Exception:
        return None
    return table and attributes + table[0] + [(GENERATED_LEN_ATTR_NAME, table[1], None)]


def attributes_of(value):
    if plain.is_exactly(value, *LEAVES, *ARRAYS):
        return []
    found = sorted(plain.listed_fields(value).items(), key=by_name)
    # The expression for what is at an address would read there.
    listed = [
        (name, field, None if type(field) is plain.Address else attribute(name))
        for name, field in found
    ]
    listed.extend((name, UNREAD, "." + name) for name in plain.properties(value))
    return listed


def by_name(entry):
    return sorted_attributes_key(entry[0])


def attribute(name):
    return "." + name if name.isidentifier() else ".__dict__[%r]" % name


def elements_of(value, base):
    """The first elements, and how many there are."""
    size = base.__len__(value)
    is_indexed = base not in SETS
    listed = []
    for number, element in enumerate(islice(base.__iter__(value), MOST)):
        listed.append((str(number), element, "[%d]" % number if is_indexed else None))
    if size > MOST:
        listed.append(("more", None, None))
    return listed + [(GENERATED_LEN_ATTR_NAME, size, None)]


def elements_of_c(value):
    """Those of an array of ctypes."""
    listed = []
    for number, element in enumerate(plain.c_elements(value, MOST)):
        end = None if type(element) is plain.Address else "[%d]" % number
        listed.append((str(number), element, end))
    size = plain.c_length(value)
    if size > MOST:
        listed.append(("more", None, None))
    return listed + [(GENERATED_LEN_ATTR_NAME, size, None)]


def elements_of_memory(value):
    first = python_types.in_memory(value, MOST)
    if first is None:
        return []
    end = "[%d]" if value.ndim == 1 else None
    listed = [(str(at), one, end and end % at) for at, one in enumerate(first)]
    if len(value) > len(first):
        listed.append(("more", None, None))
    return listed + [(GENERATED_LEN_ATTR_NAME, len(value), None)]


def entries_of(value):
    listed = []
    names = set()
    for key, entry in islice(python_types.items_of(value), MOST_ENTRIES):
        name = texts.text(key)
        if name in names:
            name = "%s (%d)" % (name, len(names))
        names.add(name)
        listed.append((name, entry, "[%s]" % name if is_literal(key) else None))
    size = dict.__len__(value)
    if size > MOST_ENTRIES:
        listed.append((TOO_LARGE_ATTR, None, None))
    return listed + [(GENERATED_LEN_ATTR_NAME, size, None)]


def is_literal(key):
    """Whether the key's text is an expression for it."""
    if type(key) is tuple:
        return all(map(is_literal, key))
    if plain.is_exactly(key, str, bytes):
        return len(key) <= texts.INNER
    return plain.is_exactly(key, *KEYS)


def children_of_object(self, fmt=None, scope=None):
    made = []
    for name, value, end in children(self.value):
        expression = self.evaluate_name + end if self.evaluate_name and end else None
        made.append(child(self, name, value, expression))
    return made


def child(self, name, value, expression):
    return _ObjectVariable(
        self.py_db,
        name,
        value,
        self._register_variable,
        evaluate_name=expression,
        frame=self.frame,
    )


def children_of_frame(self, fmt=None, scope=None):
    frame = self.frame
    scope = getattr(scope, "scope", scope)
    variables = frame.f_globals if scope == "globals" else frame.f_locals
    code = frame.f_code
    arguments, own = (), None
    if type(code) is types.CodeType:
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    else:
        own = templates.own_names(frame)
    is_module = variables is frame.f_globals
    listed = []
    left_out = 0
    for name, value in items_of(variables):
        if name == RETURN_VALUES_DICT:
            listed.extend(returned(self, value))
        elif is_own(name) or name in INJECTED and INJECTOR in variables:
            continue
        elif own is not None and name not in own:
            left_out += 1
        elif name not in arguments and is_definition(name, value, None if is_module else code):
            left_out += 1
        else:
            listed.append(child(self, name, value, name))
    listed.sort(key=lambda variable: sorted_attributes_key(variable.name))
    if left_out:
        listed.insert(0, child(self, DEFINED, Group(left_out), None))
    return listed


def items_of(variables):
    """The names and values of a scope; none of one that the program implements."""
    if plain.is_a(variables, dict):
        return list(dict.items(variables))
    return list(variables.items()) if plain.is_known(type(variables)) else []


def returned(self, values):
    for name, value in values.items():
        expression = "%s[%r]" % (RETURN_VALUES_DICT, name)
        yield _ObjectVariable(
            self.py_db, name, value, self._register_variable, True, expression, frame=self.frame
        )


def is_own(name):
    """Whether a variable is the interpreter's or pydevd's. `.0` is what a generator expression or
    a comprehension iterates over."""
    is_interpreters = name.startswith("__") and name.endswith("__") or name.startswith(".")
    return name == "_pydev_stop_at_break" or is_interpreters


def is_definition(name, value, code):
    """Whether `import`, `def` or `class` made the variable: another name for a function is a
    variable like others. In a function, whose code this is, only what it defines itself counts: it
    may have assigned any other function."""
    if plain.is_a(value, types.ModuleType):
        return True
    if plain.is_a(value, type):
        defined = plain.name_of(value), plain.qualified_name_of(value)
    else:
        function = value.__func__ if type(value) is types.MethodType else value
        if type(value) is python_types.Cached:
            function = dict.get(plain.own_dict(value) or {}, "__wrapped__")
        if not plain.is_exactly(function, types.FunctionType, types.BuiltinFunctionType):
            return False
        defined = function.__name__, function.__qualname__
    if code is None:
        return defined[0] == name
    return ("." + defined[1]).endswith(".%s.<locals>.%s" % (code.co_name, name))


pydevd_suspended_frames._AbstractVariable.get_var_data = describe
_ObjectVariable.get_children_variables = children_of_object
_FrameVariable.get_children_variables = children_of_frame
