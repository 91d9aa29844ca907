"""Corrects rustc's LLDB formatters where they disagree with LLDB.

LLDB names the variants of an enum `$variant$N`, N being the discriminant cut to 32 bits
(TypeSystemClang, seen in LLDB 19 to 22); rustc's providers compare N with all 64 bits. Every enum
whose discriminant hides in the capacity of a String or Vec (`Option<String>::None` is 1 << 63) then
reads as its data variant, with an arbitrary pointer as its length: the summary never ends and the
adapter grows to 22 GB. So variants are compared as LLDB names them, and no summary trusts a length.

LLDB also applies the formatters of a type to pointers to it, and rustc's enum formatters, added
when the first value of an enum is seen, do not know pointers: from then on a reference would be
displayed with all variants. So formatters receive the target of the pointer.
"""

import itertools
import sys

import lldb

import aggregates
import bounds
import hash_maps
import keyed_entries
import return_values
import rust_elements
import wrappers

MAX_FIELDS = 16
# Entries of a BTreeMap's node, and more levels than fit into memory.
CAPACITY, HIGHEST = 11, 32
MAX_TEXT = 128 * 1024
HIGH_BIT = 1 << 63
# Functions of libraries, which a step enters only to leave them. A type of theirs may have a trait
# of the program's: `<alloc::vec::Vec<u32> as cart::Total>::total` is the program's function.
LIBRARY = r"^((std|core|alloc)::|<(std|core|alloc)::(([^ ]|, )*>::|.* as (std|core|alloc)::))"
# LLDB's names of references to bytes; a raw pointer to one has the same.
BYTE_REFERENCE = r"^(const )?(unsigned |signed )?char \*$"
# The capacities of String and Vec; values from 1 << 63 on are free for variants.
CAPACITY_TYPES = ("UsizeNoHighBit", "raw_vec::Cap")

_hides_in_capacity = {}


def _capacity_at(ty, offset, depth=0):
    """Is there a capacity at `offset` bytes into `ty`, in any field or variant?"""
    if any(name in (ty.GetName() or "") for name in CAPACITY_TYPES):
        return True
    if depth > 16:
        return False
    for index in range(ty.GetNumberOfFields()):
        field = ty.GetFieldAtIndex(index)
        inner = offset - field.GetOffsetInBytes()
        if 0 <= inner < field.GetType().GetByteSize() and _capacity_at(
            field.GetType(), inner, depth + 1
        ):
            return True
    return False


def _is_capacity(enum, discriminant, data):
    """Does the discriminant share its address with a capacity in the variant `data`?"""
    name = enum.GetTypeName()
    if name not in _hides_in_capacity:
        value = data.GetChildMemberWithName("value").GetNonSyntheticValue()
        offset = discriminant.GetLoadAddress() - value.GetLoadAddress()
        _hides_in_capacity[name] = _capacity_at(value.GetType(), offset)
    return _hides_in_capacity[name]


def _is_variant(discriminant, number, data, capacity):
    found, size = discriminant.GetValueAsUnsigned(), discriminant.GetByteSize()
    cut = (1 << 8 * min(size, 4)) - 1
    if capacity:
        return found >= HIGH_BIT and (found & cut) == number
    if size == 8 and data is not None:
        return found == number  # Other values are data: a pointer, a character.
    return (found & cut) == (number & cut)


def current_variant(provider, variants):
    data, named = None, []
    for index in range(variants.GetNumChildren()):
        variant = variants.GetChildAtIndex(index)
        discriminant = variant.GetChildMemberWithName("$discr$")
        if discriminant.IsValid():
            named.append((index, variant.GetName(), discriminant))
        else:
            data = index
    for index, name, discriminant in named:
        number = name.rpartition("$")[2]
        capacity = (
            data is not None
            and discriminant.GetByteSize() == 8
            and _is_capacity(provider.valobj, discriminant, variants.GetChildAtIndex(data))
        )
        if number.isdigit() and _is_variant(discriminant, int(number), data, capacity):
            return index
    return data or 0


