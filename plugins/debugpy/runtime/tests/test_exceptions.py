"""Tests of exceptions.py: what it replaces in a version of debugpy."""

import importlib
import sys
import types
import unittest
import unittest.mock

import tests  # noqa: F401

TRACER = "_pydevd_bundle.pydevd_frame"
LOG = "debugpy.common.log"


def module(**functions):
    made = types.ModuleType("made")
    vars(made).update(functions)
    return made


def replace(owner, name):
    def put(function):
        original = getattr(owner, name)
        setattr(owner, name, lambda *args: function(original, *args))
        return function

    return put


def loaded(log):
    """The modules of pydevd after exceptions.py was loaded, with this module for logs."""
    owner = module(get_exception_breakpoint=None)
    found = {
        LOG: log,
        TRACER: module(handle_exception=lambda *_: "pydevd"),
        "owner": owner,
        "_pydevd_bundle.pydevd_breakpoints": module(get_exception_class=None),
        "_pydevd_bundle.pydevd_constants": module(
            EXCEPTION_TYPE_USER_UNHANDLED="user", get_global_debugger=lambda: module()
        ),
    }
    kind = type("PyDB", (), {"__module__": "owner", "exclude_exception_by_filter": None})
    found["dapdock_debuggee"] = module(replace=replace, PyDB=kind)
    bundle = types.ModuleType("_pydevd_bundle")
    bundle.pydevd_breakpoints = found["_pydevd_bundle.pydevd_breakpoints"]
    with unittest.mock.patch.dict(sys.modules, {**found, "_pydevd_bundle": bundle}):
        importlib.import_module("exceptions")
    return found


class Replaced(unittest.TestCase):
    def test_missing_function_keeps_no_other_from_being_replaced(self):
        for log in (module(), module(describe_environment=lambda header: header)):
            found = loaded(log)
            skipped = type("Skipped", (Exception,), {"__module__": "builtins"}), None, None
            handled = found[TRACER].handle_exception(None, None, None, skipped, "user")
            self.assertIs(handled, False)
            describe = getattr(log, "describe_environment", lambda header: None)
            self.assertIsNone(describe("Environment:"))


if __name__ == "__main__":
    unittest.main()
