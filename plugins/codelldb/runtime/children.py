"""Children of values: members, elements, targets of pointers, and what library methods would read.

Containers are read from their own fields or through LLDB's formatters. No function is called.
"""

import lldb

import enums
import iterators
import key_search
import keyed_entries
import lists  # Patches LLDB's formatter.
import members
import rust_targets
import strings
import optionals
import unordered_containers  # Patches LLDB's formatter.
import node_containers
from operands import (
    Missing,
    Number,
    Text,
    Unable,
    bits_of,
    called,
    followed,
    here,
    is_rust,
    number_of,
    require_place,
    target_of,
    checked,
    type_name,
    typed,
    value_of,
)

OPTIONAL = "std::optional<"
MAPS = ("std::map<", "std::unordered_map<", "std::multimap<", "std::unordered_multimap<")
RUST_MAPS = ("std::collections::hash::map::HashMap<", "hashbrown::map::HashMap<")
RUST_TREES = ("alloc::collections::btree::map::BTreeMap<",)
RUST_SETS = ("std::collections::hash::set::HashSet<", "alloc::collections::btree::set::BTreeSet<")
SETS = ("std::set<", "std::unordered_set<", "std::multiset<", "std::unordered_multiset<")
OWNERS = ("std::shared_ptr<", "std::unique_ptr<")
COUNTED = ("alloc::", "std::collections::", "&str", "&mut str", "&[", "&mut [", "hashbrown::")
LENGTHS = (
    "len",
    "length",
    "vec.len",
    "map.length",
    "base.map.table.table.items",
    "base.table.table.items",
    "data.len",
    "ptr.pointer.length",
)


def member(value, name):
    value = checked(value_of(value))
    if value.GetType().GetCanonicalType().IsPointerType() and value.GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % called(value))
    whole = called(value)
    value = followed(value) if is_rust() else _through_smart_pointer(value)
    plain = _fields(value)
    # The formatters' fields of tuples are copies, which cannot be set.
    for owner in (plain, value) if name.isdigit() else (value, plain):
        for spelled in ("__" + name, name) if name.isdigit() else (name,):
            found = members.find(owner, spelled)
            if not found.IsValid():
                found = _listed_child(owner, spelled)
            if found is not None and found.IsValid():
                require_place(owner, found.GetName())
                found.SetPreferSyntheticValue(True)
                return checked(found)
    behind_it = rust_targets.target(value) if is_rust() else None
    if behind_it is not None:
        return member(behind_it, name)
    names = [child.GetName() for child in _children(value)] or [
        child.GetName() for child in _children(plain)
    ]
    names_text = "; it has " + ", ".join(names) if names else ""
    raise Unable("`%s` has no `%s`%s" % (whole, name, names_text))


def _through_smart_pointer(value):
    """The target of a smart pointer or an iterator, the value in an optional; others as they are."""
    owner = followed(value)
    if iterators.is_one(owner) or (owner.GetType().GetName() or "").startswith(OPTIONAL):
        return _behind(owner)
    if not (owner.GetType().GetCanonicalType().GetName() or "").startswith(OWNERS):
        return value
    owner.SetPreferSyntheticValue(True)
    pointer = checked(owner.GetChildMemberWithName("pointer"))
    if pointer.GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % called(value))
    return target_of(pointer)


def behind(value):
    """What `->` refers to: the target of a smart pointer and the like, else the value itself."""
    value = value_of(value)
    return value if is_rust() else _through_smart_pointer(value)


def _behind(value):
    """What an iterator points to, or the value in an optional."""
    is_iterator = iterators.is_one(value)
    found = iterators.target(value) if is_iterator else optionals.content(value)
    if found is None:
        where = "at the end" if is_iterator else optionals.EMPTY
        raise Unable("`%s` is %s" % (called(value), where))
    return checked(found)


def _listed_child(owner, name):
    """A child found by listing: rustc's provider of an Arc finds its `data` by another name."""
    count = owner.GetNumChildren() if owner.IsSynthetic() else 0
    return next(
        (
            child
            for child in map(owner.GetChildAtIndex, range(min(count, 2)))
            if child.GetName() == name
        ),
        None,
    )


def _fields(value):
    """The fields as they are in memory; of an enum, those of the current variant."""
    if is_rust() and enums.variants(value):
        return enums.content(value).GetChildMemberWithName("value").GetNonSyntheticValue()
    return value.GetNonSyntheticValue()


