"""An independent MCP client: the official Python SDK, connected to the shipped binary over stdio or,
where the stage has a `url` and a `token`, by HTTP.

Knows the SDK's public API and the tools' names. Reports what it received as JSON, one object a
line with a `step`; `outside.rs` asserts the values. Errors that the SDK itself finds (a message that
does not fit its types, an invalid schema, a server that has to be killed) are an exception or in the
`complaints` of the last line.

Arguments: the binary, the config file, and a JSON object with the flags of the server, the programs
and the places to stop at.
"""

import contextlib
import json
import logging
import os
import sys
import time

import anyio
from jsonschema import Draft202012Validator
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

# Longer than any wait of the host: only a hanging host reaches it.
PATIENCE = 90

# What the streams of the SDK raise once they are closed.
CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)


def report(step, **seen):
    print(json.dumps({"step": step, **seen}), flush=True)


class Complaints(logging.Handler):
    """All warnings of the SDK, but for a message that comes while it closes its own streams."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        if record.exc_info and isinstance(record.exc_info[1], CLOSED):
            return
        self.lines.append(f"{record.name}: {record.getMessage()}")


class Agent:
    """A connection, the schemas of its tools, and calls that report their results."""

    def __init__(self, session):
        self.session = session
        self.schemas = {}

    async def introduce(self):
        about = await self.session.initialize()
        report(
            "initialize",
            protocol=about.protocol_version,
            name=about.server_info.name,
            version=about.server_info.version,
            instructions=about.instructions,
        )

    async def list(self):
        tools = (await self.session.list_tools()).tools
        for tool in tools:
            Draft202012Validator.check_schema(tool.input_schema)
            if tool.output_schema:
                Draft202012Validator.check_schema(tool.output_schema)
            self.schemas[tool.name] = Draft202012Validator(tool.input_schema)
        report("tools", names=[tool.name for tool in tools], hinted=all(tool.annotations for tool in tools))

    async def call(self, step, tool, progress=None, **arguments):
        self.schemas[tool].validate(arguments)
        result = await self.session.call_tool(tool, arguments, progress_callback=progress)
        kinds = [block.type for block in result.content]
        # The SDK has validated the data against the schema of the tool, unless it is an error.
        data = result.structured_content
        report(step, text=result.content[0].text, kinds=kinds, error=result.is_error, data=data)

    async def read_resources(self, step):
        """Reads every resource of the list."""
        listed = (await self.session.list_resources()).resources
        templates = (await self.session.list_resource_templates()).resource_templates
        texts = {}
        for resource in listed:
            (content,) = (await self.session.read_resource(resource.uri)).contents
            texts[str(resource.uri)] = content.text
        report(step, texts=texts, templates=[template.uri_template for template in templates])

    async def read_prompts(self, step):
        """Gets every prompt with all its arguments."""
        texts = {}
        for prompt in (await self.session.list_prompts()).prompts:
            arguments = {argument.name: argument.name.upper() for argument in prompt.arguments}
            arguments.update((name, "7") for name in ("pid", "breakpoint") if name in arguments)
            (message,) = (await self.session.get_prompt(prompt.name, arguments)).messages
            texts[prompt.name] = message.content.text
        report(step, texts=texts)

    async def wait_for_progress(self, step, then):
        """Calls `debug_wait`; after its first progress calls `then` with the call's cancel scope."""
        reported = anyio.Event()

        async def progress(amount, total, message):
            if not reported.is_set():
                report(f"{step} progress", amount=amount, message=message)
            reported.set()

        async with anyio.create_task_group() as tasks:
            waiting = anyio.CancelScope()

            async def wait():
                with waiting:
                    await self.call(step, "debug_wait", progress, timeout_s=80)

            tasks.start_soon(wait)
            await reported.wait()
            await then(waiting)
        report(f"{step} over", cancelled=waiting.cancelled_caught)


async def debug_cart(agent, stage):
    await agent.call("launch", "debug_launch", program=stage["cart"], breakpoints=[stage["at"]], timeout_s=50)
    await agent.read_resources("resources")
    await agent.call("evaluate", "debug_evaluate", expressions=["item.name", "net", "total + net"])
    await agent.call("step", "debug_step")
    await agent.call("variables", "debug_variables", path="item.tags")
    await agent.call("error", "debug_variables", path="item.weight")
    await agent.call("exit", "debug_continue")


async def debug_sleeper(agent, stage):
    async def pause(_):
        await agent.call("pause", "debug_pause")

    async def cancel(waiting):
        waiting.cancel()

    loop = stage["loop"]
    await agent.call("sleeper", "debug_launch", program=stage["sleeper"], breakpoints=[loop], timeout_s=50)
    await agent.call("cleared", "debug_breakpoints", clear=True)
    await agent.call("resumed", "debug_continue", wait=False)
    await agent.wait_for_progress("wait", pause)
    await agent.call("resumed again", "debug_continue", wait=False)
    await agent.wait_for_progress("given up", cancel)
    await agent.call("status", "debug_status")
    await agent.call("armed", "debug_breakpoints", set=[loop])
    await agent.call("stop", "debug_wait", timeout_s=50)
    await agent.call("end", "debug_stop")


@contextlib.asynccontextmanager
async def connected(binary, config, stage):
    """The two streams of a connection."""
    if "url" in stage:
        headers = {"Authorization": f"Bearer {stage['token']}"}
        async with create_mcp_http_client(headers) as http:
            async with streamable_http_client(stage["url"], http_client=http) as streams:
                yield streams[:2]
        return
    # The SDK passes on hardly any variables: those that the test sets for the host are named.
    environment = {name: text for name, text in os.environ.items() if name.startswith(("XDG_", "DAPDOCK_TEST_"))}
    server = StdioServerParameters(command=binary, args=["mcp", "--config", config, *stage["flags"]], env=environment)
    async with stdio_client(server) as streams:
        yield streams


async def main(binary, config, stage):
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    notices = []

    async def notice(message):
        if isinstance(message, Exception):
            complaints.lines.append(repr(message))
        else:
            notices.append(message.method)

    with anyio.fail_after(PATIENCE):
        async with connected(binary, config, stage) as (read, write):
            async with ClientSession(read, write, message_handler=notice) as session:
                agent = Agent(session)
                await agent.introduce()
                await agent.list()
                await agent.read_prompts("prompts")
                await debug_cart(agent, stage)
                await debug_sleeper(agent, stage)
            closing = time.monotonic()
    report("closed", seconds=time.monotonic() - closing, notices=notices, complaints=complaints.lines)


anyio.run(main, sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
