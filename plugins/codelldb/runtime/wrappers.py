"""Summaries of Rust's smart pointers, cells and locks: the inner value and its state.

Examples: `"abc" (borrowed)` for a RefCell, `[1, 2] (locked) (strong=2, weak=0)` for an Arc of a
Mutex. Elements, fields, depth and characters are limited. Knows the fields of Rust's library
(alloc/src/rc.rs, core/src/cell.rs, std/src/sync/poison); does not know other types.
"""

import lldb

import aggregates
import bounds
import ends
import trait_objects

MAX_CHARACTERS = 60
# Readers in the state of a futex-based RwLock (std/src/sys/sync/rwlock/futex.rs).
READERS = (1 << 30) - 1
# The pointer of a Weak made by `Weak::new`.
DANGLING = (1 << 64) - 1
# States of a Once, None for a completed one (std/src/sys/sync/once/futex.rs).
ONCE = (None, "<being set>", "<poisoned>", "<not set>")


def field(value, *names):
    """A nested field as it is in memory."""
    for name in names:
        value = value.GetNonSyntheticValue().GetChildMemberWithName(name)
    return value.GetNonSyntheticValue()


def inner_number(value):
    """The number inside wrapper types; None if there is none."""
    for _ in range(8):
        if (
            not value.IsValid()
            or value.GetType().GetCanonicalType().GetBasicType() != lldb.eBasicTypeInvalid
        ):
            break
        value = value.GetNonSyntheticValue().GetChildAtIndex(0)
    return value.GetValueAsUnsigned() if value.IsValid() and not value.GetError().Fail() else None


def short_text(value):
    """A short text for any value."""
    text = aggregates.part(value)
    if len(text) <= MAX_CHARACTERS:
        return text
    return text[: MAX_CHARACTERS - 1] + bounds.CUT


def _number(value):
    """LLDB takes integers of one byte for characters."""
    basic = value.GetType().GetCanonicalType().GetBasicType()
    if basic == lldb.eBasicTypeUnsignedChar:
        return str(value.GetValueAsUnsigned())
    return (
        str(value.GetValueAsSigned())
        if basic in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar)
        else None
    )


def elements(value):
    """The first elements of a collection, with keys if it has them."""
    return aggregates.elements(value)


def _with_states(text, *states):
    states = [state for state in states if state]
    return "%s (%s)" % (text, ", ".join(states)) if states else text


def shared(value, _dict):
    """Rc and Arc."""
    from rust_targets import SharedSlice, shared_object

    inner = field(value, "ptr", "pointer")
    if inner.GetValueAsUnsigned() == DANGLING:
        return "<points to nothing>"
    of_many = SharedSlice(value.GetNonSyntheticValue())
    if of_many.is_one():
        counts = of_many.counts()
        return _with_counts(of_many.text(), counts)
    if trait_objects.is_one(inner):
        return _with_counts(*shared_object(value))
    counts = [inner_number(field(inner, name)) for name in ("strong", "weak")]
    if None in counts:
        return None
    content = [field(inner, name) for name in ("value", "data")]
    content = next((one for one in content if one.IsValid()), None)
    # A Weak whose value is dropped has no value.
    has_value = content is not None and "::Weak<" not in value.GetTypeName()
    return _with_counts(short_text(content) if has_value else None, counts)


def _with_counts(text, counts):
    if counts is None:
        return None
    counts = "(strong=%d, weak=%d)" % (counts[0], counts[1] - 1)
    return "%s %s" % (text, counts) if text is not None else counts


def cell(value, _dict):
    return short_text(field(value, "value", "value"))


def ref_cell(value, _dict):
    borrowed = inner_number(field(value, "borrow"))
    signed = borrowed - (1 << 64) if borrowed is not None and borrowed >> 63 else borrowed
    state = None if not signed else "borrowed mutably" if signed < 0 else "borrowed"
    return _with_states(
        short_text(field(value, "value", "value")),
        state if state != "borrowed" or signed == 1 else "borrowed %d times" % signed,
    )


def reference(value, _dict):
    """Ref, RefMut and RwLockReadGuard of sized types."""
    for names in (("value", "pointer"), ("data", "pointer")):
        found = field(value, *names)
        if found.IsValid() and found.GetType().GetCanonicalType().IsPointerType():
            return short_text(found.Dereference())
    return None


