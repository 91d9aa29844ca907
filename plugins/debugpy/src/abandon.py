"""Expressions that the caller gave up: `cancel`, a request that pydevd does not know, has their code raise. All asked
before it are meant; the adapter counts requests anew, so that an id of the caller's says nothing here.

It is no signal, whose handlers are the program's: what blocks outside of Python is left once it is back there.
"""

import ctypes

from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_api, pydevd_vars
from _pydevd_bundle._debug_adapter import pydevd_base_schema
from _pydevd_bundle.pydevd_comm_constants import CMD_RETURN
from _pydevd_bundle.pydevd_net_command import NetCommand
from _pydevd_bundle.pydevd_process_net_command_json import PyDevJsonCommandProcessor

from dapdock_debuggee import replace

lock = threading.RLock()
here = threading.local()  # `asked`: the number of the request that this thread is at
going = []
given_up = -1  # all requests before this one


class GivenUp(BaseException):
    """No `Exception`: programs go on after those."""

    def __str__(self):
        return "given up"


class Going:
    """Code of the caller's that runs in this thread."""

    def __init__(self):
        self.asked, self.thread = here.asked, threading.get_ident()
        self.sent = self.came = self.over = self.ended = False
        self.kind = type("GivenUp", (GivenUp,), {"__init__": lambda *_: self.arrive()})

    def arrive(self):
        self.came = True  # whoever catches it

    def give_up(self):
        """Under the lock."""
        if not self.over and not self.sent:
            self.sent = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(self.kind))

    def begin(self):
        with lock:
            going.append(self)
        if self.asked < given_up:
            raise self.kind

    def end(self):
        """Nothing is raised in this thread any more when it is back: what was sent comes here. Taken back it would leave
        Python 3.11 looking for it for ever (ceval.c, `eval_frame_handle_pending`)."""
        while not self.ended:
            try:
                self.over = True
                with lock:
                    if self in going:
                        going.remove(self)
                while self.sent and not self.came:
                    pass
                self.ended = True
            except GivenUp:
                while lock._is_owned():
                    lock.release()


@replace(pydevd_api, "internal_evaluate_expression_json")
def internal_evaluate_expression_json(original, py_db, request, *args, **kwargs):
    here.asked = request.seq
    try:
        return original(py_db, request, *args, **kwargs)
    finally:
        del here.asked


@replace(pydevd_vars, "evaluate_expression")
def evaluate_expression(original, py_db, frame, expression, is_exec):
    if not hasattr(here, "asked"):
        return original(py_db, frame, expression, is_exec)
    mine = Going()
    try:
        try:
            mine.begin()
            return original(py_db, frame, expression, is_exec)
        finally:
            mine.end()
    except GivenUp as why:
        mine.end()
        if is_exec:
            raise RuntimeError(str(why)) from None
        return pydevd_vars.ExceptionOnEvaluate(why, type(why), why.__traceback__)


def on_cancel_request(self, py_db, request):
    global given_up
    with lock:
        given_up = request.seq
        for one in going:
            one.give_up()
    return NetCommand(CMD_RETURN, 0, pydevd_base_schema.build_response(request), is_json=True)


@replace(PyDevJsonCommandProcessor, "on_configurationdone_request")
def on_configurationdone_request(original, self, py_db, request):
    told = {"type": "event", "event": "capabilities", "body": {"capabilities": {"supportsCancelRequest": True}}}
    py_db.writer.add_command(NetCommand(CMD_RETURN, 0, told, is_json=True))
    return original(self, py_db, request)


PyDevJsonCommandProcessor.on_cancel_request = on_cancel_request
