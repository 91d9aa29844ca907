"""Summaries of C++'s sequences and sets with their first elements: LLDB's own have only the number
of elements. Elements of an initializer_list, and the value or the error of an expected.

Knows libstdc++'s members of those; calls nothing.
"""

import aggregates
import bounds
from adaptors import Span

TYPES = (
    "^std::(__debug::)?(vector|deque|(__cxx11::)?list|forward_list|(unordered_)?(multi)?set)<.+>$"
)


@bounds.bounded
def summary(value, _dict):
    value.SetPreferSyntheticValue(True)
    count = value.GetNumChildren()
    return "size=%d %s" % (count, aggregates.elements(value)) if count else "size=0"


class InitializerList(Span):
    def update(self):
        plain = self.value.GetNonSyntheticValue()
        self.pointer = plain.GetChildMemberWithName("_M_array")
        self.element = self.pointer.GetType().GetCanonicalType().GetPointeeType()
        self.count = plain.GetChildMemberWithName("_M_len").GetValueAsUnsigned()
        return False


class Expected:
    """The value, or the error, as the only child."""

    def __init__(self, value, _dict):
        self.value = value
        self.update()

    def update(self):
        self.content = content(self.value)
        return False

    def num_children(self):
        return 0 if self.content is None else 1

    def has_children(self):
        return True

    def get_child_at_index(self, index):
        if index != 0 or self.content is None:
            return None
        return self.content.Clone("error" if is_error(self.value) else "value")

    def get_child_index(self, name):
        return 0 if self.content is not None and name in ("value", "error") else -1


def is_error(value):
    flag = value.GetNonSyntheticValue().GetChildMemberWithName("_M_has_value")
    return flag.IsValid() and flag.GetValueAsUnsigned() == 0


def content(value):
    """The value or the error; None: the value is void, or the layout is not known."""
    name = "_M_unex" if is_error(value) else "_M_val"
    plain = value.GetNonSyntheticValue()
    # The members are in an anonymous union.
    inner = map(plain.GetChildAtIndex, range(plain.GetNumChildren()))
    inner = (one.GetNonSyntheticValue() for one in inner)
    found = (owner.GetChildMemberWithName(name) for owner in (plain, *inner))
    return next((one for one in found if one.IsValid()), None)


@bounds.bounded
def expected(value, _dict):
    found = content(value)
    text = "void" if found is None else aggregates.part(found)
    return "unexpected(%s)" % text if is_error(value) else text


SUMMARIES = {"summary": TYPES, "expected": "^std::expected<.+>$"}
CHILDREN = {"InitializerList": "^std::initializer_list<.+>$", "Expected": "^std::expected<.+>$"}


def __lldb_init_module(debugger, _dict):
    for name, types in SUMMARIES.items():
        debugger.HandleCommand(
            "type summary add -e -p -F std_sequences.%s -x '%s'" % (name, types)
        )
    lists = CHILDREN["InitializerList"]
    debugger.HandleCommand("type summary add -e -p -F std_sequences.summary -x '%s'" % lists)
    for name, types in CHILDREN.items():
        debugger.HandleCommand("type synthetic add -p -l std_sequences.%s -x '%s'" % (name, types))
