"""Resolves names and types in an expression. Knows frames and modules; does not compute."""

import math

import lldb

import arrays
import members
import pieces
import variable_arrays
from arithmetic import wrapped
from operands import (
    FLOATS,
    INTEGERS,
    NAMED,
    Missing,
    Number,
    Unable,
    bits_of,
    called,
    checked,
    here,
    is_rust,
    number_of,
    read,
    rounded,
    typed,
)

LIBRARY = ("alloc::", "core::", "std::")
PLAIN = {
    "void": lldb.eBasicTypeVoid,
    "bool": lldb.eBasicTypeBool,
    "char": lldb.eBasicTypeChar,
    "float": lldb.eBasicTypeFloat,
    "double": lldb.eBasicTypeDouble,
    "f32": lldb.eBasicTypeFloat,
    "f64": lldb.eBasicTypeDouble,
}


def name(path):
    frame = here.frame
    found = frame.FindVariable(path)
    if found.IsValid():
        _note_lost(found, path)
        array = found if is_rust() else variable_arrays.resized(found)
        return checked(found) if array is None else array
    this = frame.FindVariable("this")
    # In C, `this` is an ordinary name.
    if this.IsValid() and lldb.SBLanguageRuntime.LanguageIsCPlusPlus(
        frame.GetCompileUnit().GetLanguage()
    ):
        found = members.find(this, path)
        if found.IsValid():
            return found
    for kind in (lldb.eValueTypeVariableGlobal, lldb.eValueTypeVariableStatic):
        found = frame.FindValue(path, kind)
        if found.IsValid() and _is_known(found, path):
            return found
    return _static(path) or _integer_bound(path) or Missing(path)


def _note_lost(found, path):
    """Notes which members of a variable have no place in optimised code."""
    lost = pieces.Lost(found)
    if lost and lost.is_whole() and lost.names() != ["data_ptr"]:
        raise Unable("`%s`: optimized out" % path)
    if lost:
        # Of a slice or a text without its place, the length is known.
        here.lost[found.GetNonSyntheticValue().GetID()] = lost.names()


def _integer_bound(path):
    """Resolves `u8::MAX`."""
    type, _, bound = path.removeprefix("std::").rpartition("::")
    if not is_rust() or type not in NAMED or bound not in ("MIN", "MAX"):
        return None
    size, signed = NAMED[type]
    low, high = _range(size, signed)
    return Number(high if bound == "MAX" else low, "int", size, signed)


def _range(size, signed):
    return (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)


def _static(path):
    """A global variable of any module, if only one has that name."""
    wanted = path.removeprefix("::").removeprefix("crate::")
    last = wanted.rpartition("::")[2]
    found = {}
    for value in here.target.FindGlobalVariables(last, 64):
        full = value.GetName() or ""
        if (full == wanted or full.endswith("::" + wanted)) and _is_known(value, path):
            found[value.GetLoadAddress()] = value
    if len(found) > 1:
        names = ", ".join(sorted({value.GetName() for value in found.values()}))
        raise Unable("`%s` may be any of %s" % (path, names))
    only = next(iter(found.values()), None)
    if only is not None and only.GetError().Fail():
        # A variable of the thread, which has a value in a frame alone.
        named = (
            one
            for one in here.frame.GetVariables(False, True, True, False)
            if one.GetName() == only.GetName() and not one.GetError().Fail()
        )
        only = next(named, only)
    return only if only is None else checked(only)


def _is_known(value, path):
    """Does the variable belong to the program? A Rust static belongs to a module, or has a bare
    name in the executable. LLDB also finds variables of C libraries by the same names, and by a
    bare name those inside Rust's standard library.
    """
    if not is_rust():
        return True
    full = value.GetName() or ""
    if "::" in full:
        return "::" in path or not full.startswith(LIBRARY)
    declared = value.GetDeclaration().GetFileSpec()
    return _is_executable(value) or (
        (declared.GetFilename() or "").endswith(".rs") and not _is_of_rust_library(declared)
    )


