# C++ exceptions: what is thrown, told at the stop.


def members(value):
    """Its own fields, or the whole of what has none: what a debugger can say of any type."""
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or gdb.default_visualizer(value) is not None:
        return value.format_string(max_depth=1)
    own = [field for field in ty.fields() if hasattr(field, "bitpos") and not field.is_base_class and not field.artificial]
    return ", ".join("%s=%s" % (field.name, value[field].format_string(max_depth=1)) for field in own)


def thrown_facts(body):
    """Where the catchpoint `throw` stops, with the arguments of `__cxa_throw`: the object and its `std::type_info`."""
    if gdb.newest_frame().name() != "__cxa_throw":
        return
    inferior = gdb.selected_inferior()

    def memory(address, size):
        return inferior.read_memory(address, size).tobytes()

    def argument(number, register):
        for name in ("$_probe_arg%d" % number, register):
            try:
                return int(gdb.parse_and_eval("(unsigned long) " + name))
            except gdb.error:
                continue

    x86 = "x86-64" in gdb.newest_frame().architecture().name()
    thrown, info = argument(0, "$rdi" if x86 else "$x0"), argument(1, "$rsi" if x86 else "$x1")
    named = gdb.execute("demangle -l c++ -- _ZTI" + thrown_type(memory, info), to_string=True)
    body["text"] = name = named.strip().removeprefix("typeinfo for ")
    text = thrown_text(memory, thrown, info)
    if text is None:
        value = gdb.Value(thrown).cast(gdb.lookup_type(name).pointer()).dereference()
        text = members(value)
    body["description"] = text
