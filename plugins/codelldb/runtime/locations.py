"""Computes numbers that DWARF describes by expressions: by the expression itself, or by the list of
those that hold at several addresses.

Knows DWARF (versions 4 and 5) and x86-64's numbers of registers; does not know whose numbers they
are. What it does not know has no number.
"""

MASK = (1 << 64) - 1
# The longest list, and the most operations.
LONGEST, MOST = 1 << 14, 1000
LISTS = {4: ".debug_loc", 5: ".debug_loclists"}
REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp".split() + ["r%d" % n for n in range(8, 16)]
CONSTANTS = {
    **{0x08: (1, False), 0x09: (1, True), 0x0A: (2, False), 0x0B: (2, True)},
    **{0x0C: (4, False), 0x0D: (4, True), 0x0E: (8, False), 0x0F: (8, True)},
}
READ, READ_SIZE, ADD, IN_FRAME, CFA, VALUE, AT_ENTRY = 0x06, 0x94, 0x23, 0x91, 0x9C, 0x9F, 0xA3
LITERAL, REGISTER, NEAR_REGISTER = 0x30, 0x50, 0x70
ONE = {0x19: abs, 0x1F: lambda one: -one, 0x20: lambda one: ~one}
TWO = {
    0x1A: lambda one, two: one & two,
    0x1C: lambda one, two: one - two,
    0x1E: lambda one, two: one * two,
    0x21: lambda one, two: one | two,
    0x22: lambda one, two: one + two,
    0x24: lambda one, two: one << (two & 63),
    0x25: lambda one, two: (one & MASK) >> (two & 63),
    0x26: lambda one, two: one >> (two & 63),
    0x27: lambda one, two: one ^ two,
    **{0x29: lambda one, two: int(one == two), 0x2A: lambda one, two: int(one >= two)},
    **{0x2B: lambda one, two: int(one > two), 0x2C: lambda one, two: int(one <= two)},
    **{0x2D: lambda one, two: int(one < two), 0x2E: lambda one, two: int(one != two)},
}


class Unknown(Exception):
    """The number cannot be computed."""


class Place:
    """Where an expression is computed: registers by their DWARF numbers, the frame's CFA, memory, and
    the values of DW_OP_entry_value expressions. Each gives None for what is not known.
    """

    def __init__(self, register, cfa, read, at_entry):
        self.register, self.cfa, self.read, self.at_entry = register, cfa, read, at_entry


def computed(expression, place):
    """The number that an expression leaves, signed with 64 bits; None: it is not known."""
    return _computed(expression, place)[0]


def value(location, place):
    """The number of a variable by the expression of its location; None: it is not known."""
    number, is_value = _computed(location, place)
    return number if is_value or number is None else place.read(number & MASK, 8)


def _computed(expression, place):
    """The number, and whether it is the value of a variable rather than its address."""
    machine = _Machine(expression, place)
    try:
        machine.run()
        return machine.stack[-1], machine.is_value
    except (Unknown, IndexError):
        return None, False


class _Machine:
    def __init__(self, expression, place):
        self.data, self.place, self.stack, self.is_value = Bytes(expression), place, [], False

    def run(self):
        for _ in range(MOST):
            if self.data.at >= len(self.data.data):
                return
            self._step(self.data.number(1))
        raise Unknown

    def _push(self, number):
        if number is None:
            raise Unknown
        number &= MASK
        self.stack.append(number - (1 << 64) if number >> 63 else number)

    def _step(self, code):
        data, pop = self.data, self.stack.pop
        if LITERAL <= code < REGISTER:
            self._push(code - LITERAL)
        elif code < NEAR_REGISTER and code >= REGISTER:
            self._push(self.place.register(code - REGISTER))
            self.is_value = True
        elif NEAR_REGISTER <= code < NEAR_REGISTER + 32:
            self._push(_sum(self.place.register(code - NEAR_REGISTER), data.leb(True)))
        elif code in CONSTANTS:
            size, signed = CONSTANTS[code]
            self._push(int.from_bytes(data.take(size), "little", signed=signed))
        elif code in (0x10, 0x11):
            self._push(data.leb(code == 0x11))
        elif code == ADD:
            self._push(pop() + data.leb())
        elif code in (IN_FRAME, CFA):
            self._push(_sum(self.place.cfa, data.leb(True) if code == IN_FRAME else 0))
        elif code in (READ, READ_SIZE):
            self._push(self.place.read(pop() & MASK, data.number(1) if code == READ_SIZE else 8))
        elif code == 0x12:
            self._push(self.stack[-1])
        elif code == 0x16:
            self.stack[-2:] = self.stack[:-3:-1]
        elif code == AT_ENTRY:
            self._push(self.place.at_entry(data.take(data.leb())))
        elif code in ONE:
            self._push(ONE[code](pop()))
        elif code in TWO:
            second = pop()
            self._push(TWO[code](pop(), second))
        elif code == VALUE:
            self.is_value = True
        else:
            raise Unknown


def _sum(number, more):
    return None if number is None else number + more


def holding(data, version, base, address):
    """The expression of a list that holds at an address; None: there is none. `base` is the address
    that the list counts from.
    """
    data = Bytes(data)
    try:
        for start, end, expression in (_new if version == 5 else _old)(data, base):
            if start <= address < end:
                return expression
    except (Unknown, IndexError):
        pass
    return None


def _old(data, base):
    while True:
        start, end = data.number(8), data.number(8)
        if start == MASK:
            base = end
        elif not start and not end:
            return
        else:
            yield base + start, base + end, data.take(data.number(2))


def _new(data, base):
    while True:
        kind = data.number(1)
        if kind == 0x00:
            return
        if kind == 0x06:
            base = data.number(8)
        elif kind == 0x09:
            data.leb(), data.leb()  # gcc's numbers of views.
        elif kind == 0x04:
            start, end = base + data.leb(), base + data.leb()
            yield start, end, data.take(data.leb())
        elif kind in (0x07, 0x08):
            start = data.number(8)
            end = data.number(8) if kind == 0x07 else start + data.leb()
            yield start, end, data.take(data.leb())
        else:
            raise Unknown


class Bytes:
    """Bytes that are read one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, size):
        if self.at + size > len(self.data):
            raise IndexError
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def leb(self, signed=False):
        found = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found - (1 << shift) if signed and byte & 64 else found

    def text(self):
        end = self.data.index(b"\0", self.at)
        return self.take(end + 1 - self.at)[:-1].decode("utf8", "replace")
