//! Everyday expressions over Python's own types, without permission: those that change nothing have
//! a value, the others are refused.

use serde_json::json;

use crate::real::stage::{Stage, workspace_with};

const SOURCE: &str = "\
import collections, copy, dataclasses, datetime, decimal, enum, functools, io, json, os, pathlib
import random, re


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Item:
    name: str
    price: float

    def total(self, count):
        return self.price * count

    def bump(self):
        self.price += 1


Point = collections.namedtuple('Point', 'x y')


class Order:
    def __init__(self):
        self.lines = ['a', 'b', 'a']
        self.items = [Item('pen', 1.5), Item('book', 12.0)]
        self.reads = 0

    def total(self):
        return sum(item.price for item in self.items)

    def __len__(self):
        self.reads += 1
        return 2

    @property
    def count(self):
        self.reads += 1
        return 2

    @functools.cached_property
    def first(self):
        return self.items[0]

    def check(self):
        numbers, table, text = [3, 1, 2], {'k': 1}, 'Hello'
        it, generator, group = iter(numbers), (n for n in numbers), {1, 2}
        stream, word, queue = io.StringIO('abc'), re.compile('l+'), collections.deque([1])
        day, cost, p = datetime.date(2024, 1, 2), decimal.Decimal('10.25'), Point(1, 2)
        counts, groups = collections.Counter('aab'), collections.defaultdict(list)
        raw, path = bytearray(b'ab'), pathlib.Path('shop/cart.py')
        self.seen = [numbers, table, group, queue, counts, groups, raw]
        print(self.seen, self.reads, self.lines, self.items, sorted(vars(self)))
        print(list(it), list(generator), stream.read())


Order().check()
";

/// Where `check` prints.
const LINE: u32 = 54;

const VALUES: [(&str, &str); 56] = [
    ("self.lines.count('a')", "2  (int)"),
    ("self.lines.count(1)", "0  (int)"),
    ("self.lines.index('b')", "1  (int)"),
    ("len(self.items)", "2  (int)"),
    ("self.total()", "13.5  (float)"),
    ("self.items[1].total(2)", "24.0  (float)"),
    ("sum(i.price for i in self.items)", "13.5  (float)"),
    ("max(self.items, key=lambda i: i.price).name", "'book'  (str)"),
    ("[i.name for i in self.items if i.price > 2]", "['book']  (list)"),
    ("{i.name: i.price for i in self.items}", "{'pen': 1.5, 'book': 12.0}  (dict)"),
    ("any(i.price > 5 for i in self.items)", "True  (bool)"),
    ("repr(self.items[0])", "\"Item(name='pen', price=1.5)\"  (str)"),
    ("self.items[0] == self.items[1]", "False  (bool)"),
    ("dataclasses.asdict(self.items[0])", "{'name': 'pen', 'price': 1.5}  (dict)"),
    ("dataclasses.replace(self.items[0], price=2)", "Item(name='pen', price=2)  (Item)"),
    ("copy.deepcopy(self.items)[0]", "Item(name='pen', price=1.5)  (Item)"),
    ("numbers[::-1]", "[2, 1, 3]  (list)"),
    ("sorted(numbers)", "[1, 2, 3]  (list)"),
    ("list(zip(numbers, self.lines))", "[(3, 'a'), (1, 'b'), (2, 'a')]  (list)"),
    ("list(map(str, numbers))", "['3', '1', '2']  (list)"),
    ("[*numbers, 4]", "[3, 1, 2, 4]  (list)"),
    ("numbers.copy()", "[3, 1, 2]  (list)"),
    ("table.get('k')", "1  (int)"),
    ("table.get('none', 0)", "0  (int)"),
    ("sorted(table.items())", "[('k', 1)]  (list)"),
    ("{**table, 'm': 2}", "{'k': 1, 'm': 2}  (dict)"),
    ("json.dumps(table)", "'{\"k\": 1}'  (str)"),
    ("json.loads('[1, 2]')", "[1, 2]  (list)"),
    ("group | {3}", "{1, 2, 3}  (set)"),
    ("group.issubset({1, 2, 3})", "True  (bool)"),
    ("text.upper()", "'HELLO'  (str)"),
    ("', '.join(self.lines)", "'a, b, a'  (str)"),
    ("'%s-%d' % (text, 3)", "'Hello-3'  (str)"),
    ("f'{cost:.1f} {day:%Y}'", "'10.2 2024'  (str)"),
    ("text.encode().hex()", "'48656c6c6f'  (str)"),
    ("word.search(text).span()", "(2, 4)  (tuple)"),
    ("re.sub('l', 'L', text)", "'HeLLo'  (str)"),
    ("day + datetime.timedelta(days=1)", "datetime.date(2024, 1, 3)  (date)"),
    ("day.isoformat()", "'2024-01-02'  (str)"),
    (
        "datetime.datetime.strptime('2024-01-02', '%Y-%m-%d')",
        "datetime.datetime(2024, 1, 2, 0, 0)  (datetime)",
    ),
    ("cost * 2", "Decimal('20.50')  (Decimal)"),
    ("cost.quantize(decimal.Decimal('0.1'))", "Decimal('10.2')  (Decimal)"),
    ("p._replace(x=5)", "Point(x=5, y=2)  (Point)"),
    ("p._asdict()", "{'x': 1, 'y': 2}  (dict)"),
    ("Color.RED.name", "'RED'  (str)"),
    ("Color(1)", "<Color.RED: 1>  (Color)"),
    ("path.suffix", "'.py'  (str)"),
    ("str(path.with_suffix('.md'))", "'shop/cart.md'  (str)"),
    ("path.exists()", "False  (bool)"),
    ("counts.most_common(1)", "[('a', 2)]  (list)"),
    ("collections.Counter(self.lines)", "Counter({'a': 2, 'b': 1})  (Counter)"),
    ("counts['z']", "0  (int)"),
    ("stream.getvalue()", "'abc'  (str)"),
    ("queue[0]", "1  (int)"),
    ("raw.decode()", "'ab'  (str)"),
    ("os.getcwd() == os.path.abspath('.')", "True  (bool)"),
];

