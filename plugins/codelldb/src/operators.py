"""The operators of Rust, C and C++ on LLDB's values, as the language of the frame has them.

Expressions arrive as calls of these functions. Nothing is compiled and nothing of the
program is run: LLDB's own evaluator crashes on programs with g++'s `std::string`, and
has no Rust. What cannot be computed exactly is an error, never a guess.

Operands are LLDB's values, Python's bool, `Number`, `Text`, or `Missing` for a name that
is no variable (an enumerator, perhaps). An expression reads `operators.here().shown(…)`,
or `truth`.
"""

import math
import re
import struct
import sys

import lldb

LONGEST_TEXT = 1 << 20
# Entries that are looked at for a key.
KEYS = 10_000
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
# Names of numbers in casts and literals: size, signed.
NAMED = {"usize": (8, False), "isize": (8, True), "size_t": (8, False), "ssize_t": (8, True)}
for _bits in (8, 16, 32, 64, 128):
    NAMED["u%d" % _bits], NAMED["i%d" % _bits] = (_bits // 8, False), (_bits // 8, True)
    NAMED["uint%d_t" % _bits], NAMED["int%d_t" % _bits] = NAMED["u%d" % _bits], NAMED["i%d" % _bits]
for _name, _size in (("char", 1), ("short", 2), ("int", 4), ("long", 8), ("long long", 8)):
    NAMED[_name], NAMED["signed " + _name], NAMED["unsigned " + _name] = (_size, True), (_size, True), (_size, False)
NAMED["unsigned"], NAMED["signed"] = (4, False), (4, True)
FLOATS = {"f32": 4, "f64": 8, "float": 4, "double": 8}


class Here:
    """Where the expression stands. LLDB's own `lldb.frame` is gone once a formatter has run in between."""

    frame = target = process = None


_here = Here()


def here():
    _here.frame, _here.target, _here.process = lldb.frame, lldb.target, lldb.process
    return sys.modules[__name__]


class Unable(Exception):
    """What cannot be computed, in words for the caller."""


class Number:
    """A value and its type: `kind` int, char, bool, float or pointer; no size is a literal's."""

    def __init__(self, value, kind="int", size=None, signed=True, type=None):
        self.value, self.kind, self.size, self.signed, self.type = value, kind, size, signed, type

    def said(self):
        """Its type, as the caller would write it."""
        if self.type is not None and not _is_rust():
            return self.type.GetName()
        names = [name for name, shape in NAMED.items() if shape == (self.size, self.signed)]
        names = [name for name in names if (name[0] in "ui" and name[1:].isdigit()) == _is_rust()]
        return names[0] if names else self.kind


class Text:
    """A text in the expression."""

    def __init__(self, text):
        self.text = text


class Missing:
    """A name that is no variable."""

    def __init__(self, name):
        self.name = name

    def error(self):
        return Unable("there is no `%s` here" % self.name)


def _is_rust():
    return _here.frame.GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust


def either(rust, c):
    """The reading of the frame's language."""
    return rust() if _is_rust() else c()


# --- what names stand for ---------------------------------------------------


def name(path):
    frame = _here.frame
    found = frame.FindVariable(path)
    if found.IsValid():
        return found
    for kind in (lldb.eValueTypeVariableGlobal, lldb.eValueTypeVariableStatic):
        found = frame.FindValue(path, kind)
        if found.IsValid():
            return found
    this = frame.FindVariable("this")
    if this.IsValid():
        found = this.GetChildMemberWithName(path)
        if found.IsValid():
            return found
    return _static(path) or _bound(path) or Missing(path)


def _bound(path):
    """`u8::MAX`."""
    type, _, bound = path.removeprefix("std::").rpartition("::")
    if not _is_rust() or type not in NAMED or bound not in ("MIN", "MAX"):
        return None
    size, signed = NAMED[type]
    low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
    return Number(high if bound == "MAX" else low, "int", size, signed)


def _static(path):
    """A global variable of any module, where there is one of that name only."""
    last = path.removeprefix("::").removeprefix("crate::").rpartition("::")[2]
    wanted = path.removeprefix("::").removeprefix("crate::")
    found = {}
    for value in _here.target.FindGlobalVariables(last, 64):
        full = value.GetName() or ""
        if full == wanted or full.endswith("::" + wanted):
            found[value.GetLoadAddress()] = value
    if len(found) > 1:
        names = ", ".join(sorted({value.GetName() for value in found.values()}))
        raise Unable("`%s` may be any of %s" % (path, names))
    return next(iter(found.values()), None)


def register(name):
    found = _here.frame.FindRegister(name)
    if not found.IsValid():
        raise Unable("there is no register `%s`" % name)
    return found


# --- parts --------------------------------------------------------------------


def member(value, name):
    value = _value(value)
    plain = value.GetNonSyntheticValue()
    for owner in (value, plain):
        for spelled in (name, "__" + name) if name.isdigit() else (name,):
            found = owner.GetChildMemberWithName(spelled)
            if found.IsValid():
                return _sound(found)
    names = [owner_child.GetName() for owner_child in _children(value)] or [c.GetName() for c in _children(plain)]
    told = "; it has " + ", ".join(names) if names else ""
    raise Unable("`%s` has no `%s`%s" % (_called(value), name, told))


def _children(value):
    value = _followed(value)
    return [child for child in (value.GetChildAtIndex(n) for n in range(min(value.GetNumChildren(), 12)))
            if child.GetName() and not child.GetName().startswith("[")]


def element(value, index):
    value = _followed(_value(value), arrays=True)
    if isinstance(index, Text):
        named = (value.GetChildAtIndex(n) for n in range(min(value.GetNumChildren(), KEYS)))
        found = next((child for child in named if child.GetName() == '["%s"]' % index.text), None)
        if found is None:
            raise Unable('`%s` has no ["%s"]' % (_called(value), index.text))
        return _sound(found)
    number = _number(index)
    if number.kind not in ("int", "char"):
        raise Unable("an index is a whole number")
    at = number.value
    if value.GetType().GetCanonicalType().IsPointerType() and not _indexed(value):
        pointee = value.GetType().GetCanonicalType().GetPointeeType()
        address = value.GetValueAsUnsigned() + at * pointee.GetByteSize()
        return _sound(value.CreateValueFromAddress("[%d]" % at, address, pointee))
    count = value.GetNumChildren()
    found = value.GetChildAtIndex(at) if 0 <= at < count else None
    if found is None or not (found.GetName() or "").startswith("["):
        raise Unable("`%s` has no element %d%s" % (_called(value), at, "; it has %d" % count if _indexed(value) else ""))
    return _sound(found)


def _indexed(value):
    first = value.GetChildAtIndex(0).GetName()
    return first.startswith("[") if first else not value.GetType().GetCanonicalType().IsPointerType()


def pointee(value):
    value = _typed(value) if isinstance(value, Number) and value.kind == "pointer" else _value(value)
    type = value.GetType().GetCanonicalType()
    if not (type.IsPointerType() or type.IsReferenceType()):
        raise Unable("`%s` is no pointer but %s" % (_called(value), _type_name(value)))
    if value.GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % _called(value))
    return _sound(value.Dereference())


