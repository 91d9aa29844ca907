"""Can debugpy get into the process of this number? Else says why, and then what helps, on stderr, and ends with 1."""

import ctypes
import errno
import os
import sys

SEIZE = 0x4206  # ptrace(2): does not stop the process, and ends with who asked


def refuse(why, instead):
    sys.exit(f"{why}\n{instead}")


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def tracer(pid):
    lines = read(f"/proc/{pid}/status").splitlines()
    number = next((line.split()[1] for line in lines if line.startswith("TracerPid:")), "0")
    return None if number == "0" else f"{number} ({read(f'/proc/{number}/comm').strip()})"


def check(pid):
    try:
        mapped = read(f"/proc/{pid}/maps")
    except FileNotFoundError:
        refuse(f"there is no process {pid}", "name a process that runs")
    except PermissionError:
        owner = os.stat(f"/proc/{pid}").st_uid
        refuse(f"process {pid} belongs to user {owner}: the system refuses", "run dapdock as that user, or as root")
    if "python" not in mapped.lower():
        name = read(f"/proc/{pid}/comm").strip() or "it has ended"
        refuse(f"process {pid} is no Python program: {name}", "name the process of the interpreter")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(SEIZE, pid, None, None) == 0 or ctypes.get_errno() != errno.EPERM:
        return
    other = tracer(pid)
    if other:
        refuse(f"process {pid} is traced by {other} already: only one debugger can be", "end that one first")
    refuse(
        f"the system refuses to trace process {pid} (ptrace)",
        "sysctl kernel.yama.ptrace_scope=0, or the capability SYS_PTRACE in a container",
    )


if sys.platform == "linux":
    check(int(sys.argv[1]))
