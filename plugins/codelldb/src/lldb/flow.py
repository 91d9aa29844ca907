"""Which instructions of a function lead where, read from the machine code of x86-64.

On other machines nothing is told. Refuses to know breakpoints and lines.
"""

import lldb

# Instructions between an address and the jump by it.
WITHIN = 16
LONGEST_TABLE = 4096
LONGEST_FUNCTION = 1 << 18
PREFIXES = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3")
# Beginnings of functions that never return; behind a call of one comes other code.
ENDS = (
    "core::panicking::", "core::option::unwrap_failed", "core::option::expect_failed", "core::result::unwrap_failed",
    "core::slice::index::slice_", "core::cell::panic_", "core::str::slice_error_fail", "alloc::alloc::handle_alloc_error",
    "std::process::exit", "std::process::abort", "std::rt::begin_panic", "_Unwind_Resume", "__stack_chk_fail",
    "__assert_fail", "__cxa_throw", "__cxa_rethrow", "__clang_call_terminate", "std::terminate", "std::__throw_",
)
NAMED_ENDS = ("abort", "exit", "_exit")


class Unclear(Exception):
    """Where the code goes cannot be told."""


def of(target, function):
    """None where it cannot be told."""
    try:
        return Ways(target, function)
    except Unclear:
        return None


def ends(name):
    """Does a function of that name never return?"""
    return (name or "").startswith(ENDS) or name in NAMED_ENDS


class Ways:
    """The instructions of a function by file address: `next` of each, and `entries`, where one may come in."""

    def __init__(self, target, function):
        self.target, self.module = target, function.GetStartAddress().GetModule()
        self.start = function.GetStartAddress().GetFileAddress()
        self.end = function.GetEndAddress().GetFileAddress()
        self._check(function)
        self.code = self._read(self.start, self.end - self.start)
        self.order = self._boundaries(function)
        self.sizes = dict(self.order)
        self.next = {}
        for index in range(len(self.order)):
            self.next[self.order[index][0]] = self._follow(index)
        self.entries = self._entries()

    def _check(self, function):
        if not self.target.GetTriple().startswith("x86_64") or not 0 < self.end - self.start <= LONGEST_FUNCTION:
            raise Unclear
        # A part of it that is elsewhere.
        cold = (function.GetMangledName() or function.GetName() or "") + ".cold"
        if self.module.FindSymbol(cold).IsValid():
            raise Unclear

    def _read(self, address, size):
        error = lldb.SBError()
        data = self.target.ReadMemory(self.module.ResolveFileAddress(address), size, error)
        if error.Fail() or data is None or len(data) != size:
            raise Unclear
        return data

    def _boundaries(self, function):
        found, at = [], self.start
        for instruction in function.GetInstructions(self.target):
            size = instruction.GetByteSize()
            found.append((at, size))
            at += size
        if at != self.end:
            raise Unclear
        return found

    def _follow(self, index):
        """Where it goes on from there."""
        address, size = self.order[index]
        behind = [address + size] if address + size in self.sizes else []
        code = self.code[address - self.start:address - self.start + size]
        code = code.lstrip(bytes(PREFIXES))
        if code and 0x40 <= code[0] < 0x50:
            code = code[1:]
        first, second = (code + b"\x00\x00")[:2]
        short, long = _signed(code[-1:]), _signed(code[-4:])
        if first == 0xE8:
            return [] if self._ends(address + size + long) else behind
        if first in (0xE9, 0xEB):
            to = address + size + (long if first == 0xE9 else short)
            return [to] if to in self.sizes else self._left(to)
        if 0x70 <= first < 0x80 or 0xE0 <= first < 0xE4 or (first == 0x0F and 0x80 <= second < 0x90):
            to = address + size + (long if first == 0x0F else short)
            if to not in self.sizes:
                raise Unclear
            return behind + [to]
        if first == 0xFF and (second >> 3) & 7 == 4:
            return self._table(index, code)
        if first in (0xC2, 0xC3, 0xF4) or (first, second) == (0x0F, 0x0B):
            return []
        return behind

    def leads(self, address, to):
        """Straight, and without a call?"""
        for _ in range(WITHIN):
            behind = self.next[address] if address in self.next else []
            code = self.code[address - self.start:address - self.start + 2].lstrip(bytes(PREFIXES))
            if len(behind) != 1 or code[:1] == b"\xe8" or code[:1] == b"\xff":
                return False
            address = behind[0]
            if address == to:
                return True
        return False

    def _left(self, to):
        """A jump out of the function is a call in its last place."""
        if self.start <= to < self.end:
            raise Unclear
        return []

    def from_there(self, address):
        """All that may come after it within the function, itself too."""
        seen, todo = set(), [address]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo.extend(self.next.get(one, ()))
        return seen

    def _ends(self, to):
        return ends(self.module.ResolveFileAddress(to).GetSymbol().GetName())

    def _table(self, index, code):
        """A jump by a table of distances from the table itself, or of addresses."""
        if len(code) == 7 and code[1:3] == b"\x24\xc5":
            return self._listed(_signed(code[3:]), 8)
        for address, size in reversed(self.order[max(0, index - WITHIN):index]):
            code = self.code[address - self.start:address - self.start + size]
            # lea REGISTER, [rip + DISTANCE]
            if size == 7 and code[0] in (0x48, 0x4C) and code[1] == 0x8D and code[2] & 0xC7 == 5:
                return self._listed(address + size + _signed(code[3:]), 4)
        raise Unclear

    def _listed(self, table, width):
        """What follows the table's end leads nowhere, or is a way too many, which does no harm."""
        found = []
        for at in range(LONGEST_TABLE):
            number = _signed(self._read(table + at * width, width))
            to = table + number if width == 4 else number
            if to not in self.sizes:
                break
            found.append(to)
        if not found:
            raise Unclear
        return found

    def _entries(self):
        """The beginning, and what nothing leads to: where exceptions are caught."""
        seen, entries = set(), []
        for address, _ in self.order:
            if address in seen:
                continue
            entries.append(address)
            todo = [address]
            while todo:
                one = todo.pop()
                if one not in seen:
                    seen.add(one)
                    todo.extend(self.next[one])
        return entries


def _signed(raw):
    return int.from_bytes(raw, "little", signed=True)
