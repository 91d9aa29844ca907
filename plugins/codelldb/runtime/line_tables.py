"""Code without the variables of its source: built with line tables only, or optimised."""

import lldb

from waits import LIBRARIES

REASON = "built with line tables only, which have no variables: "
# LLDB's errors for variables that have no place here: `variable not available`, `no location, value
# may have been optimized out`, `could not evaluate DW_OP_entry_value: no parent function`, `register
# rsi is not available`.
WITHOUT_PLACE = ("variable not available", "no location", "could not evaluate DW_OP_", "register ")

# In the name of a unit of a crate, between the crate's main file and the name of the part.
PART_OF_CRATE = "/@/"

# Whether units have types, by their files.
_with_types = {}


def missing_variables(frame):
    """Why the frame has no variables; None: it may have some, or it has no place either."""
    if not frame.GetLineEntry().GetLine() or frame.GetVariables(True, True, True, False).GetSize():
        return None
    if frame.GetFunction().GetType().IsValid() and _has_types(
        frame.GetCompileUnit(), frame.GetModule()
    ):
        return None
    language, path = frame.GetCompileUnit().GetLanguage(), frame.GetLineEntry().GetFileSpec()
    if language == lldb.eLanguageTypeMipsAssembler:
        return None  # Assembly, which has no variables.
    if LIBRARIES.search(path.fullpath or ""):
        return REASON + "this is code of a library"
    if language == lldb.eLanguageTypeRust:
        return REASON + "set `debug = true` in the profile of Cargo.toml"
    return REASON + "compile with -g"


def _has_types(unit, module):
    """Are there types other than those of functions without arguments, which LLDB makes itself? A
    crate of Rust is compiled as a whole into several units, some of which may need none.
    """
    key = str(unit.GetFileSpec())
    crate, has_parts, _ = key.partition(PART_OF_CRATE)
    if key not in _with_types:
        _with_types[key] = _needs_types(unit) or bool(
            has_parts and any(_needs_types(one) for one in _parts(module, crate + has_parts))
        )
    return _with_types[key]


def _needs_types(unit):
    return any(not kind.IsFunctionType() for kind in unit.GetTypes())


def _parts(module, start):
    """The units of a crate, by the beginning of their names."""
    units = (module.GetCompileUnitAtIndex(n) for n in range(module.GetNumCompileUnits()))
    return (one for one in units if str(one.GetFileSpec()).startswith(start))
