"""Summaries of C++'s atomics, times, complex numbers, functions, paths, errors, `any` and
references: their contents.

LLDB lists their members, which are named for the library alone. Knows libstdc++'s; calls nothing.
"""

import re

import lldb

import aggregates
import bounds
import library_texts
from cpp_exception import demangled
from itanium import exception_text, exception_type

EMPTY = "<empty>"
# A function without a symbol.
UNKNOWN = "{…}"
RATIO = re.compile(r"std::ratio<(\d+)L?, (\d+)L?\s*>")
# Classes of <stdexcept>, which programs declare only: the library has their definitions.
ERRORS = (
    "logic_error|domain_error|invalid_argument|length_error|out_of_range|runtime_error"
    "|range_error|overflow_error|underflow_error"
)
# The functions that return the text of an error.
WHAT = re.compile(r"std::(logic_error|runtime_error)::what\(\) const$")
# Before an exception, the type that it was thrown with.
TYPE = 112


def field(value, *names):
    """A nested member as it is in memory."""
    for name in names:
        value = value.GetNonSyntheticValue().GetChildMemberWithName(name)
    return value.GetNonSyntheticValue()


def first_field(value, *names):
    return next((found for found in (field(value, name) for name in names) if found), None)


def atomic(value, _dict):
    found = content_of_atomic(value)
    return aggregates.part(found) if found is not None else None


def content_of_atomic(value):
    """The value of an atomic of any type."""
    for names in (("_M_i",), ("_M_base", "_M_i"), ("_M_b", "_M_p"), ("_M_fp",)):
        found = field(value, *names)
        if found.IsValid():
            return found
    return None


def _number(value):
    """A count, which may be a fraction."""
    canonical = value.GetType().GetCanonicalType()
    if canonical.GetBasicType() in (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble):
        data, error = value.GetData(), lldb.SBError()
        return (data.GetFloat if canonical.GetByteSize() == 4 else data.GetDouble)(error, 0)
    return value.GetValueAsSigned()


def count_of(value):
    """The count of a duration and the length of one in seconds; None: it is none."""
    name = value.GetType().GetCanonicalType().GetName() or ""
    ratio = RATIO.search(name.partition(", std::ratio")[1] + name.partition(", std::ratio")[2])
    found = field(value, "__r")
    if not found.IsValid() or found.GetValue() is None:
        return None
    return _number(found), (int(ratio[1]), int(ratio[2])) if ratio else (1, 1)


def duration(value, _dict):
    found = count_of(value)
    return library_texts.span_of_time(*found) if found else None


def time_point(value, _dict):
    found = count_of(field(value, "__d"))
    is_system = "system_clock" in (value.GetType().GetCanonicalType().GetName() or "")
    if found is None:
        return None
    return (library_texts.moment if is_system else library_texts.span_of_time)(*found)


def complex_(value, _dict):
    return (field(value, "_M_value").GetValue() or "").replace("+ -", "- ") or None


def path(value, _dict):
    found = field(value, "_M_pathname")
    return found.GetSummary() if found.IsValid() else None


def reference(value, _dict):
    found = field(value, "_M_data")
    return aggregates.target(found) if found.IsValid() else None


def error_code(value, _dict):
    """The number, with the category by the name of its class."""
    number, category = field(value, "_M_value"), field(value, "_M_cat")
    if not number.IsValid():
        return None
    table = value.GetProcess().ReadPointerFromMemory(
        category.GetValueAsUnsigned(), lldb.SBError()
    )
    name = _function_at(value, table) or ""
    found = re.search(r"(\w+)_error_category", name)
    return "%s:%d" % (found[1], number.GetValueAsSigned()) if found else number.GetValue()


def _function_at(value, address):
    place = lldb.SBAddress(address, value.GetTarget())
    return place.GetFunction().GetName() or place.GetSymbol().GetName()


def function(value, _dict):
    """What is called."""
    manager = field(value, "_M_manager")
    if not manager.IsValid():
        return None
    if manager.GetValueAsUnsigned() == 0:
        return EMPTY
    name = _function_at(value, field(value, "_M_invoker").GetValueAsUnsigned()) or ""
    kind = library_texts.handled(name)
    if kind is None:
        return UNKNOWN
    if "(*)(" in kind:
        functor = field(value, "_M_functor").GetLoadAddress()
        target = value.GetProcess().ReadPointerFromMemory(functor, lldb.SBError())
        return _function_at(value, target) or kind
    return kind


