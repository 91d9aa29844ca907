"""Arrays in unions of C, which LLDB 20 reads without elements from the debug information of gcc: it
takes the offset that is not given for one behind the union.

Knows which unions have such members; array_lengths.py knows the lengths.
"""

import lldb

import array_lengths

_lengths = {}


def applies(type, _dict):
    """Recognizes unions with arrays without elements."""
    kind = type.GetCanonicalType()
    return bool(kind.GetTypeClass() & lldb.eTypeClassUnion) and any(
        is_empty(field.GetType()) for field in _fields(kind)
    )


def _fields(kind):
    return [kind.GetFieldAtIndex(at) for at in range(kind.GetNumberOfFields())]


def is_empty(type):
    """Is it an array without elements, as LLDB reads it?"""
    return type.GetCanonicalType().IsArrayType() and type.GetByteSize() == 0


class Members:
    """The members, the arrays with their elements. An array whose length is not known fills the
    union.
    """

    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        self.plain = self.value.GetNonSyntheticValue()
        self.kind = self.plain.GetType().GetCanonicalType()
        return False

    def num_children(self):
        return self.plain.GetNumChildren()

    def has_children(self):
        return True

    def get_child_index(self, name):
        return next(
            (at for at, one in enumerate(_fields(self.kind)) if one.GetName() == name), -1
        )

    def get_child_at_index(self, index):
        found = self.plain.GetChildAtIndex(index)
        place = self.plain.GetLoadAddress()
        if place == lldb.LLDB_INVALID_ADDRESS or not is_empty(found.GetType()):
            return found
        of = found.GetType().GetArrayElementType()
        fills = self.kind.GetByteSize() // (of.GetByteSize() or 1)
        length = self._lengths().get(found.GetName(), fills)
        return self.value.CreateValueFromAddress(found.GetName(), place, of.GetArrayType(length))

    def _lengths(self):
        frame, name = self.value.GetFrame(), self.kind.GetName() or ""
        names, size = [one.GetName() for one in _fields(self.kind)], self.kind.GetByteSize()
        key = str(frame.GetCompileUnit().GetFileSpec()), name, size, tuple(names)
        if key not in _lengths:
            plain = "" if "(" in name else name.rpartition("::")[2]
            _lengths[key] = array_lengths.of_union(frame, plain, size, names)
        return _lengths[key]


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type synthetic add -w default -p -l unions.Members --recognizer-function unions.applies"
    )
