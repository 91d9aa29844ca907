"""What gdb's own DAP server (share/gdb/python/gdb/dap) leaves out, told inside gdb.

Sourced before the server starts. Each part stands alone: one that does not fit
this gdb is left out and said in gdb's log, and the rest holds.
Written against 16.3 and 18.1; `settings` is put before this text.
"""

import os
import re
import select
import signal
import threading

import gdb

# For gdb's main thread, in seconds.
PATIENCE = 5
TYPES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
BEHIND = gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF


def part(install):
    try:
        install()
    except Exception as error:
        gdb.write("dapdock: %s is left out: %r\n" % (install.__name__, error), gdb.STDLOG)


def quiet(*names):
    for name in names:
        try:
            gdb.execute("set " + name, to_string=True)
        except gdb.error:
            pass  # A newer gdb's, or an older one's.


@part
def limits():
    quiet("print elements 200", "print characters 600", "print null-stop on", "max-value-size unlimited")
    # Questions and the network are nobody's to answer; what libraries do inside is not stepped into.
    quiet("confirm off", "debuginfod enabled off", "style enabled off", "print thread-events off")
    for files in ("*/include/c++/*", "*/include/c++/*/*", "*/rustlib/src/*", "/rustc/*"):
        gdb.execute("skip -gfi " + files, to_string=True)


@part
def syntax():
    class Parses(gdb.Function):
        """$_parses(TEXT): 1, or an error where TEXT is no expression. It evaluates nothing."""

        def __init__(self):
            super().__init__("_parses")

        def invoke(self, text):
            text = "0 && (" + text.string() + ")"
            while True:
                try:
                    gdb.parse_and_eval(text)
                except gdb.error as error:
                    if "syntax error" in str(error):
                        raise gdb.GdbError(str(error).split(", near")[0].rstrip("."))
                    # A name may be known where the breakpoint is: here anything will do.
                    unknown = re.match(r'No symbol "(\w+)" in', str(error))
                    if unknown:
                        text, replaced = re.subn(r"(?<!\$)\b%s\b" % unknown[1], "$_", text)
                        if replaced:
                            continue
                return 1

    Parses()


@part
def environment():
    # Of the program alone: in gdb's own a variable like PYTHONPATH would change gdb.
    inferior = gdb.selected_inferior()
    for name, value in settings["env"]:
        if value is None:
            inferior.unset_env(name)
        else:
            inferior.set_env(name, value)


class Terminal:
    """The program's own: lines come as they are written, and gdb's words stay apart.

    Its input is at its end. What was written before a stop or the end is told before
    it: a mark goes the same way, and what comes out before the mark was written before.
    """

    def __init__(self):
        import pty
        import termios

        self.master, self.slave = pty.openpty()
        modes = termios.tcgetattr(self.slave)
        modes[0] = 0
        modes[1] = 0
        modes[3] = termios.ICANON
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        for end in (self.master, self.slave):
            os.set_inheritable(end, False)
        os.write(self.master, b"\x04" * 64)
        self.mark = b"\0" + os.urandom(8).hex().encode() + b"\0"
        self.rest = b""
        self.came = threading.Event()
        gdb.execute("set inferior-tty " + os.ttyname(self.slave))

    def listen(self):
        import codecs

        text = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            data = self.rest + os.read(self.master, 1 << 16)
            before, mark, after = data.partition(self.mark)
            # A mark may come in two parts.
            keep = 0 if mark else next((n for n in range(len(self.mark) - 1, 0, -1) if data.endswith(self.mark[:n])), 0)
            self.rest = after if mark else data[len(data) - keep :]
            told = text.decode(before if mark else data[: len(data) - keep])
            if told:
                say("output", {"category": "stdout", "output": told, "program": True})
            if mark:
                self.came.set()

    def drain(self):
        self.came.clear()
        try:
            os.write(self.slave, self.mark)
        except OSError:
            return
        self.came.wait(1.0)


terminal = None


def say(event, body):
    from gdb.dap.server import send_event

    send_event(event, body)


@part
def standard_input():
    import shlex

    if settings["stdin"]:
        program = 'exec "$0" "$@" < ' + shlex.quote(settings["stdin"])
        gdb.execute("set exec-wrapper sh -c " + shlex.quote(program))