def address(value):
    found = _value(value).AddressOf()
    if not found.IsValid():
        raise Unable("`%s` has no address" % _called(value))
    return found


def length(value):
    """Of the library's containers and texts, from their own fields."""
    value = _followed(_value(value))
    type, plain = _type_name(value), value.GetNonSyntheticValue()
    if value.GetType().IsArrayType():
        return Number(value.GetNumChildren(), size=8, signed=False)
    if not type.startswith(("alloc::", "std::collections::", "&str", "&mut str", "&[", "&mut [", "hashbrown::")):
        raise Unable("`%s` is %s, whose length is not known here; name its fields" % (_called(value), type))
    for path in ("len", "length", "vec.len", "map.length", "base.map.table.table.items", "base.table.table.items"):
        found = plain
        for part in path.split("."):
            found = found.GetNonSyntheticValue().GetChildMemberWithName(part)
        if found.IsValid():
            return _number(found)
    raise Unable("`%s` is %s, whose length is not known here" % (_called(value), type))


def is_empty(value):
    return length(value).value == 0


def _is_variant(value, name, of):
    value = _value(value)
    type = _type_name(value)
    if not type.startswith("core::%s<" % of):
        raise Unable("`%s` is %s" % (_called(value), type))
    return _variant(value) == name


def is_some(value):
    return _is_variant(value, "Some", "option::Option")


