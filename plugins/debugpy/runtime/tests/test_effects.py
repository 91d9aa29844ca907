"""Tests of effects.py and purity.py: which expressions are evaluated without permission, and that a
refused one has changed nothing."""

import itertools
import operator
import unittest
from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import effects
import purity


class Order:
    count = 0

    def __init__(self, *prices):
        self.prices = list(prices)
        self.ids = itertools.count()

    def total(self):
        total = 0
        for price in self.prices:
            total += price
        return total

    def dear(self, least):
        found = []
        for price in self.prices:
            if price >= least:
                found.append(price)
        return found

    def first(self, least):
        return next((price for price in self.prices if price >= least), None)

    def price(self, number):
        try:
            return self.prices[number]
        except IndexError:
            return None

    def twice(self):
        return Order(*self.prices, *self.prices)

    @property
    def half(self):
        return self.total() / 2

    def __contains__(self, price):
        return any(one == price for one in self.prices)

    def add(self, price):
        self.prices.append(price)

    def rename(self, name):
        self.name = name

    def next_id(self):
        return next(self.ids)

    def grow(self):
        prices = self.prices
        prices += [0]
        return prices

    def set_first(self, price):
        self.prices[0] = price

    def swallow(self):
        try:
            return self.add(1)
        except:  # noqa: E722
            self.prices.append(2)

    def tidy(self):
        try:
            self.add(1)
        finally:
            self.prices.append(2)

    def counted(self):
        global calls
        calls += 1
        return calls

    @property
    def read(self):
        self.seen = True
        return 1

    def __repr__(self):
        self.printed = True
        return "order"

    def __len__(self):
        self.measured = True
        return 1

    def locked(self):
        with lock:
            return 1


class Lock:
    def __enter__(self):
        raise AssertionError("entered")

    def __exit__(self, *_):
        pass


@dataclass(frozen=True)
class Money:
    cents: int

    def __add__(self, other):
        return Money(self.cents + other.cents)


calls = 0
lock = Lock()
order = Order(1, 5, 9)
table = {"a": [1, 2], "b": []}
counts = defaultdict(list)
numbers = iter([1, 2])
recent = OrderedDict(a=1, b=2)
step = (price for price in order.prices)
money = Money(3)
STATE = "(order.__dict__, table, dict(counts), calls, list(recent))"


def evaluate(text):
    names = dict(globals())
    code = effects.compile_as_eval(lambda text: compile(text, "<string>", "eval"), text)
    try:
        return effects.evaluate(eval, code, names)
    finally:
        assert effects.USED not in names


class Allowed(unittest.TestCase):
    def test_what_changes_nothing_is_evaluated(self):
        for text, expected in (
            ("order.total() + len(table)", 17),
            ("sum(price * 2 for price in order.prices)", 30),
            ("[price for price in order.prices if price > 1]", [5, 9]),
            ("{name: len(rows) for name, rows in table.items()}", {"a": 2, "b": 0}),
            ("sorted(table, reverse=True)", ["b", "a"]),
            ("sorted(order.prices, key=lambda price: -price)", [9, 5, 1]),
            ("max(order.prices) if order.prices else None", 9),
            ("order.dear(5)", [5, 9]),
            ("order.first(5)", 5),
            ("order.price(7)", None),
            ("order.twice().prices", [1, 5, 9, 1, 5, 9]),
            ("order.half", 7.5),
            ("5 in order", True),
            ("'a'.upper().join(['x', 'y'])", "xAy"),
            ("f'{order.half:.2f}'", "7.50"),
            ("table['a'][-1:]", [2]),
            ("table.get('c', 3)", 3),
            ("(money + Money(4)).cents", 7),
            ("list(zip(order.prices, 'abc'))[1]", (5, "b")),
            ("dict(table, c=1)['c']", 1),
            ("next(iter(table))", "a"),
            ("type(step).__name__", "generator"),
            ("isinstance(numbers, Order)", False),
            ("__import__('os.path').sep", "/"),
            ("[pair[0] for pair in zip(order.prices, range(2))][1:]", [5]),
        ):
            with self.subTest(text):
                self.assertEqual(evaluate(text), expected)

    def test_errors_of_the_expression_are_its_own(self):
        for text, kind in (("order.prices[7]", IndexError), ("nowhere", NameError)):
            with self.assertRaises(kind):
                evaluate(text)


class Refused(unittest.TestCase):
    def test_what_may_change_the_program_is_refused_before_it_does(self):
        before = repr(eval(STATE))
        for text, why in (
            ("table.clear()", "`dict.clear` may change the program"),
            ("order.prices.append(1)", "`list.append` may change the program"),
            ("order.add(1)", "`list.append` may change the program"),
            ("recent.move_to_end('a')", "`OrderedDict.move_to_end` may change the program"),
            ("operator.iadd(order.prices, [2])", "`iadd` may change the program"),
            ("order.rename('x')", "`Order.rename` may change the program"),
            ("order.grow()", "`Order.grow` may change the program: it may change a value in place"),
            (
                "order.set_first(3)",
                "`Order.set_first` may change the program: it changes a container",
            ),
            (
                "order.swallow()",
                "`Order.swallow` may change the program: it handles every exception",
            ),
            ("order.tidy()", "`Order.tidy` may change the program: it handles every exception"),
            ("order.counted()", "`Order.counted` may change the program: it sets `calls`"),
            ("order.read", "`Order.read` may change the program"),
            ("repr(order)", "`Order.__repr__` may change the program"),
            ("f'{order}'", "`Order.__repr__` may change the program"),
            ("len(order)", "`Order.__len__` may change the program"),
            ("bool(order)", "`Order.__len__` may change the program"),
            ("order.locked()", "`Order.locked` may change the program: it enters a `with` block"),
            ("order.next_id()", "`next` may change the program"),
            ("next(numbers)", "an iterator of the program would advance"),
            ("list(step)", "an iterator of the program would advance"),
            ("1 in numbers", "an iterator of the program would advance"),
            ("[*step]", "an iterator of the program would advance"),
            ("[one for one in numbers]", "an iterator of the program would advance"),
            ("counts['new']", "a defaultdict would get the key"),
            ("setattr(order, 'a', 1)", "`setattr` may change the program"),
            ("print(1)", "`print` may change the program"),
            ("open('/dev/null', 'w')", "`open` may change the program"),
            ("__import__('os').getcwd()", "`getcwd` may change the program"),
            ("__import__('this')", "`__import__` may change the program"),
            ("__import__('o' + 's')", "`__import__` may change the program"),
            ("exec('calls = 1')", "`exec` may change the program"),
            ("(calls := 5)", "the expression assigns"),
            ("[order.add(n) for n in range(3)]", "`list.append` may change the program"),
        ):
            with self.subTest(text):
                with self.assertRaises(effects.Refused) as raised:
                    evaluate(text)
                self.assertEqual(str(raised.exception), why + "; repeat with effects=allow")
        self.assertEqual(repr(eval(STATE)), before)
        self.assertEqual((next(numbers), next(step)), (1, 1))


class Code(unittest.TestCase):
    def test_findings_are_stored_by_code(self):
        found = purity.of_code(Order.total.__code__)
        self.assertIs(purity.of_code(Order.total.__code__), found)
        self.assertIsNone(found.stores)


if __name__ == "__main__":
    unittest.main()
