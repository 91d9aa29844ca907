"""Tests of the runtime, whose files are parts of one script, with a module `gdb` without a debugger.

`plugins/gdb/src/lib.rs` joins the parts; here each is run alone, and nothing is installed in gdb.
"""

import os
import re
import sys
import types

sys.dont_write_bytecode = True
RUNTIME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


sys.path.insert(0, RUNTIME)
from patterns import Pattern  # noqa: E402

sys.path.remove(RUNTIME)


class Gdb(types.ModuleType):
    """Each constant is another number."""

    error = type("error", (RuntimeError,), {})
    GdbError = type("GdbError", (RuntimeError,), {})
    Command = type("Command", (), {})
    ValuePrinter = type("ValuePrinter", (), {})
    Breakpoint = type("Breakpoint", (), {})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, len(vars(self)))
        return getattr(self, name)


class Names(types.SimpleNamespace):
    """The names that a part of the script defines."""

    def put(self, name, value):
        """Replaces one of another part, or one of this part."""
        self.of_script[name] = value


def part_of_script(name, **others):
    """The names that a part of the script defines; `others` are those of other parts."""
    names = {"gdb": Gdb("gdb"), "os": os, "re": re, "part": lambda install: install}
    names.update(Pattern=Pattern, **others)
    with open(os.path.join(RUNTIME, name)) as file:
        exec(compile(file.read(), name, "exec"), names)
    return Names(of_script=names, **names)