def is_none(value):
    return _is_variant(value, "None", "option::Option")


def is_ok(value):
    return _is_variant(value, "Ok", "result::Result")


def is_err(value):
    return _is_variant(value, "Err", "result::Result")


def _variants(value):
    """The names of a Rust enum's variants, where its values have fields."""
    variants = _followed(value).GetNonSyntheticValue().GetChildAtIndex(0)
    if not (variants.GetName() or "").startswith("$variants$"):
        return None
    return [_variant_name(variants.GetChildAtIndex(n)) for n in range(variants.GetNumChildren())]


def _variant_name(variant):
    """`cart::Coupon::cart::Coupon$Inner::Named$Variant` is `Named`."""
    found = re.search(r"::(\w+)(\$Variant)?$", variant.GetType().GetName() or "")
    return found.group(1) if found else ""


def _variant(value):
    """The variant that a value of such an enum is: what the formatters show."""
    raw = _followed(value).GetNonSyntheticValue()
    providers = sys.modules.get("lldb_providers")
    if not _variants(value) or not hasattr(providers, "ClangEncodedEnumProvider"):
        raise Unable("which variant `%s` is cannot be told" % _called(value))
    return _variant_name(providers.ClangEncodedEnumProvider(raw, {}).variant)


# --- numbers and texts ----------------------------------------------------------


def number(value, kind=None):
    """A literal. `char` is a character of the expression."""
    if kind == "char":
        return Number(value, "char", None)
    if kind in FLOATS:
        return Number(float(value), "float", FLOATS[kind])
    if kind:
        size, signed = NAMED[kind]
        return _fitting(Number(value, "int", size, signed))
    return Number(value, "float" if isinstance(value, float) else "int")


def _value(operand):
    if isinstance(operand, Missing):
        raise operand.error()
    if not isinstance(operand, lldb.SBValue):
        raise Unable("a number has no parts")
    return operand


def _sound(value):
    error = value.GetError()
    if error.Fail():
        raise Unable("`%s`: %s" % (_called(value), error.GetCString()))
    return value


def _followed(value, arrays=False):
    """What a reference leads to, and a pointer to what has parts: `.` reaches through both."""
    for _ in range(8):
        type = value.GetType().GetCanonicalType()
        points = type.IsPointerType() and (_is_rust() or not arrays)
        if not type.IsReferenceType() and not (points and _has_parts(type.GetPointeeType())):
            break
        value = _sound(value.Dereference())
    return value


def _has_parts(type):
    kind = type.GetCanonicalType().GetTypeClass()
    parts = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion | lldb.eTypeClassArray
    return bool(kind & (parts | (lldb.eTypeClassPointer if _is_rust() else 0)))


def _number(operand, pointers=False):
    found = _read(operand)
    if found is not None and found.kind == "pointer" and _is_rust() and not pointers:
        # A reference is computed with as what it refers to, a raw pointer is not; LLDB's types are the same.
        called = _called(operand)
        raise Unable("`%s` is a pointer: `*%s` is what it points to, `%s as usize` where" % ((called,) * 3))
    if found is None:
        raise Unable("`%s` is %s, no number" % (_called(operand), _type_name(operand)))
    return found


