"""Tests of tables.py, where the libraries are installed."""

import sys
import unittest
import unittest.mock

import tables
from tests.test_listing import listing
from texts import text

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None
try:
    import polars
except ImportError:
    polars = None
try:
    import sqlalchemy
except ImportError:
    sqlalchemy = None


class Item:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        raise AssertionError("code of the program ran")

    __eq__ = __bool__ = __len__ = __float__ = __repr__


@unittest.skipIf(numpy is None, "numpy and pandas are not installed")
class Tables(unittest.TestCase):
    def check(self, rows):
        for value, expect in rows:
            self.assertEqual(text(value), expect)

    def test_arrays(self):
        ns = numpy.array(["2024-01-02", "NaT"], dtype="datetime64[ns]")
        rows = numpy.array([("Ada", 36)], dtype=[("name", "U9"), ("age", "i4")])
        hidden = numpy.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
        form = "dtype=[('name', '<U9'), ('age', '<i4')])"
        self.check([
            (numpy.array(7), "array(7, shape=(), dtype=int64)"),
            (numpy.arange(3), "array([0, 1, 2], shape=(3,), dtype=int64)"),
            (numpy.zeros((1, 2, 2)), "array([[[0.0, 0.0], [0.0, 0.0]]], shape=(1, 2, 2), dtype=float64)"),
            (numpy.array([0.1], "f4"), "array([0.1], shape=(1,), dtype=float32)"),
            (ns, "array([np.datetime64('2024-01-02T00:00:00.000000000'), "
                 "np.datetime64('NaT','ns')], shape=(2,), dtype=datetime64[ns])"),
            (rows, "array([('Ada', 36)], shape=(1,), " + form),
            (rows[0], "('Ada', 36)"),
            (numpy.array([[1, 2]]).view(numpy.matrix), "matrix([[1, 2]], shape=(1, 2), dtype=int64)"),
            (hidden, "MaskedArray([[1, --], [3, 4]], shape=(2, 2), dtype=int64)"),
            (numpy.array([Item(1), None]), "array([Item{n: 1}, None], shape=(2,), dtype=object)"),
            (numpy.dtype("f8"), "dtype('float64')"),
        ])  # fmt: skip

    def test_series_and_frames(self):
        labelled = pandas.Series([10, 20], index=["a", "b"], name="n")
        index = pandas.MultiIndex.from_tuples([("k", 1), ("k", 2)])
        frame = pandas.DataFrame({("a", "x"): [1, 2]}, index=index)
        twice = pandas.DataFrame([[1, 2]], columns=["a", "a"])
        missing = pandas.Series([1, None], dtype="Int64")
        self.check([
            (labelled, "Series([10, 20], index=['a', 'b'], name='n', dtype=int64, length=2)"),
            (missing, "Series([1, <NA>], dtype=Int64, length=2)"),
            (pandas.Series(["x"], dtype="category"), "Series(['x'], dtype=category, length=1)"),
            (pandas.Series([Item(1), 2]), "Series([Item{n: 1}, 2], dtype=object, length=2)"),
            (frame, "DataFrame(index=[('k', 1), ('k', 2)], 2 rows, 1 columns){('a', 'x'): [1, 2]}"),
            (twice, "DataFrame(1 rows, 2 columns){'a': [1], 'a': [2]}"),
            ([pandas.NaT, pandas.Timedelta("1 days")], "[NaT, Timedelta('1 days 00:00:00')]"),
            (pandas.CategoricalDtype(["x"]), "dtype('category')"),
        ])  # fmt: skip

    def test_elements(self):
        found, size = tables.elements(numpy.arange(6).reshape(3, 2), 2)
        self.assertEqual((size, [one[::2] for one in found]), (3, [("0", "[0]"), ("1", "[1]")]))
        self.assertEqual(list(found[1][1]), [2, 3])
        large = pandas.DataFrame({"n": range(30000), "name": ["x"] * 30000})
        found, size = tables.elements(large, 2)
        self.assertEqual(size, 30000)
        self.assertEqual(found[1], ("1", {"n": 1, "name": "x"}, ".iloc[1]"))
        twice = pandas.DataFrame([[1, 2]], columns=["a", "a"])
        self.assertEqual(tables.elements(twice, 9)[0][0][1], {"a": 1, "a (1)": 2})
        row = numpy.array([("Ada", 36)], dtype=[("name", "U9"), ("age", "i4")])[0]
        self.assertEqual(tables.elements(row, 9)[0][1], ("age", 36, "['age']"))
        self.assertTrue(tables.is_leaf(numpy.dtype("f8")) and tables.is_leaf(numpy.array(7)))


