"""Tests of the script as a whole: its parts share one namespace."""

import ast
import collections
import os
import re
import unittest

from . import RUNTIME


def defined(text):
    """The names that a file defines, each once."""
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            names = (name for target in node.targets for name in ast.walk(target))
            found.update(name.id for name in names if isinstance(name, ast.Name))
    return found


class Names(unittest.TestCase):
    def test_no_part_replaces_a_name_of_another(self):
        source = os.path.join(os.path.dirname(RUNTIME), "src")
        with open(os.path.join(source, "lib.rs")) as file:
            parts = re.findall(r'^    include_str!\("([^"]+\.py)"\),$', file.read(), re.M)
        self.assertGreater(len(parts), 20)
        owners = collections.defaultdict(list)
        for part in parts:
            with open(os.path.join(source, part)) as file:
                for name in defined(file.read()):
                    owners[name].append(part)
        self.assertEqual({name: of for name, of in owners.items() if len(of) > 1}, {})


if __name__ == "__main__":
    unittest.main()
