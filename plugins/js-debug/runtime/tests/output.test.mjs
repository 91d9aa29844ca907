// Tests of output.js.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { RECORDS } from '../log_code.js';
import { Merged, announce, spawnInOrder } from '../output.js';

function record(kind, count, process) {
  const bytes = Buffer.alloc(8);
  bytes[0] = kind;
  bytes.writeUIntLE(count, 1, 6);
  bytes[7] = process;
  return bytes;
}

/** A merge whose records and unread bytes the test writes, and what it has passed on. */
function merge() {
  const passed = [];
  const records = [];
  const unread = [];
  const merged = new Merged({
    read: () => Buffer.concat(records.splice(0)),
    drain: () => {
      for (const [stream, text] of unread.splice(0)) merged.add(stream, Buffer.from(text));
    },
    emit: (stream, bytes) => passed.push(`${stream} ${bytes}`),
    end: (stream) => passed.push(`${stream} end`),
  });
  const announced = (kind, count, process = 0) => records.push(record(kind, count, process));
  const add = (stream, text) => {
    merged.add(stream, Buffer.from(text));
    merged.flush();
  };
  return { merged, passed, unread, announced, add };
}

test('bytes wait for those that were written before them', () => {
  const { passed, announced, add } = merge();
  announced(1, 3);
  announced(2, 2);
  announced(1, 1);
  add(2, 'er');
  assert.deepEqual(passed, []);
  add(1, 'outx');
  assert.deepEqual(passed, ['1 out', '2 er', '1 x']);
});

test('later bytes of a row are recorded when the row ends', () => {
  const { passed, announced, add } = merge();
  announced(1, 1);
  add(1, 'abc'); // two without a record
  announced(1 + 3, 5);
  announced(2, 1);
  add(2, 'e');
  add(1, 'de');
  assert.deepEqual(passed, ['1 a', '1 bc', '1 de']);
  add(1, 'f');
  assert.deepEqual(passed.slice(3), ['1 f', '2 e']);
});

test('bytes without a record are passed on as they come', () => {
  const { passed, announced, add } = merge();
  add(2, 'child');
  announced(2, 1);
  announced(2 + 3, 2);
  announced(1, 1);
  add(1, 'o');
  add(2, 'abc');
  assert.deepEqual(passed, ['2 child', '2 a', '2 bc', '1 o']);
});

test('bytes of a stream that ended do not come', () => {
  const { merged, passed, announced, add } = merge();
  announced(1, 9);
  announced(2, 1);
  add(1, 'lost');
  add(2, 'e');
  merged.addEnd(2);
  assert.deepEqual(passed, ['1 lost']);
  merged.addEnd(1);
  assert.deepEqual(passed.slice(1), ['2 e', '2 end', '1 end']);
});

test('bytes that come late are those of their record', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { merged, passed, announced, add } = merge();
  announced(1, 3);
  announced(7, 0);
  merged.flush();
  context.mock.timers.tick(100);
  add(1, 'out');
  announced(1 + 3, 4);
  announced(2, 1);
  add(2, 'e');
  add(1, 'rest');
  assert.deepEqual(passed, ['1 out', '1 rest', '2 e']);
});

test('bytes that do not come are awaited for a limited time', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { passed, announced, add } = merge();
  announced(1, 9);
  announced(2, 5);
  add(2, 'e\u001edapdock: exited with 1\u001e\n');
  context.mock.timers.tick(99);
  assert.deepEqual(passed, []);
  context.mock.timers.tick(1);
  assert.deepEqual(passed, ['2 e']);
  context.mock.timers.tick(100);
  // The line stays whole though the record has room for its beginning.
  assert.deepEqual(passed.slice(1), ['2 \u001edapdock: exited with 1\u001e\n']);
});

test('bytes are awaited until their write has returned', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { passed, announced, add } = merge();
  announced(1, 3, 7);
  add(2, 'child');
  // Another process is not that which is suspended.
  announced(2, 1, 8);
  for (let n = 0; n < 5; n += 1) context.mock.timers.tick(100);
  assert.deepEqual(passed, []);
  announced(2, 1, 7);
  add(1, 'out');
  assert.deepEqual(passed, ['1 out', '2 c', '2 h', '2 ild']);
});