def string_summary(value, _dict):
    """A String's text. It has two parameters, because LLDB passes a third one to functions with
    one.
    """
    inner = value.GetNonSyntheticValue().GetChildMemberWithName("vec").GetNonSyntheticValue()
    pointer = inner.GetChildMemberWithName("buf")
    for name in ("inner", "ptr", "pointer", "pointer"):
        pointer = pointer.GetChildMemberWithName(name)
    length = inner.GetChildMemberWithName("len").GetValueAsUnsigned()
    if not pointer.IsValid():
        return None
    return _text(pointer, length)


def _text(pointer, length):
    if length == 0:
        return '""'
    if length >= rust_elements.LARGEST:
        return "<not valid: %d bytes>" % length
    error = lldb.SBError()
    data = pointer.GetProcess().ReadMemory(
        pointer.GetValueAsUnsigned(), min(length, MAX_TEXT), error
    )
    if not error.Success():
        return "<not a String>"
    text = '"%s"' % data.decode("utf8", "replace").translate(aggregates.ESCAPES)
    return text + bounds.CUT if length > MAX_TEXT else text


def str_summary(value, _dict):
    """The text of a `&str`."""
    plain = value.GetNonSyntheticValue()
    pointer, length = (plain.GetChildMemberWithName(name) for name in ("data_ptr", "length"))
    return _text(pointer, length.GetValueAsUnsigned()) if pointer.IsValid() else None


def byte_reference(value, _dict):
    """The byte that a `&u8` refers to, which LLDB takes for a C string."""
    if value.GetValueAsUnsigned() == 0:
        return aggregates.Language.null
    byte = value.Dereference()
    if not byte.IsValid() or byte.GetData().GetByteSize() == 0:
        return aggregates.unreadable(value)
    return aggregates.part(byte)


def _find(value, name, depth=0):
    """The member of that name, through variants and wrappers."""
    member = value.GetChildMemberWithName(name)
    if member.IsValid() or depth > 8:
        return member
    for index in range(value.GetNumChildren()):
        member = _find(value.GetChildAtIndex(index).GetNonSyntheticValue(), name, depth + 1)
        if member.IsValid():
            break
    return member


def _pointer(value):
    while not value.GetType().IsPointerType() and value.GetNumChildren() > 0:
        value = value.GetChildAtIndex(0).GetNonSyntheticValue()
    return value


class BTreeProvider:
    """Entries of a BTreeMap, named by their keys, and of a BTreeSet, by number.

    A node has `len` keys and values, and one edge more if it is not a leaf
    (alloc/src/collections/btree/node.rs). rustc has a provider for GDB only.
    """

    def __init__(self, valobj, _dict):
        self.valobj = valobj
        self.update()

    def update(self):
        tree = self.valobj.GetNonSyntheticValue()
        self.is_set = "::BTreeSet<" in tree.GetTypeName()
        self.tree = (
            tree.GetChildMemberWithName("map").GetNonSyntheticValue() if self.is_set else tree
        )
        self.length = self.tree.GetChildMemberWithName("length").GetValueAsUnsigned()
        self.entries, self.walk = [], None
        return False

    def num_children(self):
        return self.length

    def has_children(self):
        return self.length > 0

    def get_child_at_index(self, index):
        self.walk = self.walk or self.pairs()
        while index >= len(self.entries):
            entry = next(self.walk, None)
            if entry is None:
                return None
            self.entries.append(entry)
        key, value = self.entries[index]
        if self.is_set:
            return key.Clone("[%d]" % index)
        return value.Clone("[%s]" % (key.GetSummary() or key.GetValue() or index))

    def get_child_index(self, name):
        if not self.is_set:
            return keyed_entries.named(self, name)
        digits = name.strip("[]")
        return int(digits) if digits.isdigit() else -1

    def pairs(self):
        """Keys and values in order; a set has no values."""
        if self.length:
            root = self.tree.GetChildMemberWithName("root").GetNonSyntheticValue()
            height = _find(root, "height").GetValueAsUnsigned()
            if height > HIGHEST:
                return  # Not initialised yet.
            yield from self._node(_pointer(_find(root, "node").GetNonSyntheticValue()), height)

    def _node(self, pointer, height):
        leaf = pointer.Dereference()
        count = leaf.GetChildMemberWithName("len").GetValueAsUnsigned()
        if count > CAPACITY:
            return
        keys, values = leaf.GetChildMemberWithName("keys"), leaf.GetChildMemberWithName("vals")
        for index in range(count + 1):
            if height:
                yield from self._node(self._edge(pointer, index), height - 1)
            if index < count:
                yield _slot(keys, index), None if self.is_set else _slot(values, index)

    def search(self, order):
        """The key and the value of the key that `order` finds, which is below 0 for lesser keys."""
        root = self.tree.GetChildMemberWithName("root").GetNonSyntheticValue()
        height = _find(root, "height").GetValueAsUnsigned()
        pointer = _pointer(_find(root, "node").GetNonSyntheticValue())
        for level in range(height, -1, -1):
            leaf = pointer.Dereference()
            count = leaf.GetChildMemberWithName("len").GetValueAsUnsigned()
            keys, at = leaf.GetChildMemberWithName("keys"), 0
            while at < min(count, CAPACITY):
                key = _slot(keys, at)
                found = order(key)
                if found == 0:
                    values = leaf.GetChildMemberWithName("vals")
                    return key, None if self.is_set else _slot(values, at)
                if found > 0:
                    break
                at += 1
            pointer = self._edge(pointer, at) if level else None
        return None

    def _edge(self, pointer, index):
        """An inner node begins as a leaf (`repr(C)`); its edges, plain pointers, follow."""
        target, leaf = pointer.GetTarget(), pointer.GetType()
        address = (
            pointer.GetValueAsUnsigned()
            + leaf.GetPointeeType().GetByteSize()
            + index * leaf.GetByteSize()
        )
        return target.CreateValueFromAddress("edge", lldb.SBAddress(address, target), leaf)


