"""Moves a breakpoint on a line without code to the next line with code, as other debuggers do;
pydevd moves it up, out of the function whose first line is a comment.

A line that continues a statement belongs to that statement; one that continues a `def` to the first
statement of the function. The empty lines after a function belong to its last line.
"""

import ast
import bisect
import tokenize

from _pydevd_bundle import pydevd_api
from _pydevd_bundle._debug_adapter import pydevd_schema
from _pydevd_bundle.pydevd_net_command import NetCommand

from dapdock_debuggee import replace

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = {"body", "orelse", "finalbody", "handlers", "cases", "decorator_list"}


def line_with_code(source, line, lines):
    """`lines`: the lines with code, sorted."""
    at = bisect.bisect_left(lines, line)
    before, after = lines[:at][-1:], lines[at:][:1]
    if not before or not after or after[0] == line:
        return (after or before or [line])[0]
    before, after = before[0], after[0]
    tree = ast.parse(source)
    if any(begin <= before and line <= end for begin, end in extents(tree)):
        return before
    if depth(tree, after) >= depth(tree, before):
        return after
    texts = source.splitlines()
    is_comment = texts[line - 1 : line] and texts[line - 1].strip()
    return after if is_comment and indent(texts[line - 1]) <= indent(texts[after - 1]) else before


def extents(tree):
    """The lines of each statement, without the statements inside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node.lineno, end_of(node)
            for decorator in getattr(node, "decorator_list", ()):
                yield decorator.lineno, decorator.end_lineno


def end_of(statement):
    if isinstance(statement, FUNCTIONS):
        return statement.lineno
    if not hasattr(statement, "body") and not hasattr(statement, "cases"):
        return statement.end_lineno
    end = statement.lineno
    for field, value in ast.iter_fields(statement):
        for part in value if isinstance(value, list) else [value]:
            if field not in BLOCKS and isinstance(part, ast.AST):
                end = max(end, *(getattr(one, "end_lineno", 0) for one in ast.walk(part)))
    return end


def depth(tree, line):
    """The number of functions around a line."""
    around = 0
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and node.body[0].lineno <= line <= node.end_lineno:
            around += 1
    return around


def indent(text):
    return len(text) - len(text.lstrip())


@replace(pydevd_api.PyDevdAPI, "add_breakpoint")
def add_breakpoint(original, self, debugger, path, kind, number, line, *args, **kwargs):
    if kwargs.get("adjust_line"):
        try:
            with tokenize.open(self.filename_to_server(path)) as file:
                source = file.read()
            code = compile(source, path, "exec", 0, dont_inherit=True)
            line = line_with_code(source, line, sorted(set(pydevd_api._get_code_lines(code))))
        except Exception:  # no file, or not of this Python: pydevd reports it
            pass
    return original(self, debugger, path, kind, number, line, *args, **kwargs)


def move_known(debugger):
    """After an attach: moves the breakpoints that pydevd got before this module was loaded."""
    api = pydevd_api.PyDevdAPI()
    for _, arguments in list(debugger.api_received_breakpoints.values()):
        path, kind, number, line = arguments[:4]
        if kind != "python-line":
            continue
        result = api.add_breakpoint(debugger, *arguments, adjust_line=True)
        if result.translated_line == line or result.error_code:
            continue
        source = pydevd_schema.Source(path=path)
        moved = pydevd_schema.Breakpoint(
            verified=True, id=number, line=result.translated_line, source=source
        )
        body = pydevd_schema.BreakpointEventBody(reason="changed", breakpoint=moved)
        event = pydevd_schema.BreakpointEvent(body)
        debugger.writer.add_command(NetCommand(0, 0, event, is_json=True))
