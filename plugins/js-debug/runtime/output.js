// The program's stdout and stderr and the hits of its log breakpoints, passed on in the order in
// which they were written.
//
// Each of these streams comes by a way of its own, so their order is lost. The program records in a
// file to which of them it writes how many bytes or hits: of several writes to one stream in a row
// the first before it, and the others before it writes to another stream. A record is in the file
// before its bytes are in the pipe, so bytes that were read never lack theirs. What is written
// without a record (by a child process that is not debugged, by C++ code, by `fs.writeSync`, and
// the hits of a worker thread) is passed on when no record is left.
//
// The program may be suspended for any time between a record and its bytes. They may stay away only
// once their write has returned, of which the next record of the same process is evidence.
//
// Node writes later what a pipe has no room for, and not at all if the program exits first. The
// sockets of `child_process` have room for about 300 writes, the pipes here for 64 KiB; and reading
// goes before passing on, which takes longer than a write. A program that pauses before Node has
// written all does not go on writing: a note says so.
//
// Knows how js-debug starts a program: by `child_process.spawn`, and it reads the streams of the
// child.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const net = require('net');
const { RECORDS } = require('./log_code.js');

const STDOUT = 1;
const STDERR = 2;
const STREAMS = [STDOUT, STDERR];
/** The stream of the hits of log breakpoints, which come by the inspector (log_code.js). */
const HITS = 3;
/** A record: the stream in one byte, then the number of bytes; the last byte is of the process. */
const RECORD = 8;
/** Added to the stream of bytes that may have been written before their record. */
const WRITTEN = 3;
/** In place of the stream: the latest write has returned without having written all. */
const RETURNED = 7;
/**
 * The milliseconds without progress after which recorded bytes are no longer awaited, if their
 * write has returned: a process that ended, or stopped, while the pipe was full does not write them.
 */
const LATE = 100;
/** The same for hits, which are lost only with the process: the inspector may take its time. */
const LATE_HIT = 2000;
/** Bytes to one stream that the program records at the latest. */
const UNRECORDED = 1 << 16;
const COMING = 'output is still coming: Node writes the rest when the program goes on';
/** The bytes of a read from a pipe, and the reads at a pause. */
const READ = 1 << 16;
const MOST_READS = 64;
/** The records of a turn between two reads, and the bytes and hits that wait at most for theirs. */
const PARTS = 8;
const MOST_WAITING = 1 << 20;
const MOST_HITS = 10_000;

/** Begins the line that run.sh writes at last. It stays whole, though bytes before it are lost. */
const EXITED = '\u001edapdock: exited with ';

/** The bytes of a stream that have not been passed on. */
class ByteQueue {
  all = Buffer.alloc(0);

  add(bytes) {
    this.all = Buffer.concat([this.all, bytes]);
  }

  /** At most so many. */
  take(most) {
    const taken = this.all.subarray(0, most);
    this.all = this.all.subarray(taken.length);
    return taken;
  }

  get length() {
    return this.all.length;
  }
}

/** Hits, or records, that have not been passed on. */
class Queue {
  all = [];
  taken = 0;

  add(one) {
    this.all.push(one);
  }

  get first() {
    return this.all[this.taken];
  }

  take(most) {
    const some = this.all.slice(this.taken, this.taken + most);
    this.taken += some.length;
    // Not each time: that would copy all that wait.
    if (this.length <= this.taken) [this.all, this.taken] = [this.all.slice(this.taken), 0];
    return some;
  }

  get length() {
    return this.all.length - this.taken;
  }
}

/** What has not been passed on of all streams, and the records for it. */
class Merged {
  /**
   * `read` returns the new records, `drain` adds what is in the pipes, `emit` passes on bytes of a
   * stream or a list of hits, `end` the end of a stream.
   */
  constructor({ read, drain, emit, end }) {
    Object.assign(this, { read, drain, emit, end });
    this.records = new Queue();
    /** The last record of each process. */
    this.latest = new Map();
    /** The bytes that have been recorded, and those that have arrived. */
    this.recorded = 0;
    this.received = 0;
    this.waiting = new Map(STREAMS.map((stream) => [stream, new ByteQueue()]));
    this.waiting.set(HITS, new Queue());
    /** The bytes that were passed on without a record since the last one. */
    this.ahead = new Map();
    /** The bytes of records that are no longer awaited. */
    this.owed = new Map([...this.waiting.keys()].map((stream) => [stream, 0]));
    this.ended = new Set();
    this.last = Buffer.alloc(0);
    this.isGone = false;
    this.timer = undefined;
    this.next = undefined;
    this.isPassing = false;
  }

