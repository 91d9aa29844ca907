"""Adds inside gdb what its own DAP server (share/gdb/python/gdb/dap) leaves out.

Runs before the server starts. Each part is independent: one that fails in this version of gdb is
skipped with a line in gdb's log, and the rest works. Written against 16.3 and 18.1.
"""

import json
import os

import gdb

# The program does not inherit it: gdb has copied its environment already.
settings = json.loads(os.environ.pop("DAPDOCK_SETTINGS"))
gdb.execute("unset environment DAPDOCK_SETTINGS", to_string=True)
