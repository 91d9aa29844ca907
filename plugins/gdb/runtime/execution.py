# Execution: pauses, disconnects, attaches, and opening programs and core files.


@part
def pauses():
    """A pause directly after a `continue`, for gdb before 18: its main thread takes all pending
    requests at once, and a `continue` among them delays the rest until the program stops
    (run-on-main-thread.c, `run_events`), so such a pause came too late. Here the `continue` is
    answered when it has begun, and later requests are taken separately. 18 uses `continue &`
    (next.py).
    """
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
        begun.wait(TIMEOUT)

    steps.send_gdb = send_and_begin


@part
def thread_names():
    """gdb refuses to read a name that is not UTF-8 (py-infthread.c, `thpy_get_name`), as one may be
    of which the system has the first 15 bytes.
    """
    from gdb.dap import threads

    name_of_gdb = threads._thread_name

    def name(thread):
        try:
            return name_of_gdb(thread)
        except UnicodeDecodeError as error:
            return error.object.decode("utf-8", "replace")

    threads._thread_name = name


@part
def threads_of_a_running_program():
    """Lists the threads of a running program, one of which a pause needs: gdb before 18 refuses to
    (threads.py).
    """
    from gdb.dap.server import _commands, send_gdb_with_response

    if int(gdb.VERSION.split(".")[0]) >= 18:
        return

    def listed():
        threads = gdb.selected_inferior().threads()
        return [{"id": one.global_num, "name": thread_name(one)} for one in threads]

    _commands["threads"] = lambda **args: {"threads": send_gdb_with_response(listed)}


@part
def remote_targets():
    """Detaches from a remote target or ends it, as requested, also while it runs: gdb's server
    detaches only from processes attached to by pid (server.py, `disconnect`), and gdb kills all
    others when it quits.
    """
    from gdb.dap.server import _commands, send_gdb, send_gdb_with_response

    if not settings["remote"]:
        return
    # By default gdb retries the connection for 15 s.
    quiet("tcp auto-retry off")
    disconnect_request = _commands["disconnect"]

    def wait_for_stop():
        """Waits for a stop: a running remote target accepts no other command."""
        stopped = threading.Event()

        def interrupt():
            thread = gdb.selected_thread()
            if thread is None or not thread.is_running():
                return stopped.set()
            gdb.events.stop.connect(lambda event: stopped.set())
            gdb.execute("interrupt", to_string=True)

        send_gdb(interrupt)
        stopped.wait(TIMEOUT)

    def disconnect(**args):
        wait_for_stop()
        command = "kill" if args.get("terminateDebuggee") else "detach"
        send_gdb_with_response(lambda: connection.leave(command))
        return disconnect_request(terminateDebuggee=False)

    def terminate(**args):
        wait_for_stop()
        send_gdb_with_response(lambda: connection.leave("kill"))

    _commands.update(disconnect=disconnect, terminate=terminate)


@part
def attach_errors():
    """An attach that fails: 16 answers with success unless it is told to report the error
    (startup.py, `exec_and_log`).
    """
    import inspect

    from gdb.dap import launch

    execute = launch.exec_and_log
    if len(inspect.signature(execute).parameters) > 1:
        launch.exec_and_log = lambda command, *more: execute(
            command, *more or (command.startswith(("attach ", "target ")),)
        )


@part
def connect_timeout():
    """Limits the connection to a server that does not speak gdb's protocol, for which gdb waits 42
    s: seven packets, three times each (remote.c, `getpkt`). A new thread is the first sign of a
    real server.
    """
    from gdb.dap import launch
    from gdb.dap.startup import DAPException, start_thread

    if not settings["remote"]:
        return
    execute = launch.exec_and_log

    def connect_with_timeout(command, *more):
        if not command.startswith("target remote "):
            return execute(command, *more)
        answered = threading.Event()

        def on_thread(event):
            answered.set()

        def watch():
            if not answered.wait(TIMEOUT):
                gdb.interrupt()

        gdb.events.new_thread.connect(on_thread)
        start_thread("address", watch)
        try:
            return execute(command, *more)
        except KeyboardInterrupt:
            raise DAPException("no gdb server listens there: no answer within %d s" % TIMEOUT)
        finally:
            answered.set()
            gdb.events.new_thread.disconnect(on_thread)

    launch.exec_and_log = connect_with_timeout


@part
def cores():
    """DAP before gdb 18 has no argument for a core file: `target` has its name."""
    from gdb.dap import events, launch

    execute = launch.exec_and_log

    def open_core(command, *more):
        remote = "target remote core:"
        if not command.startswith(remote):
            return execute(command, *more)
        # Quoted as launch.py does. `exec_and_log` of 16 would drop an error; here it reaches the
        # caller.
        path = re.sub(r"[\s\\'\"]", r"\\\g<0>", command[len(remote) :])
        gdb.execute("core-file " + path, to_string=True)
        events.inferior_running = False  # gdb takes new threads for a start.
        thread = gdb.selected_thread()
        report(
            "stopped",
            {
                "reason": "attach",
                "threadId": thread.global_num if thread else 1,
                "allThreadsStopped": True,
            },
        )

    if settings["core"]:
        launch.exec_and_log = open_core


def program_of(pid):
    """The path of the program that a process runs; None: it has none here."""
    link = "/proc/%s/exe" % pid
    try:
        path = os.readlink(link)
        return path if os.path.samefile(path, link) else None
    except OSError:
        return None


@part
def program():
    """Reads the program at once, so that names are known when conditions are checked and
    breakpoints set; that of a process only where this script looks names up.
    """
    from gdb.dap import launch

    read = launch.file_command
    path_in_settings = settings["program"] or (settings["rust"] and program_of(settings["pid"]))
    if path_in_settings:
        gdb.execute("file " + re.sub(r"[\s\\'\"]", r"\\\g<0>", path_in_settings), to_string=True)
        launch.file_command = lambda path: None if path == path_in_settings else read(path)
