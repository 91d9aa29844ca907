"""How arrays of numpy, tables of pandas and polars, and rows of SQLAlchemy are written and listed:
their first elements, read through the libraries' own functions. Types that a program derives from
theirs are read as other objects.
Knows the `Writer` of `texts.py` only as what it writes to.
"""

import sys

import dapdock_plain as plain

ROWS = 60  # rows that a text reads
TIMES = "Mm"  # kinds of numpy's types whose values Python's own types cannot hold


class Masked:
    """Stands for an element that a masked array hides."""


MASKED = Masked()


def library_type(kind):
    """The name of the type, if numpy or pandas defines it."""
    library = plain.module_of(kind).partition(".")[0]
    if library not in ("numpy", "pandas") or library not in sys.modules:
        return None
    return plain.name_of(kind)


def is_array(kind):
    return library_type(kind) is not None and has_base(kind, "ndarray")


def has_base(kind, name):
    return any(library_type(base) == name for base in plain.bases_of(kind))


def is_dtype(kind):
    """Whether values of this type are types of elements."""
    return has_base(kind, "dtype") or has_base(kind, "ExtensionDtype")


def is_row(value):
    """Whether it is a row of an array with named fields."""
    return library_type(type(value)) in ("void", "record") and value.dtype.names is not None


def is_polars(kind, *names):
    root = plain.module_of(kind).partition(".")[0]
    return root == "polars" and root in sys.modules and plain.name_of(kind) in names


def fetched(value):
    """The names and values of a row that SQLAlchemy has fetched; none for other values."""
    found, owner = plain.lookup(type(value), "_data")
    module = "" if owner is None else plain.module_of(owner)
    if module.partition(".")[0] != "sqlalchemy" or plain.name_of(owner) != "BaseRow":
        return None
    try:
        values = found.__get__(value)
        keys = plain.fields(plain.dict_of_type(owner)["_parent"].__get__(value)).get("_keys")
    except (AttributeError, KeyError):  # a slot is empty, or another version has none
        return None
    if type(values) is not tuple or type(keys) is not list or len(keys) != len(values):
        return None
    # Names may be of a type derived from `str`, and a column may have none.
    names = [str.__str__(key) if plain.is_a(key, str) else str(at) for at, key in enumerate(keys)]
    return list(zip(distinct(names), values))


def reader(kind):
    """The function that writes a value of this type; none for other types."""
    name = library_type(kind)
    if name is None:
        if is_polars(kind, "DataFrame", "Series"):
            return write_polars
        if plain.module_of(kind).startswith("sqlalchemy.") and plain.lookup(kind, "_data")[0]:
            return write_fetched
        return write_masked if kind is Masked else None
    if is_array(kind):
        return write_array
    if is_dtype(kind):
        return write_dtype
    if name == "NAType":
        return write_missing
    if name in ("void", "record"):
        return write_row
    if name == "DataFrame":
        return write_frame
    if name == "Series" or name.endswith("Index"):
        return write_series
    return None


def write_fetched(writer, value, level):
    found = fetched(value)
    if found is None:
        return writer.object(value, level)
    writer.put(plain.name_of(type(value)) + "(")
    writer.named(dict(found), "=", level)
    writer.put(")")


def write_polars(writer, value, level):
    first = value.head(ROWS)
    if is_polars(type(value), "Series"):
        writer.put("Series([")
        writer.elements(first.to_list(), level)
        facts = value.name, value.dtype, len(value)
        return writer.put("], name=%r, dtype=%s, length=%d)" % facts)
    writer.put("DataFrame(%d rows, %d columns){" % value.shape)
    columns = ((one.name, one.to_list()) for one in first.get_columns())
    writer.entries(columns, level)
    writer.put("}")


def write_masked(writer, value, level):
    writer.put("--")


def write_missing(writer, value, level):
    writer.put("<NA>")


def write_dtype(writer, value, level):
    writer.put("dtype(%r)" % str(value))


def write_row(writer, value, level):
    writer.value(value.item(), level)


def write_array(writer, value, level):
    name = plain.name_of(type(value))
    writer.put("array(" if name == "ndarray" else name + "(")
    rows(writer, plain_array(value), mask_of(value), level)
    writer.put(", shape=%s, dtype=%s)" % (value.shape, value.dtype))


def plain_array(value):
    """The same elements as an array of the type `ndarray`: the rows of others may be of their own
    kind."""
    base = sys.modules["numpy"].ndarray
    return value if type(value) is base else base.view(value, base)


def mask_of(value):
    """Which elements of a masked array are hidden, as an array; none for other arrays."""
    if library_type(type(value)) != "MaskedArray" or not value._mask.ndim:
        return None
    return value._mask


