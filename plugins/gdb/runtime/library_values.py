# Texts of values of C++'s library that have no printer, or one that says nothing of their contents.
# They serve inside the text of a value; its children stay those of its members.


def first_member(value, *paths):
    """The first of these nested members that the value has."""
    for path in paths:
        found = value
        try:
            for name in path.split("."):
                found = found[name]
            return found
        except (gdb.error, KeyError):
            continue
    return None


def ratio_of(ty):
    """The length of a unit of a `std::chrono::duration` in seconds."""
    period = ty.template_argument(1).strip_typedefs()
    return tuple(int(period.template_argument(number)) for number in (0, 1))


def count_of(value):
    found = value["__r"]
    is_fraction = found.type.strip_typedefs().code == gdb.TYPE_CODE_FLT
    return (float if is_fraction else int)(found)


def duration(value):
    return span_of_time(count_of(value), ratio_of(value.type.strip_typedefs()))


def time_point(value):
    ty, since = value.type.strip_typedefs(), value["__d"]
    is_system = "system_clock" in str(ty.template_argument(0))
    text = moment if is_system else span_of_time
    return text(count_of(since), ratio_of(since.type.strip_typedefs()))


def complex_number(value):
    return str(value["_M_value"]).replace("+ -", "- ")


def pointed_to(value):
    return one_line(value["_M_data"].referenced_value())


def function_name(address):
    block = function_at(address)
    if block is not None:
        return block.function.print_name
    found = re.match(r"(.*?)(?: \+ \d+)? in section ", symbol_text(address))
    return found[1] if found else None


def symbol_text(address):
    try:
        return gdb.execute("info symbol 0x%x" % address, to_string=True)
    except gdb.error:
        return ""


def called_function(value):
    """What a `std::function` calls."""
    if not int(value["_M_manager"]):
        return "<empty>"
    kind = handled(function_name(int(value["_M_invoker"])) or "")
    if kind is None:
        return None
    if "(*)(" in kind:
        storage = value["_M_functor"].address.cast(pointer_to("unsigned long"))
        return function_name(int(storage.dereference())) or kind
    return kind


def pointer_to(name):
    return gdb.lookup_type(name).pointer()


