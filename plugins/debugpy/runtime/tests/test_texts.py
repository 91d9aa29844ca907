"""Tests of plain.py, python_types.py and texts.py: what a value's text is, and that no code of the
program runs for it."""

import enum
import functools
import types
import unittest
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from pathlib import PurePosixPath

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
