import os
import tempfile
import types
import unittest
from unittest import mock

from . import runtime  # noqa: F401
import bytecode


def module(name, source, cached):
    spec = types.SimpleNamespace(origin=source, cached=cached)
    return types.SimpleNamespace(__name__=name, __file__=source, __spec__=spec)


class Bytecode(unittest.TestCase):
    def test_missing_bytecode_of_the_adapter_alone_is_written(self):
        with tempfile.TemporaryDirectory() as place:
            modules = []
            for name in "lib/lldb-python/lldb", "lib/python3.12/json", "scripts/codelldb", "own":
                directory = os.path.join(place, name)
                os.makedirs(directory)
                source, cached = (os.path.join(directory, file) for file in ("a.py", "a.pyc"))
                with open(source, "w") as file:
                    file.write("VALUE = 1\n")
                modules.append(module(name.split("/")[-1], source, cached))
            modules.append(module("sys", "built-in", None))
            with mock.patch.object(bytecode.lldb, "__file__", modules[0].__file__, create=True):
                missing = list(bytecode.without_bytecode(modules))
                bytecode.write(missing)
                self.assertEqual(list(bytecode.without_bytecode(modules)), [])
            written = [os.path.exists(one.__spec__.cached) for one in modules[:4]]
            self.assertEqual(written, [True, True, True, False])

    def test_directory_that_cannot_be_written_is_left(self):
        bytecode.write([(__file__, "/proc/self/none/a.pyc")])


if __name__ == "__main__":
    unittest.main()
