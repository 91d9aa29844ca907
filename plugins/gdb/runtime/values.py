# Values as text, and their children.


# Bytes of an array that are read for its text, which is shorter.
LARGE = 2**16


def beginning(value):
    """The first elements of a large array: gdb reads all of an array that it describes."""
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_ARRAY or ty.sizeof <= LARGE or value.address is None:
        return value
    low, high = ty.range()
    last = low + max(LARGE // ty.target().sizeof, 16) - 1
    part = ty.target().array(low, min(last, high))
    return value.address.cast(part.pointer()).dereference()


def one_line(value):
    InText.depth += 1
    try:
        text = beginning(value).format_string(
            max_elements=8,
            max_depth=3,
            symbols=False,
            actual_objects=False,
            repeat_threshold=0,
            styling=False,
        )
    finally:
        InText.depth -= 1
    text = ADDRESSES.sub(shortened, PAYLOAD.sub("nan", text))
    text = with_plain_variants(text) if settings["rust"] else text
    return text if len(text) <= 600 else text[:600] + "..."


# Addresses outside of texts: of a text or a symbol that follows, of memory that cannot be read, and
# others.
ADDRESSES = Pattern(
    TEXTS.pattern
    + r"""|\b(0x[0-9a-f]+ )(?=["LuU<])|<error: Cannot access memory at address (0x[0-9a-f]+)>"""
    + r"|\b0x[0-9a-f]{3,}\b"
)
HIDDEN_ADDRESS = "0x…"
PAYLOAD = Pattern(r"\bnan\(0x[0-9a-f]+\)")  # No address, and of no use.
NOT_READABLE = "<not readable: %s>"


def shortened(found):
    """Addresses differ from run to run."""
    if found[1]:
        return ""
    if found[2]:
        return NOT_READABLE % found[2]
    return found[0] if found[0][0] in "\"'" else HIDDEN_ADDRESS


def private(owner, name):
    """An attribute with or without the underscore, depending on the version of gdb."""
    return getattr(owner, ("_" if hasattr(owner, "_" + name) else "") + name)


def target(value):
    """The target of a pointer to a struct, union or array, if it can be read. gdb takes the bytes of
    an array for a text that goes on behind it.
    """
    try:
        ty = value.type.strip_typedefs()
        end = ty.target().strip_typedefs().code if ty.code in POINTERS else None
        if end in TYPES or end == gdb.TYPE_CODE_ARRAY:
            if is_incomplete(ty):
                return None
            pointee = beginning(dynamic(value))
            pointee.fetch_lazy()
            return pointee
    except gdb.error:
        pass
    return None


def is_incomplete(ty):
    """Whether a pointer's target is of a type that is only declared: nothing of it can be read."""
    of = ty.target().strip_typedefs()
    return of.code in TYPES and not of.sizeof and not of.fields() and not is_empty(of)


def is_empty(ty):
    """Whether a structure without members is defined: gdb lists it with braces, else it says so."""
    return "incomplete type" not in gdb.Value(b"", ty).format_string()


class Bytes(gdb.ValuePrinter):
    """An array of bytes as numbers: gdb takes it for a text, which ends at its zero."""

    def __init__(self, value):
        self.value = value
        self.low, self.high = value.type.strip_typedefs().range()

    def to_string(self):
        return None

    def display_hint(self):
        return "array"

    def num_children(self):
        return self.high - self.low + 1

    def child(self, index):
        return "[%d]" % index, int(self.value[self.low + index])

    def children(self):
        return (self.child(index) for index in range(self.num_children()))


def bytes_printer(value):
    """A printer for arrays of `unsigned char` and `signed char`."""
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_ARRAY:
        return None
    of = ty.target().strip_typedefs().unqualified()
    if has_unknown_length(ty):
        return None
    is_byte = of.sizeof == 1 and of.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR)
    return Bytes(value) if is_byte and str(of) in ("unsigned char", "signed char") else None


def has_characters(value, printer):
    """Whether the value is an array, or points to wide characters, whose text gdb's server loses."""
    import gdb.printing as printing

    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_PTR:
        return ty.code == gdb.TYPE_CODE_ARRAY
    return isinstance(printer, printing.NoOpStringPrinter) and ty.target().sizeof > 1


class Described:
    """A printer for a value that is described by a text alone."""

    def __init__(self, text):
        self.text = text

    def to_string(self):
        return self.text


# A heading of libstdc++'s printers: `std::map with 2 elements = `.
HEADING = Pattern(
    r"^std::(?:__cxx11::)?(\w+)(?:<bool>)? "
    r"(?:of length (\d+), capacity \d+|with (\d+) elements?)(?: = |$)"
)


