"""Names of variables of C and C++ whose declaration the frame has not reached, and of all whose
function has not stored its arguments: their place holds what was there before; and of variables
that have no place in optimised code, or members without one. Also the lines of declarations of one
name.

Knows lines and addresses; reads no values. A variable in a register is of an optimising compiler,
whose code is not in the order of its lines: nothing is said about it.
"""

import json

import lldb

import aggregates
import bounds
import frame_places
import line_tables
import pieces
import rust_elements
import variable_arrays

LANGUAGES = ("c", "c++")
# The longest code of a line that is searched for where it sets a variable.
LONGEST = 4_096


def report():
    """Prints the names as JSON, of the frame of the request, and why it has no variables."""
    frame = lldb.frame
    # Of equal names the adapter lists the last one.
    variables = list(frame.GetVariables(True, True, False, True))
    last = {one.GetName(): one for one in variables}
    is_early, is_c = is_before_body(frame), _is_c(frame)
    found = [
        name
        for name, one in last.items()
        if (is_early and _is_in_memory(one)) or (is_c and is_unset(frame, one))
    ]
    lost = {name: one for name, one in ((n, pieces.Lost(v)) for n, v in last.items()) if one}
    whole = [name for name, one in lost.items() if one.is_whole()]
    members = {name: one.names() for name, one in lost.items() if name not in whole}
    report = {"unset": found, "lost": whole, "lost_members": members}
    report["others"] = others(variables, last)
    report["declared"] = declared_again(frame, last)
    report["dimensions"] = variable_arrays.report(frame) if _is_c(frame) else {}
    report["texts"] = array_texts(variables) if report["dimensions"] else {}
    report["thread"] = None if frame.GetFrameID() else frame.GetThread().GetThreadID()
    print(json.dumps({**report, "missing": line_tables.missing_variables(frame)}))


def others(variables, last):
    """What is not listed because a later variable has its name, where that cannot be read: rustc
    describes an argument of an async fn twice, and one of both places is not kept over an `.await`.
    """
    wrong = {name for name, one in last.items() if rust_elements.impossible(one) is not None}
    found = []
    for one in variables:
        name = one.GetName()
        is_known = name in wrong and rust_elements.impossible(one) is None
        if is_known and one.GetID() != last[name].GetID():
            text = aggregates.part(one)
            found.append({"name": name + " #2", "value": text, "type": one.GetDisplayTypeName()})
            wrong.discard(name)
    return found


def array_texts(variables):
    """The texts of arrays that LLDB cannot read, as it takes them for longer than they are."""
    found = {}
    for one in variables:
        described = variable_arrays.described(one) if one.GetError().Fail() else None
        if described is not None and described[1] is not None:
            array = None if None in described[0] else variable_arrays.resized(one)
            found[one.GetName()] = aggregates.part(array) if array else "{%s}" % bounds.CUT
    return found


def declared_again(frame, last):
    """The lines of the declarations in scope, of names that the function declares several times."""
    lines = {}
    for one in frame.GetVariables(True, True, False, False):
        lines.setdefault(one.GetName(), set()).add(one.GetDeclaration().GetLine())
    several = [name for name, all_lines in lines.items() if len(all_lines) > 1 and name in last]
    return {name: last[name].GetDeclaration().GetLine() for name in several}


def is_before_body(frame):
    """Is the frame in the function's prologue, which stores the arguments? A stack overflow stops
    there.
    """
    function = frame.GetFunction()
    if frame.GetFrameID() or not function.IsValid() or frame.IsInlined():
        return False
    start, here = function.GetStartAddress(), frame.GetPCAddress()
    # Of code of gcc LLDB may take rows of the body for the prologue (prologues.py).
    row = start.GetLineEntry().GetEndAddress().GetFileAddress() - start.GetFileAddress()
    size = min(function.GetPrologueByteSize(), row)
    return 0 <= here.GetFileAddress() - start.GetFileAddress() < size


def _is_in_memory(variable):
    """In a register LLDB takes its value for its address."""
    is_local = variable.GetValueType() in pieces.PLACES
    return is_local and (variable.GetLocation() or "").startswith("0x")


def is_unset(frame, variable):
    if variable.GetValueType() != lldb.eValueTypeVariableLocal or not _is_in_memory(variable):
        return False
    place, declared = frame.GetLineEntry(), variable.GetDeclaration()
    if not declared.GetLine() or str(declared.GetFileSpec()) != str(place.GetFileSpec()):
        return False
    if place.GetLine() != declared.GetLine():
        return place.GetLine() < declared.GetLine()
    begin, here = _begin(frame, place.GetLine()), frame.GetPCAddress().GetFileAddress()
    if begin is None or not begin < here <= begin + LONGEST:
        return here == begin
    return _is_one_run(frame, begin, here) and not _is_named(frame, variable, begin, here)


def _is_one_run(frame, begin, here):
    """Is all code between these addresses of the frame's line? The head of a loop has more behind
    its body, which runs with the variable set.
    """
    while begin < here:
        row = frame.GetModule().ResolveFileAddress(begin).GetLineEntry()
        end = row.GetEndAddress().GetFileAddress()
        if row.GetLine() != frame.GetLineEntry().GetLine() or not begin < end:
            return False
        begin = end
    return True


def _is_named(frame, variable, begin, here):
    """Does code between these addresses name the variable, or is that not known?"""
    bases, size = {}, variable.GetByteSize()
    for name in frame_places.FRAME_BASES:
        register = frame.FindRegister(name).GetNonSyntheticValue()
        bases[name] = register.GetValueAsUnsigned() if register.IsValid() else None
    if None in bases.values() or not size:
        return True
    if bases["rbp"] <= variable.GetLoadAddress():
        return True  # It is no frame pointer in the code of an optimising compiler.
    target, start = frame.GetThread().GetProcess().GetTarget(), frame.GetModule()
    start, error = start.ResolveFileAddress(begin), lldb.SBError()
    code = target.ReadMemory(start, here - begin, error)
    if error.Fail() or not code:
        return True
    texts = (one.GetOperands(target) or "" for one in target.GetInstructions(start, code))
    return frame_places.names_part(texts, bases, variable.GetLoadAddress(), size)


def _is_c(frame):
    language = frame.GetCompileUnit().GetLanguage()
    name = lldb.SBLanguageRuntime.GetNameForLanguageType(language) or ""
    return name.startswith(LANGUAGES) or name in ("c89", "c99", "c11")


def _begin(frame, line):
    """Where the function's code of the line begins."""
    function, unit = frame.GetFunction(), frame.GetCompileUnit()
    start, end = (
        one.GetFileAddress() for one in (function.GetStartAddress(), function.GetEndAddress())
    )
    found, at = [], unit.FindLineEntryIndex(0, line, frame.GetLineEntry().GetFileSpec(), True)
    while at != lldb.UINT32_MAX:
        address = unit.GetLineEntryAtIndex(at).GetStartAddress().GetFileAddress()
        if start <= address < end:
            found.append(address)
        at = unit.FindLineEntryIndex(at + 1, line, frame.GetLineEntry().GetFileSpec(), True)
    return min(found, default=None)