def mutex(value, _dict):
    states = (
        inner_number(field(value, "inner", "futex")),
        inner_number(field(value, "poison", "failed")),
    )
    names = [name for state, name in zip(states, ("locked", "poisoned")) if state]
    return _with_states(short_text(field(value, "data", "value")), *names)


def once_lock(value, _dict):
    """A OnceLock of the library version that has MaybeDangling; older ones have other states."""
    state = inner_number(field(value, "once", "inner", "state_and_queued"))
    slot = field(value, "value", "value", "value", "value")
    if state is None or not (slot.GetTypeName() or "").startswith("core::mem::maybe_dangling::"):
        return None
    return ONCE[state & 3] or short_text(slot.GetNonSyntheticValue().GetChildAtIndex(0))


def rw_lock(value, _dict):
    state = (inner_number(field(value, "inner", "state")) or 0) & READERS
    state_text = (
        "locked for writing" if state == READERS else "read by %d" % state if state else None
    )
    poisoned = "poisoned" if inner_number(field(value, "poison", "failed")) else None
    return _with_states(short_text(field(value, "data", "value")), state_text, poisoned)


def guard(value, _dict):
    """The guard of a Mutex, or of a RwLock locked for writing."""
    return short_text(field(value, "lock", "data", "value"))


def atomic(value, _dict):
    found = value
    for _ in range(8):
        if found.GetValue() is not None:
            break
        found = found.GetNonSyntheticValue().GetChildAtIndex(0)
    if value.GetTypeName().endswith(("AtomicBool", "Atomic<bool>")):
        return "true" if found.GetValueAsUnsigned() else "false"
    return _number(found) or found.GetValue()


def character(value, _dict):
    found = value.GetValueAsUnsigned()
    return repr(chr(found)) if found <= 0x10FFFF else None


def duration(value, _dict):
    """Seconds with all their nanoseconds."""
    seconds, nanos = inner_number(field(value, "secs")), inner_number(field(value, "nanos"))
    if None in (seconds, nanos):
        return None
    fraction = (".%09d" % nanos).rstrip("0").rstrip(".")
    return "%d%ss" % (seconds, fraction)


def io_error(value, _dict):
    """The error of the system or its kind, which share a word; others have their members."""
    word = value.GetNonSyntheticValue().GetData().GetUnsignedInt64(lldb.SBError(), 0)
    return ends.io_error(word) or (_error_kind(value, word >> 32) if word & 3 == 3 else None)


def _error_kind(value, number):
    kinds = value.GetTarget().FindFirstType("std::io::error::ErrorKind").GetEnumMembers()
    members = (kinds.GetTypeEnumMemberAtIndex(at) for at in range(kinds.GetSize()))
    return next((one.GetName() for one in members if one.GetValueAsUnsigned() == number), None)


SUMMARIES = {
    "shared": "^alloc::(rc::(Rc|Weak)|sync::(Arc|Weak))<.+>$",
    "cell": "^core::cell::Cell<.+>$",
    "ref_cell": "^core::cell::RefCell<.+>$",
    "reference": "^(core::cell::(Ref|RefMut)|std::sync::(.+::)?rwlock::RwLockReadGuard)<.+>$",
    "mutex": "^std::sync::(.+::)?mutex::Mutex<.+>$",
    "once_lock": "^std::sync::(.+::)?once_lock::OnceLock<.+>$",
    "rw_lock": "^std::sync::(.+::)?rwlock::RwLock<.+>$",
    "guard": "^std::sync::(.+::)?(mutex::MutexGuard|rwlock::RwLockWriteGuard)<.+>$",
    "character": "^char32_t$",
    "atomic": "^core::sync::atomic::Atomic.+$",
    "duration": "^core::time::Duration$",
    "io_error": "^std::io::error::Error$",
}
for _name in SUMMARIES:
    globals()[_name] = bounds.bounded(globals()[_name])


def __lldb_init_module(debugger, _dict):
    for name, types in SUMMARIES.items():
        debugger.HandleCommand("type summary add -w Rust -e -F wrappers.%s -x '%s'" % (name, types))
