# Output and input of the program: a terminal of its own, or a file.

terminal = None
records = None  # Of a session without a launch.


def report(event, body):
    from gdb.dap.server import send_event

    send_event(event, body)


def copy_output():
    import codecs

    text = codecs.getincrementaldecoder("utf-8")("replace")

    def receive(written):
        printed = text.decode(written)
        if printed:
            reports.send()
            report("output", {"category": "stdout", "output": printed, "program": True})

    terminal.listen(receive)


# Characters in one variable: four bytes each are less than the system's limit for a string, 128 KiB
# (execve(2), `MAX_ARG_STRLEN`).
PART = 30 * 1024


def in_shell(args, stdin):
    """Text for a shell that runs the program, and variables for it: the arguments in the language
    of the shell, as gdb's own shell would get them in one string.
    """
    import shlex

    before, behind, variables = "", "", []
    if args:
        text = " ".join(map(shlex.quote, args))
        for start in range(0, len(text), PART):
            name = "DAPDOCK_ARGS_%d" % len(variables)
            variables.append((name, text[start : start + PART]))
        names = [name for name, _ in variables]
        given = "".join("$" + name for name in names)
        before = 'eval "set -- %s"; unset %s; ' % (given, " ".join(names))
    if stdin:
        behind = " < " + shlex.quote(stdin)
    return before + 'exec "$0" "$@"' + behind, variables


@part
def wrapper():
    import shlex

    if not settings["args"] and not settings["stdin"]:
        return
    program, variables = in_shell(settings["args"], settings["stdin"])
    for name, value in variables:
        gdb.selected_inferior().set_env(name, value)
    gdb.execute("set exec-wrapper sh -c " + shlex.quote(program))


@part
def own_terminal():
    global terminal
    if not settings["terminal"]:
        return
    from gdb.dap.startup import start_thread

    terminal = Terminal()
    gdb.execute("set inferior-tty " + terminal.name)
    start_thread("program output", copy_output)
