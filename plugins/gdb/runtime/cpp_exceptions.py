# C++ exceptions at the stop of their throw, and the messages of Rust panics.


def members(value):
    """The members of the type itself, or the whole value if it has none."""
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or gdb.default_visualizer(value) is not None:
        return value.format_string(max_depth=1)
    own = [
        field
        for field in ty.fields()
        if hasattr(field, "bitpos") and not field.is_base_class and not field.artificial
    ]
    return ", ".join(
        "%s=%s" % (field.name, value[field].format_string(max_depth=1)) for field in own
    )


def thrown_exception():
    """The arguments of `__cxa_throw` in the newest frame: the object and its `std::type_info`; or
    those of `rust_panic`: the payload and its table of functions.
    """

    def argument(number, register):
        for name in ("$_probe_arg%d" % number, register):
            try:
                # In Rust a cast of C is no expression.
                return int(gdb.parse_and_eval(name)) & (2**64 - 1)
            except (gdb.error, TypeError):
                continue

    x86 = "x86-64" in gdb.newest_frame().architecture().name()
    return argument(0, "$rdi" if x86 else "$x0"), argument(1, "$rsi" if x86 else "$x1")


@part
def thrown_types():
    class Throws(gdb.Function):
        """$_throws(CLASS, ...): whether the exception thrown here is of one of these classes."""

        def __init__(self):
            super().__init__("_throws")

        def invoke(self, *names):
            inferior = gdb.selected_inferior()

            def memory(address, size):
                return inferior.read_memory(address, size).tobytes()

            wanted = [name.string() for name in names]
            return is_of_type(memory, *thrown_exception(), wanted)

    Throws()


def exception_facts(body):
    """Describes the exception at the catchpoint `throw`, or the panic."""
    name = gdb.newest_frame().name() or ""
    if name != "__cxa_throw" and not name.endswith("rust_panic"):
        return
    inferior = gdb.selected_inferior()

    def memory(address, size):
        return inferior.read_memory(address, size).tobytes()

    exception, info = thrown_exception()
    if name != "__cxa_throw":
        message = panic_text(memory, exception, info)
        if message is not None:
            body["description"] = message
        return
    demangled = gdb.execute(
        "demangle -l c++ -- _ZTI" + exception_type(memory, info), to_string=True
    )
    body["text"] = name = demangled.strip().removeprefix("typeinfo for ")
    text = exception_text(memory, exception, info)
    if text is None:
        value = gdb.Value(exception).cast(gdb.lookup_type(name).pointer()).dereference()
        text = members(value)
    body["description"] = text
