"""Runs `debugpy.adapter` if debugpy has at least the version given as the last argument."""

import os
import re
import runpy
import subprocess
import sys

import debugpy

# The program that puts debugpy into a process (`servers.inject`), run by `python -c` with the
# words of its command. Its code there (`server/cli.py`, which allows no quotes) runs between two
# parts: the first turns off what pydevd prints on the stderr of the process, about the
# interpreter's own modules and about `threading`; the second removes the variable for that.
INJECT = """
import os, runpy, sys
del sys.argv[0]
sys.path[:] = filter(None, sys.path)
PLACE = os.path.join(os.path.abspath(sys.argv[0]), "_vendored", "pydevd")
PLACE = os.path.join(PLACE, "pydevd_attach_to_process")
sys.path.append(PLACE)
import add_code_to_python_process as injector
NAME, ON = "PYDEVD_DISABLE_FILE_VALIDATION", "Yes"
SET = f'''
import os, sys
os.environ.setdefault({NAME!r}, {ON!r})
if "threading" not in sys.modules:
    sys.path.insert(0, {PLACE!r})
    import attach_script
    del sys.path[0]
    fix = attach_script.fix_main_thread_id
    quiet = lambda text: None
    attach_script.fix_main_thread_id = lambda on_warn, **more: fix(on_warn=quiet, **more)
'''
RESET = f"import os; os.environ.get({NAME!r}) == {ON!r} and os.environ.pop({NAME!r})"
def quiet(code):
    begin, end = (f"exec(bytes({list(part.encode())}), dict());" for part in (SET, RESET))
    return begin + code + end
def changed(name):
    original = getattr(injector, name)
    setattr(injector, name, lambda pid, code, **options: original(pid, quiet(code), **options))
changed("run_python_code")
if hasattr(sys, "remote_exec"):
    remote_exec = sys.remote_exec
    def remote(pid, path):
        with open(path) as file:
            code = file.read()
        with open(path, "w") as file:
            file.write(quiet(code))
        remote_exec(pid, path)
    sys.remote_exec = remote
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Popen(subprocess.Popen):
    def __init__(self, command, *args, **options):
        # The command of the launcher has the arguments of the program.
        if command[1:3] == [os.path.dirname(debugpy.__file__), "--connect"]:
            command = [command[0], "-c", INJECT, *command[1:]]
        super().__init__(command, *args, **options)


subprocess.Popen = Popen

# The launcher starts without it, too: the launch arguments set the program's own.
os.environ.pop("PYTHONPATH", None)
oldest = sys.argv.pop()
# For launcher.py.
os.environ["DAPDOCK_DEBUGPY"] = os.path.dirname(os.path.dirname(debugpy.__file__))


def numbers(version):
    return [int(number) for number in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]


if numbers(debugpy.__version__) < numbers(oldest):
    sys.exit(f"debugpy {debugpy.__version__} is too old; {oldest} or newer is needed")

from debugpy.adapter import launchers  # noqa: E402

# A request of launcher.py, which is answered after all events before it were passed on.
launchers.Launcher.dapdock_passed_request = lambda launcher, request: {}
runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
