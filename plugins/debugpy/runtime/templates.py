"""Breakpoints in templates of Django and Jinja2. pydevd knows both, but sets one only if the client
named the library at the start, and else takes the file for one of Python, whose lines never run.

Here a file that is not of Python and has a tag of these languages is a template. Its breakpoints
are set for both libraries: the one that renders it confirms them. Without such a breakpoint neither
part of pydevd is active.

pydevd stops at each tag of Django on a line; here a pass of the line stops once.
"""

import functools
import os
import re
import threading

from _pydevd_bundle import pydevd_api, pydevd_net_command_factory_xml
from _pydevd_bundle._debug_adapter.pydevd_schema import Source
from _pydevd_bundle.pydevd_plugin_utils import PluginManager
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor

from pydevd_plugins import django_debug

import dapdock_plain as plain
from dapdock_debuggee import replace

KINDS = "django-line", "jinja2-line"
TAG = re.compile(r"\{[{%#]")
PYTHON = {"", ".cgi", ".fcgi", ".ipy", ".py", ".pyt", ".pyw", ".wsgi"}
MOST = 1 << 20  # characters of a file that are searched for a tag
LINE = 5  # position of the line in what pydevd knows of a frame
EMPTY = "no tag or expression of the template is on this line or before it"
# As all versions for Python 3.8 and newer: the program may find Django later than pydevd looked.
django_debug.IS_DJANGO19_OR_HIGHER, django_debug.IS_DJANGO19 = True, False


