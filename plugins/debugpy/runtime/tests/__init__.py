"""Tests of the runtime with modules of pydevd that only have the names it takes from them."""

import importlib
import os
import sys
import threading
import types

sys.dont_write_bytecode = True
RUNTIME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class NoAnswer(BaseException):
    pass


def module(name, **names):
    made = types.ModuleType(name)
    vars(made).update(names)
    sys.modules[name] = made
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules.setdefault(parent, types.ModuleType(parent)), child, made)
    return made


module("_pydevd_bundle.pydevd_api", PyDevdAPI=None)
module("_pydevd_bundle.pydevd_comm")
module("_pydevd_bundle.pydevd_vars")
module("_pydevd_bundle.pydevd_net_command_factory_json", NetCommandFactoryJson=None)
module(
    "_pydevd_bundle._debug_adapter.pydevd_schema",
    ExceptionDetails=lambda **facts: types.SimpleNamespace(**facts),
    Source=None,
)
module("_pydevd_bundle.pydevd_process_net_command_json", PyDevJsonCommandProcessor=None)
module("_pydevd_bundle.pydevd_net_command_factory_xml", NetCommandFactory=None)
module("_pydevd_bundle.pydevd_plugin_utils", PluginManager=None)
module("pydevd_plugins.django_debug")
sys.modules["_pydevd_bundle"]._debug_adapter = sys.modules["_pydevd_bundle._debug_adapter"]
module("_pydevd_bundle.pydevd_dont_trace_files", PYDEV_FILE=1)
module(
    "pydevd_file_utils",
    get_abs_path_real_path_and_base_from_frame=lambda frame: (frame.f_code.co_filename,),
)
module("_pydev_bundle._pydev_saved_modules", threading=threading)
module("_pydev_bundle.pydev_log", exception=lambda: None)
module(
    "_pydevd_bundle.pydevd_constants",
    PYDEVD_USE_SYS_MONITORING=False,
    get_global_debugger=lambda: None,
)
module("_pydevd_bundle.pydevd_comm_constants", CMD_STEP_INTO_MY_CODE=144)
module("_pydevd_bundle.pydevd_frame_utils", _get_line_col_info_from_tb=lambda trace: None)
module("_pydevd_bundle.pydevd_breakpoints", stop_on_unhandled_exception=None)
module("_pydevd_sys_monitoring.pydevd_sys_monitoring")
module("pydevd_tracing", SetTrace=lambda trace: None)
module(
    "dapdock_debuggee",
    DONT_TRACE={},
    PyDB=type("PyDB", (), {}),
    await_output=lambda: None,
    replace=lambda *_: lambda function: function,
)
module(
    "dapdock_timeouts",
    NoAnswer=NoAnswer,
    current=types.SimpleNamespace(is_guarded=True),
    read_value=lambda _, read: read(),
)
module("dapdock_listing", STATEMENT="repl")
sys.path.insert(0, RUNTIME)
for name in (
    "plain", "operands", "purity", "python_types", "tables", "texts", "marks", "results", "effects",
    "messages", "tasks", "locks", "templates",
):  # fmt: skip
    sys.modules["dapdock_" + name] = importlib.import_module(name)
