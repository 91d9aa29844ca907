# Commands with their results as records of gdb/MI, for a session that gdb's user opens without a
# program.

import collections

# Stops that wait for the next answer.
STOPS = 32


def strings(value):
    """A record with all numbers as text, as gdb/MI writes them."""
    if isinstance(value, dict):
        return {key: strings(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [strings(item) for item in value]
    return value if isinstance(value, str) else str(value)


def arguments_of(line):
    """The words of a gdb/MI command; a word in double quotes is a C string."""
    words = []
    for quoted, plain in re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', line):
        words.append(plain or re.sub(r"\\(.)", unescaped, quoted))
    return words


def unescaped(escape):
    return {"n": "\n", "t": "\t"}.get(escape[1], escape[1])


def location():
    """The place of the stop as gdb prints it: function and file, then the line."""
    try:
        return re.sub(r"\A#\d+\s+", "", gdb.execute("frame", to_string=True))
    except gdb.error:
        return ""


def brief_location(facts):
    frame = facts.get("frame")
    if not frame:
        return ""
    name = frame.get("func", "??")
    if "file" in frame:
        return "%s () at %s:%s\n" % (name, frame["file"], frame.get("line"))
    library = " from %s" % frame["from"] if "from" in frame else ""
    return "%s in %s ()%s\n" % (frame.get("addr", "??"), name, library)


def heading(facts):
    """What gdb prints before the place of a stop."""
    reason = facts.get("reason")
    number = facts.get("bkptno")
    value = facts.get("value", {})
    if reason == "breakpoint-hit":
        kind = "Temporary breakpoint" if facts.get("disp") == "del" else "Breakpoint"
        return "\n%s %s, " % (kind, number)
    if reason == "signal-received":
        names = facts.get("signal-name"), facts.get("signal-meaning")
        return "\nProgram received signal %s, %s.\n" % names
    if reason == "watchpoint-trigger":
        point = facts.get("wpt", {})
        return "\nHardware watchpoint %s: %s\n\nOld value = %s\nNew value = %s\n" % (
            point.get("number"), point.get("exp"), value.get("old"), value.get("new"))
    if reason in ("read-watchpoint-trigger", "access-watchpoint-trigger"):
        point = facts.get("hw-rwpt") or facts.get("hw-awpt") or {}
        lines = "".join(
            "%s = %s\n" % (name, value[key])
            for key, name in (("old", "Old value"), ("new", "New value"), ("value", "Value"))
            if key in value
        )
        return "\nHardware watchpoint %s: %s\n\n%s" % (
            point.get("number"), point.get("exp"), lines)
    if reason == "no-history":
        return "\nNo more reverse-execution history.\n"
    return ""


def returned_value(facts):
    """What gdb prints of the value of a finished function; gdb/MI has it in two fields."""
    value = facts.pop("finish-value", None)
    if value is None:
        return ""
    name = "$%d" % gdb.add_history(value)
    text = value.format_string()
    facts.update({"gdb-result-var": name, "return-value": text})
    return "Value returned is %s = %s\n" % (name, text)


def add_thread_facts(facts):
    """What gdb/MI has in `*stopped` and Python's event lacks: the arguments of the frame, the core,
    and the threads that stand.
    """
    number = str(facts.setdefault("thread-id", gdb.selected_thread().global_num))
    facts.setdefault("stopped-threads", "all")
    try:
        listed = gdb.execute_mi("-thread-info", number)["threads"][0]
    except (gdb.error, LookupError):
        return
    if "frame" in listed:
        facts["frame"] = {**listed["frame"], **facts.get("frame", {})}
    if "core" in listed:
        facts["core"] = listed["core"]


# What gdb prints of a watchpoint that ends with its block.
OUT_OF_SCOPE = Pattern(r"^Watchpoint (\d+) deleted because the program has left the block", re.M)

# The columns of gdb/MI's table of breakpoints: name, heading, width.
COLUMNS = (
    ("number", "Num", 7),
    ("type", "Type", 14),
    ("disp", "Disp", 4),
    ("enabled", "Enb", 3),
    ("addr", "Address", 18),
    ("what", "What", 40),
)


def with_table(data):
    """A record with its list of breakpoints as the table that gdb/MI writes."""
    rows = data.get("BreakpointTable")
    if not isinstance(rows, list):
        return data
    columns = [
        {"width": width, "alignment": -1 if name != "what" else 2, "col_name": name,
         "colhdr": heading}
        for name, heading, width in COLUMNS
    ]
    table = {"nr_rows": len(rows), "nr_cols": len(COLUMNS), "hdr": columns, "body": rows}
    return {**data, "BreakpointTable": table}


class Records:
    """Runs commands and describes their results.

    A command that resumes the program is answered with `running`, unless it has stopped by then; its
    stop is added to the answer to a later command, with the number of the command that it ends.
    """

    def __init__(self):
        self.number = 0
        self.move = None  # Number and text of the command that resumed the program.
        self.ended = None  # The command that the last stop ended.
        self.stops = collections.deque(maxlen=STOPS)
        self.console = ""  # Printed since the program was resumed, by no command.
        self.stopped = False  # The client knows that the program stands.
        self.thread = self.frame = None  # What the user has selected.
        self.under_way = None  # The command that is being run.
        self.captures = False  # Its output is captured.
        self.moved = False  # It has resumed or stopped the program.

    def answer(self, command):
        """The answer to a command; an empty one only collects stops."""
        command = command.strip()
        answer = {"number": self.number, "result": None, "output": ""}
        if command:
            self.number += 1
            answer = self.run(command)
        answer["stops"], self.stops = list(self.stops), collections.deque(maxlen=STOPS)
        return answer

    def run(self, command):
        number = self.number
        if re.fullmatch(r"(q|quit|exit|-gdb-exit)(\s.*)?", command):
            result = {"status": "exit", "message": "gdb quits"}
            return {"number": number, "result": result, "output": ""}
        self.select()
        before, selected = place(), selection()
        self.under_way, self.moved = (number, command), False
        if self.move is None:
            self.console = ""
        if re.match(r"att|-target-attach", command):
            events.expect_process("attach")
        elif not gdb.selected_inferior().pid:
            events.expect_process("launch")
        try:
            result, output = captured(command)
        finally:
            self.under_way = None
        self.note_place(before)
        if self.move is None:
            output += self.take_console()
        if not (output or self.moved or command.startswith("-")):
            output = selected_text(selected)
        stop = self.take_stop(number)
        if stop and result["status"] == "done":
            result, output = stop["result"], output + stop["output"]
        elif self.moved and result["status"] == "done" and runs():
            result["status"] = "running"
        answer = {"number": number, "result": result, "output": output}
        if result["status"] == "running" and command.endswith("&"):
            answer["background"] = True
        return answer

    def select(self):
        """Selects the user's thread and frame again: other requests select others."""
        try:
            if self.thread is not None and self.thread.is_valid():
                self.thread.switch()
            if self.frame is not None and self.frame.is_valid():
                self.frame.select()
        except gdb.error:
            pass

    def note_place(self, before):
        """Reports what a command has changed without an event: a core file that it opened, or
        another place of the thread.
        """
        self.thread = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            self.frame = None
        after = place()
        forget_invalid_frames()
        if after is None:
            return
        if not self.stopped or (after != before and not self.moved):
            self.stopped = True
            events.inferior_running = False  # gdb takes the threads of a core file for a start.
            thread = gdb.selected_thread()
            report("stopped", {
                "reason": "signal" if has_signal() else "command", "threadId": thread.global_num, "allThreadsStopped": True})

    def take_stop(self, number):
        own = [stop for stop in self.stops if stop["number"] == number]
        for stop in own:
            self.stops.remove(stop)
        if not own:
            return None
        # The commands of a breakpoint resume the program at a stop.
        return {**own[-1], "output": "".join(stop["output"] for stop in own)}

    def on_continue(self, event):
        self.stopped = False
        self.thread = self.frame = None
        if self.under_way:
            self.move, self.moved = self.under_way, True
        elif self.move is None:
            # The commands of a breakpoint: what was ended goes on.
            self.move = self.ended
        self.ended = None

    def on_request(self):
        """A request of the client resumes the program."""
        self.ended = None

    def on_stop(self, event):
        self.stopped, self.moved = True, True
        facts = dict(getattr(event, "details", None) or {})
        mover = self.move or self.under_way
        self.move, self.ended = None, mover
        if mover is None:
            return  # A request of the client resumed it.
        try:
            facts.setdefault("frame", gdb.execute_mi("-stack-info-frame")["frame"])
        except gdb.error:
            pass
        add_thread_facts(facts)
        printed = self.take_console()
        ended = OUT_OF_SCOPE.search(printed)
        if "reason" not in facts and ended:
            facts.update({"reason": "watchpoint-scope", "wpnum": ended[1]})
        if "reason" not in facts and is_replay():
            facts["reason"] = "no-history"
        # `gdb.execute` would run the commands of the breakpoint here, and their `continue` in the
        # middle of this stop: gdb waits for no event of the program after that.
        points = getattr(event, "breakpoints", None) or ()
        acts = any(point.commands for point in points)
        place = brief_location(facts) if acts else location()
        text = printed + heading(facts) + place + returned_value(facts)
        self.add_stop(mover, facts, text)

    def on_exit(self, event):
        exited = self.has_exited()
        self.stopped, self.moved, self.thread, self.frame = False, True, None, None
        events.expect_process("launch")
        mover, self.move, self.ended = self.move or self.under_way, None, None
        if mover is None or not exited:
            return
        name = "[Inferior %d (process %d) " % (event.inferior.num, event.inferior.pid)
        number = gdb.convenience_variable("_exitsignal")
        if number is not None:
            ending = signal_name(int(number))
            facts = {"reason": "exited-signalled", "signal-name": ending}
            text = "\nProgram terminated with signal %s.\nThe program no longer exists.\n"
            return self.add_stop(mover, facts, text % ending)
        code = int(gdb.convenience_variable("_exitcode"))
        if code:
            facts = {"reason": "exited", "exit-code": "0%o" % code}
            return self.add_stop(mover, facts, name + "exited with code %02o]\n" % code)
        self.add_stop(mover, {"reason": "exited-normally"}, name + "exited normally]\n")

    def take_console(self):
        """What was printed, and not by a command that is captured."""
        conditions.drain()
        text, self.console = self.console, ""
        return text

    def has_exited(self):
        """Whether the program has ended by itself: was it neither killed nor let go?"""
        by_command = self.under_way and not self.moved
        return not self.stopped and not by_command and has_exit_status()

    def add_stop(self, mover, facts, text):
        number, command = mover
        text = self.take_console() + text
        self.stops.append({
            "number": number,
            "command": command,
            "result": {"status": "done", "data": strings(facts)},
            "output": text,
        })


def is_replay():
    """Whether the program stands in a recording."""
    try:
        return "Replay mode" in gdb.execute("info record", to_string=True)
    except gdb.error:
        return False


def has_signal():
    """Whether the selected thread has a signal, as in a core file."""
    try:
        return int(gdb.parse_and_eval("$_siginfo.si_signo")) != 0 and not gdb.selected_inferior().pid
    except gdb.error:
        return False


def runs():
    thread = gdb.selected_thread()
    return thread is not None and thread.is_valid() and thread.is_running()


def place():
    """Where the selected thread stands; None: it runs, or there is none."""
    thread = gdb.selected_thread()
    if thread is None or not thread.is_valid() or thread.is_running():
        return None
    try:
        frame = gdb.newest_frame()
        return thread.global_num, frame.pc(), frame.level() if hasattr(frame, "level") else 0
    except gdb.error:
        return thread.global_num, None, 0


class Captured(gdb.Command):
    """Runs the command of `captured`: what it prints before it fails is captured, too."""

    def __init__(self):
        super().__init__("dapdock-captured", gdb.COMMAND_NONE)
        self.command = ""
        self.result = None

    def invoke(self, argument, from_tty):
        self.result = attempt(lambda: gdb.execute(in_background(self.command), from_tty=True))


def attempt(run):
    """The result of a command: done, with its data, or the error in gdb's words."""
    try:
        return {"status": "done", "data": strings(with_table(run() or {}))}
    except KeyboardInterrupt:
        return {"status": "error", "message": "Quit"}
    except Exception as error:
        return {"status": "error", "message": str(error)}


runner = None


def selection():
    """The selected thread and frame; None: there is none."""
    try:
        return gdb.selected_thread().global_num, gdb.selected_frame().level()
    except (gdb.error, AttributeError):
        return None


def selected_text(before):
    """What gdb prints after a selection: 18 prints it for its own terminal only."""
    after = selection()
    if after is None or after == before:
        return ""
    text = gdb.execute("frame", to_string=True)
    if before and after[0] == before[0]:
        return text
    thread = gdb.selected_thread()
    # gdb 14 and 15 have no such text of a thread.
    name = getattr(thread, "ptid_string", None) or thread.name
    return "[Switching to thread %s (%s)]\n%s" % (thread.num, name, text)


def captured(command):
    """The result of a command, and what it prints."""
    if command.startswith("-"):
        # Not in the capture of another command: that waits for a stop which a failed -exec-continue
        # does not make.
        name, *arguments = arguments_of(command)
        result = attempt(lambda: gdb.execute_mi(name, *arguments))
        if name == "-target-select" and result["status"] == "done":
            result["status"] = "connected"
        return result, ""
    runner.command, runner.result = command, None
    records.captures = True
    try:
        output = gdb.execute("dapdock-captured", to_string=True)
    finally:
        records.captures = False
    return runner.result, output


@part
def command_records():
    global records, runner, events
    if not settings["bare"]:
        return
    import json

    from gdb.dap import events, launch
    from gdb.dap import next as steps
    from gdb.dap.server import _commands, send_gdb_with_response

    records, runner = Records(), Captured()
    # A stop ends each command in the background; a failure of gdb ends the command and not gdb.
    quiet("mi-async on")
    for setting in ("internal-error quit no", "internal-error corefile no",
                    "internal-warning quit no", "demangler-warning quit no"):
        try:
            gdb.execute("maint set " + setting, to_string=True)
        except gdb.error:
            pass
    gdb.events.cont.connect(records.on_continue)
    gdb.events.stop.connect(records.on_stop)
    gdb.events.exited.connect(records.on_exit)

    # The session begins with a launch, which starts nothing.
    launch.exec_and_expect_stop = lambda command, *more: None
    launch.expect_process = lambda kind: None
    resume = steps.exec_and_expect_stop

    def resume_by_request(command, *more, **named):
        records.on_request()
        resume(command, *more, **named)

    steps.exec_and_expect_stop = resume_by_request
    send_process = events.send_process_event_once

    def send_process_event():
        # A program that is started again frees the files of the one before.
        inferior = gdb.selected_inferior()
        if inferior.pid and getattr(inferior, "connection", None) is not None:
            # `attach` in any spelling, or `target remote` to a server that has attached.
            events.expect_process("attach" if inferior.was_attached else "launch")
            send_process()

    events.send_process_event_once = send_process_event

    evaluate = _commands["evaluate"]

    def evaluate_request(**args):
        if args.get("context") != "record":
            return evaluate(**args)
        command = args["expression"]
        answer = send_gdb_with_response(lambda: records.answer(command))
        return {"result": json.dumps(answer), "variablesReference": 0}

    _commands["evaluate"] = evaluate_request
