"""Code that was built with line tables only: its frames have places, and no variables."""

import lldb

REASON = "built with line tables only, which have no variables: "

# Whether units have types, by their files.
_with_types = {}


def missing_variables(frame):
    """Why the frame has no variables; None: it may have some, or it has no place either."""
    if not frame.GetLineEntry().GetLine() or frame.GetVariables(True, True, True, False).GetSize():
        return None
    if frame.GetFunction().GetType().IsValid() and _has_types(frame.GetCompileUnit()):
        return None
    if frame.GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust:
        return REASON + "set `debug = true` in the profile of Cargo.toml"
    return REASON + "compile with -g"


def _has_types(unit):
    """Are there types other than those of functions without arguments, which LLDB makes itself?"""
    key = str(unit.GetFileSpec())
    if key not in _with_types:
        _with_types[key] = any(not kind.IsFunctionType() for kind in unit.GetTypes())
    return _with_types[key]
