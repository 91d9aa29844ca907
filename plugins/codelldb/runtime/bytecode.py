"""Writes the bytecode of LLDB's own Python modules.

LLDB turns that off (`sys.dont_write_bytecode` in ScriptInterpreterPython.cpp), and the package of
CodeLLDB has none: each start compiles `lldb/__init__.py` (700 KB) and the modules of the standard
library anew, a third of the time to the first stop. Where the files of the adapter may not be
written, nothing changes.
"""

import os
import py_compile
import sys
import threading

import lldb


def __lldb_init_module(_debugger, _dict):
    missing = list(without_bytecode(list(sys.modules.values())))
    if missing:
        threading.Thread(target=write, args=(missing,), daemon=True).start()


def without_bytecode(modules):
    """The sources of the adapter's modules, each with the missing file for its bytecode."""
    parent = os.path.dirname
    roots = [parent(parent(parent(lldb.__file__)))]
    roots += [parent(parent(one.__file__)) for one in modules if one.__name__ == "codelldb"]
    for module in modules:
        spec = getattr(module, "__spec__", None)
        source, cached = getattr(spec, "origin", None), getattr(spec, "cached", None)
        if not cached or not source.endswith(".py") or os.path.exists(cached):
            continue
        if any(source.startswith(root + os.sep) for root in roots):
            yield source, cached


def write(missing):
    for source, cached in missing:
        try:
            py_compile.compile(source, cached, doraise=True, quiet=2)
        except (OSError, py_compile.PyCompileError):
            return