def with_count(text):
    """`map(2){[1] = 2, …}`, as short as its contents allow."""
    return HEADING.sub(lambda found: "%s(%s)" % (found[1], found[2] or found[3]), text)


def owned_by(value, printer):
    """The target of a smart pointer, of its own type; None: the value is none, or has none."""
    name = str(value.type.strip_typedefs().unqualified())
    if not name.startswith(("std::unique_ptr<", "std::shared_ptr<", "std::weak_ptr<")):
        return None
    if str(value.type.strip_typedefs().template_argument(0)).endswith("]"):
        return None  # The first one of many elements.
    if "(expired" in str(printer.to_string()):
        return None
    pointer = next((child for _, child in printer.children()), None)
    if pointer is None or pointer.type.code != gdb.TYPE_CODE_PTR or not int(pointer):
        return None
    return dynamic(pointer)


def limits_characters():
    """Whether gdb cuts texts: not where the whole one is wanted."""
    return bool(gdb.parameter("print characters"))


def printer_of(value, pointee):
    """The printer of a value that gdb would describe otherwise; None: gdb's own serves."""
    import gdb.printing as printing

    if pointee is not None and gdb.default_visualizer(value) is None:
        return printing.make_visualizer(pointee)
    if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
        return None
    if type(gdb.printing.make_visualizer(value)) is not printing.NoOpPointerReferencePrinter:
        return None
    return printing.NoOpScalarPrinter(value) if is_incomplete(value.type.strip_typedefs()) else None


def nowhere(value):
    """Says of a pointer that what it points to is freed, or cannot be read; None: it is there."""
    ty = value.type.strip_typedefs()
    if ty.code != gdb.TYPE_CODE_PTR or value.is_optimized_out or not int(value):
        return None
    end = ty.target().strip_typedefs().code
    if end in (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC) or is_incomplete(ty):
        return None
    try:
        beginning(value.referenced_value()).fetch_lazy()
    except gdb.error:
        return NOT_READABLE % hex(int(value))
    return "<freed>" if heap.has_freed(int(value)) else None


class Heap:
    """The heap of the program's main thread, as it was when the program stopped."""

    def __init__(self):
        self.pid, self.range = None, range(0)

    def on_continue(self, event):
        self.pid = None

    def has_freed(self, address):
        pid = gdb.selected_inferior().pid
        if pid != self.pid:
            self.pid, self.range = pid, heap_of(pid)
        if address not in self.range:
            return False
        try:
            return is_free_block(address, self.range.start, memory_word)
        except gdb.error:
            return False


def heap_of(pid):
    """The addresses of the heap of a process that this gdb traces; that of a core file or of one
    behind a server has the number of another one here.
    """
    try:
        if int(process_status(pid)["TracerPid"]) == os.getpid():
            with open("/proc/%d/maps" % pid) as maps:
                line = next((line for line in maps if line.endswith("[heap]\n")), "0-0 ")
            return range(*(int(end, 16) for end in line.split()[0].split("-")))
    except (OSError, KeyError):
        pass
    return range(0)


def memory_word(address, size=8):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, size).tobytes(), "little")


