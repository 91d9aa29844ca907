"""Reads C++ exceptions in memory by the Itanium ABI, which gcc and clang follow: the name of the
type, the text of types derived from those of <stdexcept>, and exceptions that others contain
(`std::throw_with_nested`).

Calls no function of the program. Knows no debugger: `memory(address, size)` returns bytes of a
64-bit program.
<https://itanium-cxx-abi.github.io/cxx-abi/abi.html#rtti-layout>
"""

import re
import sys

_WORD = 8
# Classes above one another.
_DEEPEST = 32
# In the `std::type_info` of a pointer: the one of what it points to.
_POINTEE = 24
# Both have a `char const *` after the table of virtual functions, in libstdc++ and in libc++.
_WITH_TEXT = ("St11logic_error", "St13runtime_error")
_LONGEST = 4096
# Before an exception is its header; at these distances are its type and its class, in libstdc++ and
# in libc++. The last byte of the class is 0 for an exception that is no reference to another.
_TYPE, _CLASS = 112, 32
_CLASSES = (b"\0++CCUNG", b"\0++CGNLC")
_NESTED = "St16nested_exception"
# Flag of a virtual base: the offset is an index into the table of virtual functions.
_VIRTUAL = 1


def _number(memory, address, size=_WORD, signed=False):
    return int.from_bytes(memory(address, size), sys.byteorder, signed=signed)


def _text(memory, address):
    found = b""
    while len(found) < _LONGEST:
        # Stop at the end of a block: the next one may be unmapped.
        part, zero, _ = memory(address + len(found), 64 - (address + len(found)) % 64).partition(
            b"\0"
        )
        found += part
        if zero:
            break
    return found.decode("utf8", "replace")


def _bases(memory, exception, info):
    """The type of each base class, and its address in the exception."""
    kind = exception_type(memory, _number(memory, _number(memory, info) - _WORD))
    if kind.endswith("__si_class_type_infoE"):
        yield _number(memory, info + 2 * _WORD), exception
    elif kind.endswith("__vmi_class_type_infoE"):
        count = _number(memory, info + 2 * _WORD + 4, 4)
        for at in range(info + 3 * _WORD, info + (3 + 2 * min(count, 64)) * _WORD, 2 * _WORD):
            flags = _number(memory, at + _WORD, signed=True)
            offset = flags >> 8
            if flags & _VIRTUAL:
                offset = _number(memory, _number(memory, exception) + offset, signed=True)
            yield _number(memory, at), exception + offset


def exception_type(memory, info):
    """The mangled name in this `std::type_info`; a star before it marks a type local to a file."""
    return _text(memory, _number(memory, info + _WORD)).lstrip("*")


def exception_text(memory, exception, info):
    """The text of the exception; None if it has none of the standard library."""
    name = exception_type(memory, info)
    if name in _WITH_TEXT:
        return _text(memory, _number(memory, exception + _WORD))
    if name in ("PKc", "Pc"):
        return _text(memory, _number(memory, exception))
    if name.startswith("P"):
        try:
            pointee = _number(memory, info + _POINTEE)
            return exception_text(memory, _number(memory, exception), pointee)
        except Exception:
            return None  # A pointer to nowhere.
    texts = (exception_text(memory, base, type) for type, base in _bases(memory, exception, info))
    return next((text for text in texts if text is not None), None)


def _mangled(name):
    """A pattern for the mangled names of a class: `std::out_of_range` is `St12out_of_range`.
    Without a namespace it stands for the class in any.
    """
    parts = name.strip(": ").split("::")
    ids = ["%d%s" % (len(part), re.escape(part)) for part in parts]
    if len(parts) == 1:
        return r"(.*(?<!\d))?%sE?" % ids[0]
    if parts[0] == "std":
        return "(St%s|NSt%sE)" % ((ids[1] if len(parts) == 2 else "-"), "".join(ids[1:]))
    return "N%sE" % "".join(ids)


def _types(memory, exception, info, depth=0):
    """The mangled names of the exception's type and of its bases."""
    yield exception_type(memory, info)
    for base, address in _bases(memory, exception, info) if depth < _DEEPEST else ():
        yield from _types(memory, address, base, depth + 1)


def is_of_type(memory, exception, info, names):
    """Whether the exception is of one of these classes, or of one derived from them."""
    pattern = re.compile("|".join(map(_mangled, names)))
    return any(pattern.fullmatch(one) for one in _types(memory, exception, info))


def exception_bases(memory, exception, info):
    """The mangled names of the types that the exception's type is derived from, each once."""
    return list(dict.fromkeys(_types(memory, exception, info)))[1:]


def _is_exception(memory, exception):
    return exception % 16 == 0 and memory(exception - _CLASS, _WORD) in _CLASSES


def _nested(memory, exception, info):
    """The exception that this one contains; None if there is none."""
    if exception_type(memory, info) == _NESTED:
        inner = _number(memory, exception + _WORD)
        return inner if inner and _is_exception(memory, inner) else None
    found = (_nested(memory, base, type) for type, base in _bases(memory, exception, info))
    return next(filter(None, found), None)


def exception_chain(memory, exception, info, most):
    """The mangled type, the text and the address of the exception, then of those that it contains,
    `most` at most.
    """
    for _ in range(most):
        yield exception_type(memory, info), exception_text(memory, exception, info), exception
        exception = _nested(memory, exception, info)
        if exception is None:
            return
        info = _number(memory, exception - _TYPE)


def exception_near(memory, start, end):
    """The address and the type of the exception that the frames between these addresses of a stack
    handle: they contain its address or that of a part of its header. None if there is none.
    """
    stack = memory(start, min(end - start, 1 << 16) // _WORD * _WORD)
    seen = set()
    for at in range(0, len(stack), _WORD):
        word = int.from_bytes(stack[at : at + _WORD], sys.byteorder)
        if word % 16 or word < 1 << 16 or start <= word < end or word in seen:
            continue
        seen.add(word)
        for exception in (word + _CLASS, word, word + _TYPE, word + _TYPE + 16):
            try:
                if _is_exception(memory, exception):
                    return exception, _number(memory, exception - _TYPE)
            except Exception:
                continue
    return None