@part
def own_terminal():
    global terminal
    if not settings["terminal"]:
        return
    from gdb.dap.startup import start_thread

    terminal = Terminal()
    start_thread("program output", terminal.listen)


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


def one_line(value):
    told = value.format_string(max_elements=8, max_depth=3, symbols=False, repeat_threshold=0, styling=False)
    told = re.sub(r"\b0x[0-9a-f]{3,}\b", "0x…", re.sub(r'\b0x[0-9a-f]+ (?=["LuU<])', "", told))
    return told if len(told) <= 600 else told[:600] + "..."


@part
def values():
    from gdb.dap import varref
    import gdb.printing as printing

    reference = varref.VariableReference
    private = lambda one, name: getattr(one, ("_" if hasattr(one, "_" + name) else "") + name)
    update, convert, fetch = reference._update_value, reference.to_object, varref.BaseReference.fetch_children

    def target(value):
        """What a pointer to a record points at, if it can be read."""
        try:
            ty = value.type.strip_typedefs()
            if ty.code in BEHIND and ty.target().strip_typedefs().code in TYPES:
                behind = value.referenced_value()
                behind.fetch_lazy()
                return behind
        except gdb.error:
            pass
        return None

    def updated(self):
        update(self)
        value = private(self, "value")
        behind = target(value)
        self.behind = behind
        printer = None
        if behind is not None and gdb.default_visualizer(value) is None:
            printer = printing.make_visualizer(behind)
        elif value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and type(private(self, "printer")) is getattr(
            printing, "NoOpPointerReferencePrinter", None
        ):
            try:
                value.referenced_value().fetch_lazy()
            except gdb.error:
                printer = printing.NoOpScalarPrinter(value)  # Nothing to read behind it.
        if printer is not None:
            setattr(self, "_printer" if hasattr(self, "_printer") else "printer", printer)
            self.count = -1 if self.has_children() else None

    def text(self, told):
        value = private(self, "value")
        shown = self.behind if self.behind is not None else value
        if not told:
            told = one_line(shown)
        # Addresses differ from run to run.
        return re.sub(r'^0x[0-9a-f]+ (?=["L<u])', "", told)

    def object_of(self):
        result = convert(self)
        key = "result" if "result" in result else "value"
        try:
            result[key] = text(self, result[key])
        except Exception as error:
            result[key] = result[key] or "<%s>" % error
        if getattr(self, "expression", None):
            result["evaluateName"] = self.expression
        return result

    def children(self, start, count):
        # One too many is an error to gdb 16.
        known = self.child_count()
        count = min(count or known, known - start)
        for child in fetch(self, start, count) if count > 0 else ():
            name = str(private(child, "name"))
            if isinstance(self, reference):
                child.expression = member(getattr(self, "expression", None), name, private(self, "value"))
            elif re.fullmatch(r"[\w:]+", name):
                child.expression = name  # Of a scope.
            yield child

    reference._update_value, reference.to_object = updated, object_of
    varref.BaseReference.fetch_children = children


@part
def whole_texts():
    from gdb.dap import evaluate
    from gdb.dap.server import _capabilities, _commands

    ask, with_format = _commands["evaluate"], evaluate.apply_format

    def evaluate_request(**args):
        if args.get("context") == "clipboard":
            args.update(context="watch", format={"whole": True})
        return ask(**args)

    def apply_format(wanted):
        if not (wanted and wanted.get("whole")):
            return with_format(wanted)
        quiet_length = "characters" if int(gdb.VERSION.split(".")[0]) >= 14 else "elements"
        return gdb.with_parameter("print " + quiet_length, 0)

    _commands["evaluate"] = evaluate_request
    evaluate.apply_format = apply_format
    _capabilities["supportsClipboardContext"] = True


