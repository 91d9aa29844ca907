"""Summaries of C++'s pair, tuple, array, variant and smart pointers: their contents.

LLDB's own say only that there is a value, or where. Knows libstdc++'s members and LLDB's children;
calls nothing.
"""

import adaptors
import aggregates
import bounds

EMPTY, NULL = "valueless", "nullptr"


def pair(value, _dict):
    """A pair with a constant first half is an entry of a map."""
    if (value.GetTypeName() or "").startswith("std::pair<const "):
        return aggregates.entry_text(value)
    return aggregates.listed(value, aggregates.INNER)


def tuple_(value, _dict):
    heads = adaptors.heads(value.GetNonSyntheticValue())
    return "{%s}" % ", ".join(map(aggregates.part, heads))


def adaptor(value, _dict):
    """stack, queue and priority_queue."""
    found = value.GetNonSyntheticValue().GetChildMemberWithName("c")
    return aggregates.part(found) if found.IsValid() else None


def array(value, _dict):
    found = value.GetNonSyntheticValue().GetChildMemberWithName("_M_elems")
    return aggregates.listed(found, aggregates.INNER) if found.IsValid() else None


def variant(value, _dict):
    value.SetPreferSyntheticValue(True)
    if not value.GetNumChildren():
        return EMPTY
    return aggregates.part(value.GetChildAtIndex(0))


def unique(value, _dict):
    """Of an array only the first element: its length is nowhere."""
    text = _target(value)
    is_array = "[]" in (value.GetType().GetCanonicalType().GetName() or "").partition(",")[0]
    return "{%s, %s}" % (text, bounds.CUT) if is_array and text != NULL else text


def span(value, _dict):
    value.SetPreferSyntheticValue(True)
    return aggregates.listed(value, aggregates.INNER)


def shared(value, _dict):
    """shared_ptr and weak_ptr, with the counts of their owners."""
    found = value.GetNonSyntheticValue()
    counts = found.GetValueForExpressionPath("._M_refcount._M_pi")
    if not counts.IsValid() or counts.GetValueAsUnsigned() == 0:
        return _target(value)
    names = ("_M_use_count", "_M_weak_count")
    strong, weak = (counts.GetChildMemberWithName(name).GetValueAsUnsigned() for name in names)
    # The owners hold one weak count together.
    counts = "(strong=%d, weak=%d)" % (strong, weak - bool(strong))
    return "%s %s" % (_target(value), counts) if strong else "<expired> %s" % counts


def _target(value):
    value.SetPreferSyntheticValue(True)
    pointer = value.GetChildMemberWithName("pointer")
    if not pointer.IsValid():
        pointer = value.GetNonSyntheticValue().GetChildMemberWithName("_M_ptr")
    if not pointer.IsValid():
        return None
    if pointer.GetValueAsUnsigned() == 0:
        return NULL
    return aggregates.target(pointer)


SUMMARIES = {
    "pair": "^std::pair<.+>$",
    "tuple_": "^std::tuple<.*>$",
    "adaptor": "^std::(stack|queue|priority_queue)<.+>$",
    "array": "^std::array<.+>$",
    "span": "^std::span<.+>$",
    "variant": "^std::variant<.+>$",
    "unique": "^std::unique_ptr<.+>$",
    "shared": "^std::(shared|weak)_ptr<.+>$",
}
for _name in SUMMARIES:
    globals()[_name] = bounds.bounded(globals()[_name])


def __lldb_init_module(debugger, _dict):
    for name, types in SUMMARIES.items():
        debugger.HandleCommand("type summary add -e -p -F std_values.%s -x '%s'" % (name, types))
