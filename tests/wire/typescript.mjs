// An independent MCP client: the official TypeScript SDK debugs one program. Prints what it received
// as JSON, one object a line with a `step`; `typescript.rs` asserts the values.
//
//     node typescript.mjs SDK STAGE
//
// SDK is the directory of the package. STAGE is JSON: the arguments of the launch, and either the
// `command` of a server on stdio or the `url` and `token` of one by HTTP.

const [sdk, text] = process.argv.slice(2);
const load = (name) => import(`${sdk}/dist/esm/client/${name}.js`);
const { Client } = await load('index');
const { StdioClientTransport } = await load('stdio');
const { StreamableHTTPClientTransport } = await load('streamableHttp');
const stage = JSON.parse(text);

const report = (step, seen) => console.log(JSON.stringify({ step, ...seen }));

function transport() {
  if (stage.url === undefined) {
    const [command, ...args] = stage.command;
    return new StdioClientTransport({ command, args, env: process.env, stderr: 'ignore' });
  }
  const headers = { Authorization: `Bearer ${stage.token}` };
  return new StreamableHTTPClientTransport(new URL(stage.url), { requestInit: { headers } });
}

const client = new Client({ name: 'typescript', version: '1' });
const connection = transport();
client.onerror = (error) => report('complaint', { error: String(error) });
await client.connect(connection);
report('tools', { names: (await client.listTools()).tools.map((tool) => tool.name) });

async function call(name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  report(name, { text: result.content[0].text });
}

await call('debug_launch', stage.launch);
await call('debug_step');
await call('debug_variables');
await call('debug_stop');
client.onerror = undefined;
await connection.terminateSession?.();
await client.close();
