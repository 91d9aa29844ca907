"""The functions that expressions of callers call, in the language of the frame.

Expressions arrive as `operators.here().displayed(…)`, `holds`, `assign` or `allowed`, composed of
the functions below. Only `allowed` may compile code or run functions of the program. What cannot be
computed exactly is an error, never a guess. The other modules do the computing.
"""

import re
import sys
import time

import lldb

import enums
import prologues
import condition_results
import operands
import breakpoint_locations
import strings
from arrays import array
from arithmetic import absolute, converted, compute, fitting, flipped, inverted, minus
from assign import assign
from names import cast, name, register, size_of, size_of_type
from operands import (
    FLOATS,
    NAMED,
    Missing,
    Number,
    Text,
    Unable,
    copied,
    is_rust,
    number_of,
    read,
    rounded,
    displayed,
)
from library_reads import nth, read_of
from children import (
    address,
    behind,
    contains,
    element,
    first,
    is_empty,
    is_err,
    is_none,
    is_ok,
    is_some,
    last,
    length,
    listed,
    member,
    pointee,
    unwrapped,
)

# Time limit of a call in the program.
TIMEOUT_US = 5_000_000
NO_RESULT = 0x1001
# LLDB's error for a function that only the program's source has.
WITHOUT_SYMBOLS = "Couldn't look up symbols"
NOT_COMPILED = (
    "it calls a function that the program has no compiled copy of (the program does not call it, or "
    "only inline); compute it from members"
)
# Literal suffixes of C, and none.
IN_C = (None, "unsigned int", "long", "unsigned long")


def here():
    operands.here.update()
    return sys.modules[__name__]


def either(rust, c):
    """Evaluates the reading for the language of the frame."""
    return rust() if is_rust() else c()


def refused(why):
    raise Unable(why)


def number(value, kind=None, unsigned=False):
    """A literal. `char` is a character literal; in C, `unsigned` marks one that is not decimal."""
    if kind == "char":
        return Number(value, "char", None)
    if kind in FLOATS or isinstance(value, float):
        size = FLOATS[kind] if kind else None if is_rust() else 8
        return Number(rounded(value, size), "float", size)
    if not is_rust() and kind in IN_C:
        return _c_literal(value, kind, unsigned)
    if kind:
        size, signed = NAMED[kind]
        return fitting(Number(value, "int", size, signed))
    return Number(value)


def _c_literal(value, kind, unsigned):
    """In the first type that can represent it (C17, 6.4.4.1). Without a suffix, a signed type
    follows from the value.
    """
    least, signed = NAMED[kind] if kind else (4, True)
    for size in (4, 8):
        if size >= least and signed and value < 1 << 8 * size - 1:
            return Number(value, "int", size) if kind else Number(value)
        if size >= least and (unsigned or not signed) and value < 1 << 8 * size:
            return Number(value, "int", size, False)
    return Number(value)


def truth(operand):
    if isinstance(operand, bool):
        return operand
    if isinstance(operand, (lldb.SBValue, Number, Missing)):
        return bool(number_of(operand).value)
    if isinstance(operand, Text):
        raise Unable("a text is neither true nor false")
    # CodeLLDB's own `Value`, which `/py $name` yields.
    inner = type(operand).unwrap(operand) if hasattr(type(operand), "unwrap") else operand
    return truth(inner) if inner is not operand else bool(operand)


def compare(sign, left, right):
    if isinstance(left, Missing) or isinstance(right, Missing):
        equal = enums.same(sign, left, right)
        if equal is not None:
            return equal
    both = strings.both(left, right)
    if both:
        left, right = both
    else:
        left, right = converted(number_of(left), number_of(right))
        left, right = left.value, right.value
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[sign]


def choose(condition, yes, no):
    """The operator `?:`. The result has the common type of both, if the other can be evaluated."""
    taken, other = (yes, no) if truth(condition) else (no, yes)
    found = taken()
    try:
        left, right = read(found), read(other())
    except Unable:
        return found
    plain = (None, "pointer")
    if left is None or right is None or left.kind in plain or right.kind in plain:
        return found
    return _common(left, right)


def _common(left, right):
    if left.kind == right.kind == "bool":
        return bool(left.value)
    return converted(left, right)[0]


def holds(condition, text):
    """Condition of a breakpoint. One that fails stops, and the stop says why. A name that the line
    itself declares is looked up where it exists.
    """
    breakpoint_locations.narrow(operands.here.target)
    frame = operands.here.frame

    def again():
        return here().holds(condition, text)

    condition_results.remember(frame, again)
    deferred = prologues.defers(frame, again)
    stops = deferred or verdict(condition, text) is not False
    return condition_results.record(frame.GetThread(), stops)


def verdict(condition, text):
    """Is the condition true? None if it fails, which is reported."""
    try:
        return truth(condition())
    except Exception as why:
        if (
            isinstance(why, Unable)
            and why.name
            and breakpoint_locations.declared_by_line(operands.here.frame, why.name)
        ):
            return False
        import codelldb

        codelldb.debugger_message(
            "the condition `%s` failed: %s" % (text, _plain(why)), "important"
        )
        return None


def _plain(why):
    """The compiler's message without its position; the missing name is in its second line."""
    message = re.sub(r"^error: (<user expression \d+>:\d+:\d+: )?", "", str(why))
    return re.sub(r":\n\s*", ": ", message, count=1).partition("\n")[0]


def allowed(expression, text):
    """An expression that may call functions: what cannot be computed here, LLDB evaluates."""
    try:
        return displayed(expression())
    except Unable as why:
        try:
            return native(text, why)
        except Unable as failed:
            raise failed if why.called or str(failed) == NOT_COMPILED else why


def native(text, why="`/nat` compiles C and C++ only"):
    """Compiled by LLDB, and run in the program."""
    if is_rust():
        raise Unable("%s; LLDB cannot compile Rust" % why)
    options = lldb.SBExpressionOptions()
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetTimeoutInMicroSeconds(TIMEOUT_US)
    began = time.monotonic()
    found = operands.here.frame.EvaluateExpression(text, options)
    error = found.GetError()
    if error.Fail() and error.GetError() == NO_RESULT:
        return None
    if error.Fail() and time.monotonic() - began >= TIMEOUT_US / 1e6:
        # LLDB's own error names an earlier stop.
        raise Unable("it did not return after %d s and was aborted" % (TIMEOUT_US // 1_000_000))
    if error.Fail():
        words = error.GetCString() or "it has no value"
        # LLDB names the functions in the lines below, if at all.
        raise Unable(NOT_COMPILED if WITHOUT_SYMBOLS in words else _plain(words))
    return found
