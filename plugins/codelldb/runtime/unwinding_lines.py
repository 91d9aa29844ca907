"""Lines whose first code only runs when a panic unwinds, or when a future is polled again.

rustc places the code that drops a function's variables twice at the same line: for a panic, often at
the lower address, and for a normal return. LLDB takes the lower one, so that a breakpoint on a tail
expression or on the closing brace is never hit. An internal breakpoint at the other one stands for
it. Knows lines and paths through a function; does not know why a breakpoint is set.
"""

import json

import lldb

import awaits
import control_flow
import internal_breakpoints

OWNER = "unwinding"
# Internal breakpoints with the ids of those that they stand for, by the file of these.
_of_files = {}


def settle(path, lines):
    """Sets the internal breakpoints of a file. `lines` has the line of each of its breakpoints, and
    its condition or None.
    """
    for stop, _ in _of_files.pop(path, ()):
        internal_breakpoints.release(stop, OWNER)
    target, found = lldb.target, []
    conditions = {}
    for line, condition in lines:
        conditions.setdefault(line, []).append(condition)
    for breakpoint in target.breakpoint_iter():
        wanted = conditions.get(_line(breakpoint, path))
        if not wanted:
            continue
        condition = wanted.pop(0)
        for address in returns(target, breakpoint):
            stop = internal_breakpoints.at(target, address)
            internal_breakpoints.always(stop, OWNER, condition)
            found.append((stop, breakpoint.GetID()))
    _of_files[path] = found
    _report(target)


def _report(target):
    hits = {}
    for found in _of_files.values():
        for stop, id in found:
            hits.setdefault(stop.GetID(), []).append(id)
    internal_breakpoints.report_hits(target, OWNER, hits)


def _line(breakpoint, path):
    """The line that the breakpoint was set at in this file; None: it was set otherwise."""
    stream = lldb.SBStream()
    breakpoint.SerializeToStructuredData().GetAsJSON(stream)
    resolver = json.loads(stream.GetData() or "{}").get("Breakpoint", {}).get("BKPTResolver", {})
    options = resolver.get("Options", {})
    name = options.get("FileName") or ""
    is_same = resolver.get("Type") == "FileAndLine" and name and path.endswith(name)
    return options.get("LineNumber") if is_same else None


def returns(target, breakpoint):
    """The addresses that stand for a breakpoint: where its lines run on the way of a normal return,
    if it has only locations that are not on this way, and where lines with an `.await` begin.
    """
    functions, found = {}, []
    for location in breakpoint:
        function = location.GetAddress().GetFunction()
        if function.IsValid():
            key = function.GetStartAddress().GetFileAddress()
            functions.setdefault(key, (function, []))[1].append(location)
    for function, locations in functions.values():
        paths = control_flow.of(target, function)
        if paths is not None:
            found += _starts(target, paths, locations)
    return found


def _starts(target, paths, locations):
    """The addresses that stand for the locations in one function; none: they stay as they are."""
    normal = paths.reachable(paths.start)
    rows = _same_line(locations[0].GetAddress(), normal)
    begins = awaits.begins(target, paths, rows)
    if begins:
        for location in locations:
            location.SetEnabled(False)
        return [row for row in rows if row.GetFileAddress() in begins]
    is_reached = any(one.GetAddress().GetFileAddress() in normal for one in locations)
    return [] if is_reached else rows[:1]


def _same_line(address, normal):
    """The addresses at which the line begins among the given ones, in order."""
    entry, unit = address.GetLineEntry(), address.GetCompileUnit()
    starts, at = [], unit.FindLineEntryIndex(0, entry.GetLine(), entry.GetFileSpec(), True)
    while at != lldb.UINT32_MAX:
        start = unit.GetLineEntryAtIndex(at).GetStartAddress()
        if start.GetFileAddress() in normal:
            starts.append(start)
        at = unit.FindLineEntryIndex(at + 1, entry.GetLine(), entry.GetFileSpec(), True)
    return sorted(starts, key=lambda start: start.GetFileAddress())