test('bytes that are in a pipe are not late', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { passed, unread, announced, add } = merge();
  announced(1, 3);
  announced(2, 2);
  add(2, 'er');
  unread.push([1, 'out']);
  context.mock.timers.tick(100);
  assert.deepEqual(passed, ['1 out', '2 er']);
});

test('a process that is gone writes no more', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { merged, passed, unread, announced, add } = merge();
  announced(1, 9);
  add(2, 'child');
  unread.push([1, 'out']);
  merged.onGone();
  assert.deepEqual(passed, ['1 out']);
  context.mock.timers.tick(100);
  assert.deepEqual(passed, ['1 out', '2 child']);
});

test('hits come where the program has recorded them', () => {
  const { merged, passed, announced, add } = merge();
  announced(1, 1);
  announced(3, 1);
  announced(3 + 3, 2);
  announced(2, 1);
  announced(3, 1);
  add(1, 'o');
  add(2, 'e');
  assert.deepEqual(passed, ['1 o']);
  for (const hit of ['a', 'b', 'c', 'd']) merged.addHit(hit, true);
  merged.addHit('of a thread', false);
  assert.deepEqual(passed, ['1 o', '3 of a thread']);
  merged.flush();
  assert.deepEqual(passed.slice(2), ['3 a', '3 b,c', '2 e', '3 d']);
  assert.equal(merged.isComing(), false);
  // Its record comes when the row ends.
  merged.addHit('e', true);
  merged.flush();
  announced(3 + 3, 1);
  announced(1, 1);
  add(1, 'p');
  assert.deepEqual(passed.slice(6), ['3 e', '1 p']);
});

test('a hit is awaited longer than bytes, unless its process is gone', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { merged, passed, announced, add } = merge();
  announced(3, 1);
  announced(1, 1);
  add(1, 'o');
  context.mock.timers.tick(1999);
  assert.deepEqual(passed, []);
  merged.addHit('late', true);
  merged.flush();
  assert.deepEqual(passed, ['3 late', '1 o']);
  announced(3, 1);
  announced(1, 1);
  add(1, 'p');
  context.mock.timers.tick(2000);
  assert.deepEqual(passed.slice(2), ['1 p']);
  for (let n = 0; n < 3; n += 1) {
    announced(3, 1);
    announced(1, 1);
  }
  add(1, 'qrs');
  context.mock.timers.tick(2000);
  assert.deepEqual(passed.slice(3), ['1 q', '1 r', '1 s']);
  announced(3, 1);
  announced(1, 1);
  add(1, 't');
  merged.onGone();
  context.mock.timers.tick(100);
  assert.deepEqual(passed.slice(6), ['1 t']);
});

test('many hits do not wait for their turn', async () => {
  const { merged, passed, announced } = merge();
  for (let n = 0; n < 10_001; n += 1) {
    announced(3, 1);
    merged.addHit(n, true);
    if (n === 9999) assert.deepEqual(passed, []);
  }
  assert.deepEqual([passed.length, passed.at(-1)], [10_001, '3 10000']);
});

test('many hits that wait for a record are passed on in time', (context) => {
  const { merged, passed, announced, add } = merge();
  announced(1, 1);
  announced(7, 0);
  const started = Date.now();
  for (let n = 0; n < 200_000; n += 1) {
    announced(3, 1);
    announced(2, 1);
    merged.addHit(n, true);
    if (n % 1000 === 0) add(2, 'e'.repeat(1000));
  }
  add(1, 'o');
  context.diagnostic(`${Date.now() - started} ms`);
  assert.equal(passed.length, 400_001);
});

test('recorded bytes that have not arrived are coming', () => {
  const { merged, announced, add } = merge();
  add(1, 'ab');
  announced(1 + 3, 5);
  merged.flush();
  assert.equal(merged.isComing(), true);
  add(1, 'cde');
  assert.equal(merged.isComing(), false);
});

