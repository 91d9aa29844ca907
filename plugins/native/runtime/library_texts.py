"""Texts of times of C++'s library, and what is in names that the compiler gives to the functions of
`std::function` and `std::any`.

Knows no debugger.
"""

import datetime

UNITS = {
    (1, 10**9): "ns",
    (1, 10**6): "us",
    (1, 1000): "ms",
    (1, 1): "s",
    (60, 1): "min",
    (3600, 1): "h",
    (86400, 1): "d",
}
EPOCH = datetime.datetime(1970, 1, 1)
# The class of the functions in a `std::function`, and of those in a `std::any`.
HANDLER, OWNERS = "std::_Function_handler<", ("std::any::_Manager_internal<", "std::any::_Manager_")


def span_of_time(count, ratio):
    """`1500ms`, as the library itself writes a duration."""
    unit = UNITS.get(ratio)
    if unit is None:
        unit = "[%s]s" % ("%d/%d" % ratio if ratio[1] != 1 else "%d" % ratio[0])
    return "%s%s" % (repr(count).removesuffix(".0"), unit)


def moment(count, ratio):
    """A time since 1970: `2023-11-14 22:13:20 UTC`."""
    try:
        import fractions  # Rare, and 2 ms to import.

        seconds = fractions.Fraction(count) * fractions.Fraction(*ratio)
        whole = seconds.numerator // seconds.denominator
        text = str(EPOCH + datetime.timedelta(seconds=whole))
    except (OverflowError, ValueError):
        return span_of_time(count, ratio)
    nanoseconds = int((seconds - whole) * 10**9)
    return text + (".%09d" % nanoseconds).rstrip("0").rstrip(".") + " UTC"


def arguments_of_template(name, start):
    """The arguments of the template whose name begins the text, which may go on behind them."""
    found, depth, at = [], 0, len(start)
    begin = at
    while at < len(name):
        sign = name[at]
        if sign in "<([{":
            depth += 1
        elif sign in ">)]}" and not name.startswith("->", at - 1):
            if depth == 0:
                return found + [name[begin:at].strip()]
            depth -= 1
        elif sign == "," and depth == 0:
            found.append(name[begin:at].strip())
            begin = at + 1
        at += 1
    return []


def handled(name):
    """The type of the target of a `std::function`, from the name of the function that calls it."""
    found = arguments_of_template(name, HANDLER) if name.startswith(HANDLER) else []
    return found[1] if len(found) == 2 else None


def owned(name):
    """The type in a `std::any`, from the name of the function that manages it, and whether the
    value is in the object itself; None: the name is of no such function.
    """
    internal, start = OWNERS
    if not name.startswith(start):
        return None
    found = arguments_of_template(name, name[: name.find("<") + 1])
    return (found[0], name.startswith(internal)) if found else None
