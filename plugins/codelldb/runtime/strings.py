"""Strings of the program as bytes: Rust's, C's and C++'s. Knows where their lengths are; never
guesses one.
"""

import lldb

import zero_ended
from operands import Text, Unable, called, here, is_rust, read, require_all, checked, type_name

LONGEST = 1 << 20
CHARACTER_TYPES = (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar)
CPP = ("std::basic_string<", "std::__cxx11::basic_string<", "std::basic_string_view<")
OF_CHARACTERS = tuple(start + "char" + end for start in CPP for end in (",", ">", " "))


def both(left, right):
    """Both operands as bytes, if both are strings and are compared as strings."""
    if not (isinstance(left, Text) or isinstance(right, Text)):
        pointers = [isinstance(one, lldb.SBValue) and read(one) for one in (left, right)]
        if any(pointers):
            return None  # Two `char *` are compared as C does: where they point.
    texts = text(left), text(right)
    if None not in texts:
        return texts
    if isinstance(left, Text) or isinstance(right, Text):
        other = right if isinstance(left, Text) else left
        raise Unable("`%s` is %s, not a string" % (called(other), type_name(other)))
    return None


def text(operand):
    """The bytes of an operand, if it is a string."""
    if isinstance(operand, Text):
        return operand.text.encode()
    if not isinstance(operand, lldb.SBValue):
        return None
    require_all(operand)
    value = _referred(operand)
    type = value.GetType().GetCanonicalType()
    stored = place(value)
    if stored is not None:
        return _memory(value, *stored)
    if type.IsPointerType() and not is_rust():
        return _c_string(value)
    if type.IsArrayType() and type.GetArrayElementType().GetBasicType() in CHARACTER_TYPES:
        raw = value.GetData().ReadRawData(lldb.SBError(), 0, type.GetByteSize()) or b""
        return bytes(raw).partition(b"\0")[0]
    return None


def place(value, cpp=OF_CHARACTERS):
    """The values of the address and of the length of a text that stores both; None: it does not."""
    plain, name = value.GetNonSyntheticValue(), value.GetType().GetCanonicalType().GetName() or ""
    if name.startswith("alloc::string::String"):
        inner = plain.GetChildMemberWithName("vec").GetNonSyntheticValue()
        pointer = inner.GetChildMemberWithName("buf")
        for part in ("inner", "ptr", "pointer", "pointer"):
            pointer = pointer.GetChildMemberWithName(part)
        return pointer, inner.GetChildMemberWithName("len")
    pointer = plain.GetChildMemberWithName("data_ptr")
    if pointer.IsValid() and name.lstrip("&").removeprefix("mut ").endswith("str"):
        return pointer, plain.GetChildMemberWithName("length")
    return _place(plain) if name.startswith(cpp) else None


def _referred(value):
    for _ in range(4):
        type = value.GetType().GetCanonicalType()
        target = type.GetPointeeType() if type.IsPointerType() else type.GetDereferencedType()
        if (
            not (type.IsPointerType() or type.IsReferenceType())
            or target.GetBasicType() in CHARACTER_TYPES
        ):
            break
        value = checked(value.Dereference())
    return value


def character(value, at):
    """A character of a C++ string; the zero after the last one of a `std::string` counts, too."""
    pointer, length = _place(value.GetNonSyntheticValue())
    if not (pointer.IsValid() and length.IsValid()):
        raise Unable("the layout of the string `%s` is not known" % called(value))
    count, ends = length.GetValueAsUnsigned(), length.GetName() == "_M_string_length"
    if not 0 <= at < count + ends:
        raise Unable("`%s` has no element %d; it has %d" % (called(value), at, count))
    type = pointer.GetType().GetCanonicalType().GetPointeeType()
    address = pointer.GetValueAsUnsigned() + at * type.GetByteSize()
    return value.CreateValueFromAddress("[%d]" % at, address, type)


def length(value):
    """The number of characters of a C++ string; None: its layout is not known."""
    found = _place(value.GetNonSyntheticValue())[1]
    return found.GetValueAsUnsigned() if found.IsValid() else None


def _place(plain):
    pointer = plain.GetChildMemberWithName("_M_dataplus").GetChildMemberWithName("_M_p")
    length = plain.GetChildMemberWithName("_M_string_length")
    if not pointer.IsValid():
        pointer, length = (
            plain.GetChildMemberWithName("_M_str"),
            plain.GetChildMemberWithName("_M_len"),
        )
    return pointer, length


def _c_string(value):
    error = lldb.SBError()
    found = zero_ended.read(here.process, value.GetValueAsUnsigned(), LONGEST, error)
    if error.Fail():
        raise Unable("`%s` points to no string: %s" % (called(value), error.GetCString()))
    return found


def _memory(value, pointer, length):
    if not (pointer.IsValid() and length.IsValid()):
        raise Unable("the layout of the string `%s` is not known" % called(value))
    size, error = length.GetValueAsUnsigned(), lldb.SBError()
    if size == 0:
        return b""
    if size > LONGEST:
        raise Unable("`%s` is too long to be read" % called(value))
    data = here.process.ReadMemory(pointer.GetValueAsUnsigned(), size, error)
    if error.Fail():
        raise Unable("`%s` cannot be read: %s" % (called(value), error.GetCString()))
    return data
