"""How values of Python's own types, and of types derived from them, are written and listed, without
running code of the program: by the functions of the builtin type, never by those of a derived one.
Knows the `Writer` of `texts.py` only as what it writes to.
"""

import array
import enum
import functools
import gc
import types
from collections import Counter, OrderedDict, defaultdict, deque

import dapdock_plain as plain


def reader(kind):
    """The function that writes a value of this type; none if no builtin type is among its bases."""
    for base, read in READERS.items():
        if issubclass(kind, base):
            return read
    return None


def wrap(writer, value, level, write):
    """Writes a builtin value as it is, or with the name and the fields of the program's type."""
    kind = type(value)
    fields = {} if plain.is_known(kind) else plain.fields(value)
    if not fields and plain.printer(kind)[0] is None:
        return write()
    writer.put(plain.name_of(kind) + "(")
    write()
    if fields:
        writer.put(", ")
        writer.named(fields, "=", level)
    writer.put(")")


def bracketed(base, begin, end):
    """Writes a container of the builtin type `base` between `begin` and `end`."""

    def read(writer, value, level):
        def write():
            writer.put(begin)
            writer.elements(base.__iter__(value), level)
            writer.put(end)

        wrap(writer, value, level, write)

    return read


def read_tuple(writer, value, level):
    def write():
        writer.put("(")
        writer.elements(tuple.__iter__(value), level)
        writer.put(",)" if tuple.__len__(value) == 1 else ")")

    owner = plain.lookup(type(value), "__repr__")[1]
    if owner is not tuple and plain.is_known(owner):  # numbers by name, as `time.struct_time`
        return writer.put(owner.__repr__(value))
    wrap(writer, value, level, write)


def read_deque(writer, value, level):
    most = deque.maxlen.__get__(value)
    end = "])" if most is None else "], maxlen=%d)" % most
    bracketed(deque, "deque([", end)(writer, value, level)


def set_of(base, begin, end):
    def read(writer, value, level):
        if base.__len__(value):
            return bracketed(base, begin, end)(writer, value, level)
        wrap(writer, value, level, lambda: writer.put(plain.name_of(base) + "()"))

    return read


def items_of(value):
    """The entries of a dictionary, also of a derived one, in its order."""
    return (OrderedDict if plain.is_a(value, OrderedDict) else dict).items(value)


def read_dict(writer, value, level):
    def write():
        writer.put("{")
        writer.entries(items_of(value), level)
        writer.put("}")

    kind = type(value)
    if not plain.is_exactly(value, Counter, OrderedDict, defaultdict):
        return wrap(writer, value, level, write)
    writer.put(plain.name_of(kind) + "(")
    if kind is defaultdict:
        writer.value(defaultdict.default_factory.__get__(value), level + 1)
        writer.put(", ")
    write()
    writer.put(")")


def read_view(writer, value, level):
    writer.put(plain.name_of(type(value)) + "([")
    writer.elements(type(value).__iter__(value), level)
    writer.put("])")


def read_proxy(writer, value, level):
    writer.put("mappingproxy(")
    writer.elements(gc.get_referents(value)[:1], level)
    writer.put(")")


def read_array(writer, value, level):
    if type(value) is not array.array:
        return writer.object(value, level)
    writer.put("array('%s', [" % value.typecode)
    writer.elements(value, level)
    writer.put("])")


def string_of(base):
    def read(writer, value, level):
        wrap(writer, value, level, lambda: writer.string(value, base, level))

    return read


def number_of(base):
    def read(writer, value, level):
        wrap(writer, value, level, lambda: writer.number(value, base))

    return read


def read_bytes(writer, value, level):
    def write():
        writer.put("bytearray(")
        begin = bytes(bytearray.__getitem__(value, slice(writer.limit + 1)))
        writer.string(begin, bytes, level)
        writer.put(")")

    wrap(writer, value, level, write)


def read_enum(writer, value, level):
    found = plain.own_dict(value) or {}
    name = dict.get(found, "_name_")
    member = "." + name if type(name) is str else ""
    writer.put("<%s%s: " % (plain.name_of(type(value)), member))
    writer.value(dict.get(found, "_value_"), level + 1)
    writer.put(">")


def read_exception(writer, value, level):
    arguments = BaseException.args.__get__(value)
    fields = {name: field for name, field in plain.fields(value).items() if name in own(value)}
    writer.put(plain.name_of(type(value)) + "(")
    writer.elements(arguments, level)
    if fields:
        writer.put(", " if arguments else "")
        writer.named(fields, "=", level)
    writer.put(")")


def own(exception):
    """Names of the attributes that the program gave an exception."""
    return [name for name in plain.own_dict(exception) or {} if name != "__notes__"]


def read_method(writer, value, level):
    function = value.__func__
    is_plain = plain.is_a(function, types.FunctionType, types.BuiltinFunctionType)
    name = function.__qualname__ if is_plain else plain.name_of(type(function))
    owner = value.__self__ if plain.is_a(value.__self__, type) else type(value.__self__)
    writer.put("<bound method %s of %s>" % (name, plain.name_of(owner)))


def read_partial(writer, value, level):
    writer.put("functools.partial(")
    writer.value(functools.partial.func.__get__(value), level + 1)
    for argument in functools.partial.args.__get__(value):
        writer.put(", ")
        writer.value(argument, level + 1)
    for name, argument in functools.partial.keywords.__get__(value).items():
        writer.put(", %s=" % name)
        writer.value(argument, level + 1)
    writer.put(")")


def read_slice(writer, value, level):
    writer.put("slice(")
    writer.elements((value.start, value.stop, value.step), level)
    writer.put(")")


def read_namespace(writer, value, level):
    writer.put("namespace(")
    writer.named(plain.fields(value), "=", level)
    writer.put(")")


# The first of these that a type is derived from reads its values.
READERS = {
    enum.Enum: read_enum,
    type: lambda writer, value, level: writer.put(type.__repr__(value)),
    list: bracketed(list, "[", "]"),
    tuple: read_tuple,
    dict: read_dict,
    set: set_of(set, "{", "}"),
    frozenset: set_of(frozenset, "frozenset({", "})"),
    deque: read_deque,
    str: string_of(str),
    bytes: string_of(bytes),
    bytearray: read_bytes,
    int: number_of(int),
    float: number_of(float),
    complex: number_of(complex),
    BaseException: read_exception,
    array.array: read_array,
    types.MethodType: read_method,
    types.SimpleNamespace: read_namespace,
    types.MappingProxyType: read_proxy,
    functools.partial: read_partial,
    slice: read_slice,
    type({}.keys()): read_view,
    type({}.values()): read_view,
    type({}.items()): read_view,
}
