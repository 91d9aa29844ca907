"""Limits the targets of `stepInTargets` to the calls of the current statement.

pydevd lists all calls of the function (`internal_get_step_in_targets_json`): a step into a call
further down leaves the line, or never ends.
"""

import ast
import linecache
import types

from _pydevd_bundle import pydevd_comm

from dapdock_debuggee import replace

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: the type was made by a class statement (object.h)


@replace(pydevd_comm.pydevd_bytecode_utils, "calculate_smart_step_into_variants")
def calculate_smart_step_into_variants(original, frame, first, last, *args, **kwargs):
    if (first, last) != (0, 99999999):
        return original(frame, first, last, *args, **kwargs)
    variants = original(frame, *statement(frame), *args, **kwargs)
    for variant in variants:
        # A step into a C function would not end: it reaches no line of Python.
        variant.is_visited = variant.is_visited or is_compiled(frame, variant.name)
    return variants


def is_compiled(frame, call):
    """Whether a call, given as source, enters C. Looks up names and members of modules; calls
    nothing."""
    try:
        node, members = ast.parse(call, mode="eval").body.func, []
        while isinstance(node, ast.Attribute):
            node, members = node.value, [node.attr, *members]
    except (AttributeError, SyntaxError, ValueError):
        return False
    if not isinstance(node, ast.Name):
        return False
    scopes = (frame.f_locals, frame.f_globals, frame.f_builtins)
    value = next((names[node.id] for names in scopes if node.id in names), None)
    for name in members:
        value = vars(value).get(name) if type(value) is types.ModuleType else None
    if type(value) is types.BuiltinFunctionType:
        return True
    return issubclass(type(value), type) and not value.__flags__ & HEAP_TYPE


def statement(frame):
    """First and last line of the current statement: of a compound statement its header, without
    source the current line."""
    line = frame.f_lineno
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except Exception:
        return line, line
    found = line, line
    for node in ast.walk(tree):  # visits inner statements later
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if line <= last:
                found = node.lineno, last
    return found