test('what is in a pipe is passed on at a pause', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'output-'));
  const written = join(directory, 'written');
  execFileSync('mkfifo', [written]);
  const program = `const fs = require('fs');
    fs.writeSync(1, 'x'.repeat(50000));
    fs.writeFileSync(${JSON.stringify(written)}, 'all');`;
  const words = [process.execPath, ['-e', program], {}];
  const { child, drain } = spawnInOrder(spawn, words, join(directory, 'order'));
  let length = 0;
  child.stdout.on('data', (bytes) => {
    length += bytes.length;
  });
  // No turn of the event loop reads the pipe meanwhile.
  assert.equal(readFileSync(written, 'utf8'), 'all');
  assert.equal(drain(), false);
  assert.equal(length, 50000);
  await once(child, 'exit');
  rmSync(directory, { recursive: true });
});

test('reading goes before passing on', async () => {
  const { merged, passed, announced } = merge();
  for (let n = 0; n < 20; n += 1) announced(1 + (n % 2), 1);
  merged.add(1, Buffer.from('o'.repeat(10)));
  merged.add(2, Buffer.from('e'.repeat(10)));
  assert.deepEqual(passed, []);
  await new Promise(setImmediate);
  assert.equal(passed.length, 8);
  merged.flush();
  assert.deepEqual(passed, Array(10).fill(['1 o', '2 e']).flat());
  const much = 'x'.repeat((1 << 20) + 1);
  merged.add(1, Buffer.from(much));
  assert.deepEqual(passed.slice(20), [`1 ${much}`]);
});

/** What `log` of a program writes are hits, which are read from a file from time to time. */
const LOG = `
  const hits = require('fs').openSync(require('path').join(__dirname, 'hits'), 'a');
  const records = require('diagnostics_channel').channel(${JSON.stringify(RECORDS)});
  const log = (text) => {
    const hit = { isRecorded: false };
    records.publish(hit);
    require('fs').writeSync(hits, JSON.stringify([text, hit.isRecorded]) + '\\n');
  };
`;

/** Calls `add` with the hits of a program; returns what ends that. */
function readHits(file, add) {
  let count = 0;
  const read = () => {
    const lines = readFileSync(file, 'utf8').split('\n').slice(count, -1);
    count += lines.length;
    for (const line of lines) add(...JSON.parse(line));
  };
  writeFileSync(file, '');
  const timer = setInterval(read, 20);
  return () => {
    clearInterval(timer);
    read();
  };
}

/** The lines that a program writes, as they come, and the number of its records. */
async function linesOf(program, { before = '', log = LOG } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'output-'));
  const [script, preload, file] = ['run.js', 'preload.js', 'order'].map((one) =>
    join(directory, one),
  );
  // The program begins when it reads what the capture has found.
  writeFileSync(
    preload,
    `${before}
    globalThis.found = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const hits = { stream: 3, channel: ${JSON.stringify(RECORDS)} };
    const form = { size: 8, written: 3, returned: 7, most: 65536, hits };
    (${announce})(require, { ...found, ...form });`,
  );
  writeFileSync(script, log + program);
  const words = [process.execPath, ['--require', preload, script], {}];
  let text = '';
  const addHits = (hits) => {
    text += hits.map((hit) => `${hit}\n`).join('');
  };
  const { child, found, addHit } = spawnInOrder(spawn, words, file, addHits);
  const readRest = readHits(join(directory, 'hits'), addHit);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      text += bytes;
    });
  }
  child.stdin.end(JSON.stringify(found));
  const ended = [child.stdout, child.stderr].map((one) => once(one, 'end'));
  await Promise.all([...ended, once(child, 'exit').then(readRest)]);
  const records = readFileSync(file).length / 8;
  rmSync(directory, { recursive: true });
  return { lines: text.trimEnd().split('\n'), records };
}

test('a program writes in order', async () => {
  const { lines } = await linesOf(`
    for (let n = 0; n < 1000; n += 1) {
      process.stdout.write('out ' + n + '\\n');
      console.error('err', n);
    }
    process.on('exit', () => {
      console.error('late');
      console.log('grün');
      console.error('end');
    });
  `);
  const pairs = Array.from({ length: 1000 }, (_, n) => [`out ${n}`, `err ${n}`]);
  assert.deepEqual(lines, [...pairs.flat(), 'late', 'grün', 'end']);
});

