"""A flow of the Go server's documents, through `--toolsets compat:go`.

Builds walk.go by `debug`, stops in its loop and compares what the answers say. Needs Go and Delve.
"""

import json
import pathlib

from client import Dapdock, check

SOURCE = pathlib.Path(__file__).with_name("walk.go")


def line(text):
    """The number of the line that starts with this text."""
    lines = [line.strip() for line in SOURCE.read_text().splitlines()]
    return 1 + next(index for index, line in enumerate(lines) if line.startswith(text))


with Dapdock("--toolsets", "compat:go", cwd=SOURCE.parent) as debugger:

    def data(tool, **arguments):
        answer = json.loads(debugger.call(tool, **arguments))
        check(answer["status"], "success")
        return answer["data"]

    check(data("debug", file="walk.go")["stop"]["reason"], "entry")
    breakpoint = data("set_breakpoint", file="walk.go", line=line("total +="))["breakpoint"]
    check(breakpoint["name"], f"walk.go:{line('total +=')}")

    check(data("continue")["stop"]["reason"], "breakpoint")
    order = data("eval_variable", name="order")["variable"]
    check([child["value"] for child in order["children"]], '"pen"', "200")
    check(data("eval_variable", name="rate", scope="package")["variable"]["value"], "19")

    check(data("step")["to"]["function"], "main.tax")
    check(data("step_out")["to"]["function"], "main.main")
    data("remove_breakpoint", id=breakpoint["id"])
    data("continue")
    check(data("get_debugger_output")["stdout"], "total 1428")
    check(str(data("close")["exitCode"]), "0")
