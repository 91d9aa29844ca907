"""Reads objects as the interpreter stores them, without running code of the program: no
`__getattribute__`, no property, no `__class__`, no method of a metaclass. Knows where fields are;
does not know how they are displayed.

`issubclass(type(value), list)` is safe, `isinstance` is not: it asks the value for `__class__`.
"""

import enum
import functools
import sys
import types
from itertools import islice

dict_of_type = type.__dict__["__dict__"].__get__
bases_of = type.__dict__["__mro__"].__get__
name_of = type.__dict__["__name__"].__get__
qualified_name_of = type.__dict__["__qualname__"].__get__
ROUTINES = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    classmethod,
    staticmethod,
)
DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType)
PROPERTIES = (property, functools.cached_property)
NUMBERS = (int, float, complex)  # whose attributes are computed from the number
# Modules of Python itself, by name since Python 3.10, and those whose types are as well known.
SOME = "array asyncio collections contextvars ctypes datetime decimal enum fractions functools " \
    "ipaddress logging pathlib re socket threading types typing uuid"
KNOWN = {"numpy", "pandas", *sys.builtin_module_names, *SOME.split()}
KNOWN.update(getattr(sys, "stdlib_module_names", ()))
# Modules whose native types compute fields from what the object itself stores. Those of `_io` ask
# the file below, and those of `_ctypes` read memory that may be gone.
SELF_CONTAINED = set(
    "_asyncio _contextvars _csv _hashlib _socket _ssl _thread array builtins collections "
    "contextvars datetime decimal fractions functools mmap numpy pandas re select socket sqlite3 "
    "ssl types typing uuid xml zoneinfo".split()
)
size_of = type.__dict__["__basicsize__"].__get__
dict_offset_of = type.__dict__["__dictoffset__"].__get__
weak_offset_of = type.__dict__["__weakrefoffset__"].__get__
flags_of = type.__dict__["__flags__"].__get__
HAS_REFERENTS = 1 << 14  # a flag of a type: the garbage collector follows its values
SMALL = (bool, str, type(None))
POINTER_SIZE = tuple.__itemsize__
MOST_KEPT = 1000  # objects that a value of ctypes keeps, and that are searched


def is_a(value, *kinds):
    return issubclass(type(value), kinds)


def is_exactly(value, *kinds):
    """Compares types by identity: `in` would call the `__eq__` of a metaclass."""
    return any(type(value) is kind for kind in kinds)


def module_of(kind):
    """The name of the module that defines the type."""
    found = type.__dict__["__module__"].__get__(kind)
    return found if type(found) is str else ""


def is_known(kind):
    """Whether the type is Python's own or of a well-known library, and so not the program's."""
    return module_of(kind).partition(".")[0] in KNOWN


def is_numpy_scalar(kind):
    return any(name_of(base) == "generic" and is_known(base) for base in bases_of(kind))


def lookup(kind, name):
    """The attribute of a type as it is stored, and the type that has it; none without one."""
    for base in bases_of(kind):
        found = dict_of_type(base)
        if name in found:
            return found[name], base
    return None, None


def own_dict(value):
    """The `__dict__` of an object; none if it has none."""
    for base in bases_of(type(value)):
        found = dict_of_type(base).get("__dict__")
        if is_exactly(found, *DESCRIPTORS):
            try:
                entries = found.__get__(value)
            except Exception:
                return None
            return entries if is_a(entries, dict) else None
    return None


def fields(value):
    """Names and values of an object: of its `__dict__`, its slots, and what the types of Python
    itself offer as data, as `datetime.year`."""
    found = stored_fields(value)
    if is_c_data(type(value)):
        found.update(c_fields(value))
    for base in reversed(bases_of(type(value))):
        if module_of(base) == "_ctypes" or any(base is number for number in NUMBERS):
            continue
        is_native = module_of(base).partition(".")[0] in SELF_CONTAINED and not is_c_data(base)
        for name, entry in dict_of_type(base).items():
            if not is_slot(name, entry, is_native) or name in found:
                continue
            try:
                field = entry.__get__(value)
            except Exception:  # the slot is empty
                continue
            if not is_a(field, *ROUTINES):
                found[name] = field
    return found


def stored_fields(value):
    """Those of its `__dict__` and of the program's other dictionaries of attributes."""
    found = {}
    others = (stored for base, stored in reserved(value) if not is_known(base))
    for stored in (own_dict(value) or {}, *(one for one in others if type(one) is dict)):
        for name, field in dict.items(stored):
            if type(name) is str and not is_debuggers(name, field, stored):
                found.setdefault(name, field)
    return found


def reserved(value):
    """The slots with names like those of the interpreter, and the types that have them. In them a
    model of pydantic keeps dictionaries: of attributes that it does not declare, of private ones.
    """
    for base in bases_of(type(value)):
        for name, entry in dict_of_type(base).items() if size_of(base) > size_of(object) else ():
            is_reserved = name.startswith("__") and name.endswith("__")
            if is_reserved and type(entry) is types.MemberDescriptorType:
                try:
                    yield base, entry.__get__(value)
                except Exception:  # the slot is empty
                    pass


