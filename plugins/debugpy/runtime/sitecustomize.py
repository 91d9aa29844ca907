"""Runs in the debuggee before any other Python code, and undoes its own changes.

pydevd writes the header and the body of every message separately and never sets
TCP_NODELAY (pydevd_net_command.py, `NetCommand.send`), so each reply waits 44 ms for
the other side's delayed acknowledgement. The option is set here on pydevd's one
connection, which `pydevd_comm.start_client` makes before user code runs. At that moment
all of pydevd is loaded, so the other patches (dapdock_debuggee.py) are applied then.
"""

import os
import socket
import sys

import dapdock_imports

HERE = os.path.dirname(os.path.abspath(__file__))


def _connect_without_delay():
    original = socket.socket.connect

    def connect(self, address):
        original(self, address)
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.endswith("pydevd_comm"):
            del socket.socket.connect  # restores the inherited method
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _patch_pydevd()

    socket.socket.connect = connect


def _patch_pydevd():
    try:
        dapdock_imports.load("dapdock_debuggee")
    except Exception:  # this version of debugpy does not fit the patches
        from _pydev_bundle import pydev_log

        pydev_log.exception()


def _redirect_stdin():
    """Opens the requested file as standard input; child processes inherit it."""
    path = os.environ.pop("DAPDOCK_STDIN", None)
    if path is not None:
        descriptor = os.open(path, os.O_RDONLY)
        os.dup2(descriptor, 0)
        os.close(descriptor)


def _announce_output():
    """The launcher reads stdout and stderr in the order in which they are written."""
    pipes = os.environ.pop("DAPDOCK_OUTPUT", None)
    if pipes is None:
        return
    output = dapdock_imports.load("dapdock_output")
    output.announce_output(*map(int, pipes.split(",")))


def _restore_path():
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    before, _, rest = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
    if os.path.abspath(before) != HERE:
        return
    if rest:
        os.environ["PYTHONPATH"] = rest
    else:
        del os.environ["PYTHONPATH"]


def _run_shadowed_sitecustomize():
    """Runs the sitecustomize that Python would have imported without this one."""
    from importlib import machinery, util

    spec = machinery.PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def _follow_parent():
    """A program that is debugged has started this one through another program (`children.py`)."""
    code = os.environ.pop("DAPDOCK_CHILD", None)
    if code is None:
        return
    try:
        exec(code, {"__name__": "__main__"})
    except Exception:  # this Python is too old for the debugger: it runs without
        pass


_connect_without_delay()
_redirect_stdin()
_announce_output()
_restore_path()
_follow_parent()
_run_shadowed_sitecustomize()