def program_bytes(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes() if size else b""


# The most bytes of a text that is compared: one that is not set yet may have any length.
LONGEST_TEXT = 2**20
TOO_LONG = "a text of %d bytes is too long: at most %d are read"


def text_bytes(address, length, most=None):
    """The bytes of a text of the program; with `most` not more of them."""
    size = length if most is None else min(length, most)
    if size > LONGEST_TEXT:
        raise gdb.GdbError(TOO_LONG % (length, LONGEST_TEXT))
    return program_bytes(address, size)


def enough_for(text):
    """How many bytes of another text decide how it compares with this one."""
    return len(text) + 1


# Pages of the program's memory that a walk over nodes stores: allocators put nodes side by side.
PAGE_SIZE, STORED_PAGES = 4096, 8192


def word_reader():
    """`memory_word` for many aligned words of 8 bytes, page by page."""
    read, number, pages = gdb.selected_inferior().read_memory, int.from_bytes, {}

    def word(address):
        page, at = divmod(address, PAGE_SIZE)
        data = pages.get(page)
        if data is None:
            if len(pages) >= STORED_PAGES:
                pages.clear()
            data = pages[page] = read(page * PAGE_SIZE, PAGE_SIZE).tobytes()
        return number(data[at : at + 8], "little")

    return word


heap = Heap()


@part
def freed_blocks():
    gdb.events.cont.connect(heap.on_continue)


@part
def byte_arrays():
    gdb.pretty_printers.append(bytes_printer)


@part
def values():
    import gdb.printing as printing
    from gdb.dap import varref

    reference = varref.VariableReference
    update, convert = reference._update_value, reference.to_object

    def use(self, printer):
        setattr(self, "_printer" if hasattr(self, "_printer") else "printer", printer)
        self.count = -1 if self.has_children() else None

    def updated(self):
        self.listed = self.pointee = None
        try:
            update(self)
            self.pointee = target(private(self, "value"))
            printer = printer_of(private(self, "value"), self.pointee)
            lost = nowhere(private(self, "value"))
            if lost is not None:
                self.pointee, printer = None, Described(lost)
            if isinstance(private(self, "value"), Words):
                printer = Described(private(self, "value").text)
        except Exception as error:
            printer = Described(error_text(error))
        if printer is not None:
            use(self, printer)

    def describe(self, text):
        """Shows a text in place of the value."""
        use(self, Described(text))

    def text(self, result):
        value, printer = private(self, "value"), private(self, "printer")
        if isinstance(printer, Described):
            return printer.text
        if value.type.strip_typedefs().code in POINTERS[1:] and self.pointee is None:
            return "@%s: %s" % (hex(int(value.address)), one_line(value.referenced_value()))
        is_pointer = isinstance(printer, printing.NoOpPointerReferencePrinter)
        owned = owned_by(value, printer)
        # The text of a container's printer is its heading.
        if owned is not None:
            result = "%s = %s" % (printer.to_string(), one_line(owned))
        elif not result or (hasattr(printer, "children") and not is_pointer):
            result = with_count(one_line(self.pointee if self.pointee is not None else value))
        elif has_characters(value, printer) and limits_characters():
            result = one_line(value)  # Up to its zero.
        result = PAYLOAD.sub("nan", re.sub(r'^0x[0-9a-f]+ (?=["L<uU])', "", result))
        if settings["rust"] and re.fullmatch("0x[0-9a-f]+", result):
            result = pointer_text(value) or result
        return with_plain_variants(result) if settings["rust"] else result

    def described(self):
        itself = None if limits_characters() else text_itself(
            private(self, "value"), private(self, "printer"), wanted_part
        )
        return described_literally(self) if itself is None else as_text(self, *itself)

    def as_text(self, text, count):
        result = {"variablesReference": 0, "type": str(private(self, "value").type)}
        result[private(self, "result_name")] = text
        if count is not None:
            result["indexedVariables"] = count
        return result

    def described_literally(self):
        result = convert(self)
        key = "result" if "result" in result else "value"
        result[key] = text(self, result[key])
        if self.listed is not None and self.listed.cut:
            result[key] += " (the first %d)" % MOST
        # Entries of a mapping, too, are read in pages if they are many.
        if result.get("namedVariables", 0) > MOST:
            result["indexedVariables"] = result.pop("namedVariables")
        return result

    def object_of(self):
        """The value; one that cannot be read says so, and costs no other."""
        try:
            # A whole text takes its time.
            seconds = VALUE if limits_characters() else TIMEOUT
            result = limit.call(seconds, lambda: described(self))
        except (Exception, KeyboardInterrupt) as error:
            describe(self, error_text(error))
            result = {"variablesReference": 0, private(self, "result_name"): error_text(error)}
            result["type"] = str(private(self, "value").type)
            if private(self, "name") is not None:
                result["name"] = str(private(self, "name"))
        if getattr(self, "expression", None):
            result["evaluateName"] = self.expression
        if hasattr(self, "known_type"):  # Of a child that is not read: its value is another one's.
            result["type"] = self.known_type
            if self.known_type is None:
                del result["type"]
        return result

    reference._update_value, reference.to_object = updated, object_of
    reference.describe = describe


# gdb's error about a value without a place.
OPTIMIZED_OUT = "value has been optimized out"


def error_text(error, seconds=None):
    """Why a value is not read."""
    if str(error) == OPTIMIZED_OUT:
        return "<optimized out>"
    is_interrupt = isinstance(error, KeyboardInterrupt)
    return "<error: %s>" % ("not read within %g s" % (seconds or VALUE) if is_interrupt else error)


@part
def whole_strings():
    from gdb.dap import evaluate
    from gdb.dap.server import _capabilities, _commands

    evaluate_request_of_gdb, with_format = _commands["evaluate"], evaluate.apply_format

    def evaluate_request(**args):
        if args.get("context") == "clipboard":
            args.update(context="watch", format={"whole": args.get("format") or {}})
        return evaluate_request_of_gdb(**args)

    def apply_format(wanted):
        if not wanted or "whole" not in wanted:
            return with_format(wanted)
        part = wanted["whole"]
        return whole((part["from"], part["to"]) if "from" in part else None)

    _commands["evaluate"] = evaluate_request
    evaluate.apply_format = apply_format
    _capabilities["supportsClipboardContext"] = True
