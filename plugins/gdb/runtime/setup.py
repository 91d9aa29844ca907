"""Defaults of gdb, and what its server leaves to the client: the directory and the environment."""

import glob
import json
import os
import signal
import sys
import threading
import time

import gdb

# Time limit for gdb's main thread, in seconds.
TIMEOUT = 5
TYPES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
POINTERS = gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF


def part(install):
    try:
        install()
    except Exception as error:
        gdb.write("dapdock: %s is skipped: %r\n" % (install.__name__, error), gdb.STDLOG)


def quiet(*names):
    for name in names:
        try:
            gdb.execute("set " + name, to_string=True)
        except gdb.error:
            pass  # A setting of another version.


@part
def limits():
    quiet(
        "print elements 200",
        "print characters 600",
        "print object on",
        "max-value-size unlimited",
    )
    # Nobody answers questions or downloads; steps do not enter the internals of libraries.
    quiet("confirm off", "debuginfod enabled off", "style enabled off", "print thread-events off")
    for files in ("*/include/c++/*", "*/include/c++/*/*", "*/rustlib/src/*", "/rustc/*"):
        gdb.execute("skip -gfi " + files, to_string=True)


# Quoted texts in an expression.
TEXTS = Pattern(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")


@part
def shell_function():
    class Shell(gdb.Function):
        """$_shell(COMMAND): an error. gdb's own would run a program from any expression, condition
        or log text.
        """

        def __init__(self):
            super().__init__("_shell")

        def invoke(self, *_):
            raise gdb.GdbError("`$_shell` would run a program of this machine")

    Shell()


@part
def ptrace_permission():
    """If the system permits no tracing, gdb answers the launch with success, and then reports that
    the program ended. Only a filter of system calls forbids it to the parent of a new process.
    """
    with open("/proc/self/status") as status:
        if "\nSeccomp:\t0\n" in status.read():
            return
    import ctypes
    import errno

    from gdb.dap.server import _commands
    from gdb.dap.startup import DAPException

    launch = _commands["launch"]
    libc = ctypes.CDLL(None, use_errno=True)
    peek = 3  # PTRACE_PEEKUSER: ESRCH for a process that is not traced.

    def checked_launch(**args):
        if libc.ptrace(peek, os.getpid(), None, None) and ctypes.get_errno() == errno.EPERM:
            raise DAPException("ptrace: " + os.strerror(errno.EPERM))
        return launch(**args)

    _commands["launch"] = checked_launch


@part
def sources():
    # gdb looks for sources in its own directory, too (`$cdir:$cwd`), and has started elsewhere.
    gdb.execute("cd " + settings["root"], to_string=True)


@part
def environment():
    # For the program alone: in gdb's own environment a variable like PYTHONPATH would change gdb.
    inferior = gdb.selected_inferior()
    for name, value in settings["env"]:
        if value is None:
            inferior.unset_env(name)
        else:
            inferior.set_env(name, value)
