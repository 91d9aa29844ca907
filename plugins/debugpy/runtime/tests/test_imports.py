"""Modules of the debugger and of the program where PYTHONDONTWRITEBYTECODE is set."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from . import RUNTIME

PROGRAM = """
import sys
sys.path.insert(0, {here!r})
import dapdock_imports as imports
sys.path.remove({here!r})
before = list(sys.meta_path)
sys.path.insert(0, {program!r})
print(imports.load("dapdock_one").two.VALUE)
assert sys.dont_write_bytecode and sys.meta_path == before
"""


class Imports(unittest.TestCase):
    def test_only_the_debuggers_own_bytecode_is_written(self):
        with tempfile.TemporaryDirectory() as place:
            here, program = (os.path.join(place, name) for name in ("here", "program"))
            for directory in here, program:
                os.mkdir(directory)
            shutil.copy(os.path.join(RUNTIME, "imports.py"), f"{here}/dapdock_imports.py")
            for path, text in (
                (f"{here}/dapdock_one.py", "import dapdock_two as two\nimport three\n"),
                (f"{here}/dapdock_two.py", "VALUE = 2\n"),
                (f"{program}/three.py", ""),
            ):
                with open(path, "w") as file:
                    file.write(text)
            code = PROGRAM.format(here=here, program=program)
            command = [sys.executable, "-B", "-c", code]
            self.assertEqual(subprocess.check_output(command), b"2\n")
            written = sorted(name.split(".")[0] for name in os.listdir(f"{here}/__pycache__"))
            self.assertEqual(written, ["dapdock_one", "dapdock_two"])
            self.assertEqual(os.listdir(program), ["three.py"])


if __name__ == "__main__":
    unittest.main()
