"""The walk of the gdb server's documents, through `--toolsets compat:gdb`.

Builds checkout.c of the examples, finds out why its total is too low, and compares the answers.
Needs a C compiler and gdb 14 or newer with Python.
"""

import json
import pathlib
import subprocess
import tempfile

from client import Dapdock, check

SOURCE = pathlib.Path(__file__).parents[1] / "c" / "checkout.c"
LINE = 1 + next(
    index
    for index, line in enumerate(SOURCE.read_text().splitlines())
    if "[stop: discount]" in line
)


class Gdb:
    """A session of gdb."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.id = self.content("open", timeout=60)["id"]

    def content(self, tool, **arguments):
        answer = json.loads(self.debugger.call(tool, **arguments))
        assert answer["type"] == "ok", answer
        return answer["content"]

    def call(self, command):
        return self.content("call", id=self.id, command=command)

    def output(self, command, *parts):
        """Runs a command whose output has these parts."""
        called = self.call(command)
        assert called["result"] == {"status": "done", "data": {}}, called
        check(called["output"], *parts)

    def stop(self, command, reason):
        """Runs a command that resumes the program; returns what it has printed until its stop."""
        called = self.call(command)
        result = called["result"]
        assert (result["status"], result["data"]["reason"]) == ("done", reason), called
        return called.get("program_output", "")


with tempfile.TemporaryDirectory() as built:
    program = f"{built}/checkout"
    subprocess.run(["cc", "-g", "-O0", "-o", program, SOURCE], check=True)
    with Dapdock("--toolsets", "compat:gdb", cwd=built) as debugger:
        gdb = Gdb(debugger)
        sessions = gdb.content("list_sessions")["sessions"]
        assert [session["id"] for session in sessions] == [gdb.id], sessions

        gdb.output(f"file {program}", "Reading symbols")
        gdb.output("break main", "Breakpoint 1 at")
        gdb.stop("run", "breakpoint-hit")
        gdb.output("print sizeof items / sizeof *items", " = 4\n")

        gdb.output(f"break {LINE}", "Breakpoint 2 at")
        check(gdb.stop("continue", "breakpoint-hit"), "Atlas")
        # The discount of one item is taken off the total of all.
        gdb.output("print total", " = 11880\n")
        gdb.output("print item->price * quantity", " = 3000\n")
        gdb.stop("next", "end-stepping-range")
        gdb.output("print total", " = 10692\n")

        value = gdb.call('-data-evaluate-expression "total / 100"')["result"]
        assert value == {"status": "done", "data": {"value": "106"}}, value
        error = gdb.call("print nosuch")["result"]
        assert error == {
            "status": "error",
            "message": 'No symbol "nosuch" in current context.',
        }, error

        check(gdb.stop("continue", "exited"), "total 121.32, expected 130.20")
        assert gdb.content("close", id=gdb.id) == {}
        assert gdb.content("list_sessions") == {"sessions": []}
