# Variables of C and C++ before their declaration: they have a place, which holds what was there.
#
# Knows lines and addresses; does not read values. Code of optimising compilers is not in the order
# of its lines, so nothing is said about it.

UNSET = "<not yet set>"
OPTIMISED = Pattern(r" -O(?!0\b)")
# The longest code of a line that is searched for where it sets a variable.
LONGEST_LINE = 4_096


class Unset:
    def __init__(self):
        self.written = []  # Addresses that the user has written to since the program stopped.

    def on_memory(self, event):
        self.written.append((event.address, event.length))

    def on_continue(self, event):
        self.written.clear()

    def holds(self, symbol, frame):
        """Whether the variable is declared by code that the frame has not run."""
        try:
            return self.is_later(symbol, frame) and not self.is_written(symbol, frame)
        except gdb.error:
            return False

    def is_later(self, symbol, frame):
        if not symbol.is_variable or symbol.is_argument or not symbol.line:
            return False
        if symbol.addr_class == gdb.SYMBOL_LOC_STATIC:
            return False
        place = frame.find_sal()
        if is_coroutine(frame):
            return False  # Its variables keep their values between calls.
        if place.symtab is None or place.symtab.filename != symbol.symtab.filename:
            return False
        producer = getattr(place.symtab, "producer", None) or ""
        if not producer.startswith("GNU C") or OPTIMISED.search(producer):
            return False
        if place.line != symbol.line:
            return place.line < symbol.line
        begin, here = first_address(frame, place), frame.pc()
        if begin is None or not begin < here <= begin + LONGEST_LINE:
            return here == begin
        if not is_one_run(begin, here, place.line):
            return False
        return not is_named_between(begin, here, symbol, frame)

    def is_written(self, symbol, frame):
        address = int(symbol.value(frame).address or 0)
        return any(start <= address < start + size for start, size in self.written)


def is_coroutine(frame):
    """Whether g++ has made the function of the body of a coroutine: `f(_Z1fv.Frame *)`."""
    function = frame.function()
    return function is not None and function.print_name.endswith(".Frame *)")


def first_address(frame, place):
    """Where the function's code of the line begins."""
    block = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    entries = place.symtab.linetable().line(place.line) or ()
    inside = [entry.pc for entry in entries if block is None or block.start <= entry.pc < block.end]
    return min(inside, default=None)


def is_one_run(begin, here, line):
    """Is all code between these addresses of the line? The head of a loop has more behind its body,
    which runs with the variable set.
    """
    while begin < here:
        row = gdb.find_pc_line(begin)
        if row.line != line or row.last is None:
            return False
        begin = row.last + 1
    return True


def is_named_between(begin, here, symbol, frame):
    """Does code between these addresses name the variable, or is that not known?"""
    ty = symbol.type.strip_typedefs()
    # gdb's address of a reference is that of its target.
    if ty.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) or ty.dynamic or not ty.sizeof:
        return True
    try:
        bases = {name: int(frame.read_register(name)) for name in FRAME_BASES}
    except ValueError:
        return True  # Another machine.
    address = symbol.value(frame).address
    texts = [one["asm"] for one in frame.architecture().disassemble(begin, here - 1)]
    return address is None or names_part(texts, bases, int(address), ty.sizeof)


unset = Unset()


@part
def unset_variables():
    from gdb.dap import evaluate

    read, result = evaluate.parse_and_eval, evaluate.EvaluateResult
    expression = ""

    def read_named(text, *args, **more):
        nonlocal expression
        expression = text.strip()
        return read(text, *args, **more)

    def result_of(value):
        found = result(whole_object(value))
        if re.fullmatch(r"[A-Za-z_]\w*", expression):
            symbol = gdb.lookup_symbol(expression)[0]
            if symbol is not None and unset.holds(symbol, gdb.selected_frame()):
                found.describe(UNSET)
        describe_named(expression, found, value)
        return found

    evaluate.parse_and_eval, evaluate.EvaluateResult = read_named, result_of
    gdb.events.memory_changed.connect(unset.on_memory)
    gdb.events.cont.connect(unset.on_continue)
