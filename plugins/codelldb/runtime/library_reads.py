"""Member functions of C++'s and Rust's libraries that only read, by the members that they read.

What is none of these is left to LLDB, which calls it with permission.
"""

import lldb

import children
import optionals
import std_objects
from operands import (
    Number,
    Text,
    Unable,
    called,
    checked,
    followed,
    is_rust,
    target_of,
    type_name,
    value_of,
)

OWNERS = ("std::shared_ptr<", "std::unique_ptr<", "std::__shared_ptr<")
COUNTED = ("std::shared_ptr<", "std::weak_ptr<")


def read_of(value, name, *arguments):
    """The result of a call of the member function."""
    # The class of an error may be declared only.
    text = std_objects.what(value_of(value)) if name == "what" and not is_rust() else None
    if text is not None:
        return Text(text.decode("utf8", "replace"))
    owner = followed(value_of(value))
    type = owner.GetType().GetCanonicalType().GetName() or ""
    for start, reads in FUNCTIONS.get(name, {}).items():
        if type.startswith(start):
            return reads(owner, *arguments)
    words = "`%s` is %s, whose method would have to be called; effects=allow runs it"
    if is_rust():
        words = "`%s` is %s, whose method LLDB cannot call: it runs no Rust code"
    raise Unable(words % (called(value), type_name(value)), called=True)


def nth(value, number):
    """`std::get<number>` of a tuple, a pair, an array or a variant."""
    owner = followed(value_of(value))
    type = owner.GetType().GetCanonicalType().GetName() or ""
    if type.startswith(("std::tuple<", "std::array<")):
        return children.position(owner, Number(number))
    if type.startswith("std::pair<") and number < 2:
        return children.member(owner, ("first", "second")[number])
    if type.startswith("std::variant<") and _alternative(owner).value == number:
        owner.SetPreferSyntheticValue(True)
        return checked(owner.GetChildAtIndex(0))
    words = "`%s` is %s, which has no element %d now"
    raise Unable(words % (called(value), type_name(value), number))


def _field(*names):
    def read(value):
        found = std_objects.field(value, *names)
        found.SetPreferSyntheticValue(True)
        return checked(found)

    return read


def _bottom(value):
    return children.position(value, Number(0))


def _content(value):
    found = optionals.content(value)
    if found is None:
        raise Unable("`%s` is %s" % (called(value), optionals.EMPTY))
    return checked(found)


def _pointer(value):
    value.SetPreferSyntheticValue(True)
    return checked(value.GetChildMemberWithName("pointer"))


def _owners(value):
    counts = std_objects.field(value, "_M_refcount", "_M_pi")
    if not counts.IsValid() or not counts.GetValueAsUnsigned():
        return Number(0, size=8)
    return checked(counts.GetChildMemberWithName("_M_use_count"))


def _is_expired(value):
    found = _owners(value)
    return (found.value if isinstance(found, Number) else found.GetValueAsUnsigned()) == 0


def _any_is_set(value):
    return std_objects.field(value, "_M_manager").GetValueAsUnsigned() != 0


def _alternative(value):
    """Without an alternative all bits are set, as in `size_t`."""
    index = std_objects.field(value, "_M_index")
    number = index.GetValueAsUnsigned()
    none = 2 ** (8 * index.GetByteSize()) - 1
    return Number(2**64 - 1 if number == none else number, size=8, signed=False)


def _bits(value):
    return sum(
        value.GetChildAtIndex(n).GetValueAsUnsigned() for n in range(value.GetNumChildren())
    )


def _atomic(value):
    return checked(std_objects.content_of_atomic(value) or lldb.SBValue())


def _data(value):
    return checked(std_objects.first_field(value, "_M_ptr", "_M_str", "_M_elems"))


VALUES = {
    "std::optional<": _content,
    "std::error_code": _field("_M_value"),
    "std::_V2::error_code": _field("_M_value"),
}
TEXT = ("std::basic_string<", "std::__cxx11::basic_string<")
FUNCTIONS = {
    "top": {"std::stack<": children.last, "std::priority_queue<": _bottom},
    "value": VALUES,
    "has_value": {
        "std::optional<": lambda value: optionals.content(value) is not None,
        "std::any": _any_is_set,
    },
    "get": {
        **{start: _pointer for start in OWNERS},
        "std::reference_wrapper<": lambda value: target_of(_field("_M_data")(value)),
    },
    "use_count": {start: _owners for start in COUNTED},
    "expired": {"std::weak_ptr<": _is_expired},
    "count": {
        "std::chrono::duration<": _field("__r"),
        "std::bitset<": lambda value: Number(_bits(value), size=8, signed=False),
    },
    "test": {"std::bitset<": children.position},
    "load": {"std::atomic<": _atomic},
    "index": {"std::variant<": _alternative},
    "data": {"std::span<": _data, "std::basic_string_view<": _data},
    "c_str": {start: _field("_M_dataplus", "_M_p") for start in TEXT},
    "native": {"std::filesystem::": _field("_M_pathname")},
}
