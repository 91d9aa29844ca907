"""The text of a value, made without running code of the program: builtin types as Python prints
them, dataclasses, named tuples and enums as their generated `__repr__` does, and all others by
their fields, `Order{id: 1, …}`. Knows nothing of pydevd.

A text is bounded in depth, elements and characters; `...` stands for what it leaves out.
"""

import types

import dapdock_python_types as python_types
import dapdock_tables as tables
import dapdock_plain as plain

OUTER = 2**16  # characters of a text, and of what its string shows
INNER = 128  # characters of a string inside another value
MOST = (60, 20)  # elements of a container, and of one inside it
DEPTH = 6
EXACT = (bool, complex, float, int, type(None))
# Python code of these modules prints values that hold only plain ones.
PRINTED = {"datetime", "decimal", "fractions", "ipaddress", "pathlib", "typing", "uuid",
           "zoneinfo"}  # fmt: skip
# Types whose native text depends on no value that the program may have defined.
NATIVE = {
    "builtins": "function builtin_function_or_method code frame generator coroutine"
    " async_generator method-wrapper wrapper_descriptor method_descriptor classmethod_descriptor"
    " getset_descriptor member_descriptor ellipsis NotImplementedType cell super PyCapsule"
    " weakproxy weakcallableproxy",
    "_hashlib": "HASH HMAC",
    "_io": "StringIO BytesIO",
    "_socket": "socket",
    "_thread": "lock RLock",
    "datetime": "date timedelta",
    "decimal": "Decimal Context",
    "mmap": "mmap",
    "pandas": "BaseOffset Interval Period Timedelta NaTType _NaT _Period _Timedelta",
    "re": "Match",
    "typing": "TypeVar ParamSpec TypeVarTuple TypeAliasType",
    "weakref": "ProxyType CallableProxyType",
}
NATIVE = {module: set(names.split()) for module, names in NATIVE.items()}


def text(value, limit=OUTER, is_hex=False):
    """Of a value of any type; `limit` bounds what it shows of a string."""
    writer = Writer(limit, is_hex)
    writer.value(value, 0)
    return "".join(writer.parts)


class Writer:
    """Collects the parts of a text. `level` counts the values around the one that is written."""

    def __init__(self, limit, is_hex):
        self.parts = []
        self.limit, self.is_hex = limit, is_hex
        self.left = OUTER
        self.open = []  # ids of the values around the present one

    def put(self, part):
        self.parts.append(part)
        self.left -= len(part)

    def value(self, value, level):
        kind = type(value)
        if kind is str or kind is bytes:
            self.string(value, kind, level)
        elif plain.is_exactly(value, *EXACT):
            self.number(value, kind)
        elif kind is plain.Address:
            self.put("0x%x" % int(value))
        elif id(value) in self.open:
            self.put(shape(value) % "...")
        else:
            self.open.append(id(value))
            try:
                self.composed(value, kind, level)
            finally:
                self.open.pop()

    def composed(self, value, kind, level):
        record = plain.record_fields(value)
        read = tables.reader(kind) or python_types.reader(kind)
        if record is not None:
            self.record(value, record, level)
        elif read is not None:
            self.read(read, value, level)
        else:
            known = printed(value, kind)
            if known is None:
                self.object(value, level)
            else:
                self.put_cut(known)

    def read(self, read, value, level):
        """Writes a value of a library; in a version that lacks what is read, its fields."""
        size, left = len(self.parts), self.left
        try:
            read(self, value, level)
        except Exception:
            del self.parts[size:]
            self.left = left
            self.object(value, level)

    def string(self, value, base, level):
        """A string or bytes, with quotes; of a long one the begin and the end."""
        limit = INNER if level else self.limit
        size = base.__len__(value)
        if size <= limit:
            return self.put(base.__repr__(value))
        left, right = max(1, 2 * limit // 3), max(1, limit // 3)
        begin = repr(base.__getitem__(value, slice(left)))
        end = repr(base.__getitem__(value, slice(size - right, size)))
        self.put(begin[:-1] + "..." + end[2 if base is bytes else 1 :])

    def number(self, value, base):
        if base is int and (self.is_hex or int.bit_length(value) > 4096):
            return self.put_cut(hex(value))
        self.put(base.__repr__(value))

    def put_cut(self, text):
        self.put(text if len(text) <= self.limit else text[: self.limit] + "...")

    def members(self, members, level, write):
        """Writes members with commas as far as the bounds allow."""
        most = MOST[min(level, len(MOST) - 1)]
        for number, member in enumerate(members):
            if number:
                self.put(", ")
            if number >= most - 1 or level >= DEPTH or self.left <= 0:
                return self.put("...")
            write(member)

    def elements(self, elements, level):
        def write(element):
            self.value(element, level + 1)

        self.members(elements, level, write)

    def entries(self, entries, level):
        def write(entry):
            self.value(entry[0], level + 1)
            self.put(": ")
            self.value(entry[1], level + 1)

        self.members(entries, level, write)

    def named(self, fields, sign, level):
        def write(field):
            self.put(field[0] + sign)
            self.value(field[1], level + 1)

        self.members(fields.items(), level, write)

    def record(self, value, fields, level):
        self.put(plain.qualified_name_of(type(value)) + "(")
        self.named(fields, "=", level)
        self.put(")")

    def object(self, value, level):
        fields = plain.fields(value)
        if not fields and (plain.is_known(type(value)) or plain.is_opaque(type(value))):
            return self.put("<%s object>" % plain.name_of(type(value)))
        public = {name: fields[name] for name in fields if not name.startswith("_")}
        if plain.is_known(type(value)):
            fields = of_library(fields)
        else:
            fields = {**public, **fields}
        self.put(plain.name_of(type(value)) + "{")
        self.named(fields, ": ", level)
        self.put(", ...}" if fields and plain.is_opaque(type(value)) else "}")


def of_library(fields):
    """The fields of a type of Python: without methods, and those first that are short, as whether
    an event is set."""
    found = {name: one for name, one in fields.items() if not plain.is_a(one, *plain.ROUTINES)}
    short = {name: one for name, one in found.items() if plain.is_exactly(one, str, *EXACT)}
    return {**short, **found}


def shape(value):
    """The brackets of a value, around `%s`."""
    for kind, brackets in ((list, "[%s]"), (tuple, "(%s)"), (dict, "{%s}"), (set, "{%s}")):
        if plain.is_a(value, kind):
            return brackets
    return plain.name_of(type(value)) + "{%s}"


def printed(value, kind):
    """The text of a type of Python that holds no values of the program; none for others."""
    found, owner = plain.lookup(kind, "__repr__")
    if owner is object:
        return None
    module = plain.module_of(owner).partition(".")[0]
    if type(found) is types.WrapperDescriptorType:
        is_safe = is_native(owner, module) or python_types.holds_only_plain(value, owner)
    else:
        is_safe = type(found) is types.FunctionType and module in PRINTED
        is_safe = is_safe and plain.is_known(kind) and python_types.has_only_known(value)
    if not is_safe:
        return None
    try:
        return found(value)
    except Exception:
        return None


def is_native(owner, module):
    if module == "numpy":  # a `void` has fields, which may be objects
        return plain.is_numpy_scalar(owner) and plain.name_of(owner) not in ("void", "record")
    return plain.name_of(owner) in NATIVE.get(module, ())