def _is_executable(value):
    """Is it in the executable of the program?"""
    file = value.GetAddress().GetModule().GetFileSpec()
    return file.IsValid() and file == here.target.GetExecutable()


def _is_of_rust_library(file):
    return (file.GetDirectory() or "").startswith("/rustc/")


def register(name):
    found = here.frame.FindRegister(name)
    if not found.IsValid():
        raise Unable("there is no register `%s`" % name)
    return found


def cast(operand, name):
    """Casts a number or pointer to the named type, or memory to an array."""
    found = arrays.ARRAY.match(name)
    if found:
        base, stars = _base(found[1]), found[1].count("*")
        return arrays.cast(operand, found, _pointer_type(base, stars))
    stars = name.count("*")
    base = _base(name)
    if stars:
        number = number_of(operand, pointers=True).value & ((1 << 64) - 1)
        return typed(Number(number, "pointer", 8, False, _pointer_type(base, stars)))
    found = number_of(operand, pointers=True)
    if base == "bool":
        return bool(found.value)
    if base in FLOATS:
        return Number(rounded(found.value, FLOATS[base]), "float", FLOATS[base])
    if base in NAMED and not (base == "char" and is_rust()):
        size, signed = NAMED[base]
        if found.kind == "float":
            return Number(_truncated(found.value, name, *_range(size, signed)), "int", size, signed)
        value = wrapped(int(found.value), Number(0, "int", size, signed))
        # LLDB writes a character with its number only in the type itself.
        type = here.target.GetBasicType(lldb.eBasicTypeChar) if base == "char" else None
        return Number(value, "int", size, signed, type)
    raise Unable("`%s` is no type of a number, nor a pointer" % name)


def _truncated(value, name, low, high):
    """A float as an integer; Rust saturates."""
    if math.isfinite(value) and low <= math.trunc(value) <= high:
        return math.trunc(value)
    if not is_rust():
        raise Unable("%r does not fit %s, which is undefined behaviour in C" % (value, name))
    return 0 if math.isnan(value) else low if value < 0 else high


def _base(name):
    """The name of a type without qualifiers and stars."""
    base = name.replace("*", "").replace("&", "").strip()
    for word in ("const ", "volatile ", "struct ", "enum ", "union "):
        base = base.replace(word, "")
    base = base.removesuffix(" const")
    return base.removesuffix(" int") if base not in NAMED else base


def _pointer_type(base, stars):
    type = _type(base)
    if type is None:
        raise Unable("there is no type `%s`" % base)
    for _ in range(stars):
        type = type.GetPointerType()
    return type


def _type(base):
    if base in PLAIN:
        return here.target.GetBasicType(PLAIN[base])
    if base in NAMED:
        return here.target.GetBasicType(INTEGERS[NAMED[base]])
    found = here.target.FindFirstType(base.removeprefix("crate::"))
    return found if found.IsValid() else None


def size_of(operand):
    """The size of an operand's type in bytes."""
    if isinstance(operand, Missing):
        return size_of_type(operand.name)
    if not isinstance(operand, lldb.SBValue):
        found = read(operand)
        if found is None:
            raise Unable("the size of a string literal is not known")
        return _size(
            found.size
            or (8 if found.kind == "float" or not -(1 << 31) <= found.value < 1 << 31 else 4)
        )
    type = operand.GetType().GetCanonicalType()
    if type.IsReferenceType() and not is_rust():
        type = type.GetDereferencedType()
    if bits_of(operand) is not None:
        raise Unable("`%s` is a bit field, which has no size in bytes" % called(operand))
    return _size(type.GetByteSize())


def size_of_type(name):
    """The size of a type in bytes; a variable of that name comes first."""
    stars, base = name.count("*"), _base(name)
    if stars:
        return _size(8)
    type = _type(base)
    if type is None or (base == "char" and is_rust()):
        type = here.target.GetBasicType(lldb.eBasicTypeChar32) if base == "char" else None
    if type is None:
        raise Unable("there is neither a variable nor a type `%s` here" % name)
    return _size(type.GetByteSize())


def _size(bytes):
    return Number(bytes, "int", 8, False)
