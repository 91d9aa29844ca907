"""Can debugpy get into the process of this number? Else says why, and then what helps, on stderr, and ends with 1; where
the system does not permit it, says why and ends with 77."""

import ctypes
import errno
import os
import sys

SEIZE = 0x4206  # ptrace(2): does not stop the process, and ends with who asked


def refuse(why, instead):
    sys.exit(f"{why}\n{instead}")


def not_permitted(what, error):
    print(f"{what}: {os.strerror(error)}", file=sys.stderr)
    sys.exit(os.EX_NOPERM)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def tracer(pid):
    lines = read(f"/proc/{pid}/status").splitlines()
    number = next((line.split()[1] for line in lines if line.startswith("TracerPid:")), "0")
    return None if number == "0" else f"{number} ({read(f'/proc/{number}/comm').strip()})"


def sockets(pid):
    """Numbers of those that a process holds (proc(5))."""
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]


def connections(pid):
    """Both ends of the connections of a process."""
    own = set(sockets(pid))
    for table in ("tcp", "tcp6"):
        try:
            lines = read(f"/proc/{pid}/net/{table}").splitlines()[1:]
        except OSError:
            continue
        for _, here, there, state, *rest in (line.split() for line in lines):
            if state == "01" and rest[5] in own:
                yield here.rpartition(":")[2], there.rpartition(":")[2]


def served(pid):
    """The process that debugs this one already: pydevd in it is connected to a debugpy.adapter."""
    ends = {(there, here) for here, there in connections(pid)}
    for other in filter(str.isdigit, os.listdir("/proc")) if ends else ():
        try:
            words = read(f"/proc/{other}/cmdline")
            if "debugpy" in words and "adapter" in words and ends.intersection(connections(other)):
                return other
        except OSError:
            continue


def check(pid):
    try:
        mapped = read(f"/proc/{pid}/maps")
    except FileNotFoundError:
        refuse(f"there is no process {pid}", "name a process that runs")
    except PermissionError as error:
        not_permitted(f"process {pid} cannot be looked at", error.errno)
    if "python" not in mapped.lower():
        name = read(f"/proc/{pid}/comm").strip() or "it has ended"
        refuse(f"process {pid} is no Python program: {name}", "name the process of the interpreter")
    other = served(pid)
    if other:
        refuse(
            f"process {pid} has a debugger already: debugpy's adapter, process {other}",
            "attach to the address that it listens on, or end that session first",
        )
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(SEIZE, pid, None, None) == 0 or ctypes.get_errno() != errno.EPERM:
        return
    other = tracer(pid)
    if other:
        refuse(f"process {pid} is traced by {other} already: only one debugger can be", "end that one first")
    not_permitted("ptrace", errno.EPERM)


if sys.platform == "linux":
    check(int(sys.argv[1]))
