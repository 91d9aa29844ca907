"""Classes whose size LLDB takes for zero: GCC writes it into the abbreviations of DWARF 5, where
LLDB 20 does not read it (llvm/llvm-project#145328). Their objects cannot be read through pointers.
"""

import lldb

CLASSES = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion
REMEDY = "build with -gdwarf-4"


def is_one(type):
    """Only an empty class of C has the size 0, too."""
    kind = type.GetCanonicalType()
    if not kind.GetTypeClass() & CLASSES or kind.GetByteSize():
        return False
    return bool(kind.GetNumberOfFields() or kind.GetNumberOfDirectBaseClasses())


def unread(type):
    """Why no object of the type behind a pointer can be read."""
    name = type.GetUnqualifiedType().GetName()
    return "LLDB cannot read the size of %s in the DWARF 5 of GCC: %s" % (name, REMEDY)


def points_to_one(type, _dict):
    kind = type.GetCanonicalType()
    return kind.IsPointerType() and is_one(kind.GetPointeeType())


def summary(value, _dict):
    return "NULL" if value.GetValueAsUnsigned() == 0 else "<size unknown: %s>" % REMEDY


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand(
        "type summary add -e -F unsized.summary --recognizer-function unsized.points_to_one"
    )