def is_template(path):
    """A tag alone may be Python, too: a set in a set."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            source = file.read(MOST)
    except OSError:
        return False
    if not TAG.search(source):
        return False
    if os.path.splitext(path.lower())[1] not in PYTHON:
        return True
    try:
        compile(source, path, "exec", 0, dont_inherit=True)
    except (SyntaxError, ValueError):
        return not path.lower().endswith(".py")
    return False


class Tables(dict):
    """The breakpoints of each file by their numbers, apart for each library: pydevd has one table,
    in which those of the second would replace those of the first."""

    kind = None

    def __contains__(self, file):
        return dict.__contains__(self, (file, self.kind))

    def __getitem__(self, file):
        return dict.__getitem__(self, (file, self.kind))

    def __setitem__(self, file, table):
        dict.__setitem__(self, (file, self.kind), table)

    def get(self, file, default=None):
        return dict.get(self, (file, self.kind), default)

    def pop(self, file, default=None):
        for kind in KINDS:
            dict.pop(self, (file, kind), None)


@replace(pydevd_api.PyDevdAPI, "add_breakpoint")
def add_breakpoint(original, self, debugger, path, kind, *args, **kwargs):
    if kind not in KINDS and not is_template(self.filename_to_server(path)):
        return original(self, debugger, path, kind, *args, **kwargs)
    if kwargs.get("on_changed_breakpoint_state") is None:  # when pydevd sets all once more
        kwargs["on_changed_breakpoint_state"] = lambda *_: None
    if type(debugger.file_to_id_to_plugin_breakpoint) is not Tables:
        debugger.file_to_id_to_plugin_breakpoint = Tables()
    results = []
    for one in KINDS:
        debugger.file_to_id_to_plugin_breakpoint.kind = one
        results.append(original(self, debugger, path, one, *args, **kwargs))
    known = [one for one in results if one.error_code != self.ADD_BREAKPOINT_LAZY_VALIDATION]
    return (known or results)[-1]


@replace(PluginManager, "after_breakpoints_consolidated")
def after_breakpoints_consolidated(_, self, debugger, file, by_number, by_line):
    """pydevd has each library verify the breakpoints of the other; and one that it has moved would
    be back on its line when the next is added."""
    for plugin in self.active_plugins:
        if any(plugin.get_breakpoints(debugger, kind) is by_line for kind in KINDS):
            plugin.after_breakpoints_consolidated(debugger, file, by_number, by_line)
    for line, moved in by_line.get(file, {}).items():
        moved.line = line


@replace(PyDevJsonCommandProcessor, "_create_breakpoint_from_add_breakpoint_result")
def described(original, self, debugger, source, number, result):
    made = original(self, debugger, source, number, result)
    if result.error_code == self.api.ADD_BREAKPOINT_LAZY_VALIDATION:
        made["reason"] = "pending"
        made.pop("message", None)
    elif result.error_code == self.api.ADD_BREAKPOINT_INVALID_LINE:
        made["message"] = EMPTY
    return made


@replace(pydevd_net_command_factory_xml.NetCommandFactory, "_iter_visible_frames_info")
def iter_visible_frames_info(original, *args, **kwargs):
    """Jinja2 compiles a template to Python with lines of its own. They get those of the template;
    pydevd itself puts such a frame before the one of the template where it stopped."""
    before = None
    for found in original(*args, **kwargs):
        frame = found[1]
        template = frame.f_globals.get("__jinja_template__")
        if plain.module_of(type(template)).startswith("jinja2"):
            if getattr(before, "IS_PLUGIN_FRAME", False) and before.f_back is frame:
                before = frame
                continue
            found = list(found)
            found[LINE] = line_of(template, frame.f_lineno)
        before = frame
        yield tuple(found)


def line_of(template, line):
    """The line of the template whose code is on this line."""
    lines = [of for of, begin in template.debug_info if begin <= line]
    return lines[-1] if lines else 1


class Pass(threading.local):
    """The latest pass of a thread over tags of Django on one line: tags that one call of a library
    renders, until it renders one of them again."""

    def __init__(self):
        self.place = None  # the call, the file and the line
        self.tags = set()
        self.latest, self.continues = None, False

    def is_continued(self, frame):
        """Whether this frame, which renders a tag, continues the pass. It may be called twice for
        a frame."""
        token = plain.own_dict(frame.f_locals["self"]).get("token")
        tag = getattr(token, "position", None), getattr(token, "contents", None)
        file = django_debug._get_template_original_file_name_from_frame(frame)
        place = id(renderer(frame)), file, getattr(token, "lineno", None)
        latest = id(frame), place, tag
        if latest != self.latest:
            self.latest = latest
            self.continues = place == self.place and tag not in self.tags
            if not self.continues:
                self.place, self.tags = place, set()
            self.tags.add(tag)
        return self.continues


def renderer(frame):
    """The frame that has tags rendered one after the other."""
    frame = frame.f_back
    while frame is not None and frame.f_code.co_name in ("render_annotated", "<listcomp>"):
        frame = frame.f_back
    return frame


latest_pass = Pass()


@replace(django_debug, "get_breakpoint")
def get_breakpoint(original, debugger, frame, *args):
    found = original(debugger, frame, *args)
    return None if found is None or latest_pass.is_continued(frame) else found


@replace(django_debug, "cmd_step_over")
def cmd_step_over(original, debugger, frame, event, info, thread, stop_info, stop):
    stop, stops_in_template = original(debugger, frame, event, info, thread, stop_info, stop)
    if stops_in_template and latest_pass.is_continued(frame):
        stops_in_template = stop_info["django_stop"] = False
    return stop, stops_in_template


def own_names(frame):
    """Names that a template and its caller defined: not those that the library has for all
    templates, nor the variables of the code that Jinja2 made."""
    found = frame.f_locals
    environment = getattr(found.get("context"), "environment", None)
    if environment is None:
        return set(found).difference(("None", "True", "False"))
    shared = environment.globals
    names = set(found).difference(frame.f_back.f_locals)
    return {name for name in names if name not in shared or shared[name] is not found[name]}


def set_known(debugger):
    """After an attach: sets the breakpoints in templates that pydevd got before this module was
    loaded."""
    processor = debugger.reader.process_net_command_json.__self__
    known = []
    for _, arguments in list(debugger.api_received_breakpoints.values()):
        if arguments[1] not in KINDS and is_template(arguments[0]):
            known.append(arguments)
    for path in {arguments[0] for arguments in known}:
        processor.api.remove_all_breakpoints(debugger, path)
    for arguments in known:
        source = Source(path=arguments[0])
        report = functools.partial(processor._on_changed_breakpoint_state, debugger, source)
        options = {"on_changed_breakpoint_state": report}
        report(arguments[2], processor.api.add_breakpoint(debugger, *arguments, **options))
