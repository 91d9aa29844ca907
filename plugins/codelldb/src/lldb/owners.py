"""What owns, shares and guards a value in Rust shows that value, and how it is held.

`"abc" (borrowed)` is a RefCell's, `[1, 2] (locked) (strong=2, weak=0)` an Arc's of a Mutex.
Everything is bounded: elements, fields, depth and letters. Knows the fields of Rust's library
(alloc/src/rc.rs, core/src/cell.rs, std/src/sync/poison); refuses to know other types.
"""

import lldb

ELEMENTS = 5
DEPTH = 4
LETTERS = 60
# Of the state of a futex-based RwLock (std/src/sys/sync/rwlock/futex.rs).
READERS = (1 << 30) - 1
# Of a Once's, with none for one that is done (std/src/sys/sync/once/futex.rs).
ONCE = (None, "<being set>", "<poisoned>", "<not set>")


def part(value, *names):
    """A field of a field, as it lies in memory."""
    for name in names:
        value = value.GetNonSyntheticValue().GetChildMemberWithName(name)
    return value.GetNonSyntheticValue()


def scalar(value):
    """The number in the wrappers; None where there is none."""
    for _ in range(8):
        if not value.IsValid() or value.GetType().GetCanonicalType().GetBasicType() != lldb.eBasicTypeInvalid:
            break
        value = value.GetNonSyntheticValue().GetChildAtIndex(0)
    return value.GetValueAsUnsigned() if value.IsValid() and not value.GetError().Fail() else None


def brief(value, depth=0):
    """A value on some letters, whatever it is."""
    value.SetPreferSyntheticValue(True)
    text = value.GetSummary()
    if text and text.startswith("size="):
        text = elements(value, depth)
    if not text and value.GetType().GetCanonicalType().IsPointerType():
        text = brief(value.Dereference(), depth + 1) if depth < DEPTH else "…"
    text = text or _number(value) or value.GetValue() or _fields(value, depth)
    if len(text) <= LETTERS:
        return text
    return text[:LETTERS - 1] + "…"


def _number(value):
    """LLDB takes those of one byte for letters."""
    basic = value.GetType().GetCanonicalType().GetBasicType()
    if basic == lldb.eBasicTypeUnsignedChar:
        return str(value.GetValueAsUnsigned())
    return str(value.GetValueAsSigned()) if basic in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar) else None


def elements(value, depth=0):
    """The first of a collection's, with their keys where it has some."""
    count = value.GetNumChildren()
    if depth >= DEPTH:
        return "…"
    found = [value.GetChildAtIndex(n) for n in range(min(count, ELEMENTS))]
    told = [brief(one, depth + 1) for one in found]
    keyed = "::BTreeMap<" in (value.GetTypeName() or "")
    if keyed:
        told = ["%s: %s" % (one.GetName()[1:-1], text) for one, text in zip(found, told)]
    more = ["…"] if count > ELEMENTS else []
    return ("{%s}" if keyed else "[%s]") % ", ".join(told + more)


def _fields(value, depth):
    if depth >= DEPTH:
        return "…"
    count = value.GetNumChildren()
    found = [value.GetChildAtIndex(n) for n in range(min(count, ELEMENTS))]
    told = ["%s:%s" % (one.GetName(), brief(one, depth + 1)) for one in found]
    return "{%s}" % ", ".join(told + (["…"] if count > ELEMENTS else []))


def _held(text, *states):
    states = [state for state in states if state]
    return "%s (%s)" % (text, ", ".join(states)) if states else text


def shared(value, _dict):
    """Rc and Arc."""
    inner = part(value, "ptr", "pointer")
    counts = [scalar(part(inner, name)) for name in ("strong", "weak")]
    if None in counts:
        return None
    held = [part(inner, name) for name in ("value", "data")]
    held = next((one for one in held if one.IsValid()), None)
    counts = "(strong=%d, weak=%d)" % (counts[0], counts[1] - 1)
    # A Weak that is alone has nothing.
    return "%s %s" % (brief(held), counts) if held is not None and "::Weak<" not in value.GetTypeName() else counts


def cell(value, _dict):
    return brief(part(value, "value", "value"))


def ref_cell(value, _dict):
    borrowed = scalar(part(value, "borrow"))
    signed = borrowed - (1 << 64) if borrowed is not None and borrowed >> 63 else borrowed
    state = None if not signed else "borrowed mutably" if signed < 0 else "borrowed"
    return _held(brief(part(value, "value", "value")), state if state != "borrowed" or signed == 1 else "borrowed %d times" % signed)


def reference(value, _dict):
    """Ref, RefMut, and what reads a RwLock, as long as it is of a sized type."""
    for names in (("value", "pointer"), ("data", "pointer")):
        found = part(value, *names)
        if found.IsValid() and found.GetType().GetCanonicalType().IsPointerType():
            return brief(found.Dereference())
    return None


def mutex(value, _dict):
    states = scalar(part(value, "inner", "futex")), scalar(part(value, "poison", "failed"))
    names = [name for state, name in zip(states, ("locked", "poisoned")) if state]
    return _held(brief(part(value, "data", "value")), *names)


def once_lock(value, _dict):
    """In the library that has MaybeDangling; the states of an older one are others."""
    state = scalar(part(value, "once", "inner", "state_and_queued"))
    slot = part(value, "value", "value", "value", "value")
    if state is None or not (slot.GetTypeName() or "").startswith("core::mem::maybe_dangling::"):
        return None
    return ONCE[state & 3] or brief(slot.GetNonSyntheticValue().GetChildAtIndex(0))


def rw_lock(value, _dict):
    state = (scalar(part(value, "inner", "state")) or 0) & READERS
    held = "locked for writing" if state == READERS else "read by %d" % state if state else None
    poisoned = "poisoned" if scalar(part(value, "poison", "failed")) else None
    return _held(brief(part(value, "data", "value")), held, poisoned)


def guard(value, _dict):
    """Of a Mutex or, for writing, of a RwLock."""
    return brief(part(value, "lock", "data", "value"))


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
}


def __lldb_init_module(debugger, _dict):
    for name, types in SUMMARIES.items():
        debugger.HandleCommand("type summary add -w Rust -e -F owners.%s -x '%s'" % (name, types))
