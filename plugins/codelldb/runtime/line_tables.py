"""Code without the variables of its source: built with line tables only, or optimised."""

import lldb

from waits import LIBRARIES

REASON = "built with line tables only, which have no variables: "
# LLDB's errors for variables that have no place here: `variable not available`, `no location, value
# may have been optimized out`, `could not evaluate DW_OP_entry_value: no parent function`, `register
# rsi is not available`.
WITHOUT_PLACE = ("variable not available", "no location", "could not evaluate DW_OP_", "register ")

# Whether units have types, by their files.
_with_types = {}


def missing_variables(frame):
    """Why the frame has no variables; None: it may have some, or it has no place either."""
    if not frame.GetLineEntry().GetLine() or frame.GetVariables(True, True, True, False).GetSize():
        return None
    if frame.GetFunction().GetType().IsValid() and _has_types(frame.GetCompileUnit()):
        return None
    language, path = frame.GetCompileUnit().GetLanguage(), frame.GetLineEntry().GetFileSpec()
    if language == lldb.eLanguageTypeMipsAssembler:
        return None  # Assembly, which has no variables.
    if LIBRARIES.search(path.fullpath or ""):
        return REASON + "this is code of a library"
    if language == lldb.eLanguageTypeRust:
        return REASON + "set `debug = true` in the profile of Cargo.toml"
    return REASON + "compile with -g"


def _has_types(unit):
    """Are there types other than those of functions without arguments, which LLDB makes itself?"""
    key = str(unit.GetFileSpec())
    if key not in _with_types:
        _with_types[key] = any(not kind.IsFunctionType() for kind in unit.GetTypes())
    return _with_types[key]