def _read(operand):
    """The number that an operand is, if it is one."""
    if isinstance(operand, Number):
        return operand
    if isinstance(operand, bool):
        return Number(operand, "bool", 1, False)
    if isinstance(operand, Missing):
        raise operand.error()
    if isinstance(operand, Text):
        return None
    value = operand
    canonical = value.GetType().GetCanonicalType()
    while canonical.IsReferenceType():
        value = _sound(value.Dereference())
        canonical = value.GetType().GetCanonicalType()
    if value.GetValueType() == lldb.eValueTypeRegister and canonical.GetByteSize() > 8:
        return None
    type, size = value.GetType(), canonical.GetByteSize()
    if canonical.IsArrayType() and not _is_rust():
        return Number(value.GetLoadAddress(), "pointer", 8, False, canonical.GetArrayElementType().GetPointerType())
    if canonical.IsPointerType():
        return Number(_bits(value, False, size), "pointer", size, False, type)
    if canonical.GetTypeClass() == lldb.eTypeClassEnumeration:
        inner = BASIC.get(canonical.GetEnumerationIntegerType().GetBasicType())
        signed = inner[1] if inner else False
        return Number(_bits(value, signed, size), "int", size, signed)
    kind, signed = BASIC.get(canonical.GetBasicType(), (None, False))
    if kind is None:
        return None
    if kind == "float":
        raw = _bits(value, False, size).to_bytes(size, "little")
        return Number(struct.unpack("<f" if size == 4 else "<d", raw)[0], kind, size, True, type)
    return Number(_bits(value, signed, size), kind, size, signed, type)


def _bits(value, signed, size):
    """Of exactly this size: LLDB's own numbers have 64 bits, and 0 for what cannot be read."""
    data, error = _sound(value).GetData(), lldb.SBError()
    raw = data.ReadRawData(error, 0, size)
    if error.Fail() or raw is None:
        raise Unable("`%s` cannot be read: %s" % (_called(value), error.GetCString()))
    big = _here.target.GetByteOrder() == lldb.eByteOrderBig
    return int.from_bytes(raw, "big" if big else "little", signed=signed)


def _called(operand):
    if isinstance(operand, lldb.SBValue):
        return operand.GetName() or "the value"
    return '"%s"' % operand.text if isinstance(operand, Text) else "the value"


def _type_name(operand):
    if isinstance(operand, lldb.SBValue):
        return operand.GetDisplayTypeName() or operand.GetTypeName() or "of no known type"
    return "a text" if isinstance(operand, Text) else "a number"


def _text(operand):
    """The bytes that an operand has for a text, if it is one."""
    if isinstance(operand, Text):
        return operand.text.encode()
    if not isinstance(operand, lldb.SBValue):
        return None
    value = operand
    for _ in range(4):
        type = value.GetType().GetCanonicalType()
        target = type.GetPointeeType() if type.IsPointerType() else type.GetDereferencedType()
        if not (type.IsPointerType() or type.IsReferenceType()) or target.GetBasicType() in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar):
            break
        value = _sound(value.Dereference())
    plain, type = value.GetNonSyntheticValue(), value.GetType().GetCanonicalType()
    name = type.GetName() or ""
    if name.startswith("alloc::string::String"):
        inner = plain.GetChildMemberWithName("vec").GetNonSyntheticValue()
        pointer = inner.GetChildMemberWithName("buf")
        for part in ("inner", "ptr", "pointer", "pointer"):
            pointer = pointer.GetChildMemberWithName(part)
        return _memory(value, pointer, inner.GetChildMemberWithName("len"))
    if plain.GetChildMemberWithName("data_ptr").IsValid() and name.lstrip("&").removeprefix("mut ").endswith("str"):
        return _memory(value, plain.GetChildMemberWithName("data_ptr"), plain.GetChildMemberWithName("length"))
    if name.startswith(("std::basic_string<char", "std::__cxx11::basic_string<char", "std::basic_string_view<char")):
        pointer = plain.GetChildMemberWithName("_M_dataplus").GetChildMemberWithName("_M_p")
        length = plain.GetChildMemberWithName("_M_string_length")
        if not pointer.IsValid():
            pointer, length = plain.GetChildMemberWithName("_M_str"), plain.GetChildMemberWithName("_M_len")
        return _memory(value, pointer, length)
    if type.IsPointerType() and not _is_rust():
        error = lldb.SBError()
        text = _here.process.ReadCStringFromMemory(value.GetValueAsUnsigned(), LONGEST_TEXT, error)
        if error.Fail():
            raise Unable("`%s` points to no text: %s" % (_called(value), error.GetCString()))
        return text.encode("utf8", "surrogateescape")
    if type.IsArrayType() and type.GetArrayElementType().GetBasicType() in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar):
        raw = value.GetData().ReadRawData(lldb.SBError(), 0, type.GetByteSize()) or b""
        return bytes(raw).partition(b"\0")[0]
    return None


