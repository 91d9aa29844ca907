"""Variants of Rust enums and enumerators of C enums by name. Knows nothing of numbers."""

import re
import sys

import lldb

from operands import Missing, Unable, bits, called, followed, type_name


def variants(value):
    """The names of a Rust enum's variants, if its values have fields."""
    found = followed(value).GetNonSyntheticValue().GetChildAtIndex(0)
    if not (found.GetName() or "").startswith("$variants$"):
        return None
    return [_variant_name(found.GetChildAtIndex(n)) for n in range(found.GetNumChildren())]


def _variant_name(found):
    """`cart::Coupon::cart::Coupon$Inner::Named$Variant` is `Named`."""
    name = re.search(r"::(\w+)(\$Variant)?$", found.GetType().GetName() or "")
    return name.group(1) if name else ""


def variant(value):
    """The variant of such a value, as the formatters display it."""
    return _variant_name(content(value))


def content(value):
    """The variant with its fields, as the formatters display it."""
    raw = followed(value).GetNonSyntheticValue()
    providers = sys.modules.get("lldb_providers")
    if not variants(value) or not hasattr(providers, "ClangEncodedEnumProvider"):
        raise Unable("the variant of `%s` is not known" % called(value))
    return providers.ClangEncodedEnumProvider(raw, {}).variant


def enumerators(type):
    """Names and numbers of an enum without fields."""
    members = type.GetCanonicalType().GetEnumMembers()
    found = (members.GetTypeEnumMemberAtIndex(n) for n in range(members.GetSize()))
    return {one.GetName(): one.GetValueAsUnsigned() for one in found}


def is_plain(type):
    return type.GetCanonicalType().GetTypeClass() == lldb.eTypeClassEnumeration


def same(sign, left, right):
    """Compares a value with the name of a variant or enumerator; None: they are compared as
    numbers.
    """
    missing, other = (left, right) if isinstance(left, Missing) else (right, left)
    if sign not in ("==", "!=") or not isinstance(other, lldb.SBValue):
        return None
    other = followed(other)
    wanted, type = missing.name.rpartition("::")[2], other.GetType().GetCanonicalType()
    if is_plain(type):
        values, size = enumerators(type), type.GetByteSize()
        names = list(values)
        equal = wanted in values and bits(other, False, size) == values[wanted] & (
            (1 << 8 * size) - 1
        )
    else:
        names = variants(other)
        if names is None:
            return None
        equal = variant(other) == wanted
    if wanted not in names:
        raise unknown(type_name(other), wanted, names)
    return equal if sign == "==" else not equal


def unknown(type, wanted, names):
    return Unable("%s has no `%s`; it has %s" % (type, wanted, ", ".join(names[:12])))
