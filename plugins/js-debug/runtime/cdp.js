// The connection between js-debug and a debuggee: messages of CDP in JSON, each with a zero behind
// it (rawPipeTransport.ts).
//
// A filter has `commands` and `events`, maps from a method to a function that gets the message. It
// returns `TAKEN` if it answers, passes or drops the message itself, `CHANGED` if it has changed
// it, and nothing otherwise. Its `close`, if it has one, is called when the debuggee is gone. Knows
// no method itself.
'use strict';
const { Duplex } = require('stream');

/** js-debug counts its own commands from 1001. */
const FIRST_ID = 1e9;
const TAKEN = 'taken';
const CHANGED = 'changed';
/** The response of a debuggee that is gone. */
const CLOSED = { error: { code: -32000, message: 'closed' } };

/** The messages in a stream of bytes. */
class Splitter {
  constructor(each) {
    this.each = each;
    this.parts = [];
  }

  add(bytes) {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      this.parts.push(bytes.subarray(from, end));
      const text = Buffer.concat(this.parts).toString();
      this.parts = [];
      from = end + 1;
      this.each(text);
    }
    if (from < bytes.length) this.parts.push(bytes.subarray(from));
  }
}

/** One debuggee, as a filter sees it. */
class Target {
  constructor(toDebuggee, toDebugger) {
    this.toDebuggee = toDebuggee;
    this.toDebugger = toDebugger;
    /** Of a worker thread: the target that has started it, and the id of the thread's messages. */
    this.parent = undefined;
    this.workerSession = undefined;
    /** Has an event that a filter has taken go through all filters, and the text of a command. */
    this.receive = () => {};
    this.toFilters = () => {};
    this.last = FIRST_ID;
    this.waiting = new Map();
    this.isClosed = false;
  }

