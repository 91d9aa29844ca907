"""Tests of plain.py, python_types.py and texts.py: what a value's text is, and that no code of the
program runs for it."""

import _random
import array
import ctypes
import datetime
import enum
import functools
import http.cookies
import io
import itertools
import operator
import os
import re
import sys
import threading
import time
import types
import typing
import unittest
import weakref
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from unittest import mock

import plain
from texts import text


class Hostile:
    """Fails the test wherever the interpreter would call it."""

    def __init__(self):
        object.__setattr__(self, "n", 1)

    def ran(self, *_):
        raise AssertionError("code of the program ran")

    __getattribute__ = __setattr__ = __repr__ = __str__ = __len__ = __iter__ = ran
    __eq__ = __bool__ = __format__ = __dir__ = __contains__ = __getitem__ = ran
    __class__ = property(ran)
    secret = property(ran)
    __hash__ = None


class Meta(type):
    def ran(self, *_):
        raise AssertionError("code of the program ran")

    __getattribute__ = __repr__ = __eq__ = __instancecheck__ = __subclasscheck__ = ran
    __hash__ = None


class Odd(metaclass=Meta):
    pass


class Rows(list):
    def __repr__(self):
        raise AssertionError("code of the program ran")

    __iter__ = __len__ = __getitem__ = __repr__


class Table(dict):
    def __repr__(self):
        raise AssertionError("code of the program ran")

    items = __iter__ = __len__ = __getitem__ = __repr__


class Slots:
    __slots__ = ("a", "b")


class Kind(enum.Enum):
    BOOK = "book"


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 2


@dataclass
class Item:
    name: str
    kind: Kind
    secret: int = field(default=0, repr=False)


@dataclass
class Own:
    name: str

    def __repr__(self):
        raise AssertionError("code of the program ran")


Point = namedtuple("Point", "x y")


class Failed(ValueError):
    def __str__(self):
        raise AssertionError("code of the program ran")


class Node:
    def __init__(self):
        self._parent, self.next = None, self


class Printed:
    """Fails the test where Python's own code would print or hash it."""

    def __init__(self):
        self.is_kept = False

    def ran(self):
        raise AssertionError("code of the program ran")

    def hashed(self):
        return self.ran() if self.is_kept else 1

    __repr__, __hash__, name = ran, hashed, property(ran)


class Raw(io.RawIOBase):
    def ran(self):
        raise AssertionError("code of the program ran")

    readable = lambda self: True  # noqa: E731
    name = mode = property(ran)


class Zone(datetime.tzinfo):
    def __repr__(self):
        raise AssertionError("code of the program ran")

    utcoffset = dst = tzname = __repr__


class Length(int):
    def __repr__(self):
        raise AssertionError("code of the program ran")

    __index__ = int.__int__


class Count(int):
    pass


class Names(set):
    pass


class Recent(deque):
    pass


class Votes(Counter):
    pass


class Groups(defaultdict):
    pass


class Labelled(Names):
    def __init__(self, found):
        self.label = "x"


class Packet(bytearray):
    pass


class Open:
    """Keeps attributes in other dictionaries too, as models of pydantic."""

    __slots__ = ("__dict__", "__extra__", "__private__", "__unset__")

    def __init__(self):
        self.a = 1
        self.__extra__ = {"b": 2, "a": 3}
        self.__private__ = None


class Typed:
    def ran(self, *_):
        raise AssertionError("code of the program ran")

    __get__ = __set__ = ran


class Lazy:
    def __init__(self, function):
        self.function = function

    __get__ = Typed.ran


class Traced(Lazy):
    def __call__(self):
        pass


class Form:
    title = Typed()
    manager = type("Manager", (), {"__get__": Typed.ran})()

    @Lazy
    def total(self):
        pass

    @Traced
    def method(self):
        pass

    @functools.lru_cache(None)
    def cached(self):
        pass


class Place(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("name", ctypes.c_char_p)]


class Area(ctypes.Structure):
    _fields_ = [
        ("begin", Place),
        ("next", ctypes.POINTER(Place)),
        ("sizes", ctypes.c_int * 2),
        ("flags", ctypes.c_uint, 3),
        ("any", ctypes.py_object),
    ]


