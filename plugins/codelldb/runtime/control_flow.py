"""The control flow of a function, read from its machine code (x86-64).

On other machines there is no result. Does not know breakpoints and lines.
"""

import lldb

# Most instructions between loading an address and the jump to it.
MAX_DISTANCE = 16
LONGEST_TABLE = 4096
LONGEST_FUNCTION = 1 << 18
PREFIXES = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3")
# Prefixes of functions that never return; other code follows a call of one.
ENDS = (
    "core::panicking::",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_",
    "core::cell::panic_",
    "core::str::slice_error_fail",
    "alloc::alloc::handle_alloc_error",
    "std::process::exit",
    "std::process::abort",
    "std::rt::begin_panic",
    "_Unwind_Resume",
    "__stack_chk_fail",
    "__assert_fail",
    "__cxa_throw",
    "__cxa_rethrow",
    "__clang_call_terminate",
    "std::terminate",
    "std::__throw_",
)
NAMED_ENDS = ("abort", "exit", "_exit")


class Undetermined(Exception):
    """The control flow cannot be determined."""


def of(target, function):
    """None if the control flow cannot be determined."""
    try:
        return ControlFlow(target, function)
    except Undetermined:
        return None


def never_returns(name):
    """Does a function of that name never return?"""
    return (name or "").startswith(ENDS) or name in NAMED_ENDS


class ControlFlow:
    """The instructions of a function by file address: `next` of each, and `entries`."""

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
        if (
            not self.target.GetTriple().startswith("x86_64")
            or not 0 < self.end - self.start <= LONGEST_FUNCTION
        ):
            raise Undetermined
        # Part of the function may be elsewhere.
        cold = (function.GetMangledName() or function.GetName() or "") + ".cold"
        if self.module.FindSymbol(cold).IsValid():
            raise Undetermined

    def _read(self, address, size):
        error = lldb.SBError()
        data = self.target.ReadMemory(self.module.ResolveFileAddress(address), size, error)
        if error.Fail() or data is None or len(data) != size:
            raise Undetermined
        return data

    def _boundaries(self, function):
        found, at = [], self.start
        for instruction in function.GetInstructions(self.target):
            size = instruction.GetByteSize()
            found.append((at, size))
            at += size
        if at != self.end:
            raise Undetermined
        return found

    def _follow(self, index):
        """The addresses that follow the instruction."""
        address, size = self.order[index]
        behind = [address + size] if address + size in self.sizes else []
        code = self.code[address - self.start : address - self.start + size]
        code = code.lstrip(bytes(PREFIXES))
        if code and 0x40 <= code[0] < 0x50:
            code = code[1:]
        first, second = (code + b"\x00\x00")[:2]
        short, long = _signed(code[-1:]), _signed(code[-4:])
        if first == 0xE8:
            return [] if self._never_returns(address + size + long) else behind
        if first in (0xE9, 0xEB):
            to = address + size + (long if first == 0xE9 else short)
            return [to] if to in self.sizes else self._tail_call(to)
        if (
            0x70 <= first < 0x80
            or 0xE0 <= first < 0xE4
            or (first == 0x0F and 0x80 <= second < 0x90)
        ):
            to = address + size + (long if first == 0x0F else short)
            if to not in self.sizes:
                raise Undetermined
            return behind + [to]
        if first == 0xFF and (second >> 3) & 7 == 4:
            return self._jump_table(index, code)
        if first in (0xC2, 0xC3, 0xF4) or (first, second) == (0x0F, 0x0B):
            return []
        return behind

    def leads(self, address, to):
        """Does `address` lead to `to` without a branch or a call?"""
        for _ in range(MAX_DISTANCE):
            behind = self.next[address] if address in self.next else []
            code = self.code[address - self.start : address - self.start + 2].lstrip(
                bytes(PREFIXES)
            )
            if len(behind) != 1 or code[:1] == b"\xe8" or code[:1] == b"\xff":
                return False
            address = behind[0]
            if address == to:
                return True
        return False

    def _tail_call(self, to):
        """A jump out of the function is a tail call."""
        if self.start <= to < self.end:
            raise Undetermined
        return []

    def reachable(self, address):
        """All addresses reachable from this one inside the function, itself included."""
        seen, todo = set(), [address]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo.extend(self.next.get(one, ()))
        return seen

    def _never_returns(self, to):
        return never_returns(self.module.ResolveFileAddress(to).GetSymbol().GetName())

    def _jump_table(self, index, code):
        """A jump through a table of offsets from the table itself, or of addresses."""
        if len(code) == 7 and code[1:3] == b"\x24\xc5":
            return self._table_entries(_signed(code[3:]), 8)
        for address, size in reversed(self.order[max(0, index - MAX_DISTANCE) : index]):
            code = self.code[address - self.start : address - self.start + size]
            # lea REGISTER, [rip + OFFSET]
            if size == 7 and code[0] in (0x48, 0x4C) and code[1] == 0x8D and code[2] & 0xC7 == 5:
                return self._table_entries(address + size + _signed(code[3:]), 4)
        raise Undetermined

    def _table_entries(self, table, width):
        """Entries after the end of the table match nothing, or add an edge too many, which does no
        harm.
        """
        found = []
        for at in range(LONGEST_TABLE):
            number = _signed(self._read(table + at * width, width))
            to = table + number if width == 4 else number
            if to not in self.sizes:
                break
            found.append(to)
        if not found:
            raise Undetermined
        return found

    def _entries(self):
        """The first address, and those that nothing leads to: landing pads of exceptions."""
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