def added_fields(value):
    """Those that the type of a value adds to the builtin type that it is derived from. Of a type
    of Python only those that say something."""
    kind = type(value)
    if not is_known(kind):
        hidden = {name for base in bases_of(kind) if is_known(base) for name in dict_of_type(base)}
        return {name: field for name, field in fields(value).items() if name not in hidden}
    found = stored_fields(value).items()
    return {name: field for name, field in found if not is_exactly(field, *SMALL) or field}


def is_debuggers(name, field, stored):
    """Whether pydevd put the field into an object of the program, as into each thread."""
    if name == "stop_reason":
        return "__pydevd_id__" in stored
    return name.startswith("__pydevd") or module_of(type(field)).startswith("_pydevd")


def listed_fields(value):
    """The fields that are displayed when a value is opened; of a class its own attributes."""
    if is_a(value, enum.Enum):
        stored = own_dict(value) or {}
        return {name: dict.get(stored, "_%s_" % name) for name in ("name", "value")}
    if is_a(value, type):
        stored = dict_of_type(value)
    elif is_a(value, types.ModuleType):
        stored = own_dict(value) or {}
    else:
        return fields(value)
    return {name: field for name, field in stored.items() if is_data(name, field)}


def is_data(name, field):
    """Whether the attribute of a class or module is no method, property or slot, and none of the
    interpreter's own."""
    is_own = name.startswith("__") and name.endswith("__")
    return not is_own and not is_a(field, *ROUTINES, *PROPERTIES, *DESCRIPTORS)


def is_slot(name, entry, is_native):
    if name.startswith("__") and name.endswith("__"):
        return False
    if type(entry) is types.MemberDescriptorType:
        return True
    return is_native and type(entry) is types.GetSetDescriptorType and not name.startswith("_")


def is_opaque(kind):
    """Whether values of the type store data that no descriptor offers, as those of C extensions."""
    if is_c_data(kind):
        return False
    known = next((base for base in bases_of(kind) if is_known(base)), object)
    stored = size_of(known)
    for read in (dict_offset_of, weak_offset_of):
        stored += POINTER_SIZE * (read(kind) > 0 and read(known) <= 0)
    for base in bases_of(kind):
        if base is known:
            break
        entries = dict.values(dict(dict_of_type(base)))
        slots = [entry for entry in entries if type(entry) is types.MemberDescriptorType]
        stored += POINTER_SIZE * len(slots)
    return size_of(kind) > stored


def properties(value):
    """Names of the properties that the program's types define, and of other descriptors as those
    of object-relational mappers: reading one runs the program's code."""
    names = []
    seen = set()
    for base in bases_of(type(value)):
        for name, entry in dict_of_type(base).items():
            if name not in seen and not is_known(base) and computes(entry):
                names.append(name)
            seen.add(name)
    stored = own_dict(value) or {}
    return [name for name in names if not name.startswith("_") and name not in stored]


def computes(entry):
    """Whether the attribute of a class is computed when it is read, and is no kind of method."""
    if is_a(entry, *PROPERTIES):
        return True
    kind = type(entry)
    if is_known(kind) or lookup(kind, "__get__")[0] is None or lookup(kind, "__call__")[0]:
        return False
    # Others, such as the managers of Django's models, are attributes of the class.
    is_lazy = any(type(one) is types.FunctionType for one in (own_dict(entry) or {}).values())
    return is_lazy or lookup(kind, "__set__")[0] is not None


def printer(kind):
    """The type whose `__repr__` in Python displays values of this type, and that function; none
    where the interpreter, the standard library or generated code does."""
    found, owner = lookup(kind, "__repr__")
    if type(found) in (types.WrapperDescriptorType, types.MethodDescriptorType):
        return None, None
    if is_known(owner) or is_generated(found, kind):
        return None, None
    return owner, found


def record_fields(value):
    """The fields that the generated `__repr__` of a dataclass, a named tuple or an attrs class
    displays, in their order; none for other values."""
    kind = type(value)
    if issubclass(kind, tuple):
        names = lookup(kind, "_fields")[0]
        named = type(names) is tuple and all(type(name) is str for name in names)
        return dict(zip(names, tuple.__iter__(value))) if named else None
    for marker in ("__dataclass_fields__", "__attrs_attrs__"):
        declared = lookup(kind, marker)[0]
        if is_a(declared, dict, tuple) and printer(kind)[0] is None:
            return displayed(value, declared)
    return None


def displayed(value, declared):
    found = fields(value)
    entries = dict.values(declared) if is_a(declared, dict) else tuple.__iter__(declared)
    names = [entry.name for entry in entries if entry.repr]
    return {name: found[name] for name in names if name in found}


