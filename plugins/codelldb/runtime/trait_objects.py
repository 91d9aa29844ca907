"""Rust's trait objects: the value behind a `Box<dyn Trait>` or a `&dyn Trait`.

Knows that the compiler describes each table of functions by a static variable, named by the type
and the trait. Calls nothing.
"""

import re

import lldb

import aggregates

NAME = re.compile(r"^<(.+) as .+>::\{vtable(_type)?\}$")
MOST = 20_000

# Types by the address of their table, of one target.
_types, _of = {}, None


def is_one(value):
    kind = value.GetType().GetCanonicalType()
    return kind.GetNumberOfFields() == 2 and [field.GetName() for field in kind.fields] == [
        "pointer",
        "vtable",
    ]


def text(value):
    """The text of the value behind it, else where it is."""
    found = target(value)
    if found is None:
        pointer = value.GetNonSyntheticValue().GetChildMemberWithName("pointer")
        return "{pointer:%s}" % pointer.GetValue()
    return aggregates.part(found)


def target(value, before=0):
    """The value behind it, which has so many bytes before it; None: its type is not known."""
    plain = value.GetNonSyntheticValue()
    pointer, table = (plain.GetChildMemberWithName(name) for name in ("pointer", "vtable"))
    address = pointer.GetValueAsUnsigned()
    name = _tables(value.GetTarget()).get(table.GetValueAsUnsigned())
    kind = value.GetTarget().FindFirstType(name) if name else None
    if kind is None or not kind.IsValid() or not address:
        return None
    # A table begins with the function that drops the value, its size and its alignment.
    third, error = table.GetValueAsUnsigned() + 16, lldb.SBError()
    align = value.GetProcess().ReadUnsignedFromMemory(third, 8, error) if before else 1
    if error.Fail() or not align:
        return None
    place = lldb.SBAddress(address + (before + align - 1) // align * align, value.GetTarget())
    return value.GetTarget().CreateValueFromAddress(name, place, kind)


def _tables(target):
    global _of
    key = target.GetExecutable().fullpath, target.GetNumModules()
    if _of != key:
        _types.clear()
        _of = key
        for one in target.FindGlobalVariables(r"\{vtable\}$", MOST, lldb.eMatchTypeRegex):
            match = NAME.match(one.GetName() or "")
            if match:
                _types[one.GetLoadAddress()] = match[1]
    return _types
