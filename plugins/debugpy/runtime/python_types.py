"""How values of Python's own types, and of types derived from them, are written and listed, without
running code of the program: by the functions of the builtin type, never by those of a derived one.
Knows the `Writer` of `texts.py` only as what it writes to.
"""

import _weakref
import array
import datetime
import enum
import functools
import gc
import operator
import re
import sys
import types
from itertools import islice
from collections import Counter, OrderedDict, defaultdict, deque

import dapdock_plain as plain

PLAIN = (bool, bytes, float, int, str, type(None))
MOST_IN_MEMORY = 1 << 16  # elements of a `memoryview` that are read
MOST_ORDERED = 10000  # entries of an OrderedDict that are shown in its own order


def reader(kind):
    """The function that writes a value of this type; none if no builtin type is among its bases."""
    for base, read in READERS.items():
        if issubclass(kind, base):
            return read
    return read_c if plain.is_c_data(kind) else None


def wrap(writer, value, level, write, base=None):
    """Writes a builtin value as it is, or with the name and the fields of the program's type. With
    `base` the name of each type derived from it is written, as Python does."""
    kind = type(value)
    fields = plain.added_fields(value)
    has_name = base is not None and kind is not base
    if not fields and not has_name and plain.printer(kind)[0] is None:
        return write()
    writer.put(plain.name_of(kind) + "(")
    write()
    if fields:
        writer.put(", ")
        writer.named(fields, "=", level)
    writer.put(")")


def bracketed(base, begin, end, named=None):
    """Writes a container of the builtin type `base` between `begin` and `end`; `named` as the
    `base` of `wrap`."""

    def read(writer, value, level):
        def write():
            writer.put(begin)
            writer.elements(base.__iter__(value), level)
            writer.put(end)

        wrap(writer, value, level, write, named)

    return read


def read_tuple(writer, value, level):
    def write():
        writer.put("(")
        writer.elements(tuple.__iter__(value), level)
        writer.put(",)" if tuple.__len__(value) == 1 else ")")

    owner = plain.lookup(type(value), "__repr__")[1]
    # Numbers by name, as `time.struct_time`.
    members = [one for one in gc.get_referents(value) if one is not type(value)]
    if owner is not tuple and plain.is_known(owner) and are_plain(members):
        return writer.put(owner.__repr__(value))
    wrap(writer, value, level, write)


def read_deque(writer, value, level):
    most = deque.maxlen.__get__(value)
    end = "]" if most is None else "], maxlen=%d" % most
    begin = "[" if type(value) is not deque else "deque(["
    bracketed(deque, begin, end + ")" * (type(value) is deque), deque)(writer, value, level)


def set_of(base, begin, end):
    def read(writer, value, level):
        is_derived = type(value) is not base
        if base.__len__(value):
            brackets = "{}" if is_derived else (begin, end)
            return bracketed(base, *brackets, base)(writer, value, level)
        empty = "" if is_derived and not plain.added_fields(value) else plain.name_of(base) + "()"
        wrap(writer, value, level, lambda: writer.put(empty), base)

    return read


def items_of(value):
    """The entries of a dictionary, also of a derived one, in its order. Of an OrderedDict in the
    order of insertion if its own iterator, which hashes the keys, may run code of the program."""
    if not plain.is_a(value, OrderedDict) or dict.__len__(value) > MOST_ORDERED:
        return dict.items(value)
    return (OrderedDict if are_plain(dict.keys(value)) else dict).items(value)


def are_plain(values):
    return all(plain.is_exactly(value, *PLAIN) for value in values)


def read_dict(writer, value, level):
    def write():
        if plain.is_a(value, defaultdict):
            writer.value(defaultdict.default_factory.__get__(value), level + 1)
            writer.put(", ")
        writer.put("{")
        writer.entries(counted(value), level)
        writer.put("}")

    # Python writes the names of these, and of what is derived from them.
    is_named = plain.is_a(value, Counter, OrderedDict, defaultdict)
    wrap(writer, value, level, write, dict if is_named else None)


def counted(value):
    """The entries, of a Counter the most common first."""
    is_short = plain.is_a(value, Counter) and dict.__len__(value) <= MOST_ORDERED
    if not is_short or not are_plain(dict.values(value)):
        return items_of(value)
    try:
        return sorted(dict.items(value), key=operator.itemgetter(1), reverse=True)
    except TypeError:  # they are not all numbers
        return items_of(value)


def read_view(writer, value, level):
    writer.put(plain.name_of(type(value)) + "([")
    entries = items_of(gc.get_referents(value)[0])
    if plain.is_a(value, type({}.keys())):
        entries = (key for key, _ in entries)
    elif plain.is_a(value, type({}.values())):
        entries = (entry for _, entry in entries)
    writer.elements(entries, level)
    writer.put("])")