  add(stream, bytes) {
    const end = bytes.lastIndexOf(EXITED);
    const own = end < 0 ? bytes : bytes.subarray(0, end);
    if (end >= 0) this.last = bytes.subarray(end);
    this.received += own.length;
    this.addWaiting(stream, own, MOST_WAITING);
  }

  /** Adds a hit, which is passed on at once if the program has not recorded it. */
  addHit(hit, isRecorded) {
    if (!isRecorded) return this.emit(HITS, [hit]);
    return this.addWaiting(HITS, hit, MOST_HITS);
  }

  addWaiting(stream, added, most) {
    const waiting = this.waiting.get(stream);
    waiting.add(added);
    if (waiting.length > most) this.flush();
    else this.passLater(PARTS);
  }

  passLater(most) {
    this.next ??= setImmediate(() => this.pass(most));
  }

  addEnd(stream) {
    this.ended.add(stream);
    this.flush();
  }

  /** Whether bytes were recorded that have not arrived. */
  isComing() {
    return this.recorded > this.received;
  }

  /** Passes on all that is in order. */
  flush() {
    this.pass(Infinity);
  }

  addRecords() {
    const data = this.read();
    for (let at = 0; at < data.length; at += RECORD) {
      this.addRecord(data.subarray(at, at + RECORD));
    }
  }

  addRecord(data) {
    const [kind] = data;
    const process = data[RECORD - 1];
    const earlier = this.latest.get(process);
    if (earlier !== undefined) earlier.isReturned = true;
    if (kind === RETURNED) return;
    const stream = kind > WRITTEN ? kind - WRITTEN : kind;
    const ahead = kind > WRITTEN ? this.ahead.get(stream) ?? 0 : 0;
    const all = data.readUIntLE(1, 6);
    const record = { stream, count: Math.max(all - ahead, 0), isReturned: false };
    if (stream !== HITS) this.recorded += all;
    this.ahead.set(stream, 0);
    this.latest.set(process, record);
    this.records.add(record);
  }

  /** A process is gone: what it has not written does not come. */
  onGone() {
    this.drain();
    this.addRecords();
    for (const record of this.records.all) record.isReturned = true;
    this.isGone = true;
    this.stopTimer();
    this.flush();
  }

  /** Passes on what is in order, of so many records. */
  pass(most) {
    // js-debug writes to its client what it gets here, and before that all is passed on.
    if (this.isPassing) return;
    this.isPassing = true;
    clearImmediate(this.next);
    this.next = undefined;
    try {
      this.addRecords();
      if (this.passRecorded(most)) this.startTimer();
      else if (this.records.length > 0) this.passLater(most);
      else this.passRest();
    } finally {
      this.isPassing = false;
    }
  }

  /** Whether bytes of the first record are missing. */
  passRecorded(most) {
    for (let left = most; left > 0 && this.records.length > 0; left -= 1) {
      const record = this.records.first;
      const passed = this.take(record.stream, record.count);
      record.count -= passed;
      if (passed > 0) this.stopTimer();
      if (record.count > 0 && !this.ended.has(record.stream)) return true;
      this.records.take(1);
    }
    return false;
  }

  /** Passes on what has no record. */
  passRest() {
    this.stopTimer();
    for (const stream of this.waiting.keys()) {
      const passed = this.take(stream, Infinity);
      const late = Math.min(passed, this.owed.get(stream));
      this.owed.set(stream, this.owed.get(stream) - late);
      this.ahead.set(stream, (this.ahead.get(stream) ?? 0) + passed - late);
    }
    if (this.last.length > 0) this.emit(STDERR, this.last);
    this.last = Buffer.alloc(0);
    for (const stream of this.ended) this.end(stream);
    this.ended.clear();
  }

  /** Passes on at most so many bytes or hits of a stream; how many there were. */
  take(stream, most) {
    const ready = this.waiting.get(stream).take(most);
    if (ready.length > 0) this.emit(stream, ready);
    return ready.length;
  }

  /** Looks for the bytes of the first record again later, if it or others may be given up then. */
  startTimer() {
    const { first } = this.records;
    const isDelaying = [...this.waiting.values()].some(({ length }) => length > 0);
    if (!isDelaying && !this.canStayAway(first)) return;
    const isComing = first.stream === HITS && !this.isGone;
    this.timer ??= setTimeout(() => this.onLate(), isComing ? LATE_HIT : LATE);
  }

  stopTimer() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Whether bytes of a record that are not in the pipe may never be. */
  canStayAway(record) {
    return record.isReturned || this.last.length > 0;
  }

