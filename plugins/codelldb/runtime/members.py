"""Finds members by name, and the offsets of bit fields: of the type itself, of its bases, and of
anonymous members.

LLDB reads a bit field correctly as a number, but its data are the bytes of its neighbours, and
writing overwrites them (20.1.4). Does not know what is read or written.
"""

import lldb

import unions
from operands import bits_of, here, is_rust

DEPTH = 16
# Members searched.
WIDTH = 256


def find(owner, name, depth=DEPTH):
    """A member. For one inside an anonymous member LLDB returns another one, or none, if there is a
    base class (20.1.4).
    """
    found = owner.GetChildMemberWithName(name)
    by_name = owner.IsSynthetic() and not (owner.GetTypeName() or "").startswith("std::variant<")
    if found.IsValid() and found.GetName() != name and not (is_rust() or by_name):
        found = lldb.SBValue()
    # LLDB finds a member of an anonymous union, but not the length of an array there.
    is_found = found.IsValid() and not (depth and unions.is_empty(found.GetType()))
    if is_found or is_rust() or not depth:
        _note(owner, name, found)
        return found
    type = _structure(owner).GetType().GetCanonicalType()
    bases = {
        type.GetDirectBaseClassAtIndex(n).GetName()
        for n in range(type.GetNumberOfDirectBaseClasses())
    }
    children = [owner.GetChildAtIndex(n) for n in range(min(owner.GetNumChildren(), WIDTH))]
    inside = (
        find(child, name, depth - 1)
        for child in children
        if not child.GetName() or child.GetName() in bases
    )
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
    """The first bit from the start of the type, and the number of bits; None if not certain."""
    fields = [type.GetFieldAtIndex(n) for n in range(type.GetNumberOfFields())]
    for field in fields:
        if field.GetName() == name:
            return (
                (start + field.GetOffsetInBits(), field.GetBitfieldSizeInBits())
                if field.IsBitfield()
                else None
            )
    # The offset of a virtual base is stored in the object only.
    virtual = {
        type.GetVirtualBaseClassAtIndex(n).GetName()
        for n in range(type.GetNumberOfVirtualBaseClasses())
    }
    bases = [type.GetDirectBaseClassAtIndex(n) for n in range(type.GetNumberOfDirectBaseClasses())]
    inside = [field for field in fields if not field.GetName()] + [
        one for one in bases if one.GetName() not in virtual
    ]
    places = [
        _place(one.GetType().GetCanonicalType(), name, start + one.GetOffsetInBits(), depth - 1)
        for one in inside
        if depth
    ]
    places = [place for place in places if place]
    return places[0] if len(places) == 1 else None
