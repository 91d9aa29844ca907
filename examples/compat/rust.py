"""The walk of the Rust server's documents, through `--toolsets compat:rust`.

Builds walk.rs, steps through it and compares what the variables are. Needs rustc and CodeLLDB.
"""

import pathlib
import subprocess
import tempfile

from client import Dapdock, check

SOURCE = pathlib.Path(__file__).with_name("walk.rs")


def line(text):
    """The number of the line that starts with this text."""
    lines = [line.strip() for line in SOURCE.read_text().splitlines()]
    return 1 + next(index for index, line in enumerate(lines) if line.startswith(text))


with tempfile.TemporaryDirectory() as built:
    program = f"{built}/walk"
    subprocess.run(["rustc", "-g", "-o", program, SOURCE], check=True)
    with Dapdock("--toolsets", "compat:rust", cwd=SOURCE.parent) as debugger:
        check(debugger.call("debug_launch", program=program), "stopped at entry", "walk.rs")
        for text in ["let numbers", "let result"]:
            debugger.call("debug_set_breakpoint", file="walk.rs", line=line(text))

        check(debugger.call("debug_continue"), f"walk.rs:{line('let numbers')}")
        variables = debugger.call("debug_get_variables")
        check(variables, "x: 10 (i32)", "y: 20 (i32)", "sum: 30 (i32)")

        check(debugger.call("debug_continue"), f"walk.rs:{line('let result')}")
        check(debugger.call("debug_get_variables"), "total: 15 (i32)")

        check(debugger.call("debug_step_over"), "stopped after step")
        check(debugger.call("debug_get_variables"), "result: 210 (i32)")
        check(debugger.call("debug_terminate"), "ended")
