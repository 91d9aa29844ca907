"""Expressions that the caller gave up: `cancel`, a request that pydevd does not know, breaks them off, whatever their
code does. Which one is meant need not be said: an adapter is asked one at a time.
"""

import math
import sys

from _pydevd_bundle import pydevd_vars
from _pydevd_bundle._debug_adapter import pydevd_base_schema
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor

import dapdock_patience as patience
from dapdock_debuggee import replace

going = []  # watches of what is being evaluated


@replace(pydevd_vars, "evaluate_expression")
def evaluate_expression(original, *args, **kwargs):
    watch = patience.watch(sys._getframe(), math.inf)
    going.append(watch)
    try:
        watch.begin()
        return original(*args, **kwargs)
    except patience.NoAnswer as why:
        return pydevd_vars.ExceptionOnEvaluate(why, type(why), why.__traceback__)
    finally:
        going.remove(watch)
        watch.finish()


def on_cancel_request(self, py_db, request):
    for watch in going[:]:
        watch.hurry()
    return NetCommand(CMD_RETURN, 0, pydevd_base_schema.build_response(request), is_json=True)


@replace(PyDevJsonCommandProcessor, "on_configurationdone_request")
def on_configurationdone_request(original, self, py_db, request):
    told = {"type": "event", "event": "capabilities", "body": {"capabilities": {"supportsCancelRequest": True}}}
    py_db.writer.add_command(NetCommand(CMD_RETURN, 0, told, is_json=True))
    return original(self, py_db, request)


PyDevJsonCommandProcessor.on_cancel_request = on_cancel_request