def is_generated(function, kind):
    """Whether `dataclass`, `namedtuple` or attrs made this `__repr__`: it displays the fields."""
    if type(function) is not types.FunctionType:
        return False
    file = function.__code__.co_filename
    if lookup(kind, "__dataclass_fields__")[1] is not None:
        return is_of_module(file, "dataclasses") or is_of_module(file, "reprlib")
    if lookup(kind, "__attrs_attrs__")[1] is not None:
        return file.startswith("<attrs generated")
    return issubclass(kind, tuple) and is_of_module(file, "collections")


def is_of_module(file, name):
    return file == getattr(sys.modules.get(name), "__file__", None)


class Address(int):
    """Where a field of a structure of ctypes points to. What is there may be gone, and reading it
    would end the process."""

    __slots__ = ()


def c_base():
    """The type from which those of ctypes are derived; none as long as ctypes is not imported."""
    loaded = sys.modules.get("_ctypes")
    return None if loaded is None else bases_of(loaded.Structure)[1]


def is_c_data(kind):
    wanted = c_base()
    return wanted is not None and any(base is wanted for base in bases_of(kind))


def c_root(value):
    """The value of ctypes in whose memory this one is."""
    around = value
    while around is not None:
        value, around = around, dict_of_type(c_base())["_b_base_"].__get__(around)
    return value


def is_readable(value):
    """Whether a value of ctypes is in memory that it or the value around it has, and not at an
    address that the program named."""
    native = sys.modules["_ctypes"]
    root = c_root(value)
    begin = native.addressof(value) - native.addressof(root)
    if not 0 <= begin <= native.sizeof(root) - native.sizeof(value):
        return False
    # `from_buffer` keeps the view of the buffer under this key.
    kept = dict_of_type(c_base())["_objects"].__get__(root)
    is_view = is_a(kept, dict) and type(dict.get(kept, "ffffffff")) is memoryview
    return is_view or dict_of_type(c_base())["_b_needsfree_"].__get__(root) == 1


def is_pointer(kind):
    """Whether a type of ctypes holds an address: a pointer, a function, a string or an object."""
    native = sys.modules["_ctypes"]
    if issubclass(kind, (native._Pointer, native.CFuncPtr)):
        return True
    code = lookup(kind, "_type_")[0]
    return issubclass(kind, native._SimpleCData) and type(code) is str and code in "zZXOP"


def pointed(value, offset=0):
    """What a pointer holds: the bytes that ctypes keeps for it, or the address."""
    begin = sys.modules["_ctypes"].addressof(value) + offset
    address = sys.modules["ctypes"].c_void_p.from_address(begin).value or 0
    kept = dict_of_type(c_base())["_objects"].__get__(c_root(value))
    left = [kept]
    for one in islice(iter(left), MOST_KEPT):
        if type(one) is dict:
            left.extend(islice(dict.values(one), MOST_KEPT))
        # The characters of bytes are at the end of the object, before a zero.
        elif type(one) is bytes and address == id(one) + bytes.__basicsize__ - 1:
            return one
    return Address(address)


def c_fields(value):
    """The fields of a structure or union of ctypes."""
    found = {}
    native = sys.modules["_ctypes"]
    if not is_a(value, native.Structure, native.Union):
        return found
    for base in reversed(bases_of(type(value)) if is_readable(value) else ()):
        declared = dict_of_type(base).get("_fields_")
        for entry in declared if is_exactly(declared, list, tuple) else ():
            if type(entry) is not tuple or type(entry[0]) is not str or not is_a(entry[1], type):
                continue
            name, kind = entry[:2]
            field = dict_of_type(base).get(name)
            if name_of(type(field)) != "CField" or module_of(type(field)) != "_ctypes":
                continue
            # Values of simple types themselves are made of what they point to.
            is_read = is_pointer(kind) and bases_of(kind)[1] is native._SimpleCData
            try:
                found[name] = pointed(value, field.offset) if is_read else field.__get__(value)
            except Exception:  # no character has this code
                continue
    return found


def is_c_array(value):
    """Whether it is an array of ctypes of other elements than characters."""
    if not is_c_data(type(value)) or not is_a(value, sys.modules["_ctypes"].Array):
        return False
    element = lookup(type(value), "_type_")[0]
    return is_readable(value) and lookup(element, "_type_")[0] not in ("c", "u")


def c_length(value):
    return sys.modules["_ctypes"].Array.__len__(value)


def c_elements(value, most):
    """The first elements of an array of ctypes: of characters bytes or a string."""
    native = sys.modules["_ctypes"]
    size = min(most, c_length(value))
    kind = lookup(type(value), "_type_")[0]
    if is_pointer(kind) and bases_of(kind)[1] is native._SimpleCData:
        return [pointed(value, POINTER_SIZE * at) for at in range(size)]
    read = native.Array.__getitem__
    if lookup(kind, "_type_")[0] in ("c", "u"):
        return read(value, slice(0, size))
    return [read(value, at) for at in range(size)]