def _slot(slots, index):
    """An element of `[MaybeUninit<T>]`: a union, of a ManuallyDrop, of a MaybeDangling in newer
    versions, of the value.
    """
    slot = slots.GetChildAtIndex(index).GetChildMemberWithName("value").GetNonSyntheticValue()
    while slot.GetTypeName().startswith(
        ("core::mem::manually_drop::", "core::mem::maybe_dangling::")
    ):
        slot = slot.GetChildAtIndex(0)
    return slot


@bounds.bounded
def tree_summary(value, _dict):
    tree = value.GetNonSyntheticValue()
    inner = tree.GetChildMemberWithName("map")
    tree = inner.GetNonSyntheticValue() if inner.IsValid() else tree
    length = tree.GetChildMemberWithName("length").GetValueAsUnsigned()
    value.SetPreferSyntheticValue(True)
    return "size=%d %s" % (length, wrappers.elements(value)) if length else "size=0"


def fields(value, _dict):
    """The texts of the fields of a tuple or a variant."""
    count = value.GetNumChildren()
    for index in range(min(count, MAX_FIELDS)):
        yield aggregates.part(value.GetChildAtIndex(index))
    if count > MAX_FIELDS:
        yield bounds.CUT


def _pointee(value):
    """The final target of pointers to pointers; None if it cannot be read."""
    for _ in range(8):
        if not value.GetType().GetCanonicalType().IsPointerType():
            break
        value = value.Dereference().GetNonSyntheticValue()
        if not value.IsValid() or value.GetData().GetByteSize() < value.GetType().GetByteSize():
            return None
    return value


def _of_pointees(lookup):
    """The children of a pointer are those of its target."""
    classes = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion

    def synthetic_lookup(value, _dict):
        if return_values.is_unknown(value):
            return return_values.NoChildren(value, _dict)
        end = _pointee(value)
        has_members = end is not None and end.GetType().GetCanonicalType().GetTypeClass() & classes
        whole = end if has_members else value
        return rust_elements.provider(whole, _dict) or lookup(whole, _dict)

    return synthetic_lookup


def _variants_of_pointees(summary):
    def enum_summary(value, _dict):
        end = value
        if value.GetType().GetCanonicalType().IsPointerType():
            end = _pointee(value)
            if end is None:
                return aggregates.unreadable(value) if value.GetValueAsUnsigned() else "<null>"
            end.SetPreferSyntheticValue(True)
        return summary(end, _dict)

    return enum_summary