  /** The first record's bytes have not come in time. */
  onLate() {
    this.timer = undefined;
    this.addRecords();
    const { first } = this.records;
    if (first === undefined) return this.flush();
    const { count } = first;
    // Bytes that were in the pipe when their write returned are found after that is known.
    const canStayAway = this.canStayAway(first);
    this.drain();
    this.flush();
    if (!canStayAway || this.records.first !== first || first.count < count) return;
    // One after the other, hits would delay the output for long.
    const areHits = first.stream === HITS;
    const isLate = (record) => record === first || (areHits && record.stream === HITS);
    for (const record of this.records.take(Infinity)) {
      const { stream, count } = record;
      if (isLate(record)) this.owed.set(stream, this.owed.get(stream) + count);
      else this.records.add(record);
    }
    this.flush();
  }
}

/** A file of records; `read` returns those that are new. */
class Records {
  constructor(path) {
    this.file = fs.openSync(path, 'w+', 0o600);
    this.position = 0;
  }

  read() {
    const { size } = fs.fstatSync(this.file);
    const length = size - this.position - ((size - this.position) % RECORD);
    if (length <= 0) return Buffer.alloc(0);
    const data = Buffer.alloc(length);
    this.position += fs.readSync(this.file, data, 0, length, this.position);
    return data;
  }
}

/** A pipe with a name: where its ends are, and what it is recognised by. */
class Pipe {
  constructor(path) {
    execFileSync('mkfifo', ['-m', '600', path]);
    const { O_RDONLY, O_NONBLOCK } = fs.constants;
    // In this order neither waits for the other end.
    this.reader = fs.openSync(path, O_RDONLY | O_NONBLOCK);
    this.writer = fs.openSync(path, 'w');
    const { dev, ino } = fs.fstatSync(this.writer);
    Object.assign(this, { dev, ino });
    fs.unlinkSync(path);
  }

  /** The stream of what is written. */
  read() {
    this.socket = new net.Socket({ fd: this.reader, readable: true, writable: false });
    return this.socket;
  }

  /** What has been written and not been read. */
  rest() {
    const parts = [];
    try {
      const { socket } = this;
      while (parts.length < MOST_READS && !socket.destroyed && socket.readableLength === 0) {
        const bytes = Buffer.alloc(READ);
        const count = fs.readSync(this.reader, bytes);
        if (count === 0) break;
        parts.push(bytes.subarray(0, count));
      }
    } catch {
      // The pipe is empty.
    }
    return parts;
  }
}

/**
 * Starts a process whose streams are read in order: by `spawn` with these arguments, and files
 * whose paths begin with `path`; `log` gets hits of log breakpoints. `found` is what `announce`
 * needs, `flush` passes on what was read, `drain` what was written: it returns whether more is
 * coming. `addHit` is for a hit, `onGone` for the end of a process.
 */
function spawnInOrder(spawn, [program, words, options], path, log) {
  const pipes = [new Pipe(`${path}.1`), new Pipe(`${path}.2`)];
  const records = new Records(path);
  const stdio = ['pipe', ...pipes.map(({ writer }) => writer)];
  const child = spawn(program, words, { ...options, stdio });
  for (const { writer } of pipes) fs.closeSync(writer);
  [child.stdout, child.stderr] = pipes.map((pipe) => pipe.read());
  const streams = new Map([[STDOUT, child.stdout], [STDERR, child.stderr]]);
  const emits = new Map([...streams].map(([number, one]) => [number, one.emit.bind(one)]));
  const addRest = () => {
    for (const [at, pipe] of pipes.entries()) {
      for (const bytes of pipe.rest()) merged.add(STREAMS[at], bytes);
    }
  };
  const merged = new Merged({
    read: () => records.read(),
    drain: addRest,
    emit: (number, all) => (number === HITS ? log(all) : emits.get(number)('data', all)),
    end: (number) => emits.get(number)('end'),
  });
  for (const [number, stream] of streams) {
    stream.emit = (event, ...all) => {
      if (event === 'data') return merged.add(number, all[0]);
      if (event === 'end') return merged.addEnd(number);
      return emits.get(number)(event, ...all);
    };
  }
  const known = pipes.map(({ dev, ino }) => ({ dev, ino }));
  const drain = () => {
    addRest();
    merged.flush();
    return merged.isComing();
  };
  const found = { path, pipes: known };
  const flush = () => merged.flush();
  const addHit = (hit, isRecorded) => merged.addHit(hit, isRecorded);
  return { child, found, flush, drain, addHit, onGone: () => merged.onGone() };
}

