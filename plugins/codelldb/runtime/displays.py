"""Texts of values as CodeLLDB displays them (debug_session/variables.rs, `get_var_summary` and
`apply_format_spec`) and the plugin presents them (stops.rs, types.rs), for log points: CodeLLDB
displays nothing there.
"""

import re

import codelldb
import lldb

import aggregates
from operands import Unable, copied, here, is_rust

POINTERS = lldb.eTypeClassPointer | lldb.eTypeClassReference
FORMATS = {
    "c": lldb.eFormatChar,
    "h": lldb.eFormatHex,
    "x": lldb.eFormatHex,
    "o": lldb.eFormatOctal,
    "d": lldb.eFormatDecimal,
    "b": lldb.eFormatBinary,
    "f": lldb.eFormatFloat,
    "p": lldb.eFormatPointer,
    "u": lldb.eFormatUnsigned,
    "s": lldb.eFormatCString,
    "y": lldb.eFormatBytes,
    "Y": lldb.eFormatBytesWithASCII,
}
FORMAT = re.compile(r",(\w?)(?:\[(\d+)\])?$")
NULL = "<null>"
# LLDB's and CodeLLDB's texts for a pointer whose target has no bytes, or no characters.
EMPTY, NO_TEXT = "<not available>", "unable to read data"
# LLDB's text for a value without bytes.
WITHOUT_BYTES = "Unable to determine byte size"
# Characters of a summary of children (`max_summary_length`).
LONGEST = 32
KEYED = ("map", "Map")
# A summary with the number of elements and the first ones.
COUNTED = re.compile(r"size=(\d+) (.*)$", re.S)


def text(operand, format=""):
    """The text of an operand of an expression, in a format as `,x` or `,[3]`."""
    if not format and not isinstance(operand, lldb.SBValue):
        if isinstance(operand, bool):
            return "true" if operand else "false"
        if isinstance(operand, int):
            return str(operand)
        if isinstance(operand, str):
            return aggregates.quoted(operand.encode("utf8", "surrogateescape"))
    value = codelldb.interface.to_sbvalue(operand, here.target)
    if format:
        value = _formatted(copied(value), format)
    return _presented(value, _text(value))


def _formatted(value, format):
    found = FORMAT.match(format)
    letter, count = found.groups() if found else (format[1:], None)
    if count is not None:
        value = _array(value, int(count))
    if letter:
        if letter not in FORMATS:
            raise Unable("`%s` is not a format" % letter)
        value.SetFormat(FORMATS[letter])
    return value


def _array(value, count):
    type = value.GetType()
    element = type
    if type.GetTypeClass() & POINTERS:
        value, element = value.Dereference(), type.GetPointeeType()
    elif type.GetTypeClass() & lldb.eTypeClassArray:
        element = type.GetArrayElementType()
    address = value.GetAddress()
    if not address.IsValid():
        raise Unable("No address")
    kind = element.GetArrayType(count)
    return here.target.CreateValueFromAddress("(as array)", address, kind)


def _presented(value, text):
    if text == NULL and not is_rust():
        return "NULL"
    is_pointer = value.GetType().GetTypeClass() & lldb.eTypeClassPointer
    if is_pointer and text in (EMPTY, NO_TEXT):
        return aggregates.unreadable(value)
    counted = COUNTED.match(text)
    if counted:
        name = re.split(r"[<\[(]", value.GetDisplayTypeName() or "")[0].rpartition("::")[2]
        return "%s(%s)%s" % (name, *counted.groups())
    if text == "size=0":
        name = (value.GetDisplayTypeName() or "").partition("<")[0]
        return "{}" if name.endswith(KEYED) else "[]"
    return text


def _text(value):
    type = value.GetType()
    if type.GetBasicType() == lldb.eBasicTypeVoid:
        return "()" if is_rust() else "nothing"
    error = value.GetError()
    if error.Fail():
        words = error.GetCString() or ""
        return "()" if is_rust() and WITHOUT_BYTES in words else aggregates.failed(error)
    if type.GetTypeClass() & POINTERS and value.GetFormat() == lldb.eFormatDefault:
        found = _pointee(value, type.GetPointeeType())
        if isinstance(found, str):
            return found
        value = found
    for found in (value.GetSummary(), value.GetValue()):
        if found is not None:
            return found
    if value.MightHaveChildren() and value.GetNumChildren():
        return _children(value)
    return EMPTY


def _pointee(pointer, type):
    """The text of a pointer, or the value with the text."""
    if pointer.IsSynthetic() or type.GetBasicType() != lldb.eBasicTypeInvalid:
        summary = pointer.GetSummary()
        if summary is not None:
            return summary
    address = pointer.GetValueAsUnsigned()
    if address == 0:
        return NULL
    found = pointer.Dereference()
    if not found.IsValid():
        error = lldb.SBError()
        here.process.ReadMemory(address, 1, error)
        return aggregates.unreadable(pointer) if error.Fail() else pointer
    if not found.GetData().GetByteSize():
        return aggregates.unreadable(pointer)
    if type.GetTypeClass() & POINTERS and found.GetValue() is not None:
        return "{%s}" % found.GetValue()
    return found


def _children(value):
    texts = []
    for number in range(value.GetNumChildren()):
        if sum(map(len, texts)) + 2 * len(texts) > LONGEST:
            texts.append("...")
            break
        child = value.GetChildAtIndex(number)
        name, text = child.GetName(), child.GetSummary()
        text = child.GetValue() if text is None else text
        if name is not None and text is not None:
            texts.append(text if name.startswith("[") else "%s:%s" % (name, text))
    return "{%s}" % (", ".join(texts) or "...")
