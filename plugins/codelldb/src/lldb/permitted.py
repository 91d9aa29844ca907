"""`permitted PID` fails where the system does not let that process be traced.

LLDB's server ends by SIGSEGV then (`NativeProcessLinux::Manager::Attach` of 20.1.4), and all that is told of the attach
is "lost connection".
"""

import ctypes
import errno
import os

PEEKUSER = 3  # ptrace(2): of a process that we do not trace, ESRCH


def _refusal(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(PEEKUSER, os.getpid(), None, None) and ctypes.get_errno() == errno.EPERM:
        return errno.EPERM
    try:
        # Asks for the same as an attach does (proc_pid_mem(5)).
        os.close(os.open("/proc/%d/mem" % pid, os.O_RDONLY))
    except PermissionError as error:
        return error.errno
    except OSError:
        pass  # It has ended: that is told.
    return None


def command(_debugger, pid, result, _dict):
    refusal = _refusal(int(pid))
    if refusal:
        result.SetError("ptrace: " + os.strerror(refusal))


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand("command script add -f permitted.command permitted")
