"""Runs in the debuggee before anything else, then leaves no trace.

pydevd writes the header and the body of every message separately and never sets
TCP_NODELAY (pydevd_net_command.py, `NetCommand.send`), so that each answer waits
44 ms for the other side's delayed acknowledgement. Its one connection, made in
`pydevd_comm.start_client` before user code runs, gets the option here. What else is
mended in pydevd, and in child processes, is so then, when all of it is loaded.
"""

import os
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def _connect_without_delay():
    original = socket.socket.connect

    def connect(self, address):
        original(self, address)
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.endswith("pydevd_comm"):
            del socket.socket.connect  # the inherited method is back
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _mend_pydevd()

    socket.socket.connect = connect


def _mend_pydevd():
    sys.path.insert(0, HERE)
    try:
        import dapdock_debuggee  # noqa: F401
    except Exception:  # another debugpy than the one it is made for
        from _pydev_bundle import pydev_log

        pydev_log.exception()
    finally:
        sys.path.remove(HERE)


def _read_the_file():
    """Standard input is the file that was asked for, of child processes too."""
    path = os.environ.pop("DAPDOCK_STDIN", None)
    if path is not None:
        descriptor = os.open(path, os.O_RDONLY)
        os.dup2(descriptor, 0)
        os.close(descriptor)


def _leave_the_path():
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    before, _, rest = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
    if os.path.abspath(before) != HERE:
        return
    if rest:
        os.environ["PYTHONPATH"] = rest
    else:
        del os.environ["PYTHONPATH"]


def _run_the_users():
    """The sitecustomize that Python would have imported without this one."""
    from importlib import machinery, util

    spec = machinery.PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_connect_without_delay()
_read_the_file()
_leave_the_path()
_run_the_users()
