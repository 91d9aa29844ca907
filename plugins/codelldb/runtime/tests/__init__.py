"""Tests of the runtime with a module `lldb` that has LLDB's constants and no debugger."""

import os
import sys
import types

sys.dont_write_bytecode = True


class Lldb(types.ModuleType):
    """Each constant is another number, and each class an empty one."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {}) if name.startswith("SB") else len(vars(self))
        setattr(self, name, made)
        return made


sys.modules["lldb"] = Lldb("lldb")
runtime = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
native = os.path.join(os.path.dirname(os.path.dirname(runtime)), "native", "runtime")
sys.path[:0] = [runtime, native]