def any_(value, _dict):
    manager = field(value, "_M_manager")
    if not manager.IsValid():
        return None
    if manager.GetValueAsUnsigned() == 0:
        return EMPTY
    found = content_of_any(value)
    return aggregates.part(found) if isinstance(found, lldb.SBValue) else found


def content_of_any(value):
    """The value; the name of its type if that is not known here."""
    name = _function_at(value, field(value, "_M_manager").GetValueAsUnsigned()) or ""
    found = library_texts.owned(name)
    if found is None:
        return None
    kind, is_inside = found
    type = _type(value.GetTarget(), kind, name)
    if type is None:
        return "<%s>" % kind
    storage = field(value, "_M_storage")
    pointer = field(storage, "_M_ptr").GetValueAsUnsigned()
    place = storage.GetLoadAddress() if is_inside else pointer
    return value.CreateValueFromAddress("value", place, type)


def _type(target, name, manager):
    """A type by its name, as the manager's class has it for its argument."""
    owner = target.FindFirstType(manager[: manager.rfind("::_S_manage")])
    found = owner.GetTemplateArgumentType(0) if owner.IsValid() else owner
    for spelled in (name, name.replace(">>", "> >")):
        found = found if found.IsValid() else target.FindFirstType(spelled)
    return found if found.IsValid() else None


def memory(process):
    def read(address, size):
        error = lldb.SBError()
        found = process.ReadMemory(address, size, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    return read


def _place(value):
    """The address of an object, or of the target of a reference or a pointer to one."""
    type = value.GetType().GetCanonicalType()
    is_pointer = type.IsReferenceType() or type.IsPointerType()
    return value.GetValueAsUnsigned() if is_pointer else value.GetLoadAddress()


def error_text(value):
    """The bytes of what an error of <stdexcept> says, whose type may be declared only."""
    read = memory(value.GetProcess())
    pointer = int.from_bytes(read(_place(value) + 8, 8), "little")
    found = b""
    while b"\0" not in found and len(found) < 4096:
        found += read(pointer + len(found), 64 - (pointer + len(found)) % 64)
    return found.partition(b"\0")[0]


def what(value):
    """What `what()` of an exception of any type returns, if that is the library's function for the
    texts of <stdexcept>; else None. It is the third virtual function of `std::exception`.
    """
    read = memory(value.GetProcess())
    try:
        table = int.from_bytes(read(_place(value), 8), "little")
        name = _function_at(value, int.from_bytes(read(table + 16, 8), "little")) or ""
        return error_text(value) if WHAT.match(name) else None
    except (ValueError, OverflowError):
        return None


def error(value, _dict):
    try:
        return aggregates.quoted(error_text(value))
    except ValueError:
        return None


def exception_pointer(value, _dict):
    exception = field(value, "_M_exception_object").GetValueAsUnsigned()
    if not exception:
        return "nullptr"
    read = memory(value.GetProcess())
    try:
        info = int.from_bytes(read(exception - TYPE, 8), "little")
        text, name = exception_text(read, exception, info), exception_type(read, info)
    except (ValueError, OverflowError):
        return None
    name = demangled(value.GetTarget().GetDebugger(), name)
    return "%s: %s" % (name, text) if text is not None else name


SUMMARIES = {
    "atomic": "^std::atomic<.+>$",
    "duration": "^std::chrono::duration<.+>$",
    "time_point": "^std::chrono::time_point<.+>$",
    "complex_": "^std::complex<.+>$",
    "path": "^std::filesystem::(__cxx11::)?path$",
    "reference": "^std::reference_wrapper<.+>$",
    "error_code": "^std::(_V2::)?error_(code|condition)$",
    "function": "^std::function<.+>$",
    "any_": "^std::any$",
    "error": "^std::(%s)$" % ERRORS,
    "exception_pointer": "^std::(__exception_ptr::)?exception_ptr$",
}
for _name in SUMMARIES:
    globals()[_name] = bounds.bounded(globals()[_name])


def __lldb_init_module(debugger, _dict):
    for name, types in SUMMARIES.items():
        debugger.HandleCommand("type summary add -e -p -F std_objects.%s -x '%s'" % (name, types))
