"""A flow of the viewport server's documents, through `--toolsets compat:viewport`.

Stops in the loop of walk.py and compares what the viewports say. Needs Python and debugpy.
"""

import pathlib

from client import Dapdock, check

SOURCE = pathlib.Path(__file__).with_name("walk.py")


def line(text):
    """The number of the line that starts with this text."""
    lines = [line.strip() for line in SOURCE.read_text().splitlines()]
    return 1 + next(index for index, line in enumerate(lines) if line.startswith(text))


with Dapdock("--toolsets", "compat:viewport", cwd=SOURCE.parent) as debugger:
    place = {"line": line("total +="), "condition": "name == 'book'"}
    stop = debugger.call(
        "debug_launch",
        command="python3 walk.py",
        breakpoints=[{"file": "walk.py", "breakpoints": [place]}],
        viewport_config={"source_context_lines": 5},
    )
    check(stop, "stopped breakpoint", "cents: int = 1000", "total: int = 238")
    check(debugger.call("debug_evaluate", expression="cents + tax(cents)"), "1190")
    check(debugger.call("debug_step", direction="into"), f"walk.py:{line('return cents')}")
    check(debugger.call("debug_variables", scope="global", filter="^RATE$"), "RATE: int = 19")
    debugger.call("debug_set_breakpoints", file="walk.py", breakpoints=[])
    check(debugger.call("debug_continue"), "exited with code 0")
    check(debugger.call("debug_output", stream="stdout"), "total 1428")
    check(debugger.call("debug_stop"), "actions")
