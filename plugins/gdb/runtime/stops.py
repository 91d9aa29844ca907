# Stops, exits and return values.

SI_KERNEL = 0x80


def signal_name(number):
    """`SIGSEGV`; Python has no names for most real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIG%d" % number


def signal_facts(body):
    """gdb reports reason `signal` without the signal and its address."""
    number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    body["text"] = signal_name(number)
    if number not in (signal.SIGSEGV, signal.SIGBUS):
        return
    # x86 gives no address of an access that is misaligned or not canonical (sigaction(2)).
    if int(gdb.parse_and_eval("$_siginfo.si_code")) == SI_KERNEL:
        body["description"] = "invalid address, not given by the processor"
    else:
        body["description"] = "address " + hex(
            int(gdb.parse_and_eval("$_siginfo._sifields._sigfault.si_addr"))
        )


def record_facts(body):
    """Is it an end of the recording, or an instruction that cannot be recorded? Without a recording
    no command is executed: gdb would run the commands of a breakpoint after it, before the stop is
    reported.
    """
    if gdb.current_recording() is None:
        return
    text = gdb.execute("info record", to_string=True)
    if body["reason"] in ("stopped", "no-history"):
        body["description"] = recording.describe(text)
    recording.on_stop(text)


def exit_facts(body):
    """The exit code of a program that a signal ended: minus the signal."""
    number = gdb.convenience_variable("_exitsignal")
    if number is not None:
        body["exitCode"] = -int(number)


class Start:
    """A program that could not be run: it has no exit code, and gdb reports 0. The reason is the
    error of the command that runs it (fork-inferior.c, `startup_inferior`), so its exit is delayed
    until then.
    """

    def __init__(self):
        self.runs = False
        self.delayed = []

    def delays(self, send, event):
        failed = self.runs and event == "exited" and not has_exit_status()
        if failed or (self.delayed and event == "terminated"):
            self.delayed.append(send)
            return True
        return False

    def release(self, why):
        delayed, self.delayed, self.runs = self.delayed, [], False
        code = re.search(r"exited with code (\d+)", why)
        if delayed:
            report(
                "output",
                {"category": "important", "output": "the program could not be run: %s\n" % why},
            )
        for send in delayed:
            send(int(code[1]) if code else 127)


start = Start()


class Connection:
    """A lost server: gdb reports that, and a detach from a server, as an exit with 0 (events.py,
    `_on_exit`).
    """

    def __init__(self):
        self.left = False
        self.lost = False

    def drops(self, event):
        is_invented = settings["remote"] and event == "exited" and not has_exit_status()
        if is_invented:
            self.lost = not self.left
        return is_invented

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
            report("terminated", {})


connection = Connection()


def has_exit_status():
    return any(gdb.convenience_variable(name) is not None for name in ("_exitcode", "_exitsignal"))


FAILED = Pattern(r"Error in testing condition for breakpoint (\d+)(?:\.\d+)?:")


class Conditions:
    """A condition that fails stops the program. gdb writes the reason to its output (breakpoint.c,
    `bpstat_check_breakpoint_conditions`), which another thread reads: it is complete when a mark
    written after it arrives.
    """

    def __init__(self):
        self.mark = "\1" + os.urandom(8).hex()
        self.marks = re.compile(self.mark + r"-(\d+)\n")
        self.written = 0
        self.arrived = threading.Event()
        self.number = None
        self.failed = {}

    def read(self, line):
        """Reads a line of gdb's output and returns it without the mark. The mark of an earlier stop
        may arrive late.
        """
        text = self.marks.sub("", line)
        if self.number is not None and text:
            self.failed[self.number] = text.strip().rstrip(".")
        head = FAILED.match(text)
        self.number = int(head[1]) if head else None
        if str(self.written) in self.marks.findall(line):
            self.arrived.set()
        return text

    def drain(self):
        """Waits until all that gdb has written is read."""
        if records is not None and records.captures:
            return  # The output belongs to the command.
        self.arrived.clear()
        self.written += 1
        gdb.write("%s-%d\n" % (self.mark, self.written), gdb.STDERR)
        gdb.flush(gdb.STDERR)
        self.arrived.wait(1.0)

    def report_failures(self):
        texts = {point.number: point.condition for point in gdb.breakpoints() if point.condition}
        if not texts:
            return
        self.drain()
        failed, self.failed = self.failed, {}
        for number, why in failed.items():
            if number in texts:
                self.report(texts[number], why)

    def report(self, condition, why):
        if IN_PYTHON.search(why) and Call.failure:
            why, Call.failure = Call.failure, None
        words = "the condition `%s` failed: %s\n" % (condition, why)
        report("output", {"category": "important", "output": words})


conditions = Conditions()


@part
def command_output():
    """`exec_and_log` (startup.py) collects the output of a command in a string, which is complete
    only after the stop was reported: too late for the reason of a failed condition. Here the output
    is read as it is written.
    """
    from gdb.dap import events
    from gdb.dap.startup import DAPException

    execute = events.exec_and_log

    def execute_unlogged(command, *propagates):
        if command.endswith("&") or command.startswith("interrupt"):
            return execute(command, *propagates)
        start.runs = command in ("run", "start")
        why = ""
        try:
            gdb.execute(command)
        except gdb.error as error:
            why = str(error)
            # 16 reports an error only on request.
            if all(propagates):
                raise DAPException(why) from error
        finally:
            start.release(why)

    events.exec_and_log = execute_unlogged


class Amended(dict):
    """An amended body: one of these functions may call another."""


def amend(event, body):
    if event in ("stopped", "exited"):
        reports.send()
        if terminal is not None:
            terminal.drain()
    try:
        if event == "stopped":
            conditions.report_failures()
        if event == "stopped" and body["reason"] == "step":
            # gdb names all breakpoints there, also those whose conditions do not hold
            # (python/py-stopevent.c, `emit_stop_event`).
            body.pop("hitBreakpointIds", None)
        if event == "stopped" and body.get("hitBreakpointIds"):
            body["hitBreakpointIds"] = stopping(body["hitBreakpointIds"])
        if event == "stopped" and (settings["record"] or settings["bare"]):
            record_facts(body)
        if "description" in body:
            pass
        elif event == "stopped" and (
            body["reason"] in ("signal", "stopped") or settings["core"]
        ):
            signal_facts(body)
        elif event == "stopped" and body["reason"] == "breakpoint":
            exception_facts(body)
        elif event == "exited" and records is not None and not records.has_exited():
            body.pop("exitCode")  # Killed, or left alone.
        elif event == "exited":
            exit_facts(body)
    except Exception:
        pass
    if event == "output" and body.get("category") == "stdout" and "program" not in body:
        # The output is gdb's own: the program has a terminal.
        body["category"] = "console"
        body["output"] = conditions.read(body["output"])
        if records is not None:
            records.console += body["output"]


@part
def corrected_events():
    from gdb.dap.server import Server

    def correct(send):
        def corrected(self, event, body=None):
            def later(code):
                send(self, event, {"exitCode": code} if event == "exited" else body)

            if start.delays(later, event):
                return
            if connection.drops(event):
                return
            if event == "terminated" and connection.lost:
                body = {"lost": True}
            if body is not None and not isinstance(body, Amended):
                body = Amended(body)
                amend(event, body)
                if event == "output" and body["output"] == "":
                    return
            send(self, event, body)

        return corrected

    for name in ("send_event", "send_event_maybe_later"):
        if hasattr(Server, name):
            setattr(Server, name, correct(getattr(Server, name)))


def member(parent, name, value):
    """The expression of a child, if the language has one."""
    if parent is None or not re.fullmatch(r"\w+|\[\d+\]", name):
        return None
    ty = value.type.strip_typedefs()
    if ty.code == gdb.TYPE_CODE_ARRAY:
        return "%s[%s]" % (parent, name.strip("[]"))
    if settings["rust"] and re.fullmatch(r"_{0,2}\d+", name):
        return "%s.%s" % (parent, name.lstrip("_"))
    if name[0].isdigit() or name[0] == "[":
        return None
    dot = "->" if ty.code == gdb.TYPE_CODE_PTR else "."
    return parent + dot + name


@part
def returned():
    """Rust may return members of a struct in other registers than C's calling convention, which gdb
    assumes.
    """
    from gdb.dap import events

    set_value = events.set_finish_value

    def finished(value):
        if (
            gdb.selected_frame().language() != "rust"
            or value.type.strip_typedefs().code not in TYPES
        ):
            set_value(value)

    events.set_finish_value = finished


@part
def returned_first():
    """gdb lists the returned value behind all other scopes."""
    from gdb.dap.server import _commands

    list_scopes = _commands["scopes"]

    def scopes_request(**args):
        found = list_scopes(**args)
        found["scopes"].sort(key=lambda scope: scope.get("presentationHint") != "returnValue")
        return found

    _commands["scopes"] = scopes_request


@part
def panics():
    """Rust panics as an exception filter."""
    if not settings["rust"]:
        return
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
        send_gdb_with_response(lambda: stop_at_panics("rust_panic" in filters))
        return set_filters(**args)

    _commands["setExceptionBreakpoints"] = set_exception_breakpoints
    offered = list(_capabilities["exceptionBreakpointFilters"])
    _capabilities["exceptionBreakpointFilters"] = offered + [
        {"filter": "rust_panic", "label": "Rust panics"}
    ]
