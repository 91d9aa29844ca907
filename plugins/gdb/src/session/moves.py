# How it moves, pauses and ends, and what is looked into.


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

    def disconnect(**args):
        stand()
        command = "kill" if args.get("terminateDebuggee") else "detach"
        send_gdb_with_response(lambda: connection.leave(command))
        return leave(terminateDebuggee=False)

    def terminate(**args):
        stand()
        send_gdb_with_response(lambda: connection.leave("kill"))

    _commands.update(disconnect=disconnect, terminate=terminate)


@part
def told():
    """An attach that fails: 16 answers it all the same where it is not asked to tell (startup.py, `exec_and_log`)."""
    import inspect

    from gdb.dap import launch

    execute = launch.exec_and_log
    if len(inspect.signature(execute).parameters) > 1:
        launch.exec_and_log = lambda command, *more: execute(command, *more or (command.startswith(("attach ", "target ")),))


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

    if settings["core"]:
        launch.exec_and_log = opened


@part
def program():
    """Read at once: so names are known when conditions are checked and breakpoints set."""
    from gdb.dap import launch

    read = launch.file_command
    loaded = settings["program"]
    if loaded:
        gdb.execute("file " + re.sub(r"[\s\\'\"]", r"\\\g<0>", loaded), to_string=True)
        launch.file_command = lambda path: None if path == loaded else read(path)