def exception_in(value):
    exception = int(value["_M_exception_object"])
    if not exception:
        return "nullptr"

    def read(address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    info = int.from_bytes(read(exception - 112, 8), "little")
    text, name = exception_text(read, exception, info), exception_type(read, info)
    name = gdb.execute("demangle -l c++ -- _ZTI" + name, to_string=True)
    name = name.strip().removeprefix("typeinfo for ")
    return name if text is None else "%s: %s" % (name, text)


def error_in(value):
    """What an error of <stdexcept> says. Programs declare its class only."""
    if value.address is None:
        return None
    text = gdb.Value(int(value.address) + 8).cast(pointer_to("char").pointer()).dereference()
    return re.sub("^0x[0-9a-f]+ ", "", text.format_string(symbols=False))


def node_value(value, before):
    """The element of a node that an iterator points to."""
    node = int(first_member(value, "_M_node", "_M_cur"))
    if not node:
        return None
    ty = value.type.strip_typedefs().template_argument(0)
    align = max(ty.alignof, 1)
    place = node + (before + align - 1) // align * align
    return gdb.Value(place).cast(ty.pointer()).dereference()


def hash_entry(value):
    found = node_value(value, OTHERS)
    return AT_END if found is None else one_line(found)


ERRORS = (
    "logic_error|domain_error|invalid_argument|length_error|out_of_range|runtime_error"
    "|range_error|overflow_error|underflow_error"
)
LIBRARY_TEXTS = [
    (Pattern(pattern), text)
    for pattern, text in (
        (r"^std::chrono::duration<", duration),
        (r"^std::chrono::time_point<", time_point),
        (r"^std::complex<", complex_number),
        (ARRAY_CLASS.pattern, lambda value: one_line(elements_of_array(value))),
        (r"^std::reference_wrapper<", pointed_to),
        (r"^std::function<", called_function),
        (r"^std::__exception_ptr::exception_ptr$", exception_in),
        (r"^std::(%s)$" % ERRORS, error_in),
        (r"^std::__detail::_Node_(const_)?iterator<", hash_entry),
    )
]


class InText:
    """Whether the text of a value is under way, and how deep."""

    depth = 0


def library_printer(value):
    if not 0 < InText.depth <= TEXT_LEVELS:
        return None
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or not ty.tag:
        return None
    text = next((text for pattern, text in LIBRARY_TEXTS if pattern.match(ty.tag)), None)
    try:
        found = text(value) if text is not None else None
    except (gdb.error, ValueError, OverflowError):
        return None  # It is not constructed yet.
    return Described(found) if found is not None else None


EXPECTED = Pattern(r"^std::(expected|unexpected)<")


class Expected:
    """A `std::expected` with the member that it has: the other one is what was there before."""

    def __init__(self, value):
        has_value = first_member(value, "_M_has_value")
        self.name = "std::unexpected" if has_value is None else "std::expected"
        member = "_M_val" if has_value is not None and bool(has_value) else "_M_unex"
        self.content = first_member(value, member)
        self.label = "value" if member == "_M_val" else "error"

    def to_string(self):
        return self.name + (" [void value]" if self.content is None else "")

    def children(self):
        return iter(() if self.content is None else ((self.label, self.content),))


def expected_printer(value):
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or not EXPECTED.match(ty.tag or ""):
        return None
    has_member = any(first_member(value, name) is not None for name in ("_M_has_value", "_M_unex"))
    return Expected(value) if has_member else None


def version_in(path):
    return [int(number) for number in re.findall(r"\d+", path)]


class LibraryPrinters:
    """The printers of libstdc++, which this script's come before."""

    def __init__(self):
        self.found, self.is_sought = None, False

    def of(self, value):
        return self.found(value) if self.found is not None else None

    def load(self):
        """For a program that contains the library: gdb loads the script of a shared one."""
        self.is_sought = True
        own = os.path.join(gdb.PYTHONDIR, "..", "..", "gcc", "python")
        others = sorted(glob.glob("/usr/share/gcc*/python"), key=version_in, reverse=True)
        for directory in [*others, own]:
            if os.path.isdir(os.path.join(directory, "libstdcxx")):
                sys.path.insert(0, directory)
                try:
                    from libstdcxx.v6 import register_libstdcxx_printers
                finally:
                    sys.path.remove(directory)
                return register_libstdcxx_printers(None)


library_printers = LibraryPrinters()


def contained_library_printer(value):
    """A printer for a class of the library where gdb has loaded none for its classes."""
    ty = value.type.strip_typedefs()
    if library_printers.is_sought or library_printers.found is not None:
        return None
    if ty.code not in TYPES or not (ty.tag or "").startswith("std::"):
        return None
    try:
        library_printers.load()
    except Exception:
        return None  # Of a gdb with another version of Python.
    # gdb looks at those that were there before.
    printers = iterator_printer, owner_printer, library_printers.of
    return next((found for found in (printer(value) for printer in printers) if found), None)


def owner_printer(value):
    """A printer for a smart pointer inside of a value, with what it points to."""
    ty = value.type.strip_typedefs()
    if not 0 < InText.depth <= OWNED_LEVELS or ty.code not in TYPES:
        return None
    if not OWNER_CLASS.match(ty.tag or ""):
        return None
    try:
        printer = library_printers.of(value)
        owned = owned_by(value, printer) if printer is not None else None
        if owned is None:
            return None
        owned.fetch_lazy()
        return Described("%s = %s" % (printer.to_string(), one_line(owned)))
    except (gdb.error, RuntimeError, StopIteration):
        return None  # It is not constructed yet.


OWNED_LEVELS = 2
OWNER_CLASS = Pattern(r"^std::(unique|shared|weak)_ptr<")


@part
def library_values():
    gdb.pretty_printers.append(library_printer)
    gdb.pretty_printers.append(expected_printer)
    gdb.pretty_printers.append(contained_library_printer)
