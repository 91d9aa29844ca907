"""Members by their names, and where bit fields lie: own ones, inherited ones, and those of members without a name.

LLDB reads a bit field right by its own number, gives the bytes of its neighbours for its data, and
writes over them (20.1.4). Refuses to know what is read or written.
"""

import lldb

from operands import bits_of, here, is_rust

DEPTH = 16
# Members that are looked into.
WIDTH = 256


def find(owner, name, depth=DEPTH):
    """A member. For one within one without a name LLDB gives another, or none, where there is a base (20.1.4)."""
    found = owner.GetChildMemberWithName(name)
    if found.IsValid() and found.GetName() != name and not (is_rust() or owner.IsSynthetic()):
        found = lldb.SBValue()
    if found.IsValid() or is_rust() or not depth:
        _note(owner, name, found)
        return found
    type = _structure(owner).GetType().GetCanonicalType()
    bases = {type.GetDirectBaseClassAtIndex(n).GetName() for n in range(type.GetNumberOfDirectBaseClasses())}
    children = [owner.GetChildAtIndex(n) for n in range(min(owner.GetNumChildren(), WIDTH))]
    inside = (find(child, name, depth - 1) for child in children if not child.GetName() or child.GetName() in bases)
    return next((one for one in inside if one.IsValid()), found)


def _note(owner, name, found):
    if not found.IsValid() or bits_of(found) is None:
        return
    owner = _structure(owner)
    place = _place(owner.GetType().GetCanonicalType(), name, 0, DEPTH)
    if place and owner.GetLoadAddress() != lldb.LLDB_INVALID_ADDRESS:
        here.bit_fields[found.GetID()] = (owner.GetLoadAddress(), *place)


def _structure(owner):
    type = owner.GetType().GetCanonicalType()
    return owner.Dereference() if type.IsPointerType() or type.IsReferenceType() else owner


def _place(type, name, start, depth):
    """The first bit from where the type begins, and how many; None where that is not certain."""
    fields = [type.GetFieldAtIndex(n) for n in range(type.GetNumberOfFields())]
    for field in fields:
        if field.GetName() == name:
            return (start + field.GetOffsetInBits(), field.GetBitfieldSizeInBits()) if field.IsBitfield() else None
    # Where a virtual base lies only the object knows.
    virtual = {type.GetVirtualBaseClassAtIndex(n).GetName() for n in range(type.GetNumberOfVirtualBaseClasses())}
    bases = [type.GetDirectBaseClassAtIndex(n) for n in range(type.GetNumberOfDirectBaseClasses())]
    inside = [field for field in fields if not field.GetName()] + [one for one in bases if one.GetName() not in virtual]
    places = [
        _place(one.GetType().GetCanonicalType(), name, start + one.GetOffsetInBits(), depth - 1)
        for one in inside if depth
    ]
    places = [place for place in places if place]
    return places[0] if len(places) == 1 else None
