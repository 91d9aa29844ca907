"""Adds inside gdb what its own DAP server (share/gdb/python/gdb/dap) leaves out.

Runs before the server starts. Each part is independent: one that fails in this version of gdb is
skipped with a line in gdb's log, and the rest works. Written against 16.3 and 18.1.
"""

import json
import os

import gdb

SETTINGS = "DAPDOCK_SETTINGS"


def take_settings(environ):
    """Reads and removes the settings; returns them with the names of their variables."""
    names, text = [], ""
    name = SETTINGS
    while name in environ:
        text += environ.pop(name)
        names.append(name)
        name = "%s_%d" % (SETTINGS, len(names))
    return json.loads(text), names


settings, _names = take_settings(os.environ)
for _name in _names:
    # The program does not inherit it: gdb has copied its environment already.
    gdb.execute("unset environment " + _name, to_string=True)
