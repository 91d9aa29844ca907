"""Parts of values: members, elements, what pointers lead to, and what the libraries' own calls would read.

Containers are read from their own fields or through LLDB's formatters. Nothing is called.
"""

import lldb

import enums
import texts
import unordered  # mends what it names
from arithmetic import alike
from operands import (
    Number, Text, Unable, called, followed, here, is_rust, number_of, sound, type_name, typed, value_of,
)

# Entries that are looked at for a key.
KEYS = 10_000
MAPS = ("std::map<", "std::unordered_map<", "std::multimap<", "std::unordered_multimap<")
RUST_MAPS = ("std::collections::hash::map::HashMap<", "hashbrown::map::HashMap<")
RUST_TREES = ("alloc::collections::btree::map::BTreeMap<",)
RUST_SETS = ("std::collections::hash::set::HashSet<", "alloc::collections::btree::set::BTreeSet<")
SETS = ("std::set<", "std::unordered_set<", "std::multiset<", "std::unordered_multiset<")
COUNTED = ("alloc::", "std::collections::", "&str", "&mut str", "&[", "&mut [", "hashbrown::")
LENGTHS = ("len", "length", "vec.len", "map.length", "base.map.table.table.items", "base.table.table.items")


def member(value, name):
    value = value_of(value)
    if value.GetType().GetCanonicalType().IsPointerType() and value.GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % called(value))
    whole = called(value)
    if is_rust():
        value = followed(value)
    plain = _fields(value)
    # The formatters' fields of tuples are copies, which cannot be set.
    for owner in (plain, value) if name.isdigit() else (value, plain):
        for spelled in ("__" + name, name) if name.isdigit() else (name,):
            found = owner.GetChildMemberWithName(spelled)
            if not found.IsValid():
                found = _listed(owner, spelled)
            if found is not None and found.IsValid():
                _note_bits(owner, spelled, found)
                found.SetPreferSyntheticValue(True)
                return sound(found)
    names = [child.GetName() for child in _children(value)] or [child.GetName() for child in _children(plain)]
    told = "; it has " + ", ".join(names) if names else ""
    raise Unable("`%s` has no `%s`%s" % (whole, name, told))


def _listed(owner, name):
    """A child as it is listed: rustc's provider of an Arc finds its `data` by another name."""
    count = owner.GetNumChildren() if owner.IsSynthetic() else 0
    return next((child for child in map(owner.GetChildAtIndex, range(min(count, 2))) if child.GetName() == name), None)


def _fields(value):
    """The fields as they lie in memory: of an enum, those of the variant that it is."""
    if is_rust() and enums.variants(value):
        return enums.content(value).GetChildMemberWithName("value").GetNonSyntheticValue()
    return value.GetNonSyntheticValue()


def _note_bits(owner, name, found):
    """Where a bit field lies; LLDB reads one right and writes over its neighbours (20.1.4)."""
    type = owner.GetType().GetCanonicalType()
    if type.IsPointerType() or type.IsReferenceType():
        owner = owner.Dereference()
        type = owner.GetType().GetCanonicalType()
    fields = (type.GetFieldAtIndex(n) for n in range(type.GetNumberOfFields()))
    for field in fields:
        if field.GetName() == name and field.IsBitfield():
            place = owner.GetLoadAddress(), field.GetOffsetInBits(), field.GetBitfieldSizeInBits()
            here.bit_fields[found.GetID()] = place


def _children(value):
    value = followed(value)
    return [child for child in (value.GetChildAtIndex(n) for n in range(min(value.GetNumChildren(), 12)))
            if child.GetName() and not child.GetName().startswith("[")]


def element(value, index):
    """By position, or by key where it is a map."""
    value = followed(value_of(value), arrays=True)
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(MAPS + RUST_MAPS + RUST_TREES):
        found = _entry(value, type, index)
        if found is None:
            raise Unable("`%s` has no key %s" % (called(value), _spelled(index)))
        return sound(found)
    if isinstance(index, Text):
        raise Unable('`%s` is %s, which has no keys' % (called(value), type_name(value)))
    return position(value, index)


def position(value, index):
    """The element at a position, whatever it is of."""
    value = followed(value_of(value), arrays=True)
    number = number_of(index)
    if number.kind not in ("int", "char"):
        raise Unable("an index is a whole number")
    at = number.value
    if value.GetType().GetCanonicalType().IsPointerType() and not _indexed(value):
        pointee = value.GetType().GetCanonicalType().GetPointeeType()
        address = value.GetValueAsUnsigned() + at * pointee.GetByteSize()
        return sound(value.CreateValueFromAddress("[%d]" % at, address, pointee))
    count = value.GetNumChildren()
    found = value.GetChildAtIndex(at) if 0 <= at < count else None
    if found is None or not (found.GetName() or "").startswith("["):
        told = "; it has %d" % count if _indexed(value) else ""
        raise Unable("`%s` has no element %d%s" % (called(value), at, told))
    return sound(found)


def _indexed(value):
    first = value.GetChildAtIndex(0).GetName()
    return first.startswith("[") if first else not value.GetType().GetCanonicalType().IsPointerType()


