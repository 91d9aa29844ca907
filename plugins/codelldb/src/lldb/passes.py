"""One stop for one pass of a line.

A line whose code has inner blocks (`println!`, `assert_eq!`) has a location in each, and
LLDB stops at every one of them. Of the locations in one frame (one function, or one
inlined copy of it) those are disabled which no way leads to but through another one that
stays: whoever comes there has stopped in this line just before, and cannot come again
without stopping. So nothing is passed unseen: the head and the body of a loop on one line,
arms of a `switch`, copies of an inlined or generic function all keep their own.

gdb keeps the first location of each block (create_sals_line_offset in gdb/linespec.c), and
so does LLDB, which is not enough here. The ways are read from the machine code of x86-64;
where they cannot be told, and on other machines, all locations stay.

Done before the program runs, and at the first stop there is, as one that stays always comes
first. But an arm of a `match` begins where its names are not bound yet: the location behind
that stays alone. What a line declares (`y` of `for k in 0..3 { let y = id(k); … }`) is not
known where its first location is: a condition that asks for it gets one that knows it
(`declares`); a log says that there is no such name. Knows no counts.
"""

import lldb

import bodies
import judged
import plans

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

_done = set()
_declared = {}


class Unclear(Exception):
    """Where the code goes cannot be told."""


class Hook:
    """Of every stop, before anybody is told of it."""

    def __init__(self, _target, _args, _dict):
        pass

    def handle_stop(self, context, _stream):
        look(context.GetTarget())
        process = context.GetProcess()
        judged.select(process)
        stopped = [thread for thread in process if thread.GetStopReason() > lldb.eStopReasonNone]
        plans.drop(process, stopped)
        return not bodies.carry(process, stopped)


def look(target):
    """Narrows the breakpoints that are new, or have got more locations by a module."""
    ways = {}
    for breakpoint in target.breakpoint_iter():
        count = breakpoint.GetNumLocations()
        if count > 1 and (breakpoint.GetID(), count) not in _done:
            _done.add((breakpoint.GetID(), count))
            _narrow(target, breakpoint, ways)


def _narrow(target, breakpoint, ways):
    frames = {}
    for location in breakpoint:
        address = location.GetAddress()
        if location.IsEnabled() and address.GetFunction().IsValid():
            frames.setdefault(_frame(address), []).append(location)
    for frame, locations in frames.items():
        if len(locations) > 1:
            if frame[:2] not in ways:
                ways[frame[:2]] = _ways(target, locations[0].GetAddress().GetFunction())
            known = ways[frame[:2]]
            at = {location.GetAddress().GetFileAddress(): location for location in locations}
            if known is None:
                continue
            for address in unbound(known, at) - _standing(target):
                at.pop(address).SetEnabled(False)
            for address in redundant(known, at):
                at[address].SetEnabled(False)


def declares(frame, name):
    """Does the line declare what it does not know where its breakpoint stands? Then it stops there as well."""
    target, here = frame.GetThread().GetProcess().GetTarget(), frame.GetPCAddress()
    return any([_widen(target, breakpoint, here, name) for breakpoint in target.breakpoint_iter()])


def _widen(target, breakpoint, here, name):
    within = _frame(here)
    key = breakpoint.GetID(), breakpoint.GetNumLocations(), within, name
    if key not in _declared:
        at = {one.GetAddress().GetFileAddress(): one for one in breakpoint if _frame(one.GetAddress()) == within}
        known = {address: one for address, one in at.items() if _knows(target, one.GetAddress(), name)}
        ways = _ways(target, here.GetFunction()) if known and here.GetFileAddress() in at else None
        bound = set(known) - unbound(ways, at) if ways else set()
        for address in bound - set(redundant(ways, bound)) if ways else ():
            known[address].SetEnabled(True)
        _declared[key] = here.GetFileAddress() in at and bool(known)
    return _declared[key]


def _knows(target, address, name):
    block = address.GetBlock()
    while block.IsValid():
        if any(one.GetName() == name for one in block.GetVariables(target, True, True, False)):
            return True
        block = lldb.SBBlock() if block.IsInlined() else block.GetParent()
    return False


def _ways(target, function):
    try:
        return Ways(target, function)
    except Unclear:
        return None


def _frame(address):
    """What has one frame on the stack: a function, or an inlined copy."""
    function, block = address.GetFunction(), address.GetBlock()
    copy = block.GetContainingInlinedBlock() if block.IsValid() else block
    starts = function.GetStartAddress().GetFileAddress()
    inlined = copy.GetRangeStartAddress(0).GetFileAddress() if copy.IsValid() else 0
    name = copy.GetInlinedName() if copy.IsValid() else None
    return str(address.GetModule().GetFileSpec()), starts, inlined, name


def unbound(ways, locations):
    """Those from which the names of a `match` arm are bound and nothing else is done before a later location."""
    bound = [address for address, location in locations.items() if _binds(ways.target, location.GetAddress())]
    return {address for address in locations if address not in bound and any(ways.leads(address, to) for to in bound)}


def _binds(target, address):
    """Does the block there declare a name in the line itself? Rust's formatting declares `args`."""
    line, block = address.GetLineEntry().GetLine(), address.GetBlock()
    if address.GetCompileUnit().GetLanguage() != lldb.eLanguageTypeRust or not block.IsValid():
        return False
    names = block.GetVariables(target, False, True, False)
    return any(name.GetDeclaration().GetLine() == line and name.GetName() != "args" for name in names)


def _standing(target):
    """Where threads have stopped: what stops there is told already."""
    return {thread.GetFrameAtIndex(0).GetPCAddress().GetFileAddress() for thread in target.GetProcess()}


def redundant(ways, addresses):
    """Those that can be reached only through one that stays."""
    stay, left_out = set(addresses), []
    for address in sorted(addresses, reverse=True):
        others = stay - {address}
        if address in ways.next and others and not _reached(ways, address, others):
            stay = others
            left_out.append(address)
    return left_out


def _reached(ways, address, closed):
    """From where the function begins, or from the address itself, past none that is closed?"""
    seen, todo = set(closed), [one for one in ways.entries if one not in closed] + ways.next[address]
    while todo:
        one = todo.pop()
        if one == address:
            return True
        if one not in seen:
            seen.add(one)
            todo.extend(ways.next[one])
    return False


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

    def _ends(self, to):
        name = self.module.ResolveFileAddress(to).GetSymbol().GetName() or ""
        return name.startswith(ENDS) or name in NAMED_ENDS

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


def __lldb_init_module(debugger, _dict):
    look(debugger.GetSelectedTarget())
    debugger.HandleCommand("target stop-hook add -P passes.Hook")
