"""As `-m debugpy.adapter`, where debugpy is of the version that is the last argument, or newer."""

import os
import re
import runpy
import sys

import debugpy

# The launcher starts without it, too: the program has its own in `env` of the launch arguments.
os.environ.pop("PYTHONPATH", None)
oldest = sys.argv.pop()
here, needed = ([int(n) for n in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])] for version in (debugpy.__version__, oldest))
if here < needed:
    sys.exit(f"debugpy {debugpy.__version__} is too old, {oldest} or newer is needed")
runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
