# The exception of a stop with its causes, in the form of DAP's `exceptionInfo`, which gdb lacks: a
# C++ exception at its throw or after it was not caught, the error of a Rust `unwrap`, a signal.
#
# Reads memory and calls no function of the program. A Rust error is a value behind a `dyn Error`,
# or of a type whose name ends in `Error` or for which the compiler made a table of `Error`'s
# functions. Its message is the text or the fields of the value: `Display` cannot be called.

DYN_ERROR = Pattern(r"dyn (core|std)::error::Error\b")
OPTION = Pattern(r"^core::option::Option<(.*)>$")
NAMED_ERROR = Pattern(r"^[\w:]*Error$")
PLAIN_TEXTS = ("alloc::string::String", "&str")
IO_ERROR = "std::io::error::Error"
NESTED = Pattern(r"^std::_Nested_exception<(.*)>$")
# `core::result::Result<T, E>::unwrap<T, E>`, `expect`.
UNWRAPS = Pattern(r"^core::result::Result<.*>::(unwrap|expect)\b")
LONGEST_MESSAGE = 600
# Values inside one another; the causes are bounded by their number.
DEEPEST = 200
FRAMES = 64


def read_memory(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def demangled(mangled):
    words = gdb.execute("demangle -l c++ -- _ZTI" + mangled, to_string=True)
    return words.strip().removeprefix("typeinfo for ")


def frames():
    """The innermost frames of the selected thread, with the names of their functions."""
    found, frame = [], gdb.newest_frame()
    while frame is not None and len(found) < FRAMES:
        found.append((frame, frame.name() or ""))
        frame = frame.older()
    return found


def is_throw():
    """Whether the stop is at a C++ throw or a Rust panic."""
    name = gdb.newest_frame().name() or ""
    return name == "__cxa_throw" or name.endswith("rust_panic")


def break_mode(frames):
    """DAP's break mode: `always` if the program may still handle it."""
    ended = is_terminated([name for _, name in frames])
    return "unhandled" if ended else mode_of_signal()


class Causes:
    def __init__(self, most, frames):
        self.left, self.frames = most, frames

    def details(self):
        name = self.frames[0][1]
        if name == "__cxa_throw":
            return self.cpp(*thrown_exception())
        if name.endswith("rust_panic"):
            return self.rust()
        found = self.not_caught()
        return self.cpp(*found) if found else signal_details()

    def not_caught(self):
        """The exception for which the C++ runtime ended the program."""
        names = [name for _, name in self.frames]
        if not is_terminated(names):
            return None
        throws = [n for n, name in enumerate(names) if name in ("__cxa_throw", "__cxa_rethrow")]
        last = min(throws[0] + 1 if throws else len(names), len(names) - 1)
        start, end = (int(self.frames[n][0].read_register("sp")) for n in (0, last))
        return exception_near(read_memory, start, end)

    def cpp(self, exception, info):
        described = []
        for mangled, text, address in exception_chain(
            read_memory, exception, info, self.left + 1
        ):
            name = demangled(mangled)
            if text is None:
                try:
                    ty = gdb.lookup_type(name).pointer()
                    text = members(gdb.Value(address).cast(ty).dereference())
                except gdb.error:
                    pass  # A type without debug information.
            match = NESTED.match(name)
            described.append({"typeName": match[1] if match else name, "message": text})
        for outer, inner in zip(described, described[1:]):
            outer["innerException"] = [inner]
        bases = exception_bases(read_memory, exception, info)
        described[0]["baseTypes"] = [demangled(base) for base in bases]
        return described[0]

    def rust(self):
        for frame, name in self.frames:
            if UNWRAPS.match(name):
                frame.select()
                try:
                    return self.rust_error(frame.read_var("e"), 0)
                finally:
                    self.frames[0][0].select()
        return None

    def behind(self, value):
        """The value that a `Box`, a reference or an `Option` of a `dyn Error` points to. Evaluates
        `*`, for which gdb looks up the type by the table of functions.
        """
        option = OPTION.match(str(value.type))
        if option:
            if not int.from_bytes(value.bytes[:8], "little"):
                return None
            value = value.address.cast(gdb.lookup_type(option[1]).pointer()).dereference()
        gdb.set_convenience_variable("dapdock_error", value)
        try:
            return gdb.parse_and_eval("*$dapdock_error")
        except gdb.error:
            return value  # A type without debug information.

    def rust_error(self, value, depth):
        if DYN_ERROR.search(str(value.type)):
            inner = self.behind(value) if depth < DEEPEST else None
            if inner is value or (inner is not None and inner.type == value.type):
                return {"typeName": "dyn Error"} if depth > 0 else None
            return self.rust_error(inner, depth + 1) if inner is not None else None
        if str(value.type) in PLAIN_TEXTS:
            message = value.format_string().strip('"')
            return {"typeName": str(value.type), "message": message[:LONGEST_MESSAGE]}
        causes, fields, texts = [], [], []
        for name, field in fields_of(value):
            kind = str(field.type)
            if DYN_ERROR.search(kind) or is_error(kind):
                if self.left > 0 and depth < DEEPEST:
                    self.left -= 1
                    causes.append(self.rust_error(field, depth + 1))
                continue
            text = field.format_string(max_depth=2)
            if kind in PLAIN_TEXTS:
                texts.append(text)
            fields.append("%s: %s" % (name, text))
        if str(value.type) == IO_ERROR:
            fields = [io_error(int.from_bytes(value.bytes[:8], "little"))]
        message = texts[0].strip('"') if len(texts) == 1 == len(fields) else ", ".join(fields)
        return {
            "typeName": re.sub(r"^.*::(StringError)$", r"\1", str(value.type)),
            "message": message[:LONGEST_MESSAGE],
            "innerException": [cause for cause in causes if cause],
        }


def fields_of(value):
    """The fields of a struct, or of the variant of an enum."""
    fields = []
    for field in value.type.fields() if value.type.code in TYPES else ():
        if field.artificial or not field.name:
            continue
        inner = value[field]
        if str(inner.type).startswith(str(value.type) + "::"):
            fields.extend(fields_of(inner))
        else:
            fields.append((field.name, inner))
    return fields


def is_error(kind):
    table = "<%s as core::error::Error>::{vtable}" % kind
    return bool(NAMED_ERROR.match(kind)) or gdb.lookup_static_symbol(table) is not None


def mode_of_signal():
    """DAP's break mode of the signal. Empty unless this gdb traces the process: the number of a
    core file's process, or of one behind a server, is here that of another process, if of any.
    """
    number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    try:
        status = process_status(gdb.selected_inferior().pid)
    except OSError:
        return ""
    if int(status["TracerPid"]) != os.getpid():
        return ""
    return break_mode_of_signal(number, status)


def signal_details():
    number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    facts = {"reason": "signal"}
    signal_facts(facts)
    return {"typeName": signal_name(number), "message": facts.get("description", "")}


@part
def exception_info():
    from gdb.dap.server import _capabilities, _commands, send_gdb_with_response

    def describe(thread_id, causes):
        body = {"exceptionId": "", "breakMode": "", "details": {}}
        try:
            for thread in gdb.selected_inferior().threads():
                if thread.global_num == thread_id:
                    thread.switch()
            if is_throw():
                # A panic stops for `uncaught`, too, where no first chance counts as a hit.
                is_panic = gdb.newest_frame().name() != "__cxa_throw"
                body["breakMode"] = "" if is_panic and causes is None else "always"
                # The stop has read type and text.
                found = frames() if causes is not None else []
            else:
                found = frames()
                body["breakMode"] = break_mode(found)
            if causes is not None:
                body["details"] = Causes(causes, found).details() or {}
        except Exception:
            pass  # The stop describes itself.
        return body

    def exception_info(*, threadId, causes=None, **extra):
        return send_gdb_with_response(lambda: describe(threadId, causes))

    _commands["exceptionInfo"] = exception_info
    _capabilities["supportsExceptionInfoRequest"] = True
