import os  # already loaded: Python starts without the working directory on its path
import sys

# `-c` puts the working directory first, where a file `ast.py` or `debugpy.py` may be; `-P`, which
# leaves it out, is of 3.11. `-E` ignores PYTHONPATH: a debugpy may be there, but what else is there
# comes after Python's own modules.
sys.path[:] = [entry for entry in sys.path if entry]
sys.path += filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
