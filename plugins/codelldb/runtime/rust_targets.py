"""What Rust's smart pointers, guards and trait objects stand for, as `*` reads it and as methods and
fields are found through them.

Knows the fields of Rust's library; calls nothing.
"""

import re

import lldb

import aggregates
import bounds
import trait_objects
from wrappers import field

# The bytes of the two counts before a shared value.
COUNTS = 16
SHARED = re.compile(r"^alloc::(rc::Rc|sync::Arc)<")
BORROWED = re.compile(
    r"^(core::cell::(Ref|RefMut)|std::sync::(.+::)?rwlock::(Mapped)?RwLockReadGuard)<"
)
LOCKED = re.compile(r"^std::sync::(.+::)?(mutex::MutexGuard|rwlock::RwLockWriteGuard)<")
PIN = re.compile(r"^core::pin::Pin<")


def target(value):
    """None: the value stands for itself."""
    plain, name = value.GetNonSyntheticValue(), value.GetTypeName() or ""
    found = None
    if SHARED.match(name):
        found = shared(plain)
    elif BORROWED.match(name):
        pointers = (field(plain, *names) for names in (("value", "pointer"), ("data", "pointer")))
        pointer = next((one for one in pointers if one.GetType().IsPointerType()), None)
        found = pointer.Dereference() if pointer is not None else None
    elif LOCKED.match(name):
        found = field(plain, "lock", "data", "value")
    elif PIN.match(name):
        found = plain.GetChildAtIndex(0)
        found = found.Dereference() if found.GetType().IsPointerType() else found
    elif trait_objects.is_one(plain):
        found = trait_objects.target(plain)
    if found is None or not found.IsValid():
        return None
    found.SetPreferSyntheticValue(True)
    return found


def end(value):
    """The value at the end of all of them."""
    for _ in range(8):
        found = target(value)
        if found is None:
            break
        value = found
    return value


def shared(plain):
    """The value of an Rc or Arc; None: it is a slice or a `str`, whose length is in the pointer."""
    inner = field(plain, "ptr", "pointer")
    if trait_objects.is_one(inner):
        return trait_objects.target(inner, COUNTS)
    found = (field(inner, name) for name in ("value", "data"))
    return next((one for one in found if one.IsValid()), None)


def shared_object(value):
    """The text of a trait object in an Rc or an Arc, and the counts; None in place of what is not
    known.
    """
    fat = field(value, "ptr", "pointer")
    pointer = fat.GetChildMemberWithName("pointer").GetValueAsUnsigned()
    found = trait_objects.target(fat, COUNTS) if "::Weak<" not in value.GetTypeName() else None
    text = aggregates.part(found) if found is not None else None
    return text, counts_at(value.GetProcess(), pointer)


def counts_at(process, address):
    """The counts of owners and of Weaks; None: they cannot be read."""
    error = lldb.SBError()
    found = [process.ReadUnsignedFromMemory(address + at, 8, error) for at in (0, 8)]
    return None if error.Fail() else found


class SharedSlice:
    """The place of the counts of an `Rc<[T]>`, and its elements."""

    def __init__(self, plain):
        fat = field(plain, "ptr", "pointer")
        self.value, self.data = plain, fat.GetChildMemberWithName("data_ptr")
        self.length = fat.GetChildMemberWithName("length").GetValueAsUnsigned()
        self.start = self.data.GetValueAsUnsigned()

    def is_one(self):
        return self.data.IsValid() and self.data.GetType().IsPointerType()

    def counts(self):
        return counts_at(self.value.GetProcess(), self.start)

    def element(self):
        """The type of the elements; None: it is text."""
        owner = self.data.GetType().GetPointeeType()
        fields = [owner.GetFieldAtIndex(n) for n in range(owner.GetNumberOfFields())]
        last = next((one.GetType() for one in fields if one.GetName() in ("value", "data")), owner)
        found = last.GetCanonicalType()
        return found.GetArrayElementType() if found.IsArrayType() else found

    def place(self):
        align = max(self.element().GetByteAlign(), 1)
        return self.start + (COUNTS + align - 1) // align * align

    def at(self, index):
        of = self.element()
        place = self.place() + index * of.GetByteSize()
        return self.value.CreateValueFromAddress("[%d]" % index, place, of)

    def characters(self):
        """The text; None: it is none. LLDB has the same type for `Rc<str>` and `Rc<[u8]>`."""
        of, error = self.element().GetCanonicalType(), lldb.SBError()
        if of.GetBasicType() != lldb.eBasicTypeUnsignedChar:
            return None
        size = min(self.length, aggregates.LONGEST_TEXT)
        data = self.value.GetProcess().ReadMemory(self.place(), size, error) if size else b""
        try:
            text = (data or b"").decode()
        except UnicodeDecodeError:
            return None
        is_text = all(one.isprintable() or one in "\n\r\t" for one in text)
        return aggregates.quoted(data) if is_text and not error.Fail() else None

    def text(self):
        text = self.characters()
        if text is not None:
            return text
        numbers = range(min(self.length, aggregates.ELEMENTS))
        texts = [aggregates.part(self.at(number)) for number in numbers]
        return "[%s]" % ", ".join(texts + [bounds.CUT] * (self.length > len(numbers)))