/** Runs in the program, before its own code: has it record what it writes to these pipes. */
function announce(require, { path, pipes, size, written, returned, most, hits }) {
  const { fstatSync, openSync, writeSync } = require('fs');
  const { Socket } = require('net');
  const { Buffer: Bytes } = require('buffer');
  const is = (descriptor, { dev, ino }) => {
    const found = fstatSync(descriptor);
    return found.dev === dev && found.ino === ino;
  };
  if (!is(1, pipes[0]) || !is(2, pipes[1])) return;
  const file = openSync(path, 'a');
  const records = fstatSync(file);
  // The latest stream, and the bytes that were written to it since its last record.
  let latest = 0;
  let unrecorded = 0;
  const record = (kind, count) => {
    const bytes = Bytes.alloc(size);
    bytes[0] = kind;
    bytes.writeUIntLE(count, 1, 6);
    bytes[size - 1] = process.pid % 256;
    return bytes;
  };
  /** Whether a record is written; nothing can be once the program has closed the file. */
  const add = (bytes) => {
    try {
      // The program may have another file with its number.
      return is(file, records) && writeSync(file, bytes) === bytes.length;
    } catch {
      return false;
    }
  };
  /** Whether the bytes are recorded now, not when the row of writes ends. */
  const write = (number, count) => {
    const isSame = number === latest;
    if (isSame) {
      unrecorded += count;
      if (unrecorded < most) return false;
    }
    const before = unrecorded > 0 ? [record(latest + written, unrecorded)] : [];
    [latest, unrecorded] = [number, 0];
    const isAdded = add(Bytes.concat([...before, ...(isSame ? [] : [record(number, count)])]));
    if (!isAdded) latest = 0;
    return isAdded;
  };
  const lengthOf = (chunk, encoding) => {
    if (typeof chunk !== 'string') return chunk instanceof Uint8Array ? chunk.byteLength : 0;
    return Bytes.byteLength(chunk, typeof encoding === 'string' ? encoding : 'utf8');
  };
  // Not a property of the stream: programs replace that, and delete it.
  const recordWrites = (number, stream) => {
    if (!(stream instanceof Socket)) return;
    const inherited = Object.getPrototypeOf(stream);
    const own = {
      write(chunk, encoding, callback) {
        const count = this === stream && this.writable ? lengthOf(chunk, encoding) : 0;
        const isRecorded = count > 0 && write(number, count);
        let isWritten = false;
        try {
          const hasRoom = inherited.write.call(this, chunk, encoding, callback);
          isWritten = this.writableLength === 0 && !this.errored;
          return hasRoom;
        } finally {
          if (isRecorded && !isWritten) add(record(returned, 0));
        }
      },
    };
    const { value } = Object.getOwnPropertyDescriptor(own, 'write');
    const property = { value, writable: true, configurable: true, enumerable: true };
    Object.setPrototypeOf(stream, Object.create(inherited, { write: property }));
  };
  // The streams are made when they are first used, and that has effects.
  for (const [at, name] of ['stdout', 'stderr'].entries()) {
    const found = Object.getOwnPropertyDescriptor(process, name);
    if (found?.get === undefined || !found.configurable) continue;
    const get = function () {
      Object.defineProperty(process, name, found);
      const stream = found.get.call(this);
      recordWrites(at + 1, stream);
      return stream;
    };
    Object.defineProperty(process, name, { ...found, get });
  }
  try {
    // Any context of the program finds it by its name, and no listing has it.
    const channel = require('diagnostics_channel').channel(hits.channel);
    channel.subscribe((hit) => {
      write(hits.stream, 1);
      hit.isRecorded = latest === hits.stream;
    });
    // Node 16 and early versions of 18 refer to a channel only weakly; the streams keep `write`.
    write.channel = channel;
  } catch {
    // This version of Node has no such channels: hits come as they arrive.
  }
}

/** Has processes that write to the pipes record it; `started` as `spawnInOrder` has it. */
class Output {
  constructor(target, started, note) {
    this.target = target;
    this.started = started;
    this.note = note;
    this.commands = new Map([['Runtime.runIfWaitingForDebugger', () => this.onRun()]]);
    this.events = new Map([['Debugger.paused', () => this.onPaused()]]);
  }

  /** All that was written comes before the pause. */
  onPaused() {
    if (this.target.parent === undefined && this.started()?.drain()) this.note(COMING);
  }

  close() {
    if (this.target.parent === undefined) this.started()?.onGone();
  }

  /** The program handles this before it begins. */
  onRun() {
    const started = this.started();
    // A worker thread writes by its parent.
    if (started === undefined || this.target.parent !== undefined) return;
    const form = { size: RECORD, written: WRITTEN, returned: RETURNED, most: UNRECORDED };
    const hits = { stream: HITS, channel: RECORDS };
    const found = JSON.stringify({ ...started.found, ...form, hits });
    this.target.call('Runtime.evaluate', {
      // As a part of Node, which is not debugged.
      expression: `(${announce})(require, ${found})\n//# sourceURL=node:internal/dapdock/output`,
      includeCommandLineAPI: true,
      silent: true,
    });
  }
}

module.exports = { Merged, Output, announce, spawnInOrder };