def _children(value):
    value = followed(value)
    return [
        child
        for child in (value.GetChildAtIndex(n) for n in range(min(value.GetNumChildren(), 12)))
        if child.GetName() and not child.GetName().startswith("[")
    ]


def element(value, index):
    """An element by position, or by key in a map."""
    value = _container(value)
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(MAPS + RUST_MAPS + RUST_TREES):
        found = _entry(value, type, index)
        if found is None:
            raise Unable("`%s` has no key %s" % (called(value), _key_text(index)))
        found.SetPreferSyntheticValue(True)
        return checked(found)
    if isinstance(index, Text):
        raise Unable("`%s` is %s, which has no keys" % (called(value), type_name(value)))
    return position(value, index)


def _container(value):
    """The value that is indexed."""
    value = followed(value_of(value), arrays=True)
    return followed(rust_targets.end(value), arrays=True) if is_rust() else value


def listed(value, number):
    """The child with this number as a listing shows it. A pointer is listed with the elements of its
    target, while in C an index would count on from the pointer.
    """
    value = value_of(value)
    if value.GetType().GetCanonicalType().IsPointerType():
        value = target_of(value)
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(MAPS + RUST_MAPS):
        # A subscript of a map is a key, not a position.
        found = keyed_entries.at(value, number) or lldb.SBValue()
    else:
        found = value.GetValueForExpressionPath("[%d]" % number)
    if not found.IsValid():
        raise Unable("`%s` lists no element %d" % (called(value), number))
    return found


def position(value, index):
    """The element at a position, of any container."""
    if is_rust() and isinstance(value, lldb.SBValue):
        require_place(value, "data_ptr")
    value = checked(_container(value))
    number = number_of(index)
    if number.kind not in ("int", "char"):
        raise Unable("an index is a whole number")
    at, type = number.value, value.GetType().GetCanonicalType()
    # A pointer of C counts on from its target, which may have elements, too.
    if type.IsPointerType() and not (is_rust() and _indexed(value)):
        return _counted_on(value, at, checked(value).GetValueAsUnsigned(), type.GetPointeeType())
    if type.IsArrayType() and not value.GetNonSyntheticValue().GetNumChildren():
        return _counted_on(value, at, value.GetLoadAddress(), type.GetArrayElementType())
    if (value.GetType().GetCanonicalType().GetName() or "").startswith(strings.CPP):
        return checked(strings.character(value, at))
    if (value.GetType().GetCanonicalType().GetName() or "").startswith(OWNERS):
        return position(checked(value.GetChildMemberWithName("pointer")), index)
    shared = rust_targets.SharedSlice(value.GetNonSyntheticValue()) if is_rust() else None
    nodes = node_containers.nodes_of(value)
    if shared is not None and shared.is_one():
        count, found = shared.length, shared.at(at) if 0 <= at < shared.length else None
    elif nodes is not None and nodes.count is not None:
        count, found = nodes.count, nodes.at(at)
    else:
        require_place(value, "[%d]" % at)
        _require_all_listed(value)
        count = value.GetNumChildren()
        found = value.GetChildAtIndex(at) if 0 <= at < count else None
    if found is None or not (found.GetName() or "").startswith("["):
        names_text = "; it has %d" % count if _indexed(value) else ""
        raise Unable("`%s` has no element %d%s" % (called(value), at, names_text))
    return checked(found)


def _counted_on(value, at, start, element):
    address = start + at * element.GetByteSize()
    return checked(value.CreateValueFromAddress("[%d]" % at, address, element))


def _indexed(value):
    first = value.GetChildAtIndex(0).GetName()
    return (
        first.startswith("[") if first else not value.GetType().GetCanonicalType().IsPointerType()
    )


def _elements(value):
    """All elements, or an error: never only those that LLDB lists."""
    nodes = node_containers.nodes_of(value)
    if nodes is not None:
        return nodes.elements()
    _require_few(value)
    _require_all_listed(value)
    return (value.GetChildAtIndex(n) for n in range(value.GetNumChildren()))


def _require_few(value):
    count = value.GetNumChildren()
    if count > node_containers.LONGEST:
        raise Unable("`%s` has %d elements, too many to look through" % (called(value), count))


def _require_all_listed(value):
    """Fails if LLDB may have cut the list."""
    count, type = value.GetNumChildren(), value.GetType().GetCanonicalType().GetName() or ""
    if (
        type.partition("<")[0].endswith("list")
        and count >= here.target.GetMaximumNumberOfChildrenToDisplay()
    ):
        raise Unable(
            "LLDB shows only %d elements of `%s`; a call can read it: effects=allow"
            % (count, called(value))
        )