@part
def calls():
    """Functions that an expression calls are a part of its evaluation: they pass breakpoints, and what interrupts them
    is undone. gdb tells of a call as of a run and a stop, or, of a call with a text as argument, which is two, of a
    run without an end (events.py, `_on_inferior_call`)."""
    from gdb.dap import breakpoint, evaluate, events, frames, scopes, varref
    from gdb.dap.server import _commands, send_gdb_with_response
    from gdb.dap.startup import DAPException

    quiet("unwindonsignal on")
    gdb.events.inferior_call.disconnect(events._on_inferior_call)
    # To them what they know of the stop is out of date.
    forget = (frames._clear_frame_ids, varref.clear_vars, scopes.clear_scopes)
    moves = (*forget, events._cont)
    plain = evaluate._evaluate
    kept = None  # Stops of calls, while there may be any.

    def gate(name):
        send = getattr(events, name)

        def sent(event, body=None):
            if kept is None or event != "stopped":
                return send(event, body)
            kept.append((event, body))

        setattr(events, name, sent)

    for name in ("send_event", "send_event_maybe_later"):
        if hasattr(events, name):
            gate(name)

    def undone():
        """Takes an interrupted call back; false where there is none to be seen."""
        frame = gdb.newest_frame()
        while frame is not None and frame.older() is not None:
            if frame.older().type() == gdb.DUMMY_FRAME:
                frame.select()
                gdb.execute("return", to_string=True)
                return True
            frame = frame.older()
        return False

    def carry_out(expression, *more):
        try:
            return plain(expression, *more)
        except DAPException as error:
            why = str(error)
            if "a function called from GDB" in why and (INTACT in why or undone()):
                kept.clear()
                raise DAPException(cut_short(why)) from error
            raise

    class Unseen:
        """While it lasts nobody is told of runs and stops."""

        def __enter__(self):
            nonlocal kept
            self.passed, self.off = [point for point in gdb.breakpoints() if point.enabled], []
            try:
                for listener in moves:
                    gdb.events.cont.disconnect(listener)
                    self.off.append(listener)
                self.enable(False)
            except BaseException:
                self.restore()
                raise
            kept = []

        def __exit__(self, failed, *_):
            nonlocal kept
            rest, kept = kept if failed else (), None
            self.restore()
            events.inferior_running = False  # A thread that was started would leave it set.
            # What could not be undone: it stands elsewhere now.
            for listener in forget if rest else ():
                listener(None)
            for event, body in rest:
                events.send_event(event, body)

        def restore(self):
            try:
                self.enable(True)
            finally:
                while self.off:
                    gdb.events.cont.connect(self.off.pop(0))

        def enable(self, enabled):
            with breakpoint.suppress_new_breakpoint_event():
                for point in self.passed:
                    if point.is_valid():
                        point.enabled = enabled

    def evaluated(expression, *more):
        if not gdb.parameter("may-call-functions"):
            return plain(expression, *more)
        with Unseen():
            return carry_out(expression, *more)

    evaluate._evaluate = evaluated

    def in_one(ask):
        """A text that is assigned is put into the program by a call of its `malloc`."""

        def request(**args):
            unseen, failed = Unseen(), True
            send_gdb_with_response(unseen.__enter__)
            try:
                told = ask(**args)
                failed = False
                return told
            finally:
                send_gdb_with_response(lambda: unseen.__exit__(failed))

        return request

    for name in ("setExpression", "setVariable"):
        _commands[name] = in_one(_commands[name])


INTACT = "GDB has restored the context"


def cut_short(why):
    """gdb's paragraph about a call that did not end, as a line."""
    function = re.search(r"\((\w[^()]*)(?:\([^()]*\))?\)", why)
    raised = re.search(r"signal (SIG\w+)", why)
    cause = raised[1] + " in" if raised else "something stopped"
    return "%s %s: the call is undone" % (cause, function[1] if function else "the function")


@part
def rust():
    if not settings["rust"]:
        return
    import sys

    sys.path.insert(0, settings["rust"])
    gdb.execute("add-auto-load-safe-path " + settings["rust"], to_string=True)
    gdb.execute("directory " + settings["rust"], to_string=True)


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


@part
def backwards():
    if not settings["record"]:
        return
    from gdb.dap import next as steps
    from gdb.dap.events import exec_and_expect_stop
    from gdb.dap.server import capability, request

    def record(event):
        gdb.events.stop.disconnect(record)
        gdb.execute("record full", to_string=True)

    @capability("supportsStepBack")
    @request("stepBack", response=False)
    def step_back(*, threadId: int, granularity: str = "statement", **args):
        steps._handle_thread_step(threadId, False)
        exec_and_expect_stop("reverse-stepi" if granularity == "instruction" else "reverse-next")

    @request("reverseContinue")
    def reverse_continue(*, threadId: int, **args):
        steps._handle_thread_step(threadId, False)
        exec_and_expect_stop("reverse-continue &")

    gdb.events.stop.connect(record)


