"""The flow of the .NET server's documents, through `--toolsets compat:net`.

Debugs prices.py: breakpoint, tracepoint, variables, an exception, resources; compares the answers.
Needs debugpy.
"""

import json
import pathlib
import sys

from client import Dapdock

SOURCE = pathlib.Path(__file__).with_name("prices.py")


def line(text):
    """The number of the line that starts with this text."""
    lines = [line.strip() for line in SOURCE.read_text().splitlines()]
    return 1 + next(index for index, line in enumerate(lines) if line.startswith(text))


def equal(found, expected):
    if found != expected:
        sys.exit(f"expected {expected!r}, found {found!r}")


def values(variables):
    return {one["name"]: one["value"] for one in variables["variables"]}


with Dapdock("--toolsets", "compat:net", cwd=SOURCE.parent) as debugger:

    def call(tool, **arguments):
        answer = json.loads(debugger.call(tool, **arguments))
        equal(answer["success"], True)
        return answer

    def refused(tool, **arguments):
        answer = json.loads(debugger.call(tool, **arguments))
        equal(answer["success"], False)
        return answer["error"]

    launched = call("debug_launch", program="prices.py")
    equal(launched["session"]["pauseReason"], "entry")

    comment = line("# A gift")
    error = refused("breakpoint_set", file="prices.py", line=comment)
    details = error["details"]
    equal((details["requestedLine"], details["nearestValidLine"]), (comment, comment + 1))
    equal(details["next"], f'breakpoint_set {{"file": "prices.py", "line": {comment + 1}}}')
    total = call("breakpoint_set", file="prices.py", line=line("return"))
    traced = call(
        "tracepoint_set",
        file="prices.py",
        line=line("total +="),
        log_message="{price} of {nothing}",
        max_notifications=2,
    )["tracepoint"]
    call("breakpoint_set_exception", exception_type="ValueError")

    equal(call("debug_continue")["session"]["state"], "running")
    hit = call("breakpoint_wait", breakpoint_id=total["id"])
    equal((hit["hit"], hit["breakpoint_id"]), (True, total["id"]))
    equal((hit["location"]["line"], hit["location"]["function"]), (line("return"), "total_of"))
    equal(call("stacktrace_get", max_frames=2)["frames"][1]["function"], "main")
    equal(values(call("variables_get", scope="locals"))["total"], "60")
    equal(values(call("variables_get", expand="prices"))["[1]"], "20")
    equal(call("evaluate", expression="total * 2")["value"], "120")
    equal(refused("evaluate_safe", expression="total_of(prices)")["code"], "unsafe")

    texts = call("timeline_query", eventTypes=["tracepointHit"])["events"]
    texts = [event["payload"]["logMessage"] for event in texts]
    equal(texts, ["10 of <error: NameError>", "20 of <error>"])
    listed = {one["id"]: one["enabled"] for one in call("breakpoint_list")["breakpoints"]}
    equal((listed[total["id"]], listed[traced["id"]]), (True, False))
    call("breakpoint_remove", id=total["id"])

    call("debug_continue")
    call("process_write_input", data="many\n", close_after=True)
    hit = call("breakpoint_wait")
    equal((hit["breakpoint_id"], hit["location"]["line"]), ("ex-1", line("count =")))
    session = debugger.request("resources/read", {"uri": "debugger://session"})
    session = json.loads(session["contents"][0]["text"])["session"]
    equal((session["state"], session["pauseReason"]), ("paused", "exception"))
    equal(call("process_read_output")["stdout"], "60\n")
    equal(call("debug_disconnect", terminateProcess=True)["wasTerminated"], True)
