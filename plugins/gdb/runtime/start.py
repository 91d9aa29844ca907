"""Runs the session's script in gdb. As a module, its compiled code is kept beside it: compiling it
takes some 10 ms.
"""

import os
import sys

# gdb before 15 sets no __file__.
directory = os.path.dirname(sys._getframe().f_code.co_filename)
sys.path.insert(0, directory)
try:
    import dapdock_script  # noqa: F401
finally:
    sys.path.remove(directory)
