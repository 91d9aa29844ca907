"""Checks whether debugpy can attach to the process whose pid is the first argument.

If it cannot, prints the reason and then a remedy on stderr, a line each, and exits with 1. If the
system does not permit it, prints the reason and exits with 77.
"""

import ctypes
import errno
import os
import sys

SEIZE = 0x4206  # PTRACE_SEIZE, ptrace(2): does not stop the process and ends with the tracer


def refuse(reason, remedy):
    sys.exit(f"{reason}\n{remedy}")


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
    """Inode numbers of the sockets that a process has open (proc(5))."""
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]


def connections(pid):
    """Local and remote address of each established TCP connection of a process."""
    own = set(sockets(pid))
    for table in ("tcp", "tcp6"):
        try:
            lines = read(f"/proc/{pid}/net/{table}").splitlines()[1:]
        except OSError:
            continue
        for _, local, remote, state, *rest in (line.split() for line in lines):
            if state == "01" and rest[5] in own:
                yield local.rpartition(":")[2], remote.rpartition(":")[2]


def connected_adapter(pid):
    """Pid of the debugpy.adapter that the pydevd of this process is connected to."""
    peers = {(remote, local) for local, remote in connections(pid)}
    if not peers:
        return None
    for other in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = read(f"/proc/{other}/cmdline")
            is_adapter = "debugpy" in command and "adapter" in command
            if is_adapter and peers.intersection(connections(other)):
                return other
        except OSError:
            continue
    return None


def check(pid):
    try:
        mapped = read(f"/proc/{pid}/maps")
    except FileNotFoundError:
        refuse(f"there is no process {pid}", "give the pid of a running process")
    except PermissionError as error:
        not_permitted(f"cannot inspect process {pid}", error.errno)
    if "python" not in mapped.lower():
        name = read(f"/proc/{pid}/comm").strip() or "it has ended"
        refuse(
            f"process {pid} is not a Python program: {name}", "give the pid of the interpreter"
        )
    adapter = connected_adapter(pid)
    if adapter:
        refuse(
            f"process {pid} is already being debugged by debugpy's adapter, process {adapter}",
            "attach to the address it listens on, or end that session first",
        )
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(SEIZE, pid, None, None) == 0 or ctypes.get_errno() != errno.EPERM:
        return
    other = tracer(pid)
    if other:
        refuse(
            f"process {pid} is already traced by {other}; a process can have one tracer",
            "end that tracer first",
        )
    not_permitted("ptrace", errno.EPERM)


if sys.platform == "linux":
    check(int(sys.argv[1]))
