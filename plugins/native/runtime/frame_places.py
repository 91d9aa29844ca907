"""Which places of a frame an instruction names, from the text of a disassembler (x86-64). Code that
is not optimised sets a variable by such an instruction, or passes its address on.

Knows no debugger. Texts of other machines name nothing.
"""

import re

FRAME_BASES = ("rbp", "rsp")
# AT&T: `movq %rax, -0x18(%rbp)`. Intel: `mov qword ptr [rbp - 0x18], rax`, with an index
# `[rbp + 4*rcx - 0x18]`: what is named is the first element.
OFFSET = r"(?:0x[0-9a-f]+|[0-9]+)"
NAMED_PLACE = re.compile(
    r"(-?%s)?\(%%(r[bs]p)\b|\[(r[bs]p)\b(?:[^]]*?([+-] ?%s)(?=\]))?" % (OFFSET, OFFSET)
)


def named_place(text, bases):
    """The address that an instruction names by one of `FRAME_BASES`, whose values are given; None:
    it names none.
    """
    found = NAMED_PLACE.search(text)
    if found is None:
        return None
    offset = (found[1] or found[4] or "0").replace(" ", "")
    return bases[found[2] or found[3]] + int(offset, 0)


def names_part(texts, bases, start, size):
    """Whether one of the instructions names a part of the value."""
    places = (named_place(text, bases) for text in texts)
    return any(place is not None and start <= place < start + size for place in places)