class Either(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("text", ctypes.c_char_p)]


def failed():
    error = Failed("why")
    error.code = 402
    return error


def slots():
    made = Slots()
    made.b = 2
    return made


def rows():
    made = Rows([1])
    made.name = "x"
    return made


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


class Texts(unittest.TestCase):
    def test_memory(self):
        released = memoryview(b"a")
        released.release()
        row = "[%s...]" % ("0, " * 19)
        for value, expect in (
            (memoryview(b"ab"), "memoryview(b'ab')"),
            (memoryview(b"ab").cast("b"), "memoryview([97, 98])"),
            (memoryview(bytes(4)).cast("B", (2, 2)), "memoryview([[0, 0], [0, 0]])"),
            (released, "<memory>"),
            # The elements that are read are bounded, in all dimensions.
            (
                memoryview(bytes(90000)).cast("B", (3, 30000)),
                "memoryview([%s, %s, ...])" % (row, row),
            ),
            (memoryview(bytes(100000)).cast("B", (1, 100000)), "<memory>"),
        ):
            self.assertEqual(text(value), expect)

    def test_builtin_types_as_python_prints_them(self):
        for value in (
            None, True, 7, 1.5, 2j, "it's", b"\x00", [], [1, "a"], (), (1,), {}, {"a": [1]}, set(),
            {1}, frozenset(), frozenset({1}), deque([1], 3), range(3), OrderedDict(a=1)
            if repr(OrderedDict(a=1)).endswith("{'a': 1})") else None, Counter("a"),
            defaultdict(int, a=1), slice(1, None), functools.partial(int, "7"), Kind.BOOK,
            Level.LOW, Point(1, 2), Item("a", Kind.BOOK), ValueError("x"), KeyError(1),
            types.SimpleNamespace(a=1), {1: 2}.keys(), PurePosixPath("/a"), int, bytearray(b"ab"),
        ):  # fmt: skip
            self.assertEqual(text(value), repr(value))

    def test_objects_by_their_fields(self):
        for value, expected in (
            (Hostile(), "Hostile{n: 1}"),
            (slots(), "Slots{b: 2}"),
            (Node(), "Node{next: Node{...}, _parent: None}"),
            (Own("x"), "Own{name: 'x'}"),
            (Rows([1]), "Rows([1])"),
            (rows(), "Rows([1], name='x')"),
            (Table(a=1), "Table({'a': 1})"),
            (failed(), "Failed('why', code=402)"),
            (Odd(), "Odd{}"),
            ([Hostile()], "[Hostile{n: 1}]"),
            (Node().__init__, "<bound method Node.__init__ of Node>"),
        ):
            self.assertEqual(text(value), expected)
        self.assertEqual(text(Odd), "<class '%s.Odd'>" % __name__)

    def test_derived_builtin_types_as_python_prints_them(self):
        groups = Groups(list, a=[1])
        for value in (
            Count(3), Names([1]), Names(), Recent([1], 3), Recent([1]), Votes("abb"),
            Counter("abb"), groups, Packet(b"a"), bytearray(b"a"), array.array("u", "ab"),
            array.array("i"), array.array("i", [1]), itertools.count(3), itertools.repeat(1, 2),
            typing.Optional[int], typing.List[typing.Dict[str, int]], typing.TypeVar("T"),
        ):  # fmt: skip
            self.assertEqual(text(value), repr(value))
        for value, expected in (
            (Labelled([]), "Labelled(set(), label='x')"),
            (Counter(a=Printed()), "Counter({'a': Printed{is_kept: False}})"),
            (itertools.repeat(Printed()), "<repeat object>"),
            (Form.cached, "<functools._lru_cache_wrapper of Form.cached>"),
        ):
            self.assertEqual(text(value), expected)

    def test_types_of_python_with_values_of_the_program(self):
        one = Printed()
        if hasattr(typing, "Annotated"):
            self.assertIn("Printed{", text(typing.List[typing.Annotated[int, one]]))
        cookie = http.cookies.SimpleCookie("a=b")["a"]
        self.assertIn("_value='b'", text(cookie))
        event = threading.Event()
        self.assertEqual(text(event)[:29], "Event{_flag: False, _cond: Co")
        self.assertNotIn("acquire", text(event))

    def test_attributes_in_other_dictionaries(self):
        self.assertEqual(text(Open()), "Open{a: 1, b: 2}")
        self.assertEqual(plain.listed_fields(Open()), {"a": 1, "b": 2})
        self.assertEqual(plain.listed_fields(Count(3)), {})

    def test_what_an_extension_does_not_offer_is_marked(self):
        class Derived(_random.Random):
            pass

        derived = Derived()
        derived.a = 1
        with mock.patch.object(plain, "KNOWN", {"builtins"}):
            self.assertTrue(plain.is_opaque(Derived))
            self.assertEqual(text(derived), "Derived{a: 1, ...}")
            self.assertFalse(plain.is_opaque(Failed))
            self.assertFalse(plain.is_opaque(Slots))
            self.assertFalse(plain.is_opaque(Open))

    def test_memory_at_addresses_is_not_read(self):
        area = Area(begin=Place(3, b"x"), sizes=(1, 2), flags=5)
        at_one = ctypes.cast(1, ctypes.POINTER(Place))
        either = Either(number=1)
        for value, expected in (
            (ctypes.c_char_p(1), "c_char_p(0x1)"),
            (ctypes.c_char_p(b"abc"), "c_char_p(b'abc')"),
            (ctypes.c_wchar_p(1), "c_wchar_p(0x1)"),
            (ctypes.c_void_p(1), "c_void_p(0x1)"),
            (ctypes.py_object(), "py_object(0x0)"),
            (at_one, "LP_Place(0x1)"),
            (at_one.contents, "<Place at 0x1>"),
            (ctypes.c_int.from_address(1), "<c_int at 0x1>"),
            (Place.from_address(1), "<Place at 0x1>"),
            (ctypes.CFUNCTYPE(None)(1), "CFunctionType(0x"),
            (Place(3, None), "Place{x: 3, name: 0x0}"),
            (Place.from_buffer(bytearray(16)), "Place{x: 0, name: 0x0}"),
            (area, "Area{begin: Place{x: 3, name: b'x'}, next: LP_Place(0x0), "
             "sizes: c_int_Array_2([1, 2]), flags: 5, any: 0x0}"),
            (area.begin, "Place{x: 3, name: b'x'}"),
            (either, "Either{number: 1, text: 0x1}"),
            ((ctypes.c_char_p * 2)(1, b"x"), "c_char_p_Array_2([0x1, b'x'])"),
            (ctypes.create_string_buffer(b"ab"), r"c_char_Array_3(b'ab\x00')"),
            (ctypes.c_int(5), "c_int(5)"),
        ):  # fmt: skip
            self.assertEqual(text(value)[: len(expected)], expected)
        for value in (ctypes.c_char_p(1), at_one, at_one.contents):
            self.assertEqual(plain.listed_fields(value), {})
        self.assertEqual(list(plain.listed_fields(Place(3))), ["x", "name"])
        self.assertTrue(plain.is_c_array(area.sizes))
        self.assertFalse(plain.is_c_array((ctypes.c_int * 2).from_address(1)))

    def test_fields_of_other_extensions_are_not_known(self):
        with mock.patch.object(plain, "KNOWN", set()):
            self.assertEqual(text(iter([])), "<list_iterator object>")
            self.assertEqual(text(Slots()), "Slots{}")
            self.assertEqual(text(Odd()), "Odd{}")

    def test_code_of_python_that_prints_values_of_the_program_is_not_used(self):
        one = Printed()
        ordered = OrderedDict([(one, 1), ("b", 2)])
        one.is_kept = True
        written = "Printed{is_kept: True}"
        zoned = datetime.datetime(2020, 1, 1, tzinfo=Zone())
        file = io.TextIOWrapper(io.BufferedReader(Raw()), encoding="utf-8")
        for value, expected in (
            (operator.itemgetter(one), "<itemgetter object>"),
            (operator.itemgetter(1, "a"), "operator.itemgetter(1, 'a')"),
            (operator.methodcaller("a", one), "<methodcaller object>"),
            (staticmethod(one), "<staticmethod(%s)>" % written),
            (ordered, "OrderedDict({%s: 1, 'b': 2})" % written),
            (ordered.keys(), "odict_keys([%s, 'b'])" % written),
            (ordered.items(), "odict_items([(%s, 1), ('b', 2)])" % written),
            (time.struct_time([one] * 9), "(%s, " % written),
            (time.gmtime(0), "time.struct_time(tm_year=1970"),
            (zoned, "datetime{year: 2020, "),
            (datetime.datetime(2020, 1, 1), "datetime.datetime(2020, 1, 1, 0, 0)"),
            (weakref.ref(one), "<weakref to Printed object>"),
            (re.compile("a"), "re.compile('a')"),
            (range(Length(3)), "range"),
            (range(3), "range(0, 3)"),
            (file, "TextIOWrapper{encoding: "),
            (operator, "<module 'operator' from "),
            (sys, "<module 'sys' (built-in)>"),
        ):
            self.assertEqual(text(value)[: len(expected)], expected)
        with open(os.devnull) as known:
            self.assertEqual(text(known), repr(known))

    def test_order_of_an_ordered_dictionary(self):
        ordered = OrderedDict(a=1, b=2)
        ordered.move_to_end("a")
        self.assertEqual(text(ordered), "OrderedDict({'b': 2, 'a': 1})")
        self.assertEqual(text(ordered.keys()), "odict_keys(['b', 'a'])")

    @unittest.skipIf(sys.version_info < (3, 10), "Python has these types since 3.9 and 3.10")
    def test_arguments_of_types(self):
        one = Printed()
        self.assertEqual(text(list[one]), "list[Printed{is_kept: False}]")
        self.assertEqual(text(int | list[one]), "int | list[Printed{is_kept: False}]")
        for value in (list[int], dict[str, list[Own]], tuple[int, ...], int | None):
            self.assertEqual(text(value), repr(value))

    def test_cycles_end(self):
        ring, table = [], {}
        ring.append(ring)
        table["a"] = table
        self.assertEqual((text(ring), text(table)), ("[[...]]", "{'a': {...}}"))

    def test_long_and_deep_values_are_cut(self):
        self.assertEqual(text(list(range(100)))[-9:], "57, 58, ...]"[-9:])
        self.assertEqual(text("ab" * 50, 6), "'abab...ab'")
        self.assertEqual(text(["x" * 300]), "['%s...%s']" % ("x" * 85, "x" * 42))
        self.assertEqual(text(nested(100_000)), "[[[[[[[...]]]]]]]")
        self.assertLess(len(text([["x" * 200] * 100] * 100)), 70_000)
        self.assertEqual(text(b"x" * 99, 6), "b'xxxx...xx'")
        self.assertEqual(text(10**5000)[:2], "0x")
        self.assertEqual(text(255, is_hex=True), "0xff")


class Plain(unittest.TestCase):
    def test_printer_is_of_the_program(self):
        for kind, expected in (
            (Hostile, Hostile), (Rows, Rows), (Own, Own), (Item, None), (Point, None),
            (list, None), (PurePosixPath, None), (Slots, None), (Kind, None),
        ):  # fmt: skip
            self.assertIs(plain.printer(kind)[0], expected)

    def test_properties_are_named_and_not_read(self):
        self.assertEqual(plain.properties(Hostile()), ["secret"])
        self.assertEqual(plain.properties(PurePosixPath("/a")), [])
        self.assertEqual(plain.properties(Form()), ["title", "total"])

    def test_classes_and_enums_list_their_data(self):
        class Settings:
            size = 3
            half = property(lambda self: 1)

            def method(self):
                pass

        self.assertEqual(plain.listed_fields(Settings), {"size": 3})
        self.assertEqual(plain.listed_fields(Kind.BOOK), {"name": "BOOK", "value": "book"})


if __name__ == "__main__":
    unittest.main()
