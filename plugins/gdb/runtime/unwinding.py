# Lines of Rust whose first code only runs when a panic unwinds: the compiler places code that drops
# a function's variables there, often at a lower address than that of a normal return, and gdb takes
# the lowest. Such a breakpoint is set where the line begins on the way of a normal return.

# Instructions after which the next one is not run.
ENDS = Pattern(r"(repz )?(ret|ud2|hlt|brk|udf)|(notrack )?jmp|b(r\w*)?\s")
# Those that jump to the address in their text, or to one that is computed.
JUMPS = Pattern(r"(?:j\w+|b|b\.\w+|cbn?z|tbn?z)\s[^<*]*?\b0x([0-9a-f]+)(?: <|$)")
COMPUTED = Pattern(r"(notrack )?jmp\w*\s+\*|br\w*\s+x")


def reachable(instructions, start):
    """The addresses that a function reaches without unwinding; None: it jumps to an address that is
    computed. `instructions` are those of the function in order, as gdb disassembles them.
    """
    by_address = {one["addr"]: one for one in instructions}
    found, rest = set(), [start]
    while rest:
        at = rest.pop()
        if at in found or at not in by_address:
            continue
        found.add(at)
        text = by_address[at]["asm"]
        if COMPUTED.match(text):
            return None
        jump = JUMPS.match(text)
        if jump:
            rest.append(int(jump[1], 16))
        if not ENDS.match(text):
            rest.append(at + by_address[at]["length"])
    return found


def function_at(address):
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block


def normal_start(address):
    """Where the line at the address begins on the way of a normal return, if not there; else None.
    With it, the function's block.
    """
    place, function = gdb.find_pc_line(address), function_at(address)
    if place.symtab is None or "rustc" not in (getattr(place.symtab, "producer", None) or ""):
        return None
    if function is None:
        return None
    architecture = gdb.selected_inferior().architecture()
    instructions = architecture.disassemble(function.start, function.end - 1)
    normal = reachable(instructions, function.start)
    if normal is None or address in normal:
        return None
    entries = place.symtab.linetable().line(place.line) or ()
    starts = [entry.pc for entry in entries if entry.pc in normal]
    return (min(starts), function) if starts else None


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
        if "line" not in place or len(made.locations) != 1:
            return made
        found = normal_start(made.locations[0].address)
        if found is None:
            return made
        made.delete()
        with gdb.with_parameter("language", "c"):
            return make(logMessage=logMessage, spec=place_of(*found))

    breakpoints._set_one_breakpoint = make_where_it_returns
