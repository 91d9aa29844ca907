"""What a std::optional holds, where LLDB tells only that it does. Knows how the two libraries keep it."""

import owners

TYPES = "^std::(__[[:alnum:]]+::)?optional<.+>$"
NOTHING = "nullopt"
# Of libstdc++ and of libc++: what has the mark of one that holds something, the mark, and what it holds.
PARTS = (("_M_payload", "_M_engaged", "_M_value"), ("", "__engaged_", "__val_"))


def held(value):
    """None where there is nothing in it."""
    inner = value.GetNonSyntheticValue()
    for part, engaged, content in PARTS:
        owner = inner.GetChildMemberWithName(part) if part else inner
        flag = owner.GetChildMemberWithName(engaged)
        if flag.IsValid():
            found = owner.GetChildMemberWithName(part) if part else owner
            return found.GetChildMemberWithName(content) if flag.GetValueAsUnsigned() else None
    return None


def summary(value, _dict):
    found = held(value)
    return NOTHING if found is None else owners.brief(found)


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand("type summary add -e -F optionals.summary -x '%s'" % TYPES)
