"""Breakpoints on functions, as pydevd lacks them: several of one last name, which it keeps one of
(`set_function_breakpoints`), and those on coroutines and generators, which it never looks at while it traces, up to
Python 3.11 (`pydevd_frame.py`, `co_flags & 0xA0`). Those are a breakpoint on the first line of the body that holds
where the function begins. Code is found among what is loaded, and from then on as it is executed: in the thread that
executes it, while another may be changing the breakpoints, so that what is known of both is behind `debuggee.lock`.
"""

import dis
import gc
import sys
import types

from _pydev_bundle import pydev_log
from _pydevd_bundle.pydevd_breakpoints import FunctionBreakpoint, LineBreakpoint
from pydevd_file_utils import get_abs_path_real_path_and_base_from_file as paths_of

import dapdock_debuggee as debuggee

SPECIAL = 0xA0
TRACED = sys.version_info < (3, 12)
ALL = "ALL"
wanted = {}  # last name -> its breakpoint
starts = {}  # path as pydevd knows it -> line -> breakpoint
listening = False


class Several:
    """Breakpoints at one place: all are asked, and all that hold are hit."""

    has_condition = True  # so that `decide` is asked

    def decide(self, debugger, info, frame):
        hits = self.hits(debugger, info, frame)
        if hits:
            debuggee.chosen[info] = hits
        return bool(hits)

    def hits(self, debugger, info, frame):
        hits = []
        for one in self.members:
            if isinstance(one, Several):
                hits += one.hits(debugger, info, frame)
            elif not one.has_condition or debuggee.holds_by_itself(debugger, info, one, frame):
                hits.append(one.breakpoint_id)
        return hits


class SeveralFunctions(Several, FunctionBreakpoint):
    def __init__(self, name, members):
        FunctionBreakpoint.__init__(self, members[0].breakpoint_id, name, None, None, ALL)
        self.members = members


class SeveralLines(Several, LineBreakpoint):
    def __init__(self, line, members):
        LineBreakpoint.__init__(self, members[0].breakpoint_id, line, None, "None", None, ALL)
        self.members = members


class Start(SeveralLines):
    """Where the body of a coroutine or generator begins."""

    def __init__(self, code, offset, line, function):
        SeveralLines.__init__(self, line, [function])
        self.code, self.offset = code, offset

    def hits(self, debugger, info, frame):
        begins = frame.f_code == self.code and frame.f_lasti == self.offset
        return SeveralLines.hits(self, debugger, info, frame) if begins else []


def prepared(debugger, breakpoints):
    """One for each last name."""
    names = {}
    for one in breakpoints:
        names.setdefault(one.func_name, []).append(one)
    named = {name: some[0] if len(some) == 1 else SeveralFunctions(name, some) for name, some in names.items()}
    if TRACED:
        begin(debugger, named)
    return list(named.values())


def begin(debugger, named):
    global listening, starts, wanted
    with debuggee.lock:
        stale, starts, wanted = starts, {}, named
        for one in gc.get_objects():
            if type(one) is types.FunctionType:
                find(one.__code__)
        for path in {*stale, *starts}:
            apply(debugger, path)
    if named and not listening:
        listening = True
        sys.addaudithook(listen)


def listen(event, args):
    """What this raised would be raised by the program's own `exec` or `import`."""
    if event == "exec" and wanted and isinstance(args[0], types.CodeType):
        try:
            loaded(args[0])
        except Exception:
            pydev_log.exception()


def loaded(code):
    debugger = debuggee.pydevd_constants.get_global_debugger()
    with debuggee.lock:
        paths = find(code) if debugger is not None else ()
        for path in paths:
            apply(debugger, path)
    if paths:
        debugger.on_breakpoints_changed()


def find(code):
    """Notes the beginnings in this code and what is nested in it; the paths of new ones."""
    paths = set()
    for nested in code.co_consts:
        if type(nested) is types.CodeType:
            paths |= find(nested)
    if code.co_name in wanted and code.co_flags & SPECIAL and not code.co_name.startswith("<"):
        paths |= note(code)
    return paths


def note(code):
    lines = [(offset, line) for offset, line in dis.findlinestarts(code) if line]
    body = [at for at in lines if at[1] > code.co_firstlineno] or lines
    if not body:
        return set()
    (offset, line), path = body[0], paths_of(code.co_filename)[1]
    there = starts.setdefault(path, {}).setdefault(line, [])
    if any(one.code == code for one in there):
        return set()
    there.append(Start(code, offset, line, wanted[code.co_name]))
    return {path}


def apply(debugger, path):
    """Puts the beginnings of a file beside the breakpoints on its lines."""
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
            own = [merged[line]] if line in merged else []
            merged[line] = SeveralLines(line, [*own, *found]) if own or len(found) > 1 else found[0]
        breakpoints[path] = merged
        self._clear_caches()


@debuggee.replace(debuggee.pydevd_api.PyDevdAPI, "remove_all_breakpoints")
def remove_all_breakpoints(original, self, debugger, file):
    original(self, debugger, file)
    for path in list(starts) if file != "*" else ():
        if path not in debugger.breakpoints:
            apply(debugger, path)
