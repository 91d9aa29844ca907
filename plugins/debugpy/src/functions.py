"""Breakpoints on functions, as pydevd lacks them: it keeps one of several of one last name (`set_function_breakpoints`),
stops at the line of the `def` or of a decorator, and never looks at coroutines and generators while it traces, up to
Python 3.11 (`pydevd_frame.py`, `co_flags & 0xA0`). Here they are breakpoints on the first line of the body that hold
where the function begins; pydevd's own are for code that nobody has seen. Code is found among what is loaded, and from
then on as it is executed: in the thread that executes it, while another may be changing the breakpoints, so that what is
known of both is behind `debuggee.lock`.
"""

import dis
import gc
import inspect
import os
import re
import sys
import types

from _pydev_bundle import pydev_log
from _pydevd_bundle.pydevd_breakpoints import FunctionBreakpoint, LineBreakpoint
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand
from pydevd_file_utils import get_abs_path_real_path_and_base_from_file as paths_of

import dapdock_debuggee as debuggee

SPECIAL = 0xA0
ALL = "ALL"
NUMBERED = "breakpoint_id" in inspect.signature(FunctionBreakpoint).parameters  # by pydevd itself, since debugpy 1.8.22
wanted = {}  # last name -> its breakpoint
in_order = []  # as they were asked for
starts = {}  # path as pydevd knows it -> line -> breakpoint
begun = {}  # code that has one there -> it
others = {}  # code where pydevd stops by itself -> where it would be
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
        self.breakpoint_id, self.members = members[0].breakpoint_id, members
        first = (self.breakpoint_id,) if NUMBERED else ()
        FunctionBreakpoint.__init__(self, *first, name, None, None, ALL)

    def decide(self, debugger, info, frame):
        if key(frame.f_code) in begun or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return False
        return Several.decide(self, debugger, info, frame)


class SeveralLines(Several, LineBreakpoint):
    def __init__(self, line, members):
        LineBreakpoint.__init__(self, members[0].breakpoint_id, line, None, "None", None, ALL)
        self.members = members


class Start(SeveralLines):
    """Where the body of a function begins."""

    def __init__(self, code, offset, line, function):
        SeveralLines.__init__(self, line, [function])
        self.code, self.offset = code, offset

    def hits(self, debugger, info, frame):
        begins = frame.f_code == self.code and frame.f_lasti == self.offset
        return SeveralLines.hits(self, debugger, info, frame) if begins else []


def prepared(debugger, breakpoints):
    """One for each last name."""
    global in_order
    names, in_order = {}, breakpoints
    for one in breakpoints:
        one.breakpoint_id = getattr(one, "breakpoint_id", None)
        names.setdefault(one.func_name, []).append(one)
    named = {name: SeveralFunctions(name, some) for name, some in names.items()}
    begin(debugger, named)
    return list(named.values())


def begin(debugger, named):
    global listening, wanted
    with debuggee.lock:
        stale, wanted = list(starts), named
        starts.clear(), begun.clear(), others.clear()
        for one in gc.get_objects():
            if type(one) is types.FunctionType:
                find(debugger, one.__code__)
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
        found = find(debugger, code) if debugger is not None else ()
        for path in {paths_of(start.code.co_filename)[1] for start in found}:
            apply(debugger, path)
    if found:
        debugger.on_breakpoints_changed()
        tell(debugger, found)


def find(debugger, code):
    """Notes the beginnings in this code and what is nested in it; new ones."""
    found = []
    for nested in code.co_consts:
        if type(nested) is types.CodeType:
            found += find(debugger, nested)
    if code.co_name in wanted and code.co_flags & inspect.CO_OPTIMIZED:
        if key(code) not in begun and key(code) not in others and is_traced(debugger, code):
            found += note(code)
    return found


def key(code):
    """Code is equal to such of another file."""
    return code.co_filename, code


def is_traced(debugger, code):
    return not debugger.is_files_filter_enabled or debugger._files_filtering.in_project_roots(code.co_filename)


def note(code):
    """The beginning of a function. That of one whose body is on the same line, or begins with a loop, pydevd knows: all
    but those that wait, which it is blind to."""
    lines = [(offset, line) for offset, line in dis.findlinestarts(code) if line]
    if not lines:
        return []
    body = [at for at in lines if at[1] > code.co_firstlineno]
    blind = code.co_flags & SPECIAL and sys.version_info < (3, 12)
    offset, line = (body or lines)[0]
    start = Start(code, offset, line, wanted[code.co_name])
    if not blind and (not body or offset in dis.findlabels(code.co_code)):
        others[key(code)] = start
    else:
        begun[key(code)] = start
        starts.setdefault(paths_of(code.co_filename)[1], {}).setdefault(line, []).append(start)
    return [start]


def lines_of(found):
    """Where the bodies of the breakpoints' functions begin: number -> line."""
    lines = {}
    for start in found:
        (function,) = start.members
        for one in function.members:
            if one.breakpoint_id is not None and is_meant(start.code, one.condition or ""):
                lines.setdefault(one.breakpoint_id, start.line)
    return lines


def is_meant(code, condition):
    """Whether it may be the one of the qualified name, by which the condition judges (`points.py`, `within`)."""
    name = re.search(r'\.within\("([^"]+)"', condition)
    own = getattr(code, "co_qualname", None)  # Python 3.11
    if name is None or own is None:
        return True
    module = os.path.splitext(code.co_filename)[0].replace(os.sep, ".")
    return (module + "." + own.replace(".<locals>", "")).endswith("." + name[1])


def answered(answer):
    """With the line of each that is loaded."""
    with debuggee.lock:
        for one, told in zip(in_order, answer.as_dict["body"]["breakpoints"]):
            one.breakpoint_id = told["id"]
        lines = lines_of([*begun.values(), *others.values()])
    for one in answer.as_dict["body"]["breakpoints"]:
        if one["id"] in lines:
            one["line"] = lines[one["id"]]
    return NetCommand(CMD_RETURN, 0, answer.as_dict, is_json=True)


def tell(debugger, found):
    for number, line in lines_of(found).items():
        body = {"reason": "changed", "breakpoint": {"id": number, "verified": True, "line": line}}
        event = {"type": "event", "event": "breakpoint", "body": body}
        debugger.writer.add_command(NetCommand(CMD_RETURN, 0, event, is_json=True))


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
