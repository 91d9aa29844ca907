"""The command `ptrace_permission PID` fails if the system does not permit tracing that process.

Otherwise LLDB's server ends by SIGSEGV (`NativeProcessLinux::Manager::Attach` of 20.1.4), and the
attach fails with "lost connection" alone.
"""

import ctypes
import errno
import os

PEEKUSER = 3  # ptrace(2): ESRCH for a process that is not traced.


def _refusal(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(PEEKUSER, os.getpid(), None, None) and ctypes.get_errno() == errno.EPERM:
        return errno.EPERM
    try:
        # Opening the file needs the same permission as an attach (proc_pid_mem(5)).
        os.close(os.open("/proc/%d/mem" % pid, os.O_RDONLY))
    except PermissionError as error:
        return error.errno
    except OSError:
        pass  # It has ended; LLDB reports that.
    return None


def command(_debugger, pid, result, _dict):
    refusal = _refusal(int(pid))
    if refusal:
        result.SetError("ptrace: " + os.strerror(refusal))


def __lldb_init_module(debugger, _dict):
    debugger.HandleCommand("command script add -f ptrace_permission.command ptrace_permission")
