"""Runs `debugpy.adapter` if debugpy has at least the version given as the last argument."""

import os
import re
import runpy
import sys

import debugpy

# The launcher starts without it, too: the launch arguments set the program's own.
os.environ.pop("PYTHONPATH", None)
oldest = sys.argv.pop()
# For launcher.py.
os.environ["DAPDOCK_DEBUGPY"] = os.path.dirname(os.path.dirname(debugpy.__file__))


def numbers(version):
    return [int(number) for number in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]


if numbers(debugpy.__version__) < numbers(oldest):
    sys.exit(f"debugpy {debugpy.__version__} is too old; {oldest} or newer is needed")
runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
