"""Runs the session's script in gdb, with the assignments of `settings` and `key` before this text.

Compiling the script takes some 10 ms of each start, so its code is cached: one file for each version
of Python. `key` identifies the text that it was compiled from. The text is in a file beside this one,
so that gdb does not parse it either.
"""

import marshal
import os
import sys


def cache_directory():
    """A directory that no other user can write to; None if there is none."""
    home = os.environ.get("HOME")
    base = os.environ.get("XDG_CACHE_HOME") or (home and os.path.join(home, ".cache"))
    if not base or not os.path.isabs(base):
        return None
    directory = os.path.join(base, "dapdock", "gdb")
    os.makedirs(directory, mode=0o700, exist_ok=True)
    status = os.stat(directory)
    owned = status.st_uid == os.geteuid() and not status.st_mode & 0o022
    return directory if owned else None


def read(path):
    """The code cached for this script; None if the file is of another script, or is damaged."""
    try:
        with open(path, "rb") as file:
            version, found, code = marshal.loads(file.read())
        return code if (version, found) == (sys.version, key) else None
    except (OSError, EOFError, ValueError, TypeError):
        return None


def write(path, code):
    unnamed = "%s.%d" % (path, os.getpid())
    file = os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "wb") as file:
        marshal.dump((sys.version, key, code), file)
    os.replace(unnamed, path)


def script():
    # gdb before 15 sets no __file__.
    directory = os.path.dirname(sys._getframe().f_code.co_filename)
    with open(os.path.join(directory, "script.py"), encoding="utf-8") as file:
        return file.read()


def compiled():
    try:
        directory = cache_directory()
    except OSError:
        directory = None
    path = directory and os.path.join(directory, sys.implementation.cache_tag + ".code")
    code = path and read(path)
    if code:
        return code
    code = compile(script(), "dapdock", "exec")
    if path:
        try:
            write(path, code)
        except OSError:
            pass  # A full or read-only disk: the next start compiles again.
    return code


exec(compiled(), {"settings": settings})
