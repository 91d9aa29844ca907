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


class Start:
    """A program that could not be run has no exit code, and gdb tells 0. Why comes as the error of the command that was
    to run it (fork-inferior.c, `startup_inferior`): its end waits for that."""

    def __init__(self):
        self.runs = False
        self.held = []

    def holds(self, tell, event):
        failed = self.runs and event == "exited" and not told_exit()
        if failed or (self.held and event == "terminated"):
            self.held.append(tell)
            return True
        return False

    def release(self, why):
        held, self.held, self.runs = self.held, [], False
        code = re.search(r"exited with code (\d+)", why)
        if held:
            say("output", {"category": "important", "output": "the program could not be run: %s\n" % why})
        for tell in held:
            tell(int(code[1]) if code else 127)


start = Start()


class Connection:
    """What serves a program behind an address may go: gdb tells of that, and of what it lets go, as of an exit with 0
    (events.py, `_on_exit`)."""

    def __init__(self):
        self.left = False
        self.lost = False

    def swallows(self, event):
        made_up = settings["remote"] and event == "exited" and not told_exit()
        if made_up:
            self.lost = not self.left
        return made_up

    def leave(self, command):
        if not gdb.selected_inferior().pid:
            return
        self.left = True
        try:
            gdb.execute(command, to_string=True)
        except gdb.error:
            if gdb.selected_inferior().pid:
                raise
            self.lost = True
            say("terminated", {})


connection = Connection()


def told_exit():
    return any(gdb.convenience_variable(name) is not None for name in ("_exitcode", "_exitsignal"))


FAILED = re.compile(r"Error in testing condition for breakpoint (\d+)(?:\.\d+)?:")


class Conditions:
    """A condition that fails holds, and why it failed is only in what gdb writes beside the stop (breakpoint.c,
    `bpstat_check_breakpoint_conditions`), which comes by a thread of its own: behind a mark all of it has come."""

    def __init__(self):
        self.mark = "\1" + os.urandom(8).hex()
        self.marks = re.compile(self.mark + r"-(\d+)\n")
        self.written = 0
        self.came = threading.Event()
        self.number = None
        self.failed = {}

    def read(self, line):
        """A line as gdb wrote it, without the mark. An earlier stop's mark may come late."""
        told = self.marks.sub("", line)
        if self.number is not None and told:
            self.failed[self.number] = told.strip().rstrip(".")
        head = FAILED.match(told)
        self.number = int(head[1]) if head else None
        if str(self.written) in self.marks.findall(line):
            self.came.set()
        return told

    def tell(self):
        texts = {point.number: point.condition for point in gdb.breakpoints() if point.condition}
        if not texts:
            return
        self.came.clear()
        self.written += 1
        gdb.write("%s-%d\n" % (self.mark, self.written), gdb.STDERR)
        gdb.flush(gdb.STDERR)
        self.came.wait(1.0)
        failed, self.failed = self.failed, {}
        for number, why in failed.items():
            if number in texts:
                words = "the condition `%s` failed: %s\n" % (texts[number], why)
                say("output", {"category": "important", "output": words})


conditions = Conditions()


@part
def heard():
    """What runs the program until it stops is had run with its words in a text (startup.py, `exec_and_log`), which is
    there when the stop has been told: too late for why a condition failed. Here they come as all others do."""
    from gdb.dap import events
    from gdb.dap.startup import DAPException

    execute = events.exec_and_log

    def executed(command, *propagates):
        if command.endswith("&") or command.startswith("interrupt"):
            return execute(command, *propagates)
        start.runs = command in ("run", "start")
        why = ""
        try:
            gdb.execute(command)
        except gdb.error as error:
            why = str(error)
            # 16 tells of an error only where it is asked to.
            if all(propagates):
                raise DAPException(why) from error
        finally:
            start.release(why)

    events.exec_and_log = executed


class Told(dict):
    """A body that was amended: one of these functions may call another."""


def amended(event, body):
    if event in ("stopped", "exited") and terminal is not None:
        terminal.drain()
    try:
        if event == "stopped":
            conditions.tell()
        if event == "stopped" and body["reason"] == "step":
            # Those that are there and were not to stop it (python/py-stopevent.c, `emit_stop_event`).
            body.pop("hitBreakpointIds", None)
        if event == "stopped" and body["reason"] in ("stopped", "no-history") and settings["record"]:
            record_facts(body)
        elif event == "stopped" and (body["reason"] == "signal" or settings["core"]):
            signal_facts(body)
        elif event == "stopped" and body["reason"] == "breakpoint":
            thrown_facts(body)
        elif event == "exited":
            exit_facts(body)
    except Exception:
        pass
    if event == "output" and body.get("category") == "stdout" and "program" not in body:
        # gdb's own: the program has a terminal.
        body["category"] = "console"
        body["output"] = conditions.read(body["output"])


@part
def truthful_events():
    from gdb.dap.server import Server

    def truthful(send):
        def told(self, event, body=None):
            def later(code):
                send(self, event, {"exitCode": code} if event == "exited" else body)

            if start.holds(later, event):
                return
            if connection.swallows(event):
                return
            if event == "terminated" and connection.lost:
                body = {"lost": True}
            if body is not None and not isinstance(body, Told):
                body = Told(body)
                amended(event, body)
                if event == "output" and body["output"] == "":
                    return
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
