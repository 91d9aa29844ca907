"""Follows Python programs that are started through other programs: a shell, `env`, a script with a
`#!` line, `make`.

pydevd follows a child process by the command that starts it, and so only a command that begins with
Python (`pydev_monkey.patch_args`). Any other command gets two environment variables here: the first
Python program that finds them (`sitecustomize.py`) connects to the debugger as a child would, and
removes them. The program's own `os.environ` never has them. A command of `env` that clears the
environment gets them as words.
"""

import os

from _pydev_bundle import pydev_log, pydev_monkey
from _pydevd_bundle import pydevd_constants

import dapdock_debuggee as debuggee

CODE = "DAPDOCK_CHILD"
PATH = "PYTHONPATH"
ENVIRONMENT = 4  # position in the arguments of `fork_exec` behind the command
CLEARING = {"-i", "-", "--ignore-environment"}  # options of `env`
VALUED = {"-u", "--unset", "-C", "--chdir"}  # options of `env` with a value in the next word


def additions(path):
    """The variables, with this directory before the entries of `path`; empty if children are not
    followed."""
    from pydevd import SetupHolder

    debugger = pydevd_constants.get_global_debugger()
    setup = SetupHolder.setup
    if debugger is None or not debuggee.launched or not pydev_monkey._get_apply_arg_patching():
        return {}
    if not setup or not setup.get("multiprocess", True):
        return {}
    host, port = pydev_monkey._get_host_port()
    if port is None:
        return {}
    code = pydev_monkey._get_python_c_args(host, port, "", [], setup)
    return {CODE: code, PATH: debuggee.HERE + (os.pathsep + path if path else "")}


def is_followed(command):
    """Whether pydevd follows it."""
    try:
        return pydev_monkey.is_python(command)
    except Exception:
        return True


def extended(environment):
    """The mapping with the variables."""
    as_bytes = any(isinstance(name, bytes) for name in environment)
    name = os.fsencode(PATH) if as_bytes else PATH
    path = environment.get(name) or ""
    more = additions(os.fsdecode(path))
    if as_bytes:
        more = {os.fsencode(key): os.fsencode(value) for key, value in more.items()}
    return {**environment, **more}


def extended_list(entries):
    """The same for a list of `NAME=value` in bytes."""
    pairs = (entry.partition(b"=") for entry in entries)
    found = extended({name: value for name, _, value in pairs})
    return [b"%s=%s" % entry for entry in found.items()]


def extended_words(command):
    """The command; one of `env` that clears the environment with the variables."""
    words = [os.fsdecode(word) for word in command]
    at, clears, path = 1, False, ""
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        clears = clears or words[at] in CLEARING
        at += 2 if words[at] in VALUED else 1
    at += words[at : at + 1] == ["--"]
    while at < len(words) and "=" in words[at]:
        name, _, value = words[at].partition("=")
        path = value if name == PATH else path
        at += 1
    if os.path.basename(words[0]) != "env" or not clears:
        return command
    more = ["%s=%s" % entry for entry in additions(path).items()]
    is_bytes = isinstance(command[0], bytes)
    return [*command[:at], *(map(os.fsencode, more) if is_bytes else more), *command[at:]]


def on_fork_exec(original, command, *rest):
    rest = list(rest)
    if not command or is_followed(command[0]):
        return original(command, *rest)
    command = extended_command(command)
    if rest[ENVIRONMENT] is None:
        return without_environment(original, command, *rest)
    try:
        rest[ENVIRONMENT] = extended_list(rest[ENVIRONMENT])
    except Exception:
        pydev_log.exception()
    return original(command, *rest)


def on_posix_spawn(original, path, command, environment, **options):
    if not command or is_followed(command[0]):
        return original(path, command, environment, **options)
    command = extended_command(command)
    if environment is None:  # since Python 3.13 as in `fork_exec`
        return without_environment(original, path, command, None, **options)
    try:
        environment = extended(environment)
    except Exception:
        pydev_log.exception()
    return original(path, command, environment, **options)


def extended_command(command):
    try:
        return extended_words(command)
    except Exception:
        pydev_log.exception()
        return command


def without_environment(original, *arguments, **options):
    """Calls a function that gives a child the process's own environment. It has the variables
    during the call; what C code has set in it stays."""
    try:
        more = additions(os.environ.get(PATH) or "")
    except Exception:
        pydev_log.exception()
        more = {}
    for name, value in more.items():
        os.putenv(name, value)
    try:
        return original(*arguments, **options)
    finally:
        for name in more:
            if name in os.environ:
                os.putenv(name, os.environ[name])
            else:
                os.unsetenv(name)


@debuggee.replace(pydev_monkey, "patch_args")
def patch_args(original, args, *rest, **options):
    """pydevd prints a warning if the modules of Python itself are frozen, as they are in a child
    that does not get the variable which turns the warning off."""
    patched = original(args, *rest, **options)
    if not is_started_by_pydevd(args, patched) or "pypy" in os.fsdecode(patched[0]):
        return patched
    unfrozen = ["-X", "frozen_modules=off"]
    if isinstance(patched[0], bytes):
        unfrozen = [os.fsencode(word) for word in unfrozen]
    return [patched[0], *unfrozen, *patched[1:]]


def is_started_by_pydevd(args, patched):
    return isinstance(patched, (list, tuple)) and list(patched) != list(args)


def follow():
    import _posixsubprocess
    import subprocess

    for module, name in ((_posixsubprocess, "fork_exec"), (subprocess, "_fork_exec")):
        if hasattr(module, name):
            debuggee.replace(module, name)(on_fork_exec)
    for name in ("posix_spawn", "posix_spawnp"):
        if hasattr(os, name):
            debuggee.replace(os, name)(on_posix_spawn)
    debuggee.replace(os, "system")(without_environment)


if os.name == "posix":
    follow()
