"""Tests of effects.py and purity.py: which expressions are evaluated without permission, and that a
refused one has changed nothing."""

import csv
import decimal
import functools
import gc
import io
import itertools
import mmap
import operator
import os
import statistics
import tempfile
import time
import unittest
import zlib
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from unittest import mock

import effects
import marks
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


class Shop:
    """Methods whose effects depend on the values of their operands."""

    def __init__(self):
        self.counts = defaultdict(int, a=1)
        self.groups = {"g": defaultdict(list, x=[1])}
        self.ordered = OrderedDict(a=1, b=2)
        self.rows = iter([1, 2, 3])
        self.zipped = zip([1], [2])
        self.lines = io.StringIO("a\nb\n")
        self.records = csv.reader(["a,b"])
        self.nested = [iter([1]), iter([2])]
        self.pairs = [(1, 2), (3, 4)]
        self.names = {"k": ["x", "y"]}
        self.seen = []
        self.lists = [[1], [2]]
        self.append = self.seen.append

    def count(self, key):
        return self.counts[key]

    def group(self, key):
        return len(self.groups["g"][key])

    def got(self, key):
        return self.groups.get("g")[key]

    def aliased(self, key):
        counts = self.counts if key else None
        return counts[key]

    def own_counts(self, key):
        return self.counts_of()[key]

    def counts_of(self):
        return self.counts

    def total(self):
        return sum(self.rows)

    def first(self):
        for row in self.rows:
            return row

    def zipped_list(self):
        return [*self.zipped]

    def contains(self, row):
        return row in self.rows

    def unpacked(self):
        first, *_ = self.rows
        return first

    def generated(self):
        return max(row for row in self.rows)

    def starred(self):
        return max(*self.rows)

    def line(self):
        return list(self.lines)

    def record(self):
        return [record for record in self.records]

    def lazily(self):
        return list(map(str, itertools.chain(self.rows)))

    def deep(self):
        return [sum(rows) for rows in self.nested]

    def chained(self):
        return list(itertools.chain(*self.nested))

    def rows_of(self):
        return self.rows

    def sum_of_result(self):
        return sum(self.rows_of())

    def keep(self):
        return list(map(self.seen.append, [1]))

    def keep_by_key(self):
        return max([2], key=self.append)

    def reduced(self):
        return functools.reduce(operator.iconcat, self.lists)

    def mean(self):
        return statistics.mean(self.rows)

    def getter(self, key):
        return operator.itemgetter(key)(self.counts)

    def added(self):
        return self.__dict__.update(late=1)

    def file(self, name):
        return io.FileIO(name, "w")

    # These change nothing.
    def sums(self):
        return [first + second for first, second in self.pairs or []]

    def made(self):
        rows = iter(self.lists)
        return [next(rows), list(rows), max(self.lists)[0]]

    def words(self, text):
        joined = "".join([name for name in self.names["k"] if name])
        return text.split()[0] + ", ".join(sorted(joined)) + self.names.get("k")[0]

    def table(self):
        found = {}
        for key, value in sorted(self.names.items(), key=operator.itemgetter(0)):
            found = {**found, key: value}
        for key, number in enumerate(self.lists):
            found = {**found, str(key): number}
        return found

    def tally(self):
        found = defaultdict(int)
        for name in self.names["k"]:
            found.setdefault(name, len(name))
        return dict(found), "k" in self.names, [*self.lists][-1][0]


def module_like(name):
    """A function that stores, of a module of the program that has the name of a trusted one."""
    code = compile("def store():\n    kept[0] = 1\n", "/program/%s.py" % name, "exec")
    names = {"__name__": name, "kept": {}}
    exec(code, names)
    return names["store"]


calls = 0
shop = Shop()
own_statistics = module_like("statistics")
scratch = os.path.join(tempfile.gettempdir(), "dapdock-effects-%d" % os.getpid())
lock = Lock()
order = Order(1, 5, 9)
table = {"a": [1, 2], "b": []}
counts = defaultdict(list)
numbers = iter([1, 2])
step = (price for price in order.prices)
money = Money(3)
text = io.TextIOWrapper(io.BytesIO())
packed = zlib.decompressobj()
partial = functools.partial(order.prices.append, 7)
context = decimal.getcontext()
STATE = (
    "(order.__dict__, table, dict(counts), calls, shop.seen, shop.lists, sorted(shop.__dict__), "
    "shop.counts, shop.groups, shop.ordered, own_statistics.__globals__['kept'])"
)