test('hits of log breakpoints come in the order of the writes', async () => {
  const { lines } = await linesOf(`
    for (let n = 0; n < 1000; n += 1) {
      console.log('a', n);
      log('log ' + n);
      if (n % 100 === 0) for (let row = 0; row < 100; row += 1) log('row ' + row);
      console.error('b', n);
    }
    process.on('exit', () => log('end'));
    process.exit(3);
  `);
  const rows = Array.from({ length: 100 }, (_, row) => `row ${row}`);
  const round = (_, n) => [`a ${n}`, `log ${n}`, ...(n % 100 === 0 ? rows : []), `b ${n}`];
  assert.deepEqual(lines, [...Array.from({ length: 1000 }, round).flat(), 'end']);
});

/** Node 16 has only weak references to channels. */
const WEAK = `
  const channels = require('diagnostics_channel');
  const { channel: made } = channels;
  const references = new Map();
  class Weak {
    subscribe(call) { this.call = call; }
    publish(hit) { this.call?.(hit); }
  }
  channels.channel = (name) => {
    const found = references.get(name)?.deref() ?? new Weak();
    references.set(name, new WeakRef(found));
    return found;
  };
  require('v8').setFlagsFromString('--expose-gc');
  globalThis.gc = require('vm').runInNewContext('gc');
`;

test('hits are recorded after a collection of garbage in old versions of Node', async () => {
  const { lines } = await linesOf(`
    console.log('out');
    setTimeout(() => {
      gc();
      const hit = {};
      require('diagnostics_channel').channel(${JSON.stringify(RECORDS)}).publish(hit);
      console.log(hit.isRecorded);
    }, 20);
  `, { before: WEAK, log: '' });
  assert.deepEqual(lines, ['out', 'true']);
});

test('a program that has closed the file of records has its hits', async () => {
  const { lines } = await linesOf(`
    const fs = require('fs');
    const path = require('path').join(__dirname, 'order');
    const { ino } = fs.statSync(path);
    const isFile = (descriptor) => {
      try { return fs.fstatSync(descriptor).ino === ino; } catch { return false; }
    };
    log('first');
    console.log('out');
    for (let descriptor = 3; descriptor < 50; descriptor += 1) {
      if (isFile(descriptor)) fs.closeSync(descriptor);
    }
    log('second');
  `);
  assert.deepEqual(lines.toSorted(), ['first', 'out', 'second']);
});

test('a row of writes to one stream has one record', async () => {
  const { lines, records } = await linesOf(`
    for (let n = 0; n < 100; n += 1) console.log('line');
  `);
  assert.deepEqual([lines, records], [Array(100).fill('line'), 1]);
});

test('a write that returns before all is written is recorded as such', async () => {
  const { lines, records } = await linesOf(`
    process.stdout.cork();
    console.log('out');
    require('fs').writeSync(2, 'err\\n');
    process.on('exit', () => process.stdout.uncork());
  `);
  assert.deepEqual([lines.toSorted(), records], [['err', 'out'], 2]);
});

test('the streams of a program stay as they are', async () => {
  const { lines } = await linesOf(`
    const { stdout } = process;
    const { get } = Object.getOwnPropertyDescriptor(process, 'stdout');
    console.log(stdout instanceof require('net').Socket, stdout.constructor.name, stdout.isTTY,
      stdout.writableLength, Object.hasOwn(stdout, 'write'), stdout.write.name, get() === stdout);
    const { write } = stdout;
    const texts = [];
    stdout.write = (text) => texts.push(text);
    console.log('not seen');
    stdout.write = write;
    stdout.write(JSON.stringify(texts) + '\\n', 'utf8', () => console.error('called back'));
    stdout.write(Buffer.from('bytes\\n'));
    try { stdout.write(7); } catch (error) { console.error(error.code); }
  `);
  assert.deepEqual(lines, [
    'true Socket undefined 0 false write true',
    '["not seen\\n"]',
    'bytes',
    'ERR_INVALID_ARG_TYPE',
    'called back',
  ]);
});

test('a process with other pipes records nothing', async () => {
  const { lines, records } = await linesOf(`
    const { execFileSync } = require('child_process');
    const options = { input: JSON.stringify(found), stdio: 'pipe' };
    const program = 'console.error("err"); console.log("out")';
    const words = [...process.execArgv, '-e', program];
    require('fs').writeSync(1, execFileSync(process.execPath, words, options));
  `);
  assert.deepEqual([lines, records], [['out'], 0]);
});
