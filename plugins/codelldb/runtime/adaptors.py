"""Elements of C++ types that consist of another container, or refer to one: array, span, stack,
queue, priority_queue, tuple, and arrays of a unique_ptr.

LLDB lists their members. Knows libstdc++'s names of those; calls nothing.
"""

import lldb

# Elements of a span whose length is not believable are not listed.
LONGEST = 1 << 31
DEEPEST = 64


class Delegate:
    """The children of the container inside."""

    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.inner = next(
            (found for found in map(plain.GetChildMemberWithName, ("_M_elems", "c")) if found), None
        )
        if self.inner is not None:
            self.inner.SetPreferSyntheticValue(True)
        return False

    def num_children(self):
        return self.inner.GetNumChildren() if self.inner is not None else 0

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        return self.inner.GetChildAtIndex(index) if self.inner is not None else None

    def get_child_index(self, name):
        digits = name.strip("[]")
        return int(digits) if name.startswith("[") and digits.isdigit() else -1


class Span(Delegate):
    """The elements from a pointer on."""

    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.pointer = plain.GetChildMemberWithName("_M_ptr")
        self.element = self.pointer.GetType().GetCanonicalType().GetPointeeType()
        self.count = extent(plain)
        return False

    def num_children(self):
        return self.count if self.count <= LONGEST else 0

    def get_child_at_index(self, index):
        if not 0 <= index < self.count:
            return None
        place = self.pointer.GetValueAsUnsigned() + index * self.element.GetByteSize()
        return self.value.CreateValueFromAddress("[%d]" % index, place, self.element)


def extent(plain):
    """The number of elements of a span: stored, or in its type."""
    stored = plain.GetChildMemberWithName("_M_extent").GetNonSyntheticValue()
    number = stored.GetChildMemberWithName("_M_extent_value")
    if number.IsValid():
        return number.GetValueAsUnsigned()
    name = plain.GetType().GetCanonicalType().GetName() or ""
    digits = name.rpartition(",")[2].strip(" >ul")
    return int(digits) if digits.isdigit() else 0


class Tuple(Delegate):
    def update(self):
        self.heads = heads(self.value.GetNonSyntheticValue())
        return False

    def num_children(self):
        return len(self.heads)

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.heads):
            return None
        head, name = self.heads[index], "[%d]" % index
        place = head.GetLoadAddress()
        if place == lldb.LLDB_INVALID_ADDRESS:
            return head.Clone(name)
        return self.value.CreateValueFromAddress(name, place, head.GetType())


def heads(value, depth=0):
    """The elements of a tuple, each of which is in a base of its own, behind that of the rest."""
    head, rest = [], []
    for number in range(value.GetNumChildren() if depth < DEEPEST else 0):
        child = value.GetChildAtIndex(number).GetNonSyntheticValue()
        name = child.GetName() or ""
        if name.startswith("std::_Head_base<"):
            found = child.GetChildMemberWithName("_M_head_impl")
            head = [found if found.IsValid() else child]
        elif name.startswith("std::_Tuple_impl<"):
            rest = heads(child, depth + 1)
    return head + rest


CHILDREN = {
    "Delegate": "^std::(array|stack|queue|priority_queue)<.+>$",
    "Span": "^std::span<.+>$",
    "Tuple": "^std::tuple<.*>$",
}


def __lldb_init_module(debugger, _dict):
    for name, types in CHILDREN.items():
        debugger.HandleCommand("type synthetic add -p -l adaptors.%s -x '%s'" % (name, types))