def _memory(value, pointer, length):
    if not (pointer.IsValid() and length.IsValid()):
        raise Unable("the text of `%s` is not where it is known to be" % _called(value))
    size, error = length.GetValueAsUnsigned(), lldb.SBError()
    if size == 0:
        return b""
    if size > LONGEST_TEXT:
        raise Unable("`%s` is too long to be read" % _called(value))
    data = _here.process.ReadMemory(pointer.GetValueAsUnsigned(), size, error)
    if error.Fail():
        raise Unable("`%s` cannot be read: %s" % (_called(value), error.GetCString()))
    return data


# --- operators --------------------------------------------------------------------


def truth(operand):
    if isinstance(operand, bool):
        return operand
    if isinstance(operand, lldb.SBValue) or isinstance(operand, (Number, Missing)):
        return bool(_number(operand).value)
    if isinstance(operand, Text):
        raise Unable("a text is neither true nor false")
    inner = _unwrapped(operand)
    return truth(inner) if inner is not operand else bool(operand)


def _unwrapped(operand):
    """Of CodeLLDB's own `Value`, which `/py $name` yields."""
    return type(operand).unwrap(operand) if hasattr(type(operand), "unwrap") else operand


def minus(operand):
    found = _number(operand)
    if found.size is None:
        return Number(-found.value, found.kind)
    return compute("-", Number(0, "float" if found.kind == "float" else "int"), operand)


def flipped(operand):
    found = _promoted(_number(operand))
    if found.kind not in ("int", "char"):
        raise Unable("only whole numbers have bits")
    return Number(_wrapped(~found.value, found), "int", found.size, found.signed, found.type)


def inverted(operand):
    found = _number(operand)
    if _is_rust() and found.kind == "int":
        return flipped(operand)
    return not found.value


def compare(sign, left, right):
    if isinstance(left, Missing) or isinstance(right, Missing):
        return _compare_enumerator(sign, left, right)
    texts = _texts(left, right)
    if texts:
        left, right = texts
    else:
        left, right = _alike(_number(left), _number(right))
        left, right = left.value, right.value
    return {
        "==": left == right, "!=": left != right,
        "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
    }[sign]


def _texts(left, right):
    """Both as bytes, where both are texts and that is what is compared."""
    if not (isinstance(left, Text) or isinstance(right, Text)):
        pointers = [isinstance(one, lldb.SBValue) and _read(one) for one in (left, right)]
        if any(pointers):
            return None  # Two `char *` are compared as C does: where they point.
    texts = _text(left), _text(right)
    if None not in texts:
        return texts
    if isinstance(left, Text) or isinstance(right, Text):
        other = right if isinstance(left, Text) else left
        raise Unable("`%s` is %s, no text" % (_called(other), _type_name(other)))
    return None


def _compare_enumerator(sign, left, right):
    missing, other = (left, right) if isinstance(left, Missing) else (right, left)
    if sign not in ("==", "!=") or not isinstance(other, lldb.SBValue):
        raise missing.error()
    other = _followed(other)
    wanted, type = missing.name.rpartition("::")[2], other.GetType().GetCanonicalType()
    if type.GetTypeClass() == lldb.eTypeClassEnumeration:
        members = type.GetEnumMembers()
        values = {one.GetName(): one.GetValueAsUnsigned() for one in (members.GetTypeEnumMemberAtIndex(n) for n in range(members.GetSize()))}
        names, size = list(values), type.GetByteSize()
        same = wanted in values and (_bits(other, False, size) == values[wanted] & ((1 << 8 * size) - 1))
    else:
        names = _variants(other)
        if names is None:
            raise missing.error()
        same = _variant(other) == wanted
    if wanted not in names:
        raise Unable("%s has no `%s`; it has %s" % (_type_name(other), wanted, ", ".join(names[:12])))
    return same if sign == "==" else not same