def rows(writer, value, mask, level):
    """The elements of an array in brackets, one bracket for each dimension."""
    if value.ndim == 0:
        return writer.value(values_of(value.reshape(1), mask)[0], level)
    writer.put("[")
    if value.ndim == 1:
        writer.elements(values_of(value[:ROWS], mask), level)
    else:
        masks = [None] * ROWS if mask is None else mask[:ROWS]
        members = zip(value[:ROWS], masks)
        writer.members(members, level, lambda row: rows(writer, *row, level + 1))
    writer.put("]")


def values_of(array, mask=None):
    """The elements of an array of one dimension. A number of less than 64 bits has the digits that
    tell it from others of its type."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in TIMES:
        found = list(array)
    elif kind == "f" and size < 8:
        found = [float(str(one)) for one in array]
    elif kind == "c" and size < 16:
        found = [complex(str(one)) for one in array]
    else:
        found = array.tolist()
    if mask is not None and not mask.dtype.names:
        found = [MASKED if hidden else one for one, hidden in zip(found, mask)]
    return found


def write_series(writer, value, level):
    writer.put(plain.name_of(type(value)) + "(")
    writer.put("[")
    writer.elements(value[:ROWS].tolist(), level)
    writer.put("], ")
    write_labels(writer, value, level)
    if type(value.name) is str:
        writer.put("name=%r, " % value.name)
    writer.put("dtype=%s, length=%d)" % (value.dtype, len(value)))


def write_labels(writer, value, level):
    """The labels of the rows of a series or table, unless they are their numbers."""
    index = getattr(value, "index", None)
    if not has_base(type(index), "Index"):
        return
    if library_type(type(index)) == "RangeIndex" and (index.start, index.step) == (0, 1):
        return
    writer.put("index=[")
    writer.elements(index[:ROWS].tolist(), level)
    writer.put("], ")


def write_frame(writer, value, level):
    height, width = value.shape
    columns = value.columns[:ROWS].tolist()
    writer.put("DataFrame(")
    write_labels(writer, value, level)
    writer.put("%d rows, %d columns){" % (height, width))
    writer.entries(((name, column(value, at)) for at, name in enumerate(columns)), level)
    writer.put("}")


def column(frame, at):
    return frame.iloc[:ROWS, at].tolist()


def is_leaf(value):
    """Whether an array or a type of numpy has nothing to list."""
    kind = type(value)
    if is_array(kind):
        return value.ndim == 0
    name = library_type(kind)
    if name is None:
        return False
    return is_dtype(kind) or name == "NAType" or name == "void" and not is_row(value)


def has_elements(value):
    kind = type(value)
    is_table = library_type(kind) in ("DataFrame", "Series")
    is_table = is_table or is_polars(kind, "DataFrame", "Series") or fetched(value) is not None
    return is_table or is_array(kind) and value.ndim > 0 or is_row(value)


def elements(value, most):
    """The first elements of an array, a series or a table with the ends of their expressions, and
    how many there are; none for other values."""
    name = library_type(type(value))
    if not has_elements(value):
        return None
    if is_polars(type(value), "Series"):
        return [(str(at), one, None) for at, one in enumerate(value.head(most))], len(value)
    if is_polars(type(value), "DataFrame"):
        rows = value.head(most).iter_rows(named=True)
        return [(str(at), one, None) for at, one in enumerate(rows)], len(value)
    row = fetched(value)
    if row is not None:
        return [(key, one, "._data[%d]" % at) for at, (key, one) in enumerate(row)], len(row)
    if is_row(value):
        names = value.dtype.names
        return [(key, one, "[%r]" % key) for key, one in zip(names, value.item())], len(names)
    if is_array(type(value)):
        array, mask = plain_array(value), mask_of(value)
        first = array[:most]
        if array.ndim == 1:
            first = values_of(first, mask)
        elif mask is not None:
            first = value[:most]
        return listed(enumerate(first), "[%d]"), value.shape[0]
    if name == "Series":
        return listed(enumerate(value[:most].tolist()), ".iloc[%d]"), len(value)
    names = distinct(value.columns.tolist())
    read = value.iloc[:most].itertuples(index=False, name=None)
    return listed(enumerate(dict(zip(names, row)) for row in read), ".iloc[%d]"), len(value)


def distinct(names):
    """The names of columns, with numbers behind those that are there already."""
    found, seen = [], set()
    for name in names:
        found.append("%s (%d)" % (name, len(found)) if name in seen else name)
        seen.add(name)
    return found


def attributes(value):
    """The attributes that are listed before the elements."""
    if is_row(value) or fetched(value) is not None:
        return []
    if is_polars(type(value), "DataFrame"):
        return [("shape", value.shape, ".shape")]
    if is_polars(type(value), "Series"):
        return [("dtype", value.dtype, ".dtype")]
    names = ("shape",) if library_type(type(value)) == "DataFrame" else ("shape", "dtype")
    return [(name, getattr(value, name), "." + name) for name in names]


def listed(numbered, end):
    return [(str(number), element, end % number) for number, element in numbered]