@unittest.skipIf(polars is None, "polars is not installed")
class Polars(unittest.TestCase):
    def test_frames_and_series(self):
        frame = polars.DataFrame({"n": [1, 2], "name": ["x", None]})
        self.assertEqual(
            text(frame), "DataFrame(2 rows, 2 columns){'n': [1, 2], 'name': ['x', None]}"
        )
        self.assertEqual(text(frame["n"]), "Series([1, 2], name='n', dtype=Int64, length=2)")
        self.assertEqual(tables.elements(frame, 1), ([("0", {"n": 1, "name": "x"}, None)], 2))
        self.assertEqual(tables.elements(frame["n"], 1), ([("0", 1, None)], 2))
        objects = polars.Series([Item(1)], dtype=polars.Object)
        self.assertIn("Item{n: 1}", text(objects))


@unittest.skipIf(sqlalchemy is None, "SQLAlchemy is not installed")
class Rows(unittest.TestCase):
    def test_fetched_rows(self):
        with sqlalchemy.create_engine("sqlite://").connect() as connection:
            row = connection.execute(sqlalchemy.text("select 1 as n, 'x' as name")).one()
        self.assertIn(text([row]), ("[Row(n=1, name='x')]", "[LegacyRow(n=1, name='x')]"))
        expect = [("n", 1, "._data[0]"), ("name", "x", "._data[1]")], 2
        self.assertEqual(tables.elements(row, 9), expect)

    def test_names_are_those_of_the_columns(self):
        items = sqlalchemy.Table("items", sqlalchemy.MetaData())
        for name in ("id", "as"):
            items.append_column(sqlalchemy.Column(name, sqlalchemy.Integer))
        one = sqlalchemy.literal(5), sqlalchemy.func.lower("A"), sqlalchemy.literal(6).label("six")
        engine = sqlalchemy.create_engine("sqlite://")
        with engine.connect() as connection:
            items.create(connection)
            connection.execute(items.insert().values({"id": 1, "as": 2}))
            rows = [connection.execute(items.select()).first()]
            rows.append(connection.execute(items.select()).columns("as").first())
            rows.append(connection.execute(items.select().with_only_columns(*one)).first())
        for row in rows:
            names = [name for name, _ in tables.fetched(row)]
            self.assertEqual(names, list(row._fields))


class Metadata:
    __slots__ = ("_keys",)

    def __init__(self, *keys):
        self._keys = list(keys)


def row_type(*slots):
    """The type of rows as a version of SQLAlchemy has it."""
    base = type("BaseRow", (), {"__slots__": slots, "__module__": "sqlalchemy.engine.row"})
    return type("Row", (base,), {"__slots__": (), "__module__": base.__module__})


class Versions(unittest.TestCase):
    """Libraries that lack what another version has."""

    def test_rows_are_read_by_the_names_of_their_columns(self):
        quoted = type("quoted_name", (str,), {"__str__": Item.__repr__, "__hash__": None})
        for map_of_keys in ("_keymap", "_key_to_index"):
            row = row_type("_parent", "_data", map_of_keys)()
            row._data, row._parent = (1, "x", 2, 3), Metadata("n", quoted("as"), None, "n")
            self.assertEqual(text(row), "Row(n=1, as='x', 2=2, n (3)=3)")
        row._parent = Metadata("n")
        self.assertIsNone(tables.fetched(row))
        for other in (row_type("_parent", "_data"), row_type("_data")):
            self.assertIsNone(tables.fetched(other()))
            self.assertEqual(text(other()), "Row{}")

    def test_table_of_another_version_has_its_fields(self):
        kind = type("DataFrame", (), {"__module__": "polars.dataframe", "shape": (2, 1)})
        kind.head = lambda self, count: self
        frame = kind()
        frame.columns = ["n"]
        with unittest.mock.patch.dict(sys.modules, {"polars": None}):
            self.assertEqual(text([frame]), "[DataFrame{columns: ['n']}]")
            self.assertEqual(listing.children(frame), [("columns", ["n"], ".columns")])


if __name__ == "__main__":
    unittest.main()
