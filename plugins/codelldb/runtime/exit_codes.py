"""The exit code of the program as the kernel has it, for an end that LLDB's server does not report.

A server that cannot resume or interrupt a program because it is ending replies with an error, and
LLDB closes the connection. A file descriptor of the process has the status also after its parent
has read it (`PIDFD_GET_INFO`, Linux 6.15). Does not know packets.
"""

import ctypes
import os
import select
import struct

try:
    import fcntl
except ImportError:  # Windows.
    fcntl = None

# The number of `pidfd_open` on all machines; CodeLLDB's Python lacks the function.
OPEN = 434
# linux/pidfd.h: the request, the bit for the exit, the size of `pidfd_info` and what it has.
GET_INFO, EXIT, SIZE = 0xC040FF0B, 1 << 3, 64
MASK, CODE = struct.Struct("=Q"), struct.Struct("=i")
# Milliseconds for the server to read the status of a program that has ended.
LONGEST = 500

_process, _file = None, None


def follow(process):
    """Opens the process while it lives; its number may be another's later."""
    global _process, _file
    number = process.GetProcessID()
    if number == _process:
        return
    if _file is not None:
        os.close(_file)
    _process, _file = number, None
    if fcntl is not None and is_served(number):
        file = ctypes.CDLL(None).syscall(OPEN, number, 0)
        _file = file if file >= 0 else None


def is_served(number):
    """Does a server that this process has started debug it? One in a container, say, has numbers of
    its own.
    """
    tracer = _status(number, "TracerPid")
    return bool(tracer) and _status(tracer, "PPid") == os.getpid()


def _status(number, key):
    try:
        with open("/proc/%d/status" % number, encoding="utf-8", errors="replace") as lines:
            values = [line.split()[1] for line in lines if line.startswith(key + ":")]
    except OSError:
        return None
    return int(values[0]) if values else None


def exit_code():
    """The exit code, or minus the number of the signal; None: it is not known."""
    if _file is None:
        return None
    poll = select.poll()
    # Only the end of the process, after its status was read.
    poll.register(_file, 0)
    poll.poll(LONGEST)
    info = bytearray(SIZE)
    MASK.pack_into(info, 0, EXIT)
    try:
        fcntl.ioctl(_file, GET_INFO, info)
    except OSError:
        return None
    if not MASK.unpack_from(info, 0)[0] & EXIT:
        return None
    status = CODE.unpack_from(info, SIZE - CODE.size)[0]
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
