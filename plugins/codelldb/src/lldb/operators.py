"""What the expressions of callers call, in the language of the frame.

They arrive as `operators.here().shown(…)`, `holds`, `assign` or `allowed`, made of the calls
below. Nothing is compiled and nothing of the program is run but by `allowed`. What cannot be
computed exactly is an error, never a guess. The modules beside this one compute.
"""

import re
import sys
import time

import lldb

import enums
import bodies
import judged
import operands
import passes
import texts
from arithmetic import absolute, alike, compute, fitting, flipped, inverted, minus
from assign import assign
from names import cast, name, register, size_of, size_of_type
from operands import FLOATS, NAMED, Missing, Number, Text, Unable, apart, is_rust, number_of, read, rounded, shown
from parts import (
    address, contains, element, first, is_empty, is_err, is_none, is_ok, is_some, last, length, member, pointee,
    unwrapped,
)

# Of a call in the program.
PATIENCE_US = 5_000_000
NOTHING = 0x1001
# Of C's suffixes, and of none.
IN_C = (None, "unsigned int", "long", "unsigned long")


def here():
    operands.here.stand()
    return sys.modules[__name__]


def either(rust, c):
    """The reading of the frame's language."""
    return rust() if is_rust() else c()


def refused(why):
    raise Unable(why)


def number(value, kind=None, unsigned=False):
    """A literal. `char` is a character of the expression; of C's, `unsigned` is one that is not decimal."""
    if kind == "char":
        return Number(value, "char", None)
    if kind in FLOATS or isinstance(value, float):
        size = FLOATS[kind] if kind else None if is_rust() else 8
        return Number(rounded(value, size), "float", size)
    if not is_rust() and kind in IN_C:
        return _in_c(value, kind, unsigned)
    if kind:
        size, signed = NAMED[kind]
        return fitting(Number(value, "int", size, signed))
    return Number(value)


def _in_c(value, kind, unsigned):
    """Of the first type that holds it (C17, 6.4.4.1); without a suffix a signed one is known by the value."""
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
        return enums.same(sign, left, right)
    both = texts.both(left, right)
    if both:
        left, right = both
    else:
        left, right = alike(number_of(left), number_of(right))
        left, right = left.value, right.value
    return {
        "==": left == right, "!=": left != right,
        "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
    }[sign]


def choose(condition, yes, no):
    """`?:`. Numbers come out in the type of both, where the other one can be told."""
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
    return alike(left, right)[0]


def holds(condition, text):
    """Of a breakpoint. One that fails stops, and the stop says why; what the line declares is judged where it is."""
    passes.look(operands.here.target)
    frame = operands.here.frame
    put_off = bodies.puts_off(frame, lambda: here().holds(condition, text))
    return judged.judge(frame.GetThread(), put_off or _holds(condition, text))


def _holds(condition, text):
    try:
        return truth(condition())
    except Exception as why:
        if isinstance(why, Unable) and why.name and passes.declares(operands.here.frame, why.name):
            return False
        import codelldb

        codelldb.debugger_message("the condition `%s` failed: %s" % (text, _plain(why)), "important")
        return True


def _plain(why):
    """The compiler's words without where they stand; what it could not find is in the second line."""
    told = re.sub(r"^error: (<user expression \d+>:\d+:\d+: )?", "", str(why))
    return re.sub(r":\n\s*", ": ", told, count=1).partition("\n")[0]


def allowed(expression, text):
    """What may run code: what is not computed here the program computes."""
    try:
        return shown(expression())
    except Unable as why:
        try:
            return native(text, why)
        except Unable as failed:
            raise failed if why.called else why


def native(text, why="`/nat` compiles C and C++ only"):
    """Compiled by LLDB, and run in the program."""
    if is_rust():
        raise Unable("%s; LLDB compiles no Rust" % why)
    options = lldb.SBExpressionOptions()
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetTimeoutInMicroSeconds(PATIENCE_US)
    began = time.monotonic()
    found = operands.here.frame.EvaluateExpression(text, options)
    error = found.GetError()
    if error.Fail() and error.GetError() == NOTHING:
        return None
    if error.Fail() and time.monotonic() - began >= PATIENCE_US / 1e6:
        # LLDB names the stop that was before.
        raise Unable("it does not return within %d s, and was left" % (PATIENCE_US // 1_000_000))
    if error.Fail():
        raise Unable(_plain(error.GetCString() or "it has no value"))
    return found