def _entry(value, type, key):
    """The value of a map's entry with this key; None where it has none."""
    count = value.GetNumChildren()
    held = _hashed(value)
    if held is not None and held != count:
        raise Unable("LLDB shows %d of the %d entries of `%s`; a call can read it: effects=allow" % (count, held, called(value)))
    if count > KEYS:
        raise Unable("`%s` has %d entries, too many to look for a key" % (called(value), count))
    for child in (value.GetChildAtIndex(n) for n in range(count)):
        if type.startswith(RUST_TREES):
            # Named by its key, as rust_values.py does; the key itself is not told.
            if child.GetName() == "[%s]" % _spelled(key):
                return child
            continue
        entry = child.GetNonSyntheticValue()
        if _equal(_half(entry, "first", "__0"), key):
            return _half(entry, "second", "__1")
    return None


def _half(entry, *names):
    found = (entry.GetChildMemberWithName(name) for name in names)
    return sound(next((half for half in found if half.IsValid()), entry))


def _equal(found, key):
    both = texts.both(found, key) if isinstance(key, Text) else None
    if both:
        return both[0] == both[1]
    left, right = alike(number_of(found, pointers=True), number_of(key, pointers=True))
    return left.value == right.value


def _spelled(key):
    if isinstance(key, Text):
        return '"%s"' % key.text
    text = texts.text(key) if isinstance(key, lldb.SBValue) else None
    return '"%s"' % text.decode("utf8", "replace") if text is not None else "%s" % number_of(key).value


def contains(value, key):
    """Is there such a key, element or part of a text?"""
    whole = texts.text(value) if isinstance(key, Text) else None
    if whole is not None:
        return key.text.encode() in whole
    value = followed(value_of(value))
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(MAPS + RUST_MAPS + RUST_TREES):
        return _entry(value, type, key) is not None
    if type.startswith(SETS + RUST_SETS) or _indexed(value):
        count = value.GetNumChildren()
        if count > KEYS:
            raise Unable("`%s` has %d elements, too many to look through" % (called(value), count))
        return any(_equal(value.GetChildAtIndex(n), key) for n in range(count))
    raise Unable("`%s` is %s, whose elements are not known here" % (called(value), type_name(value)))


def pointee(value):
    value = typed(value) if isinstance(value, Number) and value.kind == "pointer" else value_of(value)
    type = value.GetType().GetCanonicalType()
    if not (type.IsPointerType() or type.IsReferenceType()):
        raise Unable("`%s` is no pointer but %s" % (called(value), type_name(value)))
    if value.GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % called(value))
    return sound(value.Dereference())


def address(value):
    if is_rust() and isinstance(value, (Number, Text, bool)):
        return value  # `&5` is compared as 5 is.
    found = value_of(value).AddressOf()
    if not found.IsValid():
        raise Unable("`%s` has no address" % called(value))
    return found


def length(value):
    """Of the libraries' containers and texts, and of arrays."""
    value = followed(value_of(value))
    type, plain = type_name(value), value.GetNonSyntheticValue()
    if value.GetType().IsArrayType():
        return _count(value.GetNumChildren())
    if not is_rust():
        return _length_in_cpp(value)
    if not type.startswith(COUNTED):
        raise Unable("`%s` is %s, whose length is not known here; name its fields" % (called(value), type))
    for path in LENGTHS:
        found = plain
        for part in path.split("."):
            found = found.GetNonSyntheticValue().GetChildMemberWithName(part)
        if found.IsValid():
            return number_of(found)
    raise Unable("`%s` is %s, whose length is not known here" % (called(value), type))


def _length_in_cpp(value):
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(texts.CPP):
        return _count(len(texts.text(value)))
    known = MAPS + SETS + ("std::vector<", "std::deque<", "std::list<", "std::__cxx11::list<", "std::array<", "std::span<")
    if not type.startswith(known) or not value.IsSynthetic():
        raise Unable("`%s` is %s, whose length is not known here; name its fields" % (called(value), type_name(value)))
    held = _hashed(value)
    return _count(value.GetNumChildren() if held is None else held)


def _hashed(value):
    """How many entries a hashed container of libstdc++ says it has; LLDB may show none (20.1.4, g++ 14)."""
    found = value.GetNonSyntheticValue().GetChildMemberWithName("_M_h").GetChildMemberWithName("_M_element_count")
    return found.GetValueAsUnsigned() if found.IsValid() else None


def _count(number):
    return Number(number, size=8, signed=False)


def is_empty(value):
    return length(value).value == 0


def first(value):
    return position(value, Number(0))


def last(value):
    return position(value, Number(length(value).value - 1))


def _is_variant(value, name, of):
    value = value_of(value)
    type = type_name(value)
    if not type.startswith("core::%s<" % of):
        raise Unable("`%s` is %s" % (called(value), type))
    return enums.variant(value) == name


def is_some(value):
    return _is_variant(value, "Some", "option::Option")


def is_none(value):
    return _is_variant(value, "None", "option::Option")


def is_ok(value):
    return _is_variant(value, "Ok", "result::Result")


def is_err(value):
    return _is_variant(value, "Err", "result::Result")


def unwrapped(value):
    """What an Option or a Result holds."""
    value = value_of(value)
    type = type_name(value)
    if not type.startswith(("core::option::Option<", "core::result::Result<")):
        raise Unable("`%s` is %s" % (called(value), type))
    if enums.variant(value) not in ("Some", "Ok"):
        raise Unable("`%s` is %s" % (called(value), enums.variant(value)))
    return member(enums.content(value).GetChildMemberWithName("value"), "0")
