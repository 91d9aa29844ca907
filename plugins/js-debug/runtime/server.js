// Runs js-debug's DAP server with filters between it and the debuggees. Arguments: the path of the
// server's script, and the server's own arguments.
//
// Knows how js-debug's server listens: on a port for DAP (dapDebugServer.ts), and on a pipe for
// each launch, where the watchdogs of the debuggees connect (nodeLauncherBase.ts, `_startServer`).
// Knows neither CDP nor what filters decide.
'use strict';
const child_process = require('child_process');
const net = require('net');
const { tmpdir } = require('os');
const { basename, join } = require('path');
const { Link } = require('./cdp.js');
const { Compiled } = require('./compiled.js');
const { Conditions } = require('./conditions.js');
const { counted } = require('./counts.js');
const { Effects } = require('./effects.js');
const { Entry } = require('./entry.js');
const { Exceptions } = require('./exceptions.js');
const { Frames } = require('./frames.js');
const { Live } = require('./live.js');
const { Logs } = require('./logs.js');
const { Modules } = require('./modules.js');
const { Names } = require('./names.js');
const { Output, spawnInOrder } = require('./output.js');
const { Pending } = require('./pending.js');
const { Returns } = require('./returns.js');
const { Sizes } = require('./sizes.js');
const { Sources } = require('./sources.js');
const { Stale } = require('./stale.js');
const { Steps } = require('./steps.js');
const { Texts } = require('./texts.js');
const { Views } = require('./views.js');

const clients = new Set();
let notes = [];

/** Writes a note that the session reports. */
function note(text) {
  notes.push(text);
  for (const client of clients) writeNotes(client);
}

function writeNotes(client) {
  const write = (message) => client.write(message);
  for (const text of notes) writeOutput(write, { category: 'important', output: `${text}\n` });
  notes = [];
}

function writeOutput(write, body) {
  const event = JSON.stringify({ seq: 0, type: 'event', event: 'output', body });
  write(`Content-Length: ${Buffer.byteLength(event)}\r\n\r\n${event}`);
}

const CONFIGURED = '"command":"configurationDone"';
/** The launch or attach of a caller who wants to see the code of libraries. */
const SKIPS_NONE = '"skipFiles":[]';
let inLibraries = false;

function readOptions(client) {
  let text = '';
  const read = (bytes) => {
    text += bytes;
    inLibraries ||= text.includes(SKIPS_NONE);
    if (!text.includes(CONFIGURED)) return;
    client.off('data', read);
    setImmediate(() => compiled?.store());
  };
  client.on('data', read);
}

/** The connection that js-debug writes the program's output to, also that of its children. */
function first() {
  const [client] = clients;
  return client;
}

/** How each client is written to at once, without what waits for its turn. */
const writers = new WeakMap();

// Output that still waits comes after the texts.
const texts = new Texts(
  (data) => first() && writeOutput(writers.get(first()), { category: 'stdout', output: '', data }),
  () => first()?.writableLength ?? 0,
);

/** The program with its streams; none before it is started, or of one that is attached to. */
let started;
const spawn = child_process.spawn;

function spawned(...all) {
  const isProgram = Array.isArray(all[1]) && basename(all[1][0] ?? '') === 'run.sh';
  if (!isProgram) return spawn(...all);
  try {
    started = spawnInOrder(spawn, all, join(tmpdir(), 'output'), (all) => texts.add(all));
  } catch (error) {
    note(`stdout and stderr are not in the order of the writes: ${error.message}`);
    return spawn(...all);
  }
  return started.child;
}

/** Has texts and output so far come before what js-debug writes to a client, without marks. */
function keepOrder(client) {
  const atOnce = client.write.bind(client);
  const write = (message, ...more) => atOnce(counted(message), ...more);
  writers.set(client, write);
  client.write = (message, ...more) => {
    started?.flush();
    texts.flush();
    return write(message, ...more);
  };
}

/** A hit of a log breakpoint; one that the program has recorded waits for its turn. */
function log(hit, isRecorded) {
  if (started === undefined) texts.add([hit]);
  else started.addHit(hit, isRecorded);
}

/** The filters of a debuggee. */
function filters(target) {
  const live = new Live(target);
  const frames = new Frames(target, live);
  const sources = new Sources(target);
  const effects = new Effects(target, live, frames);
  const stale = new Stale(target);
  const names = new Names(target, sources);
  const returns = new Returns(target, sources, stale);
  const exceptions = new Exceptions(target, frames, sources, note, () => inLibraries);
  return [
    names,
    new Logs(target, stale, names, log, note),
    new Entry(target),
    new Output(target, () => started, note),
    live,
    effects,
    new Sizes(target, live, frames, effects),
    stale,
    new Conditions(target, note),
    returns,
    exceptions.handOvers,
    new Steps(target, sources),
    exceptions,
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
    keepOrder(socket);
    socket.on('close', () => clients.delete(socket));
    listener(socket);
    readOptions(socket);
  });
  return server;
}

/** The code of js-debug's server; none where `require` runs it. */
let compiled;

function runServer(file) {
  try {
    compiled = new Compiled(file);
  } catch {
    return require(file);
  }
  return compiled.run();
}

process.argv.splice(1, 1);
net.createServer = filtered;
child_process.spawn = spawned;
runServer(process.argv[1]);
