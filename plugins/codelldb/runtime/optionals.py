"""The value inside a std::optional; LLDB's summary says only that there is one. Knows the layouts
of libstdc++ and libc++.
"""

import aggregates
import bounds

TYPES = "^std::(__[[:alnum:]]+::)?optional<.+>$"
EMPTY = "nullopt"
# Of libstdc++ and libc++: the member with the flag, the flag, and the value.
PARTS = (("_M_payload", "_M_engaged", "_M_value"), ("", "__engaged_", "__val_"))


def content(value):
    """None if the optional is empty."""
    inner = value.GetNonSyntheticValue()
    for part, engaged, payload in PARTS:
        owner = inner.GetChildMemberWithName(part) if part else inner
        flag = owner.GetChildMemberWithName(engaged)
        if flag.IsValid():
            found = owner.GetChildMemberWithName(part) if part else owner
            return found.GetChildMemberWithName(payload) if flag.GetValueAsUnsigned() else None
    return None


def summary(value, _dict):
    found = content(value)
    return EMPTY if found is None else aggregates.part(found)


bounded_summary = bounds.bounded(summary)


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand("type summary add -e -F optionals.bounded_summary -x '%s'" % TYPES)