const REFUSED: [&str; 46] = [
    "numbers.append(1)",
    "numbers.sort()",
    "numbers.pop()",
    "numbers.extend([1])",
    "numbers.reverse()",
    "numbers.insert(0, 1)",
    "[numbers.append(n) for n in [1]]",
    "list(map(numbers.append, [1]))",
    "sorted([1], key=numbers.append)",
    "table.setdefault('m', 1)",
    "table.update(m=1)",
    "table.pop('k')",
    "table.__setitem__('m', 1)",
    "group.add(3)",
    "group.discard(1)",
    "queue.append(2)",
    "queue.popleft()",
    "raw.append(1)",
    "counts.update('c')",
    "counts.subtract('a')",
    "collections.Counter.update(counts, 'c')",
    "groups['new']",
    "self.count",
    "len(self)",
    "self.first",
    "self.items[0].bump()",
    "setattr(self, 'new', 1)",
    "object.__setattr__(self, 'new', 1)",
    "vars(self).update(new=1)",
    "delattr(self, 'lines')",
    "next(it)",
    "list(it)",
    "copy.deepcopy(it)",
    "sum(generator)",
    "generator.send(None)",
    "generator.close()",
    "stream.read()",
    "stream.seek(2)",
    "random.random()",
    "random.shuffle(numbers)",
    "open('new', 'w')",
    "path.mkdir()",
    "path.write_text('')",
    "os.mkdir('new')",
    "os.environ.update(A='1')",
    "exec('numbers.append(1)')",
];

pub async fn everyday_expressions_have_values(stage: &mut Stage) {
    let (dir, caller) = workspace_with(&[("order.py", SOURCE)]).await;
    stage.caller = caller;
    let place = format!("order.py:{LINE}");
    let launch = json!({"program": "order.py", "breakpoints": [place], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for some in VALUES.chunks(16) {
        let texts: Vec<&str> = some.iter().map(|(text, _)| *text).collect();
        let read = stage.call("debug_evaluate", json!({"expressions": texts})).await.good();
        for (text, value) in some {
            read.line(&format!("{text} = {value}"));
        }
    }
    for some in REFUSED.chunks(16) {
        let refused = stage.call("debug_evaluate", json!({"expressions": some})).await.good();
        for text in some {
            let answer = refused.line(&format!("{text} = <error: "));
            assert!(answer.ends_with("; repeat with effects=allow>"), "{text} = {answer}");
        }
    }
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    output.says(
        "[[3, 1, 2], {'k': 1}, {1, 2}, deque([1]), Counter({'a': 2, 'b': 1}), \
         defaultdict(<class 'list'>, {}), bytearray(b'ab')] 0 ['a', 'b', 'a'] \
         [Item(name='pen', price=1.5), Item(name='book', price=12.0)] \
         ['items', 'lines', 'reads', 'seen']\n[3, 1, 2] [3, 1, 2] abc\n",
    );
    assert!(!dir.path().join("new").exists());
}

const DERIVED: &str = "\
import collections, threading, typing


class Count(int):
    pass


class Names(set):
    pass


class Recent(collections.deque):
    pass


class Groups(collections.defaultdict):
    pass


class Text(str):
    def __new__(cls, text):
        made = str.__new__(cls, text)
        made.language = 'de'
        return made


class Typed:
    reads = 0

    def __get__(self, owner, kind=None):
        Typed.reads += 1
        return 3

    def __set__(self, owner, value):
        pass


class Row:
    total = Typed()

    def __init__(self):
        self.n = 1


def check():
    count, names, recent = Count(3), Names([1]), Recent([1], 3)
    groups, votes, text = Groups(list, a=[1]), collections.Counter('abb'), Text('a')
    kind, event, row = typing.Optional[int], threading.Event(), Row()
    print(Typed.reads)
    for value in count, names, recent, groups, votes, kind:
        print(repr(value))


check()
";

/// Each as the program itself prints it.
const PRINTED: [(&str, &str); 6] = [
    ("count", "3"),
    ("names", "Names({1})"),
    ("recent", "Recent([1], maxlen=3)"),
    ("groups", "Groups(<class 'list'>, {'a': [1]})"),
    ("votes", "Counter({'b': 2, 'a': 1})"),
    ("kind", "typing.Optional[int]"),
];

pub async fn derived_types_are_written_as_python_prints_them(stage: &mut Stage) {
    let (_dir, caller) = workspace_with(&[("derived.py", DERIVED)]).await;
    stage.caller = caller;
    let launch =
        json!({"program": "derived.py", "breakpoints": ["derived.py:49"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let names: Vec<&str> = PRINTED.iter().map(|(name, _)| *name).collect();
    let read = stage.call("debug_evaluate", json!({"expressions": names})).await.good();
    for (name, value) in PRINTED {
        assert!(
            read.line(&format!("{name} = ")).starts_with(&format!("{value}  (")),
            "{}",
            read.text
        );
    }
    let others = json!({"expressions": ["text", "event", "row"]});
    let read = stage.call("debug_evaluate", others).await.good();
    read.line("text = Text('a', language='de')");
    read.line("event = Event{_flag: False, ");
    read.line("row = Row{n: 1}");
    let listed = stage.call("debug_variables", json!({"path": "row"})).await.good();
    listed.says("total");
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
    for (_, value) in PRINTED {
        output.says(value);
    }
    output.line("0");
}
