// Runs js-debug's DAP server with filters between it and the debuggees. Arguments: the path of the
// server's script, and the server's own arguments.
//
// Knows how js-debug's server listens: on a port for DAP (dapDebugServer.ts), and on a pipe for
// each launch, where the watchdogs of the debuggees connect (nodeLauncherBase.ts, `_startServer`).
// Knows neither CDP nor what filters decide.
'use strict';
const net = require('net');
const { Link } = require('./cdp.js');
const { Conditions } = require('./conditions.js');
const { Effects } = require('./effects.js');
const { Entry } = require('./entry.js');
const { Exceptions } = require('./exceptions.js');
const { Frames } = require('./frames.js');
const { Live } = require('./live.js');
const { Modules } = require('./modules.js');
const { Pending } = require('./pending.js');
const { Sizes } = require('./sizes.js');
const { Sources } = require('./sources.js');
const { Stale } = require('./stale.js');
const { Steps } = require('./steps.js');
const { Views } = require('./views.js');

const clients = new Set();
let notes = [];

/** Writes a note that the session reports. */
function note(text) {
  notes.push(text);
  for (const client of clients) writeNotes(client);
}

function writeNotes(client) {
  for (const text of notes) {
    const body = { category: 'important', output: `${text}\n` };
    const event = JSON.stringify({ seq: 0, type: 'event', event: 'output', body });
    client.write(`Content-Length: ${Buffer.byteLength(event)}\r\n\r\n${event}`);
  }
  notes = [];
}

/** The filters of a debuggee. */
function filters(target) {
  const live = new Live(target);
  const frames = new Frames(target, live);
  const sources = new Sources(target);
  const effects = new Effects(target, live, frames);
  return [
    new Entry(),
    live,
    effects,
    new Sizes(target, live, frames, effects),
    new Stale(target),
    new Conditions(target, note),
    new Steps(target, sources),
    new Exceptions(target, frames, sources, note),
    new Pending(target, frames, sources, new Modules(target, live, sources), note),
    new Views(target, sources),
  ];
}

const createServer = net.createServer;

/** A server whose connections are filtered if it listens on a pipe. */
function filtered(...args) {
  const listener = args.pop();
  if (typeof listener !== 'function') return createServer.call(net, ...args, listener);
  const server = createServer.call(net, ...args, (socket) => {
    if (typeof server.address() === 'string') {
      listener(new Link(socket, filters));
      return;
    }
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    listener(socket);
  });
  return server;
}

process.argv.splice(1, 1);
net.createServer = filtered;
require(process.argv[1]);
