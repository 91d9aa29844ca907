# Stops, endings and returned values, as they are.


def signal_facts(body):
    """`signal` says neither which nor where."""
    number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    body["text"] = signal.Signals(number).name
    if number in (signal.SIGSEGV, signal.SIGBUS):
        body["description"] = "address " + hex(int(gdb.parse_and_eval("$_siginfo._sifields._sigfault.si_addr")))


def record_facts(body):
    """At the end of the record, or at what cannot be recorded."""
    replays = "Replay mode" in gdb.execute("info record", to_string=True)
    body["description"] = "end of the recording" if replays else "an instruction that gdb cannot record"


def exit_facts(body):
    """A program that a signal ended did not exit with 0: minus the signal."""
    number = gdb.convenience_variable("_exitsignal")
    if number is not None:
        body["exitCode"] = -int(number)


class Told(dict):
    """A body that was amended: one of these functions may call another."""


def amended(event, body):
    if event in ("stopped", "exited") and terminal is not None:
        terminal.drain()
    try:
        if event == "stopped" and body["reason"] in ("stopped", "no-history") and settings["record"]:
            record_facts(body)
        elif event == "stopped" and (body["reason"] == "signal" or settings["core"]):
            signal_facts(body)
        elif event == "exited":
            exit_facts(body)
    except Exception:
        pass
    if event == "output" and body.get("category") == "stdout" and "program" not in body:
        # gdb's own: the program has a terminal.
        body["category"] = "console"


@part
def truthful_events():
    from gdb.dap.server import Server

    def truthful(send):
        def told(self, event, body=None):
            if body is not None and not isinstance(body, Told):
                body = Told(body)
                amended(event, body)
            send(self, event, body)

        return told

    for name in ("send_event", "send_event_maybe_later"):
        if hasattr(Server, name):
            setattr(Server, name, truthful(getattr(Server, name)))


def member(parent, name, value):
    """The expression of a child, where the language has one."""
    if parent is None or not re.fullmatch(r"\w+|\[\d+\]", name):
        return None
    ty = value.type.strip_typedefs()
    if ty.code == gdb.TYPE_CODE_ARRAY:
        return "%s[%s]" % (parent, name.strip("[]"))
    if name[0].isdigit() or name[0] == "[":
        return None
    dot = "->" if ty.code == gdb.TYPE_CODE_PTR else "."
    return parent + dot + name


@part
def returned():
    """What Rust returns in parts may lie where C's rules, which gdb goes by, do not look for it."""
    from gdb.dap import events

    tell = events.set_finish_value

    def finished(value):
        if gdb.selected_frame().language() != "rust" or value.type.strip_typedefs().code not in TYPES:
            tell(value)

    events.set_finish_value = finished


@part
def panics():
    """Rust panics as an exception filter."""
    from gdb.dap.server import _capabilities, _commands, send_gdb_with_response

    set_filters = _commands["setExceptionBreakpoints"]
    made = []

    def stop_at_panics(wanted):
        while made:
            made.pop().delete()
        for name in ("__rustc::rust_panic", "rust_panic") if wanted else ():
            made.append(gdb.Breakpoint(function=name, internal=True))

    def set_exception_breakpoints(**args):
        filters = args.get("filters", ())
        args["filters"] = [name for name in filters if name != "rust_panic"]
        send_gdb_with_response(lambda: stop_at_panics("rust_panic" in filters and settings["rust"]))
        return set_filters(**args)

    _commands["setExceptionBreakpoints"] = set_exception_breakpoints
    offered = list(_capabilities["exceptionBreakpointFilters"])
    _capabilities["exceptionBreakpointFilters"] = offered + [{"filter": "rust_panic", "label": "Rust panics"}]
