"""Compiles the line once that LLDB runs before each of its calls into Python.

`EnterSession` (ScriptInterpreterPython.cpp) sets `lldb.debugger` with a line of text, and `run_one_line` compiles it
twice, as if it had been typed: 0.04 ms, 150 times for what is shown of one stop of a small Rust program, which is a
third of the step. The lines of commands are left to LLDB.
"""

import __main__

BEGINNING = "lldb.debugger_unique_id = "

_run_one_line = getattr(__main__, "run_one_line", None)
_compiled = {}


def run_one_line(names, line):
    if not line.startswith(BEGINNING):
        return _run_one_line(names, line)
    if line not in _compiled:
        _compiled[line] = compile(line, "<session>", "exec")
    exec(_compiled[line], names)


def __lldb_init_module(_debugger, _dict):
    if _run_one_line is not None:
        __main__.run_one_line = run_one_line
