"""Function breakpoints, with what pydevd lacks.

Of several function breakpoints with the same last name pydevd keeps one
(`set_function_breakpoints`). It stops at the line of the `def` or of a decorator, and up to Python
3.11 it does not see coroutines and generators (`pydevd_frame.py`, `co_flags & 0xA0`).

Here a function breakpoint is a line breakpoint on the first line of the function's body that holds
only where the function begins. pydevd's own function breakpoints remain for code that was not
found. Code is searched among the loaded functions, and from then on whenever code is executed; the
executing thread does that while another may change the breakpoints, so `debuggee.lock` guards the
tables below.
"""

import dis
import gc
import inspect
import os
import re
import sys
import types

import pydevd_file_utils
from _pydev_bundle import pydev_log
from _pydevd_bundle.pydevd_breakpoints import FunctionBreakpoint, LineBreakpoint
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand
from pydevd_file_utils import get_abs_path_real_path_and_base_from_file as paths_of

import dapdock_debuggee as debuggee

NOT_TRACED = 0xA0  # flags of coroutines and generators
ALL = "ALL"
# Since debugpy 1.8.22 pydevd gives function breakpoints ids.
HAS_ID = "breakpoint_id" in inspect.signature(FunctionBreakpoint).parameters
groups = {}  # last name -> its FunctionGroup
requested = []  # breakpoints in the order of the request
starts = {}  # path as pydevd knows it -> line -> FunctionStarts
handled = {}  # code whose start has a breakpoint here -> its FunctionStart
left_to_pydevd = {}  # code at which pydevd stops -> the FunctionStart, for its line
listening = False


class Group:
    """Breakpoints at one place: each is evaluated, and those that hold are hit."""

    has_condition = True  # has pydevd call `decide`

    def decide(self, debugger, info, frame):
        hits = self.hits(debugger, info, frame)
        if hits:
            debuggee.hit_ids[info] = hits
        return bool(hits)

    def hits(self, debugger, info, frame):
        hits = []
        for member in self.members:
            if isinstance(member, Group):
                hits += member.hits(debugger, info, frame)
            elif not member.has_condition or debuggee.evaluate_condition(
                debugger, info, member, frame
            ):
                hits.append(member.breakpoint_id)
        return hits


class FunctionGroup(Group, FunctionBreakpoint):
    def __init__(self, name, members):
        self.breakpoint_id, self.members = members[0].breakpoint_id, members
        first = (self.breakpoint_id,) if HAS_ID else ()
        FunctionBreakpoint.__init__(self, *first, name, None, None, ALL)

    def decide(self, debugger, info, frame):
        if key(frame.f_code) in handled or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return False
        return Group.decide(self, debugger, info, frame)


class LineGroup(Group, LineBreakpoint):
    def __init__(self, line, members):
        LineBreakpoint.__init__(self, members[0].breakpoint_id, line, None, "None", None, ALL)
        self.members = members


class FunctionStart(LineGroup):
    """The first instruction of a function's body."""

    def __init__(self, code, offset, line, function):
        LineGroup.__init__(self, line, [function])
        self.code, self.offset = code, offset

    def hits(self, debugger, info, frame):
        if frame.f_code != self.code or frame.f_lasti != self.offset:
            return []
        return LineGroup.hits(self, debugger, info, frame)


def prepare(debugger, breakpoints):
    """Stores the requested breakpoints; returns one for each last name, for pydevd."""
    global requested
    by_name, requested = {}, breakpoints
    for breakpoint in breakpoints:
        breakpoint.breakpoint_id = getattr(breakpoint, "breakpoint_id", None)
        by_name.setdefault(breakpoint.func_name, []).append(breakpoint)
    new = {name: FunctionGroup(name, members) for name, members in by_name.items()}
    rebuild(debugger, new)
    return list(new.values())


def rebuild(debugger, new):
    """Replaces the groups, and the starts of functions with them."""
    global listening, groups
    with debuggee.lock:
        stale, groups = list(starts), new
        starts.clear(), handled.clear(), left_to_pydevd.clear()
        for loaded in gc.get_objects():
            if type(loaded) is types.FunctionType:
                find(debugger, loaded.__code__)
        for path in {*stale, *starts}:
            apply(debugger, path)
    if new and not listening:
        listening = True
        sys.addaudithook(on_audit)


def on_audit(event, args):
    """An exception of an audit hook would be raised by the program's own `exec` or `import`."""
    if event == "exec" and groups and isinstance(args[0], types.CodeType):
        try:
            on_code(args[0])
        except Exception:
            pydev_log.exception()


def on_code(code):
    debugger = debuggee.pydevd_constants.get_global_debugger()
    with debuggee.lock:
        found = find(debugger, code) if debugger is not None else ()
        for path in {paths_of(start.code.co_filename)[1] for start in found}:
            apply(debugger, path)
    if found:
        debugger.on_breakpoints_changed()
        report_places(debugger, found)


