"""Tests of listing.py: which variables of a frame are listed."""

import array
import random
import sys
import threading
import types
import unittest

import tests

pydevd = {
    "pydevd_xml": {"ExceptionOnEvaluate": type("ExceptionOnEvaluate", (), {})},
    "pydevd_resolver": {"TOO_LARGE_ATTR": "more", "sorted_attributes_key": str},
    "pydevd_safe_repr": {"SafeRepr": type("SafeRepr", (), {})},
    "pydevd_suspended_frames": {
        "_AbstractVariable": type("_AbstractVariable", (), {}),
        "_FrameVariable": type("_FrameVariable", (), {}),
        "_ObjectVariable": lambda _, name, *rest, **names: types.SimpleNamespace(name=name),
    },
}
for name, names in pydevd.items():
    tests.module("_pydevd_bundle." + name, **names)
constants = sys.modules["_pydevd_bundle.pydevd_constants"]
constants.GENERATED_LEN_ATTR_NAME, constants.RETURN_VALUES_DICT = "len()", "__returned"

import listing  # noqa: E402


class Price:
    def net(self):
        return 3


def helper():
    return 1


def listed(frame, scope=None):
    """The names of the variables, and how many are left out."""
    variable = types.SimpleNamespace(frame=frame, py_db=None, _register_variable=None)
    names = []
    for one in listing.children_of_frame(variable, scope=scope):
        names.append(one.name)
    return names


def own(callback, kind=Price):
    import json

    def inner():
        return count

    class Inner:
        pass

    count, price = 1, Price()
    bound, other, alias, short, size = price.net, helper, Price, lambda: 1, len
    return sys._getframe(), (json, inner, Inner, bound, other, alias, short, size)


class Values(unittest.TestCase):
    def test_elements_of_arrays_and_memory(self):
        numbers = array.array("i", range(200))
        released = memoryview(b"a")
        released.release()
        table = memoryview(bytes(6)).cast("B", (2, 3))
        image = memoryview(bytes(4000 * 2000)).cast("B", (400, 2000, 10))
        wide = memoryview(bytes(100000)).cast("B", (1, 100000))
        for value, first, size, count in (
            (numbers, ("0", 0, "[0]"), 200, 100),
            (memoryview(numbers), ("0", 0, "[0]"), 200, 100),
            (memoryview(b"xy"), ("0", 120, "[0]"), 2, 2),
            (table, ("0", [0, 0, 0], None), 2, 2),
            (image, ("0", [[0] * 10] * 2000, None), 400, 3),
        ):
            self.assertTrue(listing.opens(value))
            children = listing.children(value)
            self.assertTrue(children[0][0].isdigit())
            elements = [one for one in children if one[0].isdigit()]
            self.assertEqual((elements[0], len(elements)), (first, count))
            self.assertEqual(children[-1], ("len()", size, None))
            self.assertEqual("more" in [one[0] for one in children], size > count)
        for value in (released, wide):
            self.assertFalse(listing.opens(value))
            self.assertEqual(listing.children(value), [])


class Frames(unittest.TestCase):
    def test_what_a_function_assigned_is_listed(self):
        names = listed(own(helper)[0])
        self.assertEqual(names[0], listing.DEFINED)
        self.assertEqual(
            names[1:],
            ["alias", "bound", "callback", "count", "kind", "other", "price", "short", "size"],
        )

    def test_iterator_of_a_generator_expression_is_not_listed(self):
        frames = []
        list((frames.append(sys._getframe()), one) for one in [1])
        self.assertEqual(listed(frames[0]), ["frames", "one"])

    def test_what_a_module_imported_is_not_listed(self):
        names = {
            "randint": random.randint,
            "helper": helper,
            "Price": Price,
            "other": helper,
            "random": random,
            "total": 3,
        }
        defined = [name for name in names if listing.is_definition(name, names[name], None)]
        self.assertEqual(defined, ["randint", "helper", "Price", "random"])

    def test_field_of_the_debugger_is_not_listed(self):
        thread = threading.Thread()
        info = type("Info", (), {"__module__": "_pydevd_bundle.pydevd_cython"})
        thread.additional_info, thread.__pydevd_id__, thread.count = info(), "pid_1", 3
        thread.stop_reason = 105
        fields = dict(listing.plain.fields(thread))
        self.assertEqual(fields["count"], 3)
        self.assertFalse({"additional_info", "stop_reason", "__pydevd_id__"} & set(fields))
