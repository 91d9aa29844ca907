"""What a C++ exception is, read from where it was thrown by the Itanium ABI, which gcc and clang follow: the name of its
type, and the text of one that derives from those of <stdexcept>.

Calls nothing of the program's. Knows no debugger: `memory(address, size)` gives bytes of the program, of 64 bits.
<https://itanium-cxx-abi.github.io/cxx-abi/abi.html#rtti-layout>
"""

import sys

_WORD = 8
# Both keep a `char const *` behind the table of virtual functions, in libstdc++ and in libc++.
_WITH_TEXT = ("St11logic_error", "St13runtime_error")
_LONGEST = 4096
# What a base class is at its offset of: the object, or what its table of virtual functions has there.
_VIRTUAL = 1


def _number(memory, address, size=_WORD, signed=False):
    return int.from_bytes(memory(address, size), sys.byteorder, signed=signed)


def _text(memory, address):
    found = b""
    while len(found) < _LONGEST:
        # Up to the end of a block: the next may not be there.
        part, zero, _ = memory(address + len(found), 64 - (address + len(found)) % 64).partition(b"\0")
        found += part
        if zero:
            break
    return found.decode("utf8", "replace")


def _bases(memory, thrown, info):
    """The type of each base class, and where it lies in what was thrown."""
    kind = thrown_type(memory, _number(memory, _number(memory, info) - _WORD))
    if kind.endswith("__si_class_type_infoE"):
        yield _number(memory, info + 2 * _WORD), thrown
    elif kind.endswith("__vmi_class_type_infoE"):
        count = _number(memory, info + 2 * _WORD + 4, 4)
        for at in range(info + 3 * _WORD, info + (3 + 2 * min(count, 64)) * _WORD, 2 * _WORD):
            flags = _number(memory, at + _WORD, signed=True)
            offset = flags >> 8
            if flags & _VIRTUAL:
                offset = _number(memory, _number(memory, thrown) + offset, signed=True)
            yield _number(memory, at), thrown + offset


def thrown_type(memory, info):
    """The mangled name of the type that this `std::type_info` is of; a star before it marks one of a single file."""
    return _text(memory, _number(memory, info + _WORD)).lstrip("*")


def thrown_text(memory, thrown, info):
    """None: it has no text of the standard library's."""
    name = thrown_type(memory, info)
    if name in _WITH_TEXT:
        return _text(memory, _number(memory, thrown + _WORD))
    if name in ("PKc", "Pc"):
        return _text(memory, _number(memory, thrown))
    told = (thrown_text(memory, base, type) for type, base in _bases(memory, thrown, info))
    return next((text for text in told if text is not None), None)
