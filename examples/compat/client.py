"""A small MCP client for the flows of this directory: starts dapdock, calls tools, compares answers.

Needs the Python standard library only. `DAPDOCK` names the program (default: `dapdock` on PATH);
`DAPDOCK_CONFIG` its configuration, if the debuggers are not found without.
"""

import json
import os
import subprocess
import sys


class Dapdock:
    """A running `dapdock mcp` with these flags, in a directory."""

    def __init__(self, *flags, cwd):
        command = [os.environ.get("DAPDOCK", "dapdock"), "mcp", *flags]
        pipe = subprocess.PIPE
        self.host = subprocess.Popen(command, cwd=cwd, stdin=pipe, stdout=pipe, text=True)
        self.last = 0
        about = {"name": "flow", "version": "1"}
        self.request(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about},
        )
        self.send({"method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.host.stdin.close()
        self.host.wait()

    def send(self, message):
        self.host.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.host.stdin.flush()

    def request(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        for line in self.host.stdout:
            message = json.loads(line)
            if message.get("id") == self.last:
                return message["result"]
        raise EOFError("dapdock ended")

    def call(self, tool, **arguments):
        """The text of a tool's answer, printed as an agent reads it."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        print(f"> {tool} {json.dumps(arguments)}\n{text}\n", flush=True)
        return text


def check(answer, *parts):
    """Ends the script if the answer, a text or a list, lacks one of these parts."""
    for part in parts:
        if part not in answer:
            sys.exit(f"this answer lacks `{part}`:\n{answer}")
