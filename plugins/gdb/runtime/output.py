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
    gdb.execute("set inferior-tty " + terminal.name)
    start_thread("program output", copy_output)
