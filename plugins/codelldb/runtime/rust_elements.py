"""Children of Rust's values that its own formatters list wrongly: shared slices, values without
bytes, which LLDB has no objects for, and what a slice's iterator has left.

Knows the fields of Rust's library; does not know their texts.
"""

import re

import lldb

import aggregates
import bounds
import return_values
import trait_objects
from adaptors import Delegate
from rust_targets import SHARED, SharedSlice, target
from wrappers import field

STRUCTURES = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion
VECTOR = re.compile(r"^alloc::vec::Vec<")
ITERATOR = re.compile(r"^core::slice::iter::Iter(Mut)?<")
# No memory of a program has as many bytes.
LARGEST = 1 << 48


def provider(value, _dict):
    """The children of a value; None: Rust's own formatters list them."""
    plain, name = value.GetNonSyntheticValue(), value.GetTypeName() or ""
    if impossible(value) is not None:
        return return_values.NoChildren(value, _dict)
    if SHARED.match(name):
        if trait_objects.is_one(field(plain, "ptr", "pointer")):
            return SharedObject(value, _dict)
        return Shared(value, _dict) if SharedSlice(plain).is_one() else None
    if VECTOR.match(name):
        found = Nothings(value, _dict)
        return found if found.type.IsValid() and not found.type.GetByteSize() else None
    if ITERATOR.match(name):
        found = Rest(value, _dict)
        return found if found.size else None
    return Fields(value, _dict) if has_nothings(plain.GetType()) else None


def impossible(value):
    """What is said of a slice or a Vec whose elements cannot be in memory, as of one that is not
    set yet or not any more; None: they can.
    """
    start, count, type = contents(value.GetNonSyntheticValue())
    size = count * type.GetByteSize() if type is not None else 0
    if not size:
        return None
    error = lldb.SBError()
    if start and size < LARGEST and start + size <= 1 << 64:
        value.GetProcess().ReadMemory(start + size - 1, 1, error)
        if error.Success():
            return None
    return "<not valid: %d elements at 0x%x>" % (count, start)


def contents(plain):
    """The address, the number and the type of the elements of a slice or a Vec, or 0, 0, None."""
    pointer, length = (plain.GetChildMemberWithName(name) for name in ("data_ptr", "length"))
    if VECTOR.match(plain.GetTypeName() or ""):
        pointer, length = plain.GetChildMemberWithName("buf"), plain.GetChildMemberWithName("len")
        for name in ("inner", "ptr", "pointer", "pointer"):
            pointer = pointer.GetNonSyntheticValue().GetChildMemberWithName(name)
        type = plain.GetType().GetTemplateArgumentType(0)
    else:
        type = pointer.GetType().GetPointeeType()
    if not (pointer.IsValid() and length.IsValid() and type.IsValid()):
        return 0, 0, None
    return pointer.GetValueAsUnsigned(), length.GetValueAsUnsigned(), type


@bounds.bounded
def summary(value, _dict):
    """The number of elements and the first ones."""
    wrong = impossible(value)
    if wrong is not None:
        return wrong
    value.SetPreferSyntheticValue(True)
    count = value.GetNumChildren()
    return "size=%d %s" % (count, aggregates.elements(value)) if count else "size=0"


def refers_to_reference(type, _dict):
    kind = type.GetCanonicalType()
    of = kind.GetPointeeType().GetCanonicalType() if kind.IsPointerType() else kind
    return kind.IsPointerType() and of.IsPointerType() and not of.GetPointeeType().IsFunctionType()


@bounds.bounded
def referred(value, _dict):
    """What a reference to a reference stands for in the end."""
    return aggregates.target(value) if value.GetValueAsUnsigned() else aggregates.Language.null


def has_nothings(type):
    kind = type.GetCanonicalType()
    return bool(kind.GetTypeClass() & STRUCTURES) and any(map(is_nothing, kind.fields))


def is_nothing(field):
    return field.GetType().GetCanonicalType().GetBasicType() == lldb.eBasicTypeVoid


def nothing(value, name, type):
    """A value of the type `()`."""
    return value.CreateValueFromData(name, lldb.SBData(), type)


class Shared(Delegate):
    """The elements of an `Rc<[T]>`; the text of an `Rc<str>` has none."""

    def update(self):
        self.slice = SharedSlice(self.value.GetNonSyntheticValue())
        size = self.slice.length * max(self.slice.element().GetByteSize(), 1)
        is_listed = size < LARGEST and self.slice.characters() is None
        self.count = self.slice.length if is_listed else 0
        return False

    def num_children(self):
        return self.count

    def has_children(self):
        return self.count > 0

    def get_child_at_index(self, index):
        return self.slice.at(index) if 0 <= index < self.count else None


class SharedObject(Delegate):
    """The trait object in an Rc or an Arc."""

    def update(self):
        self.object = target(self.value)
        return False

    def num_children(self):
        return int(self.object is not None)

    def has_children(self):
        return self.object is not None

    def get_child_at_index(self, index):
        return self.object.Clone("value") if index == 0 and self.object is not None else None

    def get_child_index(self, name):
        return 0 if name == "value" else -1


class Nothings(Delegate):
    """The elements of a Vec without bytes."""

    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.type = plain.GetType().GetTemplateArgumentType(0)
        self.count = plain.GetChildMemberWithName("len").GetValueAsUnsigned()
        return False

    def num_children(self):
        return self.count

    def get_child_at_index(self, index):
        if not 0 <= index < self.count:
            return None
        return nothing(self.value.GetNonSyntheticValue(), "[%d]" % index, self.type)


class Rest(Delegate):
    """The elements that the iterator of a slice has not returned yet."""

    def update(self):
        plain = self.value.GetNonSyntheticValue()
        first = plain.GetChildMemberWithName("ptr").GetNonSyntheticValue()
        self.first = first.GetChildMemberWithName("pointer")
        self.type = self.first.GetType().GetPointeeType()
        self.size = self.type.GetByteSize()
        end = plain.GetChildMemberWithName("end_or_len").GetValueAsUnsigned()
        bytes = end - self.first.GetValueAsUnsigned()
        self.count = bytes // self.size if self.size and 0 <= bytes < LARGEST else 0
        return False

    def num_children(self):
        return self.count

    def get_child_at_index(self, index):
        if not 0 <= index < self.count:
            return None
        place = self.first.GetValueAsUnsigned() + index * self.size
        return self.first.CreateValueFromAddress("[%d]" % index, place, self.type)


class Fields(Delegate):
    """The fields of a struct or a union, some of which have no bytes."""

    def update(self):
        self.plain = self.value.GetNonSyntheticValue()
        self.fields = list(self.plain.GetType().GetCanonicalType().fields)
        return False

    def num_children(self):
        return len(self.fields)

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.fields):
            return None
        field = self.fields[index]
        if is_nothing(field):
            return nothing(self.plain, field.GetName(), field.GetType())
        found = self.plain.GetChildMemberWithName(field.GetName())
        found.SetPreferSyntheticValue(True)
        return found

    def get_child_index(self, name):
        names = [field.GetName() for field in self.fields]
        return names.index(name) if name in names else -1


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type summary add -w Rust -F rust_elements.referred"
        " --recognizer-function rust_elements.refers_to_reference"
    )
