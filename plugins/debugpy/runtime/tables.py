"""How arrays of numpy and tables of pandas are written and listed: their first rows, read through
the libraries' own functions. Types that a program derives from theirs are read as other objects.
Knows the `Writer` of `texts.py` only as what it writes to.
"""

import sys

import dapdock_plain as plain

ROWS = 60  # rows that a text reads


def library_type(kind):
    """The name of the type, if numpy or pandas defines it."""
    library = plain.module_of(kind).partition(".")[0]
    if library not in ("numpy", "pandas") or library not in sys.modules:
        return None
    return plain.name_of(kind)


def reader(kind):
    """The function that writes a value of this type; none for other types."""
    name = library_type(kind)
    if name == "ndarray":
        return write_array
    if name == "DataFrame":
        return write_frame
    if name == "Series" or name is not None and name.endswith("Index"):
        return write_series
    return None


def write_array(writer, value, level):
    writer.put("array(")
    rows(writer, value, level)
    writer.put(", shape=%s, dtype=%s)" % (value.shape, value.dtype))


def rows(writer, value, level):
    """The elements of an array in brackets, one bracket for each dimension."""
    if value.ndim == 0:
        return writer.value(value.item(), level)
    writer.put("[")
    if value.ndim == 1:
        writer.elements(value[:ROWS].tolist(), level)
    else:
        writer.members(value[:ROWS], level, lambda row: rows(writer, row, level + 1))
    writer.put("]")


def write_series(writer, value, level):
    writer.put(plain.name_of(type(value)) + "(")
    writer.put("[")
    writer.elements(value[:ROWS].tolist(), level)
    writer.put("], ")
    if type(value.name) is str:
        writer.put("name=%r, " % value.name)
    writer.put("dtype=%s, length=%d)" % (value.dtype, len(value)))


def write_frame(writer, value, level):
    height, width = value.shape
    columns = value.columns[:ROWS].tolist()
    writer.put("DataFrame(%d rows, %d columns){" % (height, width))
    writer.entries(((name, column(value, at)) for at, name in enumerate(columns)), level)
    writer.put("}")


def column(frame, at):
    return frame.iloc[:ROWS, at].tolist()


def has_elements(value):
    name = library_type(type(value))
    return name in ("DataFrame", "Series") or name == "ndarray" and value.ndim > 0


def elements(value, most):
    """The first elements of an array, a series or a table with the ends of their expressions, and
    how many there are; none for other values."""
    name = library_type(type(value))
    if not has_elements(value):
        return None
    if name == "ndarray":
        return listed(enumerate(value[:most]), "[%d]"), value.shape[0]
    if name == "Series":
        return listed(enumerate(value[:most].tolist()), ".iloc[%d]"), len(value)
    names = value.columns.tolist()
    read = value.iloc[:most].itertuples(index=False, name=None)
    return listed(enumerate(dict(zip(names, row)) for row in read), ".iloc[%d]"), len(value)


def attributes(value):
    """The attributes that are listed before the elements."""
    names = ("shape",) if library_type(type(value)) == "DataFrame" else ("shape", "dtype")
    return [(name, getattr(value, name), "." + name) for name in names]


def listed(numbered, end):
    found = []
    for number, element in numbered:
        plainly = element.item() if getattr(element, "ndim", None) == 0 else element
        found.append((str(number), plainly, end % number))
    return found