def compute(sign, left, right):
    left, right = _number(left), _number(right)
    pointers = [one.kind == "pointer" for one in (left, right)]
    if any(pointers):
        return _moved(sign, left, right, pointers)
    if sign in ("<<", ">>"):
        return _shifted(sign, _promoted(left), right)
    left, right = _alike(left, right)
    if "float" in (left.kind, right.kind):
        return _floating(sign, left, right)
    if left.kind == right.kind == "bool" and sign in "&|^":
        return bool({"&": left.value & right.value, "|": left.value | right.value, "^": left.value ^ right.value}[sign])
    return _fitting(Number(_whole(sign, left.value, right.value), "int", left.size, left.signed, left.type), sign)


def _whole(sign, left, right):
    if sign in "/%":
        if right == 0:
            raise Unable("it divides by zero")
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return quotient if sign == "/" else left - right * quotient
    return {
        "+": left + right, "-": left - right, "*": left * right,
        "&": left & right, "|": left | right, "^": left ^ right,
    }[sign]


def _floating(sign, left, right):
    if sign in "&|^":
        raise Unable("only whole numbers have bits")
    size = max((one.size for one in (left, right) if one.kind == "float" and one.size), default=8)
    values = float(left.value), float(right.value)
    if sign in "/%" and values[1] == 0:
        result = float("nan") if values[0] == 0 or math.isnan(values[0]) or sign == "%" else float("inf") * values[0] * math.copysign(1, values[1])
        return Number(result, "float", size)
    if sign == "%":
        result = math.fmod(*values)
    else:
        result = {"+": values[0] + values[1], "-": values[0] - values[1], "*": values[0] * values[1]}.get(sign)
        result = values[0] / values[1] if sign == "/" else result
    if size == 4:
        result = struct.unpack("<f", struct.pack("<f", result))[0]
    return Number(result, "float", size)


def _shifted(sign, left, right):
    if left.kind != "int" or right.kind not in ("int", "char"):
        raise Unable("only whole numbers have bits")
    size = left.size or 8
    if not 0 <= right.value < 8 * size:
        raise Unable("it shifts by %d of %d bits" % (right.value, 8 * size))
    value = left.value << right.value if sign == "<<" else left.value >> right.value
    shifted = Number(value, "int", left.size, left.signed, left.type)
    if left.size and sign == "<<" and (_is_rust() or not left.signed):
        shifted.value = _wrapped(value, left)
    return _fitting(shifted, sign)


