# Lines of Rust whose first code only runs when a panic unwinds: the compiler places code that drops
# a function's variables there, often at a lower address than that of a normal return, and gdb takes
# the lowest. The breakpoint is set at code of the line that is reachable without unwinding. If the
# line has none, the next line of the function with such code is taken. A generic function gets one
# breakpoint in each of its copies.

# Instructions after which the next one is not run.
ENDS = Pattern(r"(repz )?(ret|ud2|hlt|brk|udf)|(notrack )?jmp|b(r\w*)?\s")
# Those that jump to the address in their text, or to one that is computed.
JUMPS = Pattern(r"(?:j\w+|b|b\.\w+|cbn?z|tbn?z)\s[^<*]*?\b0x([0-9a-f]+)(?: <|$)")
COMPUTED = Pattern(r"(notrack )?jmp\w*\s+\*|br\w*\s+x")


# How far before a jump the address of its table is loaded, and the most entries of a table.
DISTANCE, MOST_ENTRIES = 16, 4096
# Locations of a line whose functions are looked at: gdb disassembles 5,000 instructions in 1 s.
MOST_COPIES = 50
TABLE = Pattern(r"lea\s+-?0x[0-9a-f]+\(%rip\),%\w+\s+# 0x([0-9a-f]+)")


def reachable(instructions, start, read=None):
    """The addresses that a function reaches without unwinding; None: it jumps to an address that is
    computed. `instructions` are those of the function in order, as gdb disassembles them; `read`
    reads an offset of a table of jumps.
    """
    numbers = {one["addr"]: number for number, one in enumerate(instructions)}
    found, rest = set(), [start]
    while rest:
        at = rest.pop()
        if at in found or at not in numbers:
            continue
        found.add(at)
        number = numbers[at]
        text = instructions[number]["asm"]
        if COMPUTED.match(text):
            before = instructions[max(0, number - DISTANCE) : number]
            targets = table_targets(before, numbers, read)
            if not targets:
                return None
            rest += targets
        jump = JUMPS.match(text)
        if jump:
            rest.append(int(jump[1], 16))
        if not ENDS.match(text):
            rest.append(at + instructions[number]["length"])
    return found


def table_targets(before, numbers, read):
    """Where a jump goes by a table of offsets from the table, whose address is loaded before it.
    Reading past the table's end yields an address outside the function, which ends the loop, no
    address, or one extra target.
    """
    for one in reversed(before if read is not None else ()):
        loaded = TABLE.match(one["asm"])
        if not loaded:
            continue
        table, targets = int(loaded[1], 16), []
        for entry in range(MOST_ENTRIES):
            try:
                to = table + read(table + 4 * entry)
            except gdb.error:
                return targets
            if to not in numbers:
                return targets
            targets.append(to)
        return targets
    return []


def offset_at(address):
    return int.from_bytes(program_bytes(address, 4), "little", signed=True)


def function_at(address):
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block


reachable_by_function = {}  # By addresses and name.


class Function:
    """A function of Rust in which a breakpoint on a line has locations."""

    def __init__(self, block):
        self.block, self.addresses = block, []
        self.start = None  # Where the line's reachable code is, if not there.
        self.is_unwinding = False  # The line runs only when a panic unwinds.

    def normal(self):
        """The addresses that it reaches without unwinding; None: unknown."""
        key = self.block.start, self.block.end, str(self.block.function)
        if key not in reachable_by_function:
            architecture = gdb.selected_inferior().architecture()
            instructions = architecture.disassemble(self.block.start, self.block.end - 1)
            found = reachable(instructions, self.block.start, offset_at)
            reachable_by_function[key] = found
        return reachable_by_function[key]

    def find_start(self):
        normal = self.normal()
        if normal is None or any(one in normal for one in self.addresses):
            return
        place = gdb.find_pc_line(self.addresses[0])
        lines = [
            (entry.line, entry.pc)
            for entry in place.symtab.linetable()
            if entry.line >= place.line and entry.pc in normal and self.has(entry.pc)
        ]
        self.is_unwinding = not lines
        self.start = min(lines)[1] if lines else None

    def has(self, address):
        """Whether the code is of no function that was inlined."""
        return function_at(address).start == self.block.start

    def places(self):
        addresses = self.addresses if self.start is None else [self.start]
        return [place_of(address, self.block) for address in addresses]


def functions_of(locations):
    """The functions in which the locations are; none: one is not in a function of Rust."""
    functions = {}
    for location in locations:
        block = function_at(location.address) if location.address else None
        symtab = gdb.find_pc_line(location.address).symtab if block is not None else None
        if "rustc" not in (getattr(symtab, "producer", None) or ""):
            return []
        functions.setdefault(block.start, Function(block)).addresses.append(location.address)
    return list(functions.values())


def place_of(address, function):
    """The address in words that stay right when the program is loaded elsewhere."""
    name = function.function.linkage_name
    return "*((char*)&'%s'+%d)" % (name, address - function.start)


@part
def lines_that_return():
    from gdb.dap import breakpoint as breakpoints

    make = breakpoints._set_one_breakpoint

    def make_where_it_returns(*, logMessage=None, **place):
        made = make(logMessage=logMessage, **place)
        if "line" not in place or len(made.locations) > MOST_COPIES:
            return made
        functions = functions_of(made.locations)
        for one in functions:
            one.find_start()
        if functions and all(one.is_unwinding for one in functions):
            place = gdb.find_pc_line(functions[0].addresses[0])
            file = os.path.basename(place.symtab.filename)
            words = "%s:%d runs only when a panic unwinds\n" % (file, place.line)
            report("output", {"category": "important", "output": words})
        places = [place for one in functions for place in one.places()]
        is_same = all(one.start is None for one in functions)
        if is_same or (len(places) > 1 and not settings["rust"]):
            return made
        made.delete()
        with gdb.with_parameter("language", "c"):
            if len(places) == 1:
                return make(logMessage=logMessage, spec=places[0])
            return make(logMessage=logMessage, specs=places)

    breakpoints._set_one_breakpoint = make_where_it_returns