ADVANCES = "an iterator of the program would advance"
ADDS = "a defaultdict would get the key"


def evaluate(text, **names):
    names = {**globals(), **names}
    code = effects.compile_as_eval(lambda text: compile(text, "<string>", "eval"), text)
    try:
        return effects.evaluate(eval, code, names)
    finally:
        assert marks.USED not in names


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
            ("shop.count('a')", 1),
            ("shop.group('x')", 1),
            ("shop.got('x')", [1]),
            ("shop.aliased('a')", 1),
            ("shop.own_counts('a')", 1),
            ("shop.sums()", [3, 7]),
            ("shop.made()", [[1], [[2]], 2]),
            ("shop.words('a b')", "ax, yx"),
            ("shop.table()", {"k": ["x", "y"], "0": [1], "1": [2]}),
            ("shop.tally()", ({"x": 1, "y": 1}, True, 2)),
            ("list(map(str.upper, shop.names['k']))", ["X", "Y"]),
            ("sorted(shop.pairs, key=operator.itemgetter(1))[0]", (1, 2)),
            ("list(map(len, shop.lists))", [1, 1]),
            ("statistics.mean(order.prices)", 5),
            ("vars(money)['cents']", 3),
            ("list(iter(order.prices))", [1, 5, 9]),
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
            ("order.next_id()", "an iterator of the program would advance"),
            ("next(numbers)", "an iterator of the program would advance"),
            ("list(step)", "an iterator of the program would advance"),
            ("1 in numbers", "an iterator of the program would advance"),
            ("[*step]", "an iterator of the program would advance"),
            ("[one for one in numbers]", "an iterator of the program would advance"),
            ("counts['new']", "a defaultdict would get the key"),
            ("setattr(order, 'a', 1)", "`setattr` may change the program"),
            ("print(1)", "`print` may change the program"),
            ("open('/dev/null', 'w')", "`open` may change the program"),
            ("__import__('os').mkdir('x')", "`mkdir` may change the program"),
            ("numbers.__next__()", "an iterator of the program would advance"),
            ("partial()", "`list.append` may change the program"),
            ("functools.partial(list, numbers)()", "an iterator of the program would advance"),
            ("print.__call__(1)", "`print` may change the program"),
            ("text.tell()", "`TextIOWrapper.tell` may change the program"),
            ("packed.decompress(b'')", "`Decompress.decompress` may change the program"),
            ("context.clear_traps()", "`Context.clear_traps` may change the program"),
            ("__import__('this')", "`__import__` may change the program"),
            ("__import__('o' + 's')", "`__import__` may change the program"),
            ("exec('calls = 1')", "`exec` may change the program"),
            ("(calls := 5)", "the expression assigns"),
            ("[order.add(n) for n in range(3)]", "`list.append` may change the program"),
            ("shop.count('new')", ADDS),
            ("shop.group('new')", ADDS),
            ("shop.got('new')", ADDS),
            ("shop.aliased('new')", ADDS),
            ("shop.own_counts('new')", ADDS),
            ("shop.getter('new')", ADDS),
            ("shop.counts.__getitem__('new')", "`defaultdict.__getitem__` may change the program"),
            (
                "shop.ordered.move_to_end('a')",
                "`OrderedDict.move_to_end` may change the program",
            ),
            ("shop.total()", ADVANCES),
            ("shop.first()", ADVANCES),
            ("shop.zipped_list()", ADVANCES),
            ("shop.contains(2)", ADVANCES),
            ("shop.unpacked()", ADVANCES),
            ("shop.generated()", ADVANCES),
            ("shop.starred()", ADVANCES),
            ("shop.line()", ADVANCES),
            ("shop.record()", ADVANCES),
            ("shop.lazily()", ADVANCES),
            ("shop.deep()", ADVANCES),
            ("shop.chained()", ADVANCES),
            ("shop.sum_of_result()", ADVANCES),
            ("shop.mean()", ADVANCES),
            ("statistics.mean(shop.rows)", ADVANCES),
            ("list(shop.rows_of())", ADVANCES),
            ("list(map(shop.seen.append, [2]))", "`list.append` may change the program"),
            ("max([2], key=shop.seen.append)", "`list.append` may change the program"),
            ("list(map(list.append, [shop.seen], [2]))", "`append` may change the program"),
            ("list(map(next, [shop.rows]))", "`next` may change the program"),
            ("shop.keep()", "`list.append` may change the program"),
            ("shop.keep_by_key()", "`list.append` may change the program"),
            ("operator.iadd(shop.seen, [2])", "`iadd` may change the program"),
            ("functools.reduce(operator.iconcat, shop.lists)", "`iconcat` may change the program"),
            ("shop.reduced()", "`iconcat` may change the program"),
            ("vars(shop).update(x=5)", "`dict.update` may change the program"),
            ("shop.__dict__.clear()", "`dict.clear` may change the program"),
            ("getattr(shop, '__dict__').clear()", "`dict.clear` may change the program"),
            ("shop.added()", "`dict.update` may change the program"),
            ("io.FileIO(scratch, 'w')", "`FileIO` may change the program"),
            ("list(map(io.FileIO, [scratch]))", "`FileIO` may change the program"),
            ("shop.file(scratch)", "`FileIO` may change the program"),
            ("io.open_code(scratch)", "`open_code` may change the program"),
            ("mmap.mmap(-1, 10)", "`mmap` may change the program"),
            (
                "own_statistics()",
                "`store` may change the program: it changes a container",
            ),
        ):
            with self.subTest(text):
                with self.assertRaises(effects.Refused) as raised:
                    evaluate(text)
                self.assertEqual(str(raised.exception), why + "; repeat with effects=allow")
        self.assertEqual(repr(eval(STATE)), before)
        self.assertEqual((next(numbers), next(step)), (1, 1))
        self.assertEqual((next(shop.rows), next(shop.zipped)), (1, (1, 2)))
        self.assertEqual((next(shop.lines), next(shop.records)), ("a\n", ["a", "b"]))
        self.assertEqual(list(map(next, shop.nested)), [1, 2])
        self.assertFalse(os.path.exists(scratch))

    def test_objects_of_a_program_that_froze_its_objects_are_not_new(self):
        gc.freeze()
        try:
            young = [1]
            with self.assertRaises(effects.Refused):
                evaluate("young.append(2)", young=young)
            self.assertEqual(young, [1])
            self.assertEqual(evaluate("sum(price for price in order.prices)"), 15)
            self.assertGreater(gc.get_freeze_count(), 0)
        finally:
            gc.unfreeze()

    def test_frames_of_other_generators_are_not_taken_for_those_of_the_evaluation(self):
        steps = [(number for number in range(3)) for _ in range(50)]
        made = "[sum(one for one in order.prices) for _ in range(9)]"
        text = "[%s, [list(step) for step in steps]]" % made
        with self.assertRaises(effects.Refused):
            evaluate(text, steps=steps)
        self.assertEqual({next(one) for one in steps}, {0})


class Speed(unittest.TestCase):
    def test_searches_grow_with_the_number_of_new_objects_alone(self):
        def searched(count):
            sizes = []

            def get_objects(generation):
                found = original(generation=generation)
                sizes.append(len(found))
                return found

            original = gc.get_objects
            with mock.patch.object(gc, "get_objects", get_objects):
                value = evaluate("len([Order(n) for n in range(%d)])" % count)
            self.assertEqual(value, count)
            return sum(sizes)

        self.assertLess(searched(4000), 20 * searched(400))

    def test_a_method_with_a_loop_is_evaluated_in_short_time(self):
        evaluate("shop.sums()")
        begin = time.perf_counter()
        for _ in range(9):
            evaluate("shop.sums() + [order.total()]")
        self.assertLess((time.perf_counter() - begin) / 9, 0.5)


class Code(unittest.TestCase):
    def test_findings_are_stored_by_code(self):
        found = purity.of_code(Order.total.__code__)
        self.assertIs(purity.of_code(Order.total.__code__), found)
        self.assertIsNone(found.stores)


if __name__ == "__main__":
    unittest.main()