def _moved(sign, left, right, pointers):
    """Pointers: moved by elements, and the distance of two."""
    if all(pointers) and sign == "-":
        size = left.type.GetCanonicalType().GetPointeeType().GetByteSize() or 1
        return Number((left.value - right.value) // size, "int", 8, True)
    pointer, count = (left, right) if pointers[0] else (right, left)
    if all(pointers) or sign not in "+-" or (sign == "-" and not pointers[0]) or count.kind not in ("int", "char"):
        raise Unable("`%s` does not go with a pointer" % sign)
    size = pointer.type.GetCanonicalType().GetPointeeType().GetByteSize() or 1
    value = pointer.value + (count.value if sign == "+" else -count.value) * size
    return Number(value & ((1 << 64) - 1), "pointer", pointer.size, False, pointer.type)


def _promoted(found):
    """As C does with what is smaller than an int; Rust does not."""
    if _is_rust() or found.kind not in ("int", "char", "bool"):
        return found
    if found.size is None:
        size = 4 if found.kind == "char" or -(1 << 31) <= found.value < 1 << 31 else 8
        return Number(found.value, "int", size, True)
    if found.size < 4:
        return Number(int(found.value), "int", 4, True)
    return Number(found.value, "int", found.size, found.signed, found.type)


def _alike(left, right):
    """Both in the type in which the language computes with them."""
    left, right = _promoted(left), _promoted(right)
    if "float" in (left.kind, right.kind) or "pointer" in (left.kind, right.kind):
        return left, right
    if _is_rust():
        return _alike_in_rust(left, right)
    size = max(left.size, right.size)
    unsigned = any(one.size == size and not one.signed for one in (left, right))
    common = [Number(one.value, "int", size, not unsigned) for one in (left, right)]
    for one in common:
        one.value = _wrapped(one.value, one)
    return common


def _alike_in_rust(left, right):
    """A literal takes the other's type. Unlike types, which Rust refuses, are computed without bounds."""
    if left.size is None and right.size is not None:
        return _fitting(Number(left.value, left.kind, right.size, right.signed, right.type)), right
    if right.size is None and left.size is not None:
        return left, _fitting(Number(right.value, right.kind, left.size, left.signed, left.type))
    if (left.size, left.signed, left.kind) == (right.size, right.signed, right.kind):
        return left, right
    return Number(int(left.value), "int"), Number(int(right.value), "int")


def _wrapped(value, like):
    if like.size is None:
        return value
    bits = 8 * like.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if like.signed and value >> (bits - 1) else value


def _fitting(found, sign=None):
    """Within its type: C's unsigned numbers wrap; else the program itself would have failed."""
    if found.size is None or _wrapped(found.value, found) == found.value:
        return found
    if not _is_rust() and not found.signed:
        found.value = _wrapped(found.value, found)
        return found
    raise Unable("%d overflows %s" % (found.value, found.said()))


def cast(operand, name):
    stars = name.count("*")
    base = name.replace("*", "").replace("&", "").strip()
    for word in ("const ", "volatile ", "struct ", "enum ", "union "):
        base = base.replace(word, "")
    base = base.removesuffix(" const")
    if stars:
        type = _pointer_type(base, stars)
        return _typed(Number(_number(operand, pointers=True).value & ((1 << 64) - 1), "pointer", 8, False, type))
    found = _number(operand, pointers=True)
    base = base.removesuffix(" int") if base not in NAMED else base
    if base == "bool":
        return bool(found.value)
    if base in FLOATS:
        value = float(found.value)
        size = FLOATS[base]
        return Number(struct.unpack("<f", struct.pack("<f", value))[0] if size == 4 else value, "float", size)
    if base in NAMED and not (base == "char" and _is_rust()):
        size, signed = NAMED[base]
        like = Number(0, "int", size, signed)
        value = int(found.value)
        if found.kind == "float" and _is_rust():
            low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
            return Number(min(max(value, low), high), "int", size, signed)
        return Number(_wrapped(value, like), "int", size, signed)
    raise Unable("`%s` is no type of a number, nor a pointer" % name)


def _pointer_type(base, stars):
    basic = {"void": lldb.eBasicTypeVoid, "bool": lldb.eBasicTypeBool, "char": lldb.eBasicTypeChar,
             "float": lldb.eBasicTypeFloat, "double": lldb.eBasicTypeDouble, "f32": lldb.eBasicTypeFloat, "f64": lldb.eBasicTypeDouble}
    base = base.removesuffix(" int") if base not in NAMED else base
    if base in basic:
        type = _here.target.GetBasicType(basic[base])
    elif base in NAMED:
        type = _here.target.GetBasicType(INTEGERS[NAMED[base]])
    else:
        type = _here.target.FindFirstType(base.removeprefix("crate::"))
    if not type.IsValid():
        raise Unable("there is no type `%s`" % base)
    for _ in range(stars):
        type = type.GetPointerType()
    return type


# --- results ------------------------------------------------------------------------


def shown(operand):
    """What the adapter shows: a value of LLDB's, or Python's own."""
    if isinstance(operand, Missing):
        raise operand.error()
    if isinstance(operand, Text):
        return operand.text
    return _typed(operand) if isinstance(operand, Number) else operand


def _typed(found):
    if found.size is None:
        if found.kind == "float":
            return found.value
        if not -(1 << 63) <= found.value < 1 << 63:
            raise Unable("%d is more than 64 bits hold" % found.value)
        return int(found.value)
    type = found.type
    if found.kind == "float":
        raw = struct.pack("<f" if found.size == 4 else "<d", found.value)
        type = type or _here.target.GetBasicType(lldb.eBasicTypeFloat if found.size == 4 else lldb.eBasicTypeDouble)
    else:
        raw = int(found.value).to_bytes(found.size, "little", signed=found.signed)
        type = type or _here.target.GetBasicType(INTEGERS[found.size, found.signed])
    data, error = lldb.SBData(), lldb.SBError()
    data.SetDataWithOwnership(error, raw, lldb.eByteOrderLittle, 8)
    return _here.target.CreateValueFromData("result", data, type)
