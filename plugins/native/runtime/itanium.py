"""Reads C++ exceptions at the place of their throw by the Itanium ABI, which gcc and clang follow:
the name of the type, and the text of types derived from those of <stdexcept>.

Calls no function of the program. Knows no debugger: `memory(address, size)` returns bytes of a
64-bit program.
<https://itanium-cxx-abi.github.io/cxx-abi/abi.html#rtti-layout>
"""

import sys

_WORD = 8
# Both have a `char const *` after the table of virtual functions, in libstdc++ and in libc++.
_WITH_TEXT = ("St11logic_error", "St13runtime_error")
_LONGEST = 4096
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
    texts = (exception_text(memory, base, type) for type, base in _bases(memory, exception, info))
    return next((text for text in texts if text is not None), None)