@part
def pauses():
    """gdb before 18 takes all that is asked of its main thread at once, and a `continue` among it keeps the rest waiting
    until the program stops (run-on-main-thread.c, `run_events`): so a pause right behind one came too late. Here the
    `continue` is answered when it has begun, and what comes then is taken by itself. 18 says `continue &` (next.py)."""
    from gdb.dap import next as steps

    send = getattr(steps, "send_gdb", None)
    if send is None:
        return

    def send_and_begin(job):
        begun = threading.Event()

        def begin():
            begun.set()
            job()

        send(begin)
        begun.wait(PATIENCE)

    steps.send_gdb = send_and_begin


@part
def addresses():
    """What was attached to by address is let go or ended as it was asked for, while it runs too: gdb's server lets go
    only of what was attached to by process (server.py, `disconnect`), and gdb kills the rest when it quits."""
    from gdb.dap.server import _commands, send_gdb, send_gdb_with_response

    if not settings["remote"]:
        return
    # gdb tries an address for 15 s where nobody listens.
    quiet("tcp auto-retry off")
    leave = _commands["disconnect"]

    def stand():
        """Waits until it stands: what runs behind an address takes no other command."""
        stopped = threading.Event()

        def interrupt():
            thread = gdb.selected_thread()
            if thread is None or not thread.is_running():
                return stopped.set()
            gdb.events.stop.connect(lambda event: stopped.set())
            gdb.execute("interrupt", to_string=True)

        send_gdb(interrupt)
        stopped.wait(PATIENCE)

    def end(command):
        if gdb.selected_inferior().pid:
            gdb.execute(command, to_string=True)

    def disconnect(**args):
        stand()
        send_gdb_with_response(lambda: end("kill" if args.get("terminateDebuggee") else "detach"))
        return leave(terminateDebuggee=False)

    def terminate(**args):
        stand()
        send_gdb_with_response(lambda: end("kill"))

    _commands.update(disconnect=disconnect, terminate=terminate)


@part
def foreign():
    """To what answers in no words of its protocol gdb speaks for 42 s, seven packets three times each (remote.c, `getpkt`).
    A thread is the first that it hears of whatever speaks it."""
    from gdb.dap import launch
    from gdb.dap.startup import DAPException, start_thread

    if not settings["remote"]:
        return
    execute = launch.exec_and_log

    def joined(command, *more):
        if not command.startswith("target remote "):
            return execute(command, *more)
        answered = threading.Event()

        def heard(event):
            answered.set()

        def watch():
            if not answered.wait(PATIENCE):
                gdb.interrupt()

        gdb.events.new_thread.connect(heard)
        start_thread("address", watch)
        try:
            return execute(command, *more)
        except KeyboardInterrupt:
            raise DAPException("what listens there is no server of gdb's: it did not answer within %d s" % PATIENCE)
        finally:
            answered.set()
            gdb.events.new_thread.disconnect(heard)

    launch.exec_and_log = joined


@part
def cores():
    """`core-file` before gdb 18 has no word in DAP: `target` names it."""
    from gdb.dap import events, launch
    from gdb.dap.server import _commands
    from gdb.dap.startup import DAPException

    execute = launch.exec_and_log

    def opened(command, *more):
        remote = "target remote core:"
        if not command.startswith(remote):
            return execute(command, *more)
        # Quoted as launch.py does; an error reaches the caller, which `exec_and_log` of 16 keeps.
        path = re.sub(r"[\s\\'\"]", r"\\\g<0>", command[len(remote) :])
        gdb.execute("core-file " + path, to_string=True)
        events.inferior_running = False  # Its threads are news, which gdb takes for a start.
        thread = gdb.selected_thread()
        say("stopped", {"reason": "attach", "threadId": thread.global_num if thread else 1, "allThreadsStopped": True})

    def stays(**args):
        raise DAPException("a core file does not run")

    if settings["core"]:
        launch.exec_and_log = opened
        for command in ("continue", "next", "stepIn", "stepOut"):
            _commands[command] = stays


@part
def program():
    """Read at once: so names are known when conditions are checked and breakpoints set."""
    from gdb.dap import launch

    read = launch.file_command
    loaded = settings["program"]
    if loaded:
        gdb.execute("file " + re.sub(r"[\s\\'\"]", r"\\\g<0>", loaded), to_string=True)
        launch.file_command = lambda path: None if path == loaded else read(path)
