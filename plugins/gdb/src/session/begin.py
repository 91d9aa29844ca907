"""What gdb's own DAP server (share/gdb/python/gdb/dap) leaves out, told inside gdb.

Sourced before the server starts. Each part stands alone: one that does not fit
this gdb is left out and said in gdb's log, and the rest holds.
Written against 16.3 and 18.1; `settings` is put before this text.
"""

import os
import re
import select
import signal
import threading

import gdb

# For gdb's main thread, in seconds.
PATIENCE = 5
TYPES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
BEHIND = gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF


def part(install):
    try:
        install()
    except Exception as error:
        gdb.write("dapdock: %s is left out: %r\n" % (install.__name__, error), gdb.STDLOG)


def quiet(*names):
    for name in names:
        try:
            gdb.execute("set " + name, to_string=True)
        except gdb.error:
            pass  # A newer gdb's, or an older one's.


@part
def limits():
    quiet("print elements 200", "print characters 600", "print null-stop on", "max-value-size unlimited")
    # Questions and the network are nobody's to answer; what libraries do inside is not stepped into.
    quiet("confirm off", "debuginfod enabled off", "style enabled off", "print thread-events off")
    for files in ("*/include/c++/*", "*/include/c++/*/*", "*/rustlib/src/*", "/rustc/*"):
        gdb.execute("skip -gfi " + files, to_string=True)


TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")


@part
def syntax():
    class Parses(gdb.Function):
        """$_parses(TEXT): 1, or an error where TEXT is no expression, or assigns. It evaluates nothing."""

        def __init__(self):
            super().__init__("_parses")

        def invoke(self, text):
            text = text.string()
            if ASSIGNS.search(TEXTS.sub("", text)):
                raise gdb.GdbError("it assigns, which debug_set does")
            text = "0 && (" + text + ")"
            while True:
                try:
                    gdb.parse_and_eval(text)
                except gdb.error as error:
                    if "syntax error" in str(error):
                        raise gdb.GdbError(str(error).split(", near")[0].rstrip("."))
                    # A name may be known where the breakpoint is: here anything will do.
                    unknown = re.match(r'No symbol "(\w+)" in', str(error))
                    if unknown:
                        text, replaced = re.subn(r"(?<!\$)\b%s\b" % unknown[1], "$_", text)
                        if replaced:
                            continue
                return 1

    Parses()


@part
def permitted():
    """Of a system that lets nothing be traced gdb tells once the launch is answered, as an end of the program."""
    import ctypes
    import errno

    from gdb.dap.server import _commands
    from gdb.dap.startup import DAPException

    launch = _commands["launch"]
    libc = ctypes.CDLL(None, use_errno=True)
    peek = 3  # PTRACE_PEEKUSER, of a process that we do not trace: ESRCH

    def launched(**args):
        if libc.ptrace(peek, os.getpid(), None, None) and ctypes.get_errno() == errno.EPERM:
            raise DAPException("ptrace: " + os.strerror(errno.EPERM))
        return launch(**args)

    _commands["launch"] = launched


@part
def sources():
    # gdb looks for sources in its own directory, too (`$cdir:$cwd`), and has started elsewhere.
    gdb.execute("cd " + settings["root"], to_string=True)


@part
def environment():
    # Of the program alone: in gdb's own a variable like PYTHONPATH would change gdb.
    inferior = gdb.selected_inferior()
    for name, value in settings["env"]:
        if value is None:
            inferior.unset_env(name)
        else:
            inferior.set_env(name, value)
