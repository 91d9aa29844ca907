// Stands between a suite that tests servers by a URL and `dapdock serve`: names of the suite's
// example server become ours, by the table in the first argument, which is conformance.toml as
// JSON. Prints its port.
//
// Everything else of a request and of its answer goes through unchanged, headers and status
// included: the HTTP that is tested is dapdock's own.
//
//     node http.mjs TABLE HOST:PORT

import { createServer, request as connect } from 'node:http';

const names = JSON.parse(process.argv[2]);
const [hostname, port] = process.argv[3].split(':');

/** A request as we name it; `back` turns its result into the suite's names. */
function translated(message) {
  const { method, params = {} } = message;
  const changed = (changes, more = {}) => ({
    message: { ...message, params: { ...params, ...changes } },
    ...more,
  });
  if (method === 'tools/call' && names.tools[params.name]) {
    return changed(names.tools[params.name]);
  }
  if (method === 'prompts/get' && names.prompts[params.name]) {
    const ours = names.prompts[params.name];
    const given = Object.entries(params.arguments ?? {});
    const renamed = Object.fromEntries(given.map(([name, value]) => [ours.names[name], value]));
    return changed({ name: ours.name, arguments: { ...renamed, ...ours.arguments } });
  }
  if (method === 'completion/complete' && names.prompts[params.ref?.name]) {
    const ours = names.prompts[params.ref.name];
    const argument = { ...params.argument, name: ours.names[params.argument.name] };
    return changed({ ref: { ...params.ref, name: ours.name }, argument });
  }
  if (method?.startsWith('resources/') && names.resources[params.uri]) {
    const ours = names.resources[params.uri];
    const back = (text) => text.replaceAll(JSON.stringify(ours.uri), JSON.stringify(params.uri));
    return changed({ uri: ours.uri }, { back, before: ours.before });
  }
  return { message };
}

/** Headers for us: where a value is the suite's, it becomes ours. */
function headersOf(request, before, after, body) {
  const headers = { ...request.headers };
  for (const name of ['host', 'origin']) {
    headers[name] = headers[name]?.replace(`${hostname}:${server.address().port}`, `${hostname}:${port}`)
      .replace(`localhost:${server.address().port}`, `localhost:${port}`);
    if (headers[name] === undefined) {
      delete headers[name];
    }
  }
  const nameOf = (message) => message?.params?.name ?? message?.params?.uri;
  if (headers['mcp-name'] !== undefined && headers['mcp-name'] === nameOf(before)) {
    headers['mcp-name'] = nameOf(after);
  }
  delete headers['transfer-encoding'];
  headers['content-length'] = Buffer.byteLength(body);
  return headers;
}

/** Calls a tool in the conversation of a request, and waits for the end of its answer. */
function call(request, params, meta) {
  const message = { jsonrpc: '2.0', id: 'before', method: 'tools/call', params: { ...params, ...meta } };
  const body = JSON.stringify(message);
  const headers = headersOf(request, undefined, undefined, body);
  if (headers['mcp-method'] !== undefined) {
    Object.assign(headers, { 'mcp-method': 'tools/call', 'mcp-name': params.name });
  }
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: '/mcp', method: 'POST', headers };
    connect(options, (answer) => answer.on('end', resolve).resume()).on('error', reject).end(body);
  });
}

async function forward(request, response) {
  const parts = [];
  for await (const part of request) {
    parts.push(part);
  }
  let body = Buffer.concat(parts).toString();
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    // Not a message: it goes through.
  }
  const { message: ours, back, before } = message?.method ? translated(message) : {};
  if (before) {
    const meta = message.params._meta ? { _meta: message.params._meta } : {};
    await call(request, before, meta);
  }
  body = ours ? JSON.stringify(ours) : body;
  const headers = headersOf(request, message, ours, body);
  const options = { hostname, port, path: request.url, method: request.method, headers };
  const sent = connect(options, (answer) => {
    const kept = { ...answer.headers };
    if (!back) {
      response.writeHead(answer.statusCode, kept);
      response.flushHeaders();
      answer.pipe(response);
      return;
    }
    delete kept['content-length'];
    response.writeHead(answer.statusCode, kept);
    let text = '';
    answer.on('data', (part) => (text += part)).on('end', () => response.end(back(text)));
  });
  sent.on('error', () => response.destroy()).end(body);
  response.on('close', () => sent.destroy());
}

const server = createServer(forward);
server.listen(0, hostname, () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
