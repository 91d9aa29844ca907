"""Elements of Rust's LinkedList, BinaryHeap, boxed slices and shared slices, for which rustc has no
formatters for LLDB, and the texts of C strings.

Knows the fields of Rust's library (alloc/src/collections/linked_list.rs, binary_heap/mod.rs).
"""

import lldb

import aggregates
import bounds
from adaptors import Delegate
from lists import Nodes
from rust_elements import ITERATOR
from rust_formatters import _find, _pointer, _text
from rust_targets import SharedSlice
from wrappers import field


# Elements of a container whose length is believable.
LONGEST = 1 << 31


class LinkedList:
    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.length = plain.GetChildMemberWithName("len").GetValueAsUnsigned()
        head = plain.GetChildMemberWithName("head").GetNonSyntheticValue()
        self.node = _pointer(_find(head, "pointer")).GetType().GetPointeeType()
        self.places = {
            one.GetName(): one.GetOffsetInBytes() for one in self.node.GetCanonicalType().fields
        }
        kinds = {one.GetName(): one.GetType() for one in self.node.GetCanonicalType().fields}
        self.element = kinds.get("element")
        first = self._word(head.GetLoadAddress())
        self.nodes = Nodes(self._next, first, 0)
        return False

    def _word(self, address):
        error = lldb.SBError()
        found = self.value.GetProcess().ReadPointerFromMemory(address, error)
        return None if error.Fail() else found

    def _next(self, node):
        return self._word(node + self.places["next"])

    def num_children(self):
        is_known = self.element is not None and "next" in self.places
        return self.length if is_known and self.length < LONGEST else 0

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        node = self.nodes.at(index) if 0 <= index < self.num_children() else None
        if node is None:
            return None
        place = node + self.places["element"]
        return self.value.CreateValueFromAddress("[%d]" % index, place, self.element)

    def get_child_index(self, name):
        digits = name.strip("[]")
        return int(digits) if name.startswith("[") and digits.isdigit() else -1


class Heap(Delegate):
    """A BinaryHeap is the Vec inside."""

    def update(self):
        self.inner = self.value.GetNonSyntheticValue().GetChildMemberWithName("data")
        self.inner.SetPreferSyntheticValue(True)
        return False


class BoxedSlice(LinkedList):
    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.length = plain.GetChildMemberWithName("length").GetValueAsUnsigned()
        self.data = plain.GetChildMemberWithName("data_ptr")
        self.element = self.data.GetType().GetPointeeType()
        return False

    def num_children(self):
        return self.length if self.length < LONGEST else 0

    def get_child_at_index(self, index):
        if not 0 <= index < self.length:
            return None
        place = self.data.GetValueAsUnsigned() + index * self.element.GetByteSize()
        return self.value.CreateValueFromAddress("[%d]" % index, place, self.element)


def c_string(value, _dict):
    """Without the zero at its end, which the length counts."""
    plain = value.GetNonSyntheticValue()
    inner = plain.GetChildMemberWithName("inner").GetNonSyntheticValue()
    found = inner if inner.IsValid() else plain
    length = found.GetChildMemberWithName("length").GetValueAsUnsigned()
    return _text(found.GetChildMemberWithName("data_ptr"), max(length - 1, 0))


def once_cell(value, _dict):
    text = aggregates.part(field(value, "inner", "value"))
    if text == "None":
        return "<not set>"
    return text[len("Some(") : -1] if text.startswith("Some(") else text


once_cell = bounds.bounded(once_cell)
CHILDREN = {
    "LinkedList": "^alloc::collections::linked_list::LinkedList<.+>$",
    "Heap": "^alloc::collections::binary_heap::BinaryHeap<.+>$",
    "BoxedSlice": r"^alloc::boxed::Box<\[.+\].*>$",
}
TEXTS = {
    "c_string": "^(alloc::ffi::c_str::CString|&(mut )?core::ffi::c_str::CStr)$",
    "once_cell": "^core::cell::once::OnceCell<.+>$",
}


def __lldb_init_module(debugger, _dict):
    for name, types in CHILDREN.items():
        debugger.HandleCommand(
            "type synthetic add -w Rust -l rust_containers.%s -x '%s'" % (name, types)
        )
        debugger.HandleCommand(
            "type summary add -w Rust -e -F rust_elements.summary -x '%s'" % types
        )
    debugger.HandleCommand(
        "type summary add -w Rust -e -F rust_elements.summary -x '%s'" % ITERATOR.pattern
    )
    for name, types in TEXTS.items():
        debugger.HandleCommand(
            "type summary add -w Rust -e -F rust_containers.%s -x '%s'" % (name, types)
        )
