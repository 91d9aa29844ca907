"""Operands of an expression, and how they are read from LLDB's values.

Operands are LLDB's values, Python's bool, `Number`, `Text`, or `Missing` for a name that is no
variable (perhaps an enumerator). Knows types and bytes; does not know operators.
"""

import math
import re
import struct

import lldb

import line_tables
import unsized

BASIC = {
    lldb.eBasicTypeBool: ("bool", False),
    lldb.eBasicTypeChar: ("char", True),
    lldb.eBasicTypeSignedChar: ("int", True),
    lldb.eBasicTypeUnsignedChar: ("int", False),
    lldb.eBasicTypeChar8: ("int", False),
    lldb.eBasicTypeChar16: ("int", False),
    lldb.eBasicTypeChar32: ("char", False),
    lldb.eBasicTypeWChar: ("int", True),
    lldb.eBasicTypeSignedWChar: ("int", True),
    lldb.eBasicTypeUnsignedWChar: ("int", False),
    lldb.eBasicTypeShort: ("int", True),
    lldb.eBasicTypeUnsignedShort: ("int", False),
    lldb.eBasicTypeInt: ("int", True),
    lldb.eBasicTypeUnsignedInt: ("int", False),
    lldb.eBasicTypeLong: ("int", True),
    lldb.eBasicTypeUnsignedLong: ("int", False),
    lldb.eBasicTypeLongLong: ("int", True),
    lldb.eBasicTypeUnsignedLongLong: ("int", False),
    lldb.eBasicTypeInt128: ("int", True),
    lldb.eBasicTypeUnsignedInt128: ("int", False),
    lldb.eBasicTypeFloat: ("float", True),
    lldb.eBasicTypeDouble: ("float", True),
}
INTEGERS = {
    (1, True): lldb.eBasicTypeSignedChar,
    (1, False): lldb.eBasicTypeUnsignedChar,
    (2, True): lldb.eBasicTypeShort,
    (2, False): lldb.eBasicTypeUnsignedShort,
    (4, True): lldb.eBasicTypeInt,
    (4, False): lldb.eBasicTypeUnsignedInt,
    (8, True): lldb.eBasicTypeLong,
    (8, False): lldb.eBasicTypeUnsignedLong,
    (16, True): lldb.eBasicTypeInt128,
    (16, False): lldb.eBasicTypeUnsignedInt128,
}
# Names of integer types in casts and literals: size, signed.
NAMED = {"usize": (8, False), "isize": (8, True), "size_t": (8, False), "ssize_t": (8, True)}
for _bits in (8, 16, 32, 64, 128):
    NAMED["u%d" % _bits], NAMED["i%d" % _bits] = (_bits // 8, False), (_bits // 8, True)
    NAMED["uint%d_t" % _bits], NAMED["int%d_t" % _bits] = NAMED["u%d" % _bits], NAMED["i%d" % _bits]
for _name, _size in (("char", 1), ("short", 2), ("int", 4), ("long", 8), ("long long", 8)):
    NAMED[_name], NAMED["signed " + _name], NAMED["unsigned " + _name] = (
        (_size, True),
        (_size, True),
        (_size, False),
    )
NAMED["unsigned"], NAMED["signed"] = (4, False), (4, True)
RUST_INTEGER = re.compile(r"[iu](\d+|size)$")
BIT_FIELD = re.compile(r":(\d+)$")
FLOATS = {"f32": 4, "f64": 8, "float": 4, "double": 8}

# C's type names and Rust's, as `rust_types.rs` has them.
IN_RUST = {
    "unsigned __int128": "u128",
    "__int128": "i128",
    "unsigned char": "u8",
    "signed char": "i8",
    "char": "i8",
    "unsigned short": "u16",
    "short": "i16",
    "unsigned int": "u32",
    "int": "i32",
    "unsigned long": "u64",
    "long": "i64",
    "float": "f32",
    "double": "f64",
    "char32_t": "char",
    "void": "()",
}
C_WORDS = re.compile(r"(?<![\w:])(%s)(?![\w:])" % "|".join(sorted(IN_RUST, key=len, reverse=True)))
ARRAY = re.compile(r"(.*?)((?:\[\d+\])*)$")


class Here:
    """The context of the current expression. LLDB's own `lldb.frame` is reset when a formatter
    runs.
    """

    frame = target = process = thread = None
    # Bit fields with known offsets, by value id: address, first bit, number of bits.
    bit_fields = {}
    # Names of members without a place, by the id of the variable.
    lost = {}

    def update(self):
        self.frame, self.target, self.process, self.thread = (
            lldb.frame,
            lldb.target,
            lldb.process,
            lldb.thread,
        )
        self.bit_fields.clear()
        self.lost.clear()


here = Here()


class Unable(Exception):
    """An expression that cannot be computed, with a message for the caller. `name` is a name that
    is unknown here; `called` says that only a function of the program could compute it.
    """

    def __init__(self, words, name=None, called=False):
        super().__init__(words)
        self.name, self.called = name, called


class Number:
    """A value and its type: `kind` is int, char, bool, float or pointer. A literal may have no
    size.
    """

    def __init__(self, value, kind="int", size=None, signed=True, type=None):
        self.value, self.kind, self.size, self.signed, self.type = value, kind, size, signed, type

    def type_text(self):
        """The name of its type, as the caller would write it."""
        if self.type is not None and not is_rust():
            return self.type.GetName()
        names = [name for name, shape in NAMED.items() if shape == (self.size, self.signed)]
        names = [name for name in names if bool(RUST_INTEGER.match(name)) == is_rust()]
        # `int` rather than `int32_t`, `i64` rather than `isize`.
        names.sort(key=lambda name: name.endswith(("_t", "size")))
        return names[0] if names else self.kind


class Text:
    """A string literal of the expression."""

    def __init__(self, text):
        self.text = text


class Missing:
    """A name that is no variable."""

    def __init__(self, name):
        self.name = name

    def found(self):
        """The enumerator of that name; fails if there is none."""
        found = None if is_rust() else enumerator(self.name)
        if found is None:
            raise self.error()
        return found

    def error(self):
        why = line_tables.missing_variables(here.frame)
        words = "there is no `%s` here" % self.name
        return Unable("%s; %s" % (words, why) if why else words, self.name)


# Enumerators by their names, of a compile unit by the name of its file: for each the scopes, the
# value and the type. A condition is evaluated at each hit.
_enumerators = {}


def enumerator(name):
    """An enumerator of C or C++ that the compile unit knows; None: it knows none of that name."""
    wanted, found = "::" + name.removeprefix("::"), {}
    last = "::" + wanted.rpartition("::")[2]
    for scopes, value, type in _unit_enumerators().get(last, ()):
        if any((scope + last).endswith(wanted) for scope in scopes):
            found[value] = type
    if len(found) > 1:
        names = ", ".join(sorted({type.GetName() or "another" for type in found.values()}))
        raise Unable("`%s` may be of any of %s" % (name, names))
    for value, type in found.items():
        size = type.GetByteSize()
        data, error = lldb.SBData(), lldb.SBError()
        whole = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        data.SetDataWithOwnership(error, whole, lldb.eByteOrderLittle, 8)
        return here.target.CreateValueFromData(name, data, type)
    return None


def _unit_enumerators():
    unit = here.frame.GetCompileUnit()
    file = str(unit.GetFileSpec())
    if file not in _enumerators:
        types = unit.GetTypes(lldb.eTypeClassEnumeration)
        _enumerators[file] = _by_name(types.GetTypeAtIndex(n) for n in range(types.GetSize()))
    return _enumerators[file]


def _by_name(types):
    found = {}
    for type in types:
        full, members = "::" + (type.GetName() or ""), type.GetEnumMembers()
        scopes = full, full.rpartition("::")[0]
        for member in map(members.GetTypeEnumMemberAtIndex, range(members.GetSize())):
            one = scopes, member.GetValueAsSigned(), type
            found.setdefault("::" + member.GetName(), []).append(one)
    return found


def is_rust():
    return here.frame.GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust


def bits_of(value):
    """The number of bits of a bit field, else None. LLDB writes its type as `unsigned int:4`."""
    found = BIT_FIELD.search(value.GetTypeName() or "")
    return int(found.group(1)) if found else None


def called(operand):
    """The name of an operand in messages."""
    if isinstance(operand, lldb.SBValue):
        return operand.GetName() or "the value"
    return '"%s"' % operand.text if isinstance(operand, Text) else "the value"


def type_name(operand):
    if isinstance(operand, lldb.SBValue):
        name = operand.GetDisplayTypeName() or operand.GetTypeName() or "of no known type"
        return _in_rust(name) if is_rust() else name
    return "a text" if isinstance(operand, Text) else "a number"


def _in_rust(name):
    name, lengths = ARRAY.match(C_WORDS.sub(lambda found: IN_RUST[found.group()], name)).groups()
    for length in reversed(re.findall(r"\d+", lengths)):
        name = "[%s; %s]" % (name, length)
    return name


def value_of(operand):
    """The operand as a value of the program."""
    if isinstance(operand, Missing):
        return operand.found()
    if not isinstance(operand, lldb.SBValue):
        raise Unable("%s has no members here" % type_name(operand))
    return operand


def checked(value):
    error = value.GetError()
    if error.Fail():
        why = error.GetCString() or ""
        if why.startswith(line_tables.WITHOUT_PLACE):
            why = "optimized out"
        raise Unable("`%s`: %s" % (called(value), why))
    return value


def require_place(owner, name):
    """Fails if the member or element has no place in optimised code."""
    if here.lost and name in here.lost.get(owner.GetNonSyntheticValue().GetID(), ()):
        raise Unable("`%s`: optimized out" % name)


def require_all(value):
    """Fails if a member of the value has no place in optimised code."""
    lost = here.lost and here.lost.get(value.GetNonSyntheticValue().GetID())
    if lost == ["data_ptr"]:
        raise Unable("`%s`: optimized out" % called(value))
    if lost:
        words = "`%s`: optimized out: %s; read its other members alone"
        raise Unable(words % (called(value), ", ".join(lost)))


def target_of(value):
    """What a pointer or a reference refers to."""
    found = value.Dereference()
    pointee = value.GetType().GetCanonicalType().GetPointeeType()
    if not found.IsValid() and unsized.is_one(pointee):
        raise Unable(unsized.unread(pointee))
    return checked(found)


def followed(value, arrays=False):
    """Follows references, and pointers to types with members, as `.` does."""
    for _ in range(8):
        type = value.GetType().GetCanonicalType()
        points = type.IsPointerType() and (is_rust() or not arrays)
        if not type.IsReferenceType() and not (points and _has_members(type.GetPointeeType())):
            break
        value = target_of(value)
    return value


def _has_members(type):
    kind = type.GetCanonicalType().GetTypeClass()
    kinds = (
        lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion | lldb.eTypeClassArray
    )
    return bool(kind & (kinds | (lldb.eTypeClassPointer if is_rust() else 0)))


def number_of(operand, pointers=False):
    found = read(operand)
    if found is not None and found.kind == "pointer" and is_rust() and not pointers:
        # A reference stands for its target, a raw pointer does not; LLDB has one type for both.
        name = called(operand)
        raise Unable(
            "`%s` is a pointer: `*%s` is the value behind it, `%s as usize` its address"
            % ((name,) * 3)
        )
    if found is None:
        raise Unable("`%s` is %s, no number" % (called(operand), type_name(operand)))
    return found


def read(operand):
    """The operand as a number, if it is one."""
    if isinstance(operand, Number):
        return operand
    if isinstance(operand, bool):
        return Number(operand, "bool", 1, False)
    if isinstance(operand, Missing):
        operand = operand.found()
    if isinstance(operand, Text):
        return None
    value = operand
    canonical = value.GetType().GetCanonicalType()
    while canonical.IsReferenceType():
        value = target_of(value)
        canonical = value.GetType().GetCanonicalType()
    if value.GetValueType() == lldb.eValueTypeRegister and canonical.GetByteSize() > 8:
        return None
    return _plain(value, canonical)


def _plain(value, canonical):
    type, size = value.GetType(), canonical.GetByteSize()
    if canonical.IsArrayType() and not is_rust():
        return Number(
            value.GetLoadAddress(),
            "pointer",
            8,
            False,
            canonical.GetArrayElementType().GetPointerType(),
        )
    if canonical.IsPointerType():
        return Number(bits(value, False, size), "pointer", size, False, type)
    if canonical.GetTypeClass() == lldb.eTypeClassEnumeration:
        inner = BASIC.get(canonical.GetEnumerationIntegerType().GetBasicType())
        signed = inner[1] if inner else False
        return Number(bits(value, signed, size), "int", size, signed)
    kind, signed = BASIC.get(canonical.GetBasicType(), (None, False))
    if kind is None:
        return None
    if kind == "float":
        raw = bits(value, False, size).to_bytes(size, "little")
        return Number(struct.unpack("<f" if size == 4 else "<d", raw)[0], kind, size, True, type)
    count = bits_of(value)
    if count is not None and kind == "int" and count < 32 + signed:
        return Number(bits(value, signed, size), kind, 4, True)  # C promotes it to int.
    return Number(bits(value, signed, size), kind, size, signed, type)


def bits(value, signed, size):
    """The number in exactly `size` bytes. LLDB's own numbers have 64 bits, and are 0 if reading
    fails.
    """
    if bits_of(value) is not None:
        return value.GetValueAsSigned() if signed else value.GetValueAsUnsigned()
    data, error = checked(value).GetData(), lldb.SBError()
    raw = data.ReadRawData(error, 0, size)
    if error.Fail() or raw is None:
        raise Unable("`%s` cannot be read: %s" % (called(value), error.GetCString()))
    big = here.target.GetByteOrder() == lldb.eByteOrderBig
    return int.from_bytes(raw, "big" if big else "little", signed=signed)


def displayed(operand):
    """The operand as the adapter displays it: a value of LLDB's or of Python's."""
    if isinstance(operand, Missing):
        return operand.found()
    if isinstance(operand, Text):
        return operand.text
    if isinstance(operand, lldb.SBValue):
        require_all(operand)
    return typed(operand) if isinstance(operand, Number) else operand


def copied(value):
    """A copy of a value of LLDB's, which can be displayed in a format of its own."""
    return value.Clone(value.GetName() or "result") if isinstance(value, lldb.SBValue) else value


def typed(found):
    """A number as a value of LLDB's or of Python's."""
    if found.size is None:
        if found.kind == "float":
            return found.value
        if not -(1 << 63) <= found.value < 1 << 63:
            raise Unable("%d does not fit 64 bits" % found.value)
        return int(found.value)
    type = found.type
    if found.kind == "float":
        type = type or here.target.GetBasicType(
            lldb.eBasicTypeFloat if found.size == 4 else lldb.eBasicTypeDouble
        )
    else:
        type = type or here.target.GetBasicType(INTEGERS[found.size, found.signed])
    data, error = lldb.SBData(), lldb.SBError()
    data.SetDataWithOwnership(error, raw(found), lldb.eByteOrderLittle, 8)
    return here.target.CreateValueFromData("result", data, type)


def raw(found):
    """The bytes of a number in memory."""
    if found.kind == "float":
        return struct.pack("<f" if found.size == 4 else "<d", rounded(found.value, found.size))
    return int(found.value).to_bytes(found.size, "little", signed=found.signed)


def rounded(value, size):
    """The value as a float of this size; what it cannot represent is infinite."""
    value = float(value)
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0] if size == 4 else value
    except OverflowError:
        return math.copysign(math.inf, value)