def read_proxy(writer, value, level):
    writer.put("mappingproxy(")
    writer.elements(gc.get_referents(value)[:1], level)
    writer.put(")")


def read_array(writer, value, level):
    if type(value) is not array.array:
        return writer.object(value, level)
    writer.put("array('%s'" % value.typecode)
    if value.typecode in "uw" and len(value):
        writer.put(", ")
        writer.string(value[: writer.limit + 1].tounicode(), str, level)
    elif len(value):
        writer.put(", [")
        writer.elements(value, level)
        writer.put("]")
    writer.put(")")


def in_memory(value, most):
    """The first elements of a `memoryview`, of one with several dimensions its first rows; none if
    it is released or has none that can be read. Nothing stops a read that has begun."""
    try:
        if value.ndim > 1:
            # An empty row still has rows in it.
            row = functools.reduce(operator.mul, (size or 1 for size in value.shape[1:]))
            most = min(most, MOST_IN_MEMORY // row)
            if most == 0 and len(value):
                return None
        return value[:most].tolist()
    except (NotImplementedError, TypeError, ValueError):
        return None


def read_memory(writer, value, level):
    found = in_memory(value, min(writer.limit, MOST_IN_MEMORY) + 1)
    if found is None:
        return writer.put("<memory>")
    writer.put("memoryview(")
    if value.format == "B" and value.ndim == 1:
        writer.string(bytes(found), bytes, level)
    else:
        writer.put("[")
        write_rows(writer, found, len(found) < len(value), level)
        writer.put("]")
    writer.put(")")


def write_rows(writer, rows, is_begin, level):
    """Writes elements; `is_begin`: others follow that were not read."""

    def write(row):
        if row is rest:
            writer.put("...")
        else:
            writer.value(row, level + 1)

    rest = object()
    writer.members([*rows, rest] if is_begin else rows, level, write)


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
        begin = bytes(bytearray.__getitem__(value, slice(writer.limit + 1)))
        writer.string(begin, bytes, level)

    wrap(writer, value, level, write, object)


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
    if plain.is_opaque(type(value)):
        writer.put(", ..." if arguments or fields else "...")
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
    for name, argument in dict.items(functools.partial.keywords.__get__(value)):
        writer.put(", %s=" % name)
        writer.value(argument, level + 1)
    writer.put(")")


def read_slice(writer, value, level):
    writer.put("slice(")
    writer.elements((value.start, value.stop, value.step), level)
    writer.put(")")


def read_namespace(writer, value, level):
    is_derived = type(value) is not types.SimpleNamespace
    writer.put("%s(" % (plain.name_of(type(value)) if is_derived else "namespace"))
    writer.named(plain.fields(value), "=", level)
    writer.put(")")


def wrapped(name):
    """Writes a `staticmethod` or `classmethod`, whose own text is that of what it wraps."""

    def read(writer, value, level):
        writer.put("<%s(" % name)
        writer.value(plain.lookup(type(value), "__func__")[0].__get__(value), level + 1)
        writer.put(")>")

    return read


def read_weakref(writer, value, level):
    found = _weakref.ref.__call__(value)
    end = "dead" if found is None else "to %s object" % plain.name_of(type(found))
    writer.put("<weakref %s>" % end)


def read_module(writer, value, level):
    stored = plain.own_dict(value) or {}
    name, file = dict.get(stored, "__name__"), dict.get(stored, "__file__")
    writer.put("<module %r" % (name if type(name) is str else "?"))
    if type(file) is str:
        writer.put(" from %r" % file)
    elif type(name) is str and name in sys.builtin_module_names:
        writer.put(" (built-in)")
    writer.put(">")


def read_alias(writer, value, level):
    """Writes `list[int]`."""
    read_argument(writer, GenericAlias.__origin__.__get__(value), level)
    writer.put("[")
    arguments = GenericAlias.__args__.__get__(value)
    writer.members(arguments, level, lambda one: read_argument(writer, one, level + 1))
    writer.put("]")


def read_union(writer, value, level):
    for number, one in enumerate(Union.__args__.__get__(value)):
        writer.put(" | " if number else "")
        read_argument(writer, one, level + 1)


def read_argument(writer, value, level):
    if value is type(None):
        return writer.put("None")
    if value is ...:
        return writer.put("...")
    if not plain.is_exactly(value, type):
        return writer.value(value, level)
    module = plain.module_of(value)
    name = plain.qualified_name_of(value)
    writer.put(name if module == "builtins" else module + "." + name)


def read_c(writer, value, level):
    """Writes a value of ctypes."""
    kind = type(value)
    name = plain.name_of(kind)
    native = sys.modules["_ctypes"]
    if not plain.is_readable(value):
        return writer.put("<%s at 0x%x>" % (name, native.addressof(value)))
    if plain.is_pointer(kind):
        found = plain.pointed(value)
    elif issubclass(kind, native._SimpleCData):
        found = plain.dict_of_type(native._SimpleCData)["value"].__get__(value)
    elif issubclass(kind, native.Array):
        found = plain.c_elements(value, writer.limit + 1)
    else:
        return writer.object(value, level)
    writer.put(name + "(")
    writer.value(found, level + 1)
    writer.put(")")


def read_cached(writer, value, level):
    """Writes a function with a cache."""
    name = dict.get(plain.own_dict(value) or {}, "__qualname__")
    of = " of %s" % name if type(name) is str else ""
    writer.put("<functools.%s%s>" % (plain.name_of(type(value)), of))


def refers_only_to_plain(value):
    """Whether all values that one of a type in C refers to are plain."""
    if not plain.flags_of(type(value)) & plain.HAS_REFERENTS or not plain.is_known(type(value)):
        return False
    return are_plain(one for one in gc.get_referents(value) if one is not type(value))


def holds_only_plain(value, owner):
    """Whether a value whose native text is that of the values in it holds only plain ones."""
    if owner is re.Pattern:
        return are_plain([re.Pattern.pattern.__get__(value)])
    if owner is range:
        return are_plain([value.start, value.stop, value.step])
    if plain.is_exactly(value, operator.itemgetter, operator.attrgetter):
        return are_plain(type(value).__reduce__(value)[1])
    if owner is datetime.datetime or owner is datetime.time:
        return is_known_zone(owner.tzinfo.__get__(value))
    if owner is datetime.timezone or plain.module_of(owner) == "zoneinfo":
        return is_known_zone(value)
    if plain.module_of(owner).partition(".")[0] == "pandas":
        is_time = plain.name_of(owner) in ("Timestamp", "_Timestamp")
        return is_time and is_known_zone(datetime.datetime.tzinfo.__get__(value))
    if plain.module_of(type(value)) == "_io":
        return is_plain_file(value)
    return refers_only_to_plain(value)


def is_known_zone(zone):
    if type(zone) is datetime.timezone:
        offset, *name = datetime.timezone.__getinitargs__(zone)
        return type(offset) is datetime.timedelta and are_plain(name)
    module = plain.module_of(type(zone)).partition(".")[0]
    if module == "zoneinfo":
        key = plain.lookup(type(zone), "key")[0]
        is_field = plain.is_exactly(key, *plain.DESCRIPTORS)
        return plain.is_known(type(zone)) and (not is_field or are_plain([key.__get__(zone)]))
    return zone is None or module in ("pytz", "dateutil")


def is_plain_file(value):
    """Whether a file of Python's own has, down to the one that reads, only plain attributes."""
    while plain.module_of(type(value)) == "_io":
        if not are_plain(dict.values(plain.own_dict(value) or {})):
            return False
        if plain.name_of(type(value)) in ("FileIO", "BytesIO"):
            return True
        below = plain.lookup(type(value), "buffer")[0] or plain.lookup(type(value), "raw")[0]
        if not plain.is_exactly(below, *plain.DESCRIPTORS):
            return False
        try:
            value = below.__get__(value)
        except Exception:  # it is detached
            return False
    return False


def stored_in(value):
    return [*dict.values(plain.fields(value)), *(one for _, one in plain.reserved(value))]


def has_only_known(value):
    """Whether the fields of a value, and the elements of those, are of no types of the program."""
    left = stored_in(value)
    for field in islice(iter(left), 1000):
        if plain.is_exactly(field, list, tuple):
            left.extend(type(field).__iter__(field))
        elif plain.module_of(type(field)) == "typing":
            left.extend(stored_in(field))
        elif not plain.is_known(type(field)):
            return False
    return True


Cached = type(functools.lru_cache(None)(len))
GenericAlias = getattr(types, "GenericAlias", None)  # new in Python 3.9
Union = getattr(types, "UnionType", None)  # new in Python 3.10

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
    memoryview: read_memory,
    types.MethodType: read_method,
    types.SimpleNamespace: read_namespace,
    types.MappingProxyType: read_proxy,
    functools.partial: read_partial,
    Cached: read_cached,
    slice: read_slice,
    staticmethod: wrapped("staticmethod"),
    classmethod: wrapped("classmethod"),
    types.ModuleType: read_module,
    _weakref.ref: read_weakref,
    type({}.keys()): read_view,
    type({}.values()): read_view,
    type({}.items()): read_view,
}
if GenericAlias is not None:
    READERS[GenericAlias] = read_alias
if Union is not None:
    READERS[Union] = read_union