# Compile units checked for their language.
UNITS = 64


def _has_rust(target):
    """Every program with Rust's library has its personality function; one without symbols has
    compile units.
    """
    for module in target.module_iter():
        if module.FindSymbol("rust_eh_personality").IsValid():
            return True
    module = target.GetModuleAtIndex(0)
    units = range(min(module.GetNumCompileUnits(), UNITS))
    return any(
        module.GetCompileUnitAtIndex(n).GetLanguage() == lldb.eLanguageTypeRust for n in units
    )


def _unless_misread(summary):
    """The summary, except for values that LLDB may have misread."""

    def checked_summary(value, _dict):
        return return_values.summary(value, _dict) or summary(value, _dict)

    return checked_summary


def _enum_summary(summary):
    return bounds.bounded(_unless_misread(_variants_of_pointees(summary)))


def _tuple_summary(summary):
    return bounds.bounded(_unless_misread(summary))


def _replace_lookups(module):
    for name, replacement in (
        ("synthetic_lookup", _of_pointees),
        ("ClangEncodedEnumSummaryProvider", _enum_summary),
        ("TupleSummaryProvider", _tuple_summary),
    ):
        if hasattr(module, name):
            setattr(module, name, replacement(getattr(module, name)))


def __lldb_init_module(debugger, _dict):
    # The category replaces the formatters of every type (`-x ".*"`), those of C++ containers among
    # them.
    if not _has_rust(debugger.GetSelectedTarget()):
        debugger.HandleCommand("type category disable Rust")
        return
    # lldb_lookup holds copies of lldb_providers' names: LLDB calls those.
    providers = sys.modules.get("lldb_providers")
    if providers is None:
        return
    if not hasattr(providers, "ClangEncodedEnumProvider"):
        print("dapdock: the formatters of this Rust are of an unknown version and stay as they are")
        return
    providers.ClangEncodedEnumProvider._getCurrentVariantIndex = current_variant
    maps = getattr(providers, "StdHashMapSyntheticProvider", None)
    if maps is not None:
        maps.update = hash_maps.lazy(maps.update)
        keyed_entries.name_entries(maps)
    for module in (providers, sys.modules.get("lldb_lookup")):
        for name, replacement in (
            ("StdStringSummaryProvider", string_summary),
            ("StdStrSummaryProvider", str_summary),
            ("SizeSummaryProvider", rust_elements.summary),
            ("aggregate_field_summary", fields),
        ):
            if hasattr(module, name):
                setattr(module, name, replacement)
    _replace_lookups(sys.modules.get("lldb_lookup"))
    trees = "'^alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<.+>$'"
    debugger.HandleCommand(
        "type synthetic add -w Rust -l rust_formatters.BTreeProvider -x " + trees
    )
    debugger.HandleCommand(
        "type summary add -w Rust -e -F rust_formatters.tree_summary -x " + trees
    )
    tables = "'^std::collections::hash::map::HashMap<.+>$'"
    debugger.HandleCommand(
        "type summary add -w Rust -e -F keyed_entries.summary -x " + tables
    )
    debugger.HandleCommand(
        "type summary add -w Rust -F rust_formatters.byte_reference -x '%s'" % BYTE_REFERENCE
    )
    debugger.HandleCommand(
        "type summary add -w Rust -e -F rust_formatters.str_summary -x '^alloc::boxed::Box<str[,>]'"
    )
    lldb.SBDebugger.SetInternalVariable(
        "target.process.thread.step-avoid-regexp", LIBRARY, debugger.GetInstanceName()
    )
    aggregates.Language.null, aggregates.Language.is_rust = "<null>", True
    aggregates.register(debugger, "Rust", "applies_to_rust")
    import rust_containers

    for module in (wrappers, return_values, rust_elements, rust_containers):
        debugger.HandleCommand("command script import '%s'" % module.__file__)
    debugger.HandleCommand(
        "type summary add -w Rust -e -F return_values.summary"
        " --recognizer-function return_values.may_be_misread"
    )