  /** Sends a command. Resolves to its response, with `result` or `error`; never rejects. */
  call(method, params = {}, send = this.toDebuggee) {
    if (this.isClosed) return Promise.resolve(CLOSED);
    const id = (this.last += 1);
    const message = { id, method, params };
    if (this.commandSession !== undefined) message.sessionId = this.commandSession;
    send(JSON.stringify(message));
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  /** Passes a command of js-debug, or one in its place, to the debuggee. */
  pass(message) {
    this.toDebuggee(JSON.stringify(message));
  }

  /** Sends an event to js-debug. */
  emit(method, params) {
    const message = { method, params };
    if (this.eventSession !== undefined) message.sessionId = this.eventSession;
    this.toDebugger(JSON.stringify(message));
  }

  /** Answers a command of js-debug: `outcome` has `result` or `error`. */
  answer(message, outcome) {
    const { result, error } = outcome;
    const answer = error === undefined ? { id: message.id, result } : { id: message.id, error };
    if (this.eventSession !== undefined) answer.sessionId = this.eventSession;
    // js-debug waits for the answer only after it has written the command.
    queueMicrotask(() => this.toDebugger(JSON.stringify(answer)));
  }

  onResponse(id, text) {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    if (resolve) resolve(JSON.parse(text));
  }

  /** Ends the waits for responses that cannot come any more. */
  close() {
    this.isClosed = true;
    for (const resolve of this.waiting.values()) resolve(CLOSED);
    this.waiting.clear();
  }
}

const COMMAND = /^\{"id":\d+,"method":"([\w.]+)"/;
const EVENT = /^\{"method":"([\w.]+)"/;
const RESPONSE = /^\{"id":(\d+)/;
/** Messages to and from a worker thread are in those of its parent. */
const TO_WORKER = 'NodeWorker.sendMessageToWorker';
const FROM_WORKER = 'NodeWorker.receivedMessageFromWorker';
const WORKER_GONE = 'NodeWorker.detachedFromWorker';

/** The messages of one debuggee with the filters between the two sides, and its worker threads. */
class Channel {
  constructor(filtersOf, toDebuggee, toDebugger) {
    this.filtersOf = filtersOf;
    this.toDebuggee = toDebuggee;
    this.toDebugger = toDebugger;
    this.target = new Target(toDebuggee, toDebugger);
    this.target.receive = (message) => this.onMessage(JSON.stringify(message));
    this.target.toFilters = (text) => this.onCommand(text);
    this.filters = filtersOf(this.target);
    this.workers = new Map();
  }

  close() {
    for (const filter of this.filters) filter.close?.();
    this.target.close();
    for (const worker of this.workers.values()) worker.close();
    this.workers.clear();
  }

  /** The message after the filters; none if one of them takes it. */
  filtered(kind, method, session, text) {
    const handlers = this.filters.map((filter) => filter[kind].get(method)).filter(Boolean);
    if (handlers.length === 0) return text;
    const message = JSON.parse(text);
    this.target[session] = message.sessionId;
    let isChanged = false;
    for (const handler of handlers) {
      const outcome = handler(message);
      if (outcome === TAKEN) return undefined;
      isChanged ||= outcome === CHANGED;
    }
    return isChanged ? JSON.stringify(message) : text;
  }

  onCommand(text) {
    const [, method] = COMMAND.exec(text) || [];
    if (method === TO_WORKER) return this.onCommandOfWorker(JSON.parse(text));
    const passed = this.filtered('commands', method, 'commandSession', text);
    if (passed !== undefined) this.toDebuggee(passed);
  }

  onMessage(text) {
    const [, id] = RESPONSE.exec(text) || [];
    if (id > FIRST_ID) return this.target.onResponse(+id, text);
    const [, method] = EVENT.exec(text) || [];
    if (method === FROM_WORKER) return this.onMessageOfWorker(JSON.parse(text).params);
    if (method === WORKER_GONE) this.onWorkerGone(JSON.parse(text).params);
    const passed = this.filtered('events', method, 'eventSession', text);
    if (passed !== undefined) this.toDebugger(passed);
  }

  worker(sessionId) {
    if (!this.workers.has(sessionId)) {
      const toWorker = (message) => this.target.call(TO_WORKER, { message, sessionId });
      const fromWorker = (message) => this.target.emit(FROM_WORKER, { sessionId, message });
      const channel = new Channel(this.filtersOf, toWorker, fromWorker);
      Object.assign(channel.target, { parent: this.target, workerSession: sessionId });
      this.workers.set(sessionId, channel);
    }
    return this.workers.get(sessionId);
  }

  onCommandOfWorker(command) {
    const { message, sessionId } = command.params;
    this.target.commandSession = command.sessionId;
    this.target.answer(command, { result: {} });
    this.worker(sessionId).onCommand(message);
  }

  onMessageOfWorker({ sessionId, message }) {
    this.worker(sessionId).onMessage(message);
  }

  onWorkerGone({ sessionId }) {
    this.workers.get(sessionId)?.close();
    this.workers.delete(sessionId);
  }
}

/** The stream that js-debug gets in place of the socket, with the filters between the two. */
class Link extends Duplex {
  constructor(socket, filtersOf) {
    super();
    this.socket = socket;
    const toDebuggee = (text) => socket.writable && socket.write(`${text}\0`);
    this.channel = new Channel(filtersOf, toDebuggee, (text) => this.toDebugger(text));
    this.commands = new Splitter((text) => this.channel.onCommand(text));
    const events = new Splitter((text) => this.channel.onMessage(text));
    socket.on('data', (bytes) => events.add(bytes));
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.ended());
    socket.on('close', () => this.ended());
  }

  ended() {
    this.channel.close();
    if (!this.isOver) this.push(null);
    this.isOver = true;
  }

  toDebugger(text) {
    if (!this.isOver && !this.destroyed && !this.push(`${text}\0`)) this.socket.pause();
  }

  _read() {
    this.socket.resume();
  }

  _write(bytes, _, done) {
    this.commands.add(bytes);
    done();
  }

  _final(done) {
    this.socket.end();
    done();
  }

  _destroy(error, done) {
    this.socket.destroy();
    done(error);
  }
}

module.exports = { Channel, Link, TAKEN, CHANGED };
