# Recordings, in which a program goes backwards: where they begin and end.


class Recording:
    """The way of the last move, and where the recording has ended."""

    def __init__(self):
        self.backwards = False
        self.at_beginning = False
        self.replays = False  # The last stop was before the end of the recording.
        self.is_stuck = False  # gdb cannot record the next instruction: a move ends the recording.

    def begin(self):
        """There is nothing to go back to: gdb 18 fails after an attempt (regcache.c, `raw_read`)."""
        self.at_beginning = True
        self.replays = self.is_stuck = False

    def on_stop(self, text):
        """`text` is gdb's about the recording."""
        self.replays = "Replay mode" in text
        self.at_beginning = self.at_beginning or "No instructions have been logged" in text

    def describe(self, text):
        """The end of the recording at which the program has stopped; `text` is gdb's. Where it can
        record no further, it has not replayed before.
        """
        self.is_stuck = not self.replays and "Replay mode" not in text
        if self.is_stuck:
            return "an instruction that gdb cannot record"
        self.at_beginning = self.backwards
        return "%s of the recording" % ("beginning" if self.backwards else "end")

    def move(self, backwards):
        """Why there is no such move; None: it is made."""
        if backwards and self.at_beginning:
            return "this is the beginning of the recording"
        self.backwards, self.at_beginning = backwards, False
        return None


recording = Recording()

# gdb records neither AVX, which functions of the C library choose by the processor, nor XSAVEC,
# which the loader uses to bind a function at its first call (ld.so(8), glibc's tunables).
RECORDABLE = {
    "LD_BIND_NOW": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512VL,-AVX512BW",
}


beginnings = []


def begin():
    """Begins a recording, unless there is one."""
    if gdb.current_recording() is None:
        gdb.execute("record full", to_string=True)
        recording.begin()


class Beginning(gdb.Breakpoint):
    """The beginning of the program's own code: it goes on from there, and is recorded. gdb cannot
    record the loader (`RECORDABLE`).
    """

    def __init__(self, function):
        # Not in another class or module.
        super().__init__(function=function, qualified=True, internal=True)
        beginnings.append(self)

    def stop(self):
        begin()
        recording.move(False)
        # A recording ends where gdb has a breakpoint.
        for one in beginnings:
            one.enabled = False
        passed.add(self.number)
        return False


@part
def backwards():
    if not settings["record"]:
        return
    from gdb.dap import next as steps
    from gdb.dap.events import exec_and_expect_stop
    from gdb.dap.server import _commands, capability, request, send_gdb
    from gdb.dap.startup import DAPException

    given = {name for name, _ in settings["env"]} | set(os.environ)
    for name, value in RECORDABLE.items():
        if name not in given:
            gdb.selected_inferior().set_env(name, value)

    def on_stop(event):
        gdb.events.stop.disconnect(on_stop)
        while beginnings:
            beginnings.pop().delete()
        begin()

    @capability("supportsStepBack")
    @request("stepBack", response=False)
    def step_back(*, threadId: int, granularity: str = "statement", **args):
        steps._handle_thread_step(threadId, False)
        exec_and_expect_stop("reverse-stepi" if granularity == "instruction" else "reverse-next")

    @request("reverseContinue")
    def reverse_continue(*, threadId: int, **args):
        steps._handle_thread_step(threadId, False)
        exec_and_expect_stop("reverse-continue &")

    def end_recording():
        gdb.execute("record stop", to_string=True)
        gdb.events.stop.connect(on_stop)  # The next stop begins another recording.

    def checked(name, backwards):
        handler = _commands[name]

        def move(**args):
            why = recording.move(backwards)
            if why is not None:
                raise DAPException(why)
            if recording.is_stuck and not backwards:
                send_gdb(end_recording)
            return handler(**args)

        _commands[name] = move

    for name in ("next", "stepIn", "stepOut", "continue"):
        checked(name, False)
    for name in ("stepBack", "reverseContinue"):
        checked(name, True)
    names = functions_named("main") if settings["rust"] else []
    for name in (names or ["main"]) if settings["terminal"] else ():
        Beginning(name)
    gdb.events.stop.connect(on_stop)
