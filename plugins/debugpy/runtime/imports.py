"""Imports the other modules of this directory.

Python compiles a module anew in each process where PYTHONDONTWRITEBYTECODE is set, as in many
containers: 0.13 s for these modules, an eighth of the time to the first stop. Their
directory belongs to the debugger, so their bytecode is written to it there, too.
"""

import importlib
import os
import sys
from importlib import machinery

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = "dapdock_"


class Loader(machinery.SourceFileLoader):
    def get_code(self, fullname):
        before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
        try:
            return super().get_code(fullname)
        finally:
            sys.dont_write_bytecode = before


class Finder:
    files = machinery.FileFinder(HERE, (Loader, machinery.SOURCE_SUFFIXES))

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return cls.files.find_spec(name) if name.startswith(PREFIX) else None


def load(name):
    """Imports a module of this directory, which `sys.path` does not name."""
    sys.meta_path.insert(0, Finder)
    try:
        return importlib.import_module(name)
    finally:
        sys.meta_path.remove(Finder)
