// Serves the shipped binary, which speaks stdio, over streamable HTTP, for suites that test servers
// by a URL: one process for each MCP session, and one for all requests of the stateless protocol
// (2026-07-28). Prints its port.
//
// Names of the suite's example server become ours, by the table in the first argument, which is
// conformance.toml as JSON. Refuses to know anything else of a message.
//
//     node http.mjs TABLE COMMAND ARGUMENT...

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const names = JSON.parse(process.argv[2]);
const [program, ...words] = process.argv.slice(3);
const STATELESS = '2026-07-28';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** A request as we name it; `back` turns its result into the suite's names. */
function translated(message) {
  const { method, params = {} } = message;
  const same = { message, back: (result) => result };
  const changed = (changes, more = {}) => ({
    ...same,
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
    const back = (result) => {
      const contents = result.contents?.map((part) => ({ ...part, uri: params.uri }));
      return contents ? { ...result, contents } : result;
    };
    return changed({ uri: ours.uri }, { back, before: ours.before });
  }
  return same;
}

/** One process and its open requests. */
class Host {
  constructor() {
    this.process = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.open = new Map();
    this.latest = 0;
    createInterface({ input: this.process.stdout }).on('line', (line) => this.receive(line));
  }

  send(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** `receive` gets the notifications of the request, then its answer with the caller's id. */
  request(message, receive, back = (result) => result) {
    this.latest += 1;
    this.open.set(this.latest, { id: message.id, token: token(message), receive, back });
    this.send({ ...message, id: this.latest });
    return this.latest;
  }

  /** Calls a tool and waits for its answer. */
  call(params, meta) {
    const message = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { ...params, ...meta } };
    return new Promise((resolve) => {
      this.request(message, (answer) => answer.method ?? resolve(answer));
    });
  }

  receive(line) {
    const message = JSON.parse(line);
    if (message.method === undefined) {
      const request = this.open.get(message.id);
      this.open.delete(message.id);
      const result = message.result && { result: request.back(message.result) };
      request.receive({ ...message, id: request.id, ...result });
      return;
    }
    const meta = message.params?._meta;
    const subscription = this.open.get(meta?.[SUBSCRIPTION]);
    if (subscription) {
      meta[SUBSCRIPTION] = subscription.id;
      subscription.receive(message);
      return;
    }
    const requests = [...this.open.values()];
    const named = message.params?.progressToken;
    const owner = named === undefined ? undefined : requests.find(({ token }) => token === named);
    const receive = owner?.receive ?? this.listener ?? requests[0]?.receive;
    receive?.(message);
  }

  end() {
    this.process.stdin.end();
  }
}

const token = (message) => message.params?._meta?.progressToken;

/** Answers with one JSON document, or with a stream if notifications come first. */
function responder(response, headers, status) {
  let streams = false;
  const event = (message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  return (message) => {
    if (message.method === undefined && !streams) {
      const type = { 'content-type': 'application/json' };
      response.writeHead(status(message), { ...headers, ...type }).end(JSON.stringify(message));
      return;
    }
    if (!streams) {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
      streams = true;
    }
    event(message);
    if (message.method === undefined) {
      response.end();
    }
  };
}

/** MCP 2026-07-28, "Transports": the status of an error. */
function status({ error }) {
  if (error === undefined) {
    return 200;
  }
  return error.code === -32601 ? 404 : 400;
}

const sessions = new Map();
let shared;

async function post(request, response) {
  let text = '';
  for await (const part of request) {
    text += part;
  }
  const message = JSON.parse(text);
  const session = request.headers['mcp-session-id'];
  const isStateless = request.headers['mcp-protocol-version'] === STATELESS || !session;
  if (session && !sessions.has(session)) {
    response.writeHead(404).end();
    return;
  }
  if (message.method === 'initialize' && request.headers['mcp-protocol-version'] !== STATELESS) {
    const [id, host] = [randomUUID(), new Host()];
    sessions.set(id, host);
    host.request(message, responder(response, { 'mcp-session-id': id }, () => 200));
    return;
  }
  const host = session ? sessions.get(session) : (shared ??= new Host());
  if (message.id === undefined) {
    host.send(message);
    response.writeHead(202).end();
    return;
  }
  const { message: ours, back, before } = translated(message);
  const meta = isStateless ? { _meta: message.params?._meta } : {};
  if (before) {
    await host.call(before, meta);
  }
  const id = host.request(ours, responder(response, {}, isStateless ? status : () => 200), back);
  response.on('close', () => {
    if (host.open.delete(id)) {
      const params = { requestId: id, ...meta };
      host.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  });
}

const server = createServer(async (request, response) => {
  const host = sessions.get(request.headers['mcp-session-id']);
  if (request.method === 'POST') {
    await post(request, response);
  } else if (!host) {
    response.writeHead(404).end();
  } else if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    host.listener = (message) => response.write(`data: ${JSON.stringify(message)}\n\n`);
  } else {
    sessions.delete(request.headers['mcp-session-id']);
    host.end();
    response.writeHead(200).end();
  }
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