def find(debugger, code):
    """Adds the starts of functions in this code and in the code nested in it; returns new ones."""
    found = []
    for nested in code.co_consts:
        if type(nested) is types.CodeType:
            found += find(debugger, nested)
    if code.co_name in groups and code.co_flags & inspect.CO_OPTIMIZED:
        known = key(code) in handled or key(code) in left_to_pydevd
        if not known and is_traced(debugger, code):
            found += add_start(code)
    return found


def key(code):
    """Code objects of two files can be equal, so the file is part of the key."""
    return code.co_filename, code


def is_traced(debugger, code):
    if not debugger.is_files_filter_enabled:
        return True
    return debugger._files_filtering.in_project_roots(code.co_filename)


def add_start(code):
    """Adds the start of a function. pydevd stops correctly where the body is on the line of the
    `def` or begins with a loop, except in coroutines and generators that it does not trace."""
    lines = [(offset, line) for offset, line in dis.findlinestarts(code) if line]
    if not lines:
        return []
    body = [entry for entry in lines if entry[1] > code.co_firstlineno]
    is_untraced = code.co_flags & NOT_TRACED and sys.version_info < (3, 12)
    offset, line = (body or lines)[0]
    start = FunctionStart(code, offset, line, groups[code.co_name])
    if not is_untraced and (not body or offset in dis.findlabels(code.co_code)):
        left_to_pydevd[key(code)] = start
    else:
        handled[key(code)] = start
        by_line = starts.setdefault(paths_of(code.co_filename)[1], {})
        by_line.setdefault(line, []).append(start)
    return [start]


def places_of(found):
    """Places where the functions of breakpoints begin: breakpoint id -> keys of DAP's breakpoint."""
    places = {}
    for start in found:
        (function,) = start.members
        for member in function.members:
            if member.breakpoint_id is not None and may_match(start.code, member.condition or ""):
                places.setdefault(member.breakpoint_id, place(start))
    return places


def place(start):
    path = paths_of(start.code.co_filename)[0]
    path = pydevd_file_utils.map_file_to_client(path)[0]
    return {"line": start.line, "source": {"path": path}}


def may_match(code, condition):
    """Whether the code can have the qualified name that the condition tests (`breakpoints.py`,
    `is_function`)."""
    name = re.search(r'\.is_function\("([^"]+)"', condition)
    qualified = getattr(code, "co_qualname", None)  # since Python 3.11
    if name is None or qualified is None:
        return True
    module = os.path.splitext(code.co_filename)[0].replace(os.sep, ".")
    return (module + "." + qualified.replace(".<locals>", "")).endswith("." + name[1])


def add_places(response):
    """Adds to the response the place of each breakpoint whose function is loaded."""
    breakpoints = response.as_dict["body"]["breakpoints"]
    with debuggee.lock:
        for breakpoint, body in zip(requested, breakpoints):
            breakpoint.breakpoint_id = body["id"]
        places = places_of([*handled.values(), *left_to_pydevd.values()])
    for body in breakpoints:
        body.update(places.get(body["id"], {}))
    return NetCommand(CMD_RETURN, 0, response.as_dict, is_json=True)


def report_places(debugger, found):
    for number, at in places_of(found).items():
        body = {"reason": "changed", "breakpoint": {"id": number, "verified": True, **at}}
        event = {"type": "event", "event": "breakpoint", "body": body}
        debugger.writer.add_command(NetCommand(CMD_RETURN, 0, event, is_json=True))


def apply(debugger, path):
    """Adds the starts of functions in a file to the breakpoints on its lines."""
    lines = debugger.file_to_id_to_line_breakpoint.get(path, {})
    debugger.consolidate_breakpoints(path, dict(lines), debugger.breakpoints)


@debuggee.replace(debuggee.PyDB, "consolidate_breakpoints")
def consolidate_breakpoints(original, self, path, known, breakpoints):
    with debuggee.lock:
        original(self, path, known, breakpoints)
        if breakpoints is not self.breakpoints or path not in starts:
            return
        merged = dict(breakpoints[path])
        for line, found in starts[path].items():
            members = [merged[line], *found] if line in merged else found
            merged[line] = LineGroup(line, members) if len(members) > 1 else members[0]
        breakpoints[path] = merged
        self._clear_caches()


@debuggee.replace(debuggee.pydevd_api.PyDevdAPI, "remove_all_breakpoints")
def remove_all_breakpoints(original, self, debugger, file):
    original(self, debugger, file)
    for path in list(starts) if file != "*" else ():
        if path not in debugger.breakpoints:
            apply(debugger, path)