def _entry(value, type, key):
    """The value for a key of a map, or None."""
    found = key_search.entry(value, key, True)
    if found is None:
        return None
    return checked(found[1] if is_rust() else keyed_entries.halves(found)[1])


def _key_text(key):
    if isinstance(key, Text):
        return '"%s"' % key.text
    if isinstance(key, Missing):
        return key.name
    text = strings.text(key) if isinstance(key, lldb.SBValue) else None
    if text is not None:
        return '"%s"' % text.decode("utf8", "replace")
    number = number_of(key)
    return "'%s'" % chr(number.value) if number.kind == "char" else "%s" % number.value


def contains(value, key):
    """Does the container have this key or element, or the string this part?"""
    whole = strings.text(value) if isinstance(key, Text) else None
    if whole is not None:
        return key.text.encode() in whole
    value = followed(value_of(value))
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(MAPS + RUST_MAPS + RUST_TREES):
        return _entry(value, type, key) is not None
    if type.startswith(SETS + RUST_SETS):
        return key_search.entry(value, key, False) is not None
    if _indexed(value):
        elements = _elements(value)
        found = key_search.first(value, None, elements, lambda one: key_search.equal(one, key))
        return found is not None
    raise Unable("cannot look through `%s`, which is %s" % (called(value), type_name(value)))


def pointee(value):
    value = (
        typed(value) if isinstance(value, Number) and value.kind == "pointer" else value_of(value)
    )
    type = value.GetType().GetCanonicalType()
    owned = rust_targets.target(value) if is_rust() else _through_smart_pointer(value)
    if owned is not None and owned is not value:
        return owned
    if not (type.IsPointerType() or type.IsReferenceType()):
        raise Unable("`%s` is not a pointer but %s" % (called(value), type_name(value)))
    if checked(value).GetValueAsUnsigned() == 0:
        raise Unable("`%s` is null" % called(value))
    return target_of(value)


def address(value):
    if is_rust() and isinstance(value, (Number, Text, bool)):
        return value  # `&5` compares like 5.
    if bits_of(value_of(value)) is not None:
        raise Unable("`%s` is a bit field, which has no address" % called(value))
    name, value = called(value), value_of(value)
    # LLDB has the address of the reference itself, which C++ has not.
    while value.GetType().GetCanonicalType().IsReferenceType():
        value = target_of(value)
    found = value.AddressOf()
    if not found.IsValid():
        raise Unable("`%s` has no address" % name)
    return found


def length(value):
    """The length of library containers and strings, and of arrays."""
    value = followed(value_of(value))
    value = followed(rust_targets.end(value)) if is_rust() else value
    type, plain = type_name(value), value.GetNonSyntheticValue()
    if value.GetType().IsArrayType():
        return _count(value.GetNumChildren())
    if not is_rust():
        return _length_in_cpp(value)
    if not type.startswith(COUNTED):
        raise Unable(
            "the length of `%s`, which is %s, is not known; use its fields" % (called(value), type)
        )
    for path in LENGTHS:
        found = plain
        for part in path.split("."):
            found = found.GetNonSyntheticValue().GetChildMemberWithName(part)
        if found.IsValid():
            return number_of(found)
    raise Unable("the length of `%s`, which is %s, is not known" % (called(value), type))


def _length_in_cpp(value):
    type = value.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(strings.CPP):
        return _count(strings.length(value))
    nodes = node_containers.nodes_of(value)
    known = (
        MAPS
        + SETS
        + node_containers.LISTS
        + ("std::vector<", "std::deque<", "std::array<", "std::span<", "std::bitset<")
        + ("std::stack<", "std::queue<", "std::priority_queue<")
    )
    if nodes is None and not (type.startswith(known) and value.IsSynthetic()):
        words = "`%s` is %s, whose method would have to be called; effects=allow runs it"
        raise Unable(words % (called(value), type_name(value)), called=True)
    if nodes is not None and nodes.count is not None:
        return _count(nodes.count)
    _require_all_listed(value)
    return _count(value.GetNumChildren())


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
    """The value inside an Option or a Result."""
    value = value_of(value)
    type = type_name(value)
    if not type.startswith(("core::option::Option<", "core::result::Result<")):
        raise Unable("`%s` is %s" % (called(value), type))
    if enums.variant(value) not in ("Some", "Ok"):
        raise Unable("`%s` is %s" % (called(value), enums.variant(value)))
    return member(enums.content(value).GetChildMemberWithName("value"), "0")
