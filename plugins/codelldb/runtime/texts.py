"""Texts themselves, without quotes and escapes, as JSON: LLDB's summaries are literals, and cut.

Knows where characters are; spans.py knows where a text ends.
"""

import json

import lldb

import operators
import strings
from operands import Text, here, is_rust
from spans import Span, Unreadable

# Bytes among which the end of a text is sought: LLDB reads some 50 MiB a second.
LONGEST = 2**26
CHARACTERS = (
    lldb.eBasicTypeChar,
    lldb.eBasicTypeSignedChar,
    lldb.eBasicTypeUnsignedChar,
    lldb.eBasicTypeWChar,
    lldb.eBasicTypeSignedWChar,
    lldb.eBasicTypeUnsignedWChar,
    lldb.eBasicTypeChar8,
    lldb.eBasicTypeChar16,
    lldb.eBasicTypeChar32,
)


def report(expression, part):
    """Writes the text of an expression, or the bytes of it with the numbers in `part`."""
    operators.here()
    try:
        print(json.dumps({"text": _text(expression(), part)}))
    except Exception as why:
        print(json.dumps({"error": str(why).partition("\n")[0] or type(why).__name__}))


def _text(value, part):
    if isinstance(value, Text):
        return value.text, None
    span = _span(value) if isinstance(value, lldb.SBValue) else None
    if span is None:
        raise ValueError("it is no text")
    order = "le" if here.process.GetByteOrder() == lldb.eByteOrderLittle else "be"
    return span.text(_memory, order, part, LONGEST)


def _memory(address, count):
    error = lldb.SBError()
    data = here.process.ReadMemory(address, count, error)
    # LLDB returns the bytes before the first one that it cannot read.
    if error.Fail() or len(data) < count:
        raise Unreadable(error.GetCString() or "cannot read 0x%x" % address)
    return data


def _span(value):
    """Where the text of a value is, through pointers and references; None: it has none."""
    for _ in range(4):
        type = value.GetType().GetCanonicalType()
        stored = strings.place(value, strings.CPP)
        if stored is not None:
            pointer, length = stored
            size = pointer.GetType().GetCanonicalType().GetPointeeType().GetByteSize()
            return Span(pointer.GetValueAsUnsigned(), size, length.GetValueAsUnsigned() * size, False)
        if type.IsArrayType() and _is_character(type.GetArrayElementType()):
            size = type.GetArrayElementType().GetByteSize()
            return Span(value.GetLoadAddress(), size, type.GetByteSize(), True)
        if type.IsPointerType() and _is_character(type.GetPointeeType()):
            size = type.GetPointeeType().GetByteSize()
            return Span(value.GetValueAsUnsigned(), size, None, True)
        if not (type.IsPointerType() or type.IsReferenceType()):
            return None
        value = value.Dereference()
    return None


def _is_character(type):
    return not is_rust() and type.GetCanonicalType().GetBasicType() in CHARACTERS
