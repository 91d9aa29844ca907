// Tests of cdp.js, with streams in place of sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { test } from 'node:test';

import { CHANGED, Link, TAKEN } from '../cdp.js';

/** A link with one filter, and what arrives at its two ends. */
function linked(commands = {}, events = {}) {
  const [toDebuggee, toDebugger] = [[], []];
  const socket = new Duplex({
    read() {},
    write(bytes, _, done) {
      toDebuggee.push(...bytes.toString().split('\0').filter(Boolean).map(JSON.parse));
      done();
    },
  });
  const targets = [];
  const link = new Link(socket, (it) => {
    targets.push(it);
    const maps = [commands, events].map((handlers) => new Map(Object.entries(handlers)));
    return [{ commands: maps[0], events: maps[1] }];
  });
  link.on('data', (bytes) => {
    toDebugger.push(...bytes.toString().split('\0').filter(Boolean).map(JSON.parse));
  });
  const receive = (message) => socket.emit('data', Buffer.from(`${JSON.stringify(message)}\0`));
  const send = (message) => link.write(`${JSON.stringify(message)}\0`);
  /** The last target, or one by its number. */
  const target = (at = targets.length - 1) => targets[at];
  return { socket, link, target, toDebuggee, toDebugger, receive, send };
}

const settled = () => new Promise(setImmediate);

test('other messages pass as they are', async () => {
  const { send, receive, toDebuggee, toDebugger } = linked();
  send({ id: 1001, method: 'A.b', params: {} });
  receive({ id: 1001, result: { a: 1 } });
  receive({ method: 'A.happened', params: {} });
  await settled();
  assert.deepEqual(toDebuggee, [{ id: 1001, method: 'A.b', params: {} }]);
  assert.deepEqual(toDebugger, [{ id: 1001, result: { a: 1 } }, { method: 'A.happened', params: {} }]);
});

test('messages in several parts are whole', async () => {
  const { socket, toDebugger } = linked();
  const bytes = Buffer.from('{"method":"A.b","params":"ü"}\0{"method":"A.c"}\0');
  for (const byte of bytes) socket.emit('data', Buffer.from([byte]));
  await settled();
  assert.deepEqual(toDebugger, [{ method: 'A.b', params: 'ü' }, { method: 'A.c' }]);
});

test('a filter takes, changes or passes a message', async () => {
  const { send, receive, toDebuggee, toDebugger, target } = linked(
    {
      'A.take': (message) => {
        target().answer(message, { result: {} });
        return TAKEN;
      },
      'A.change': ({ params }) => {
        params.more = 1;
        return CHANGED;
      },
    },
    { 'A.drop': () => TAKEN, 'A.see': () => undefined },
  );
  send({ id: 1001, method: 'A.take', params: {} });
  send({ id: 1002, method: 'A.change', params: {} });
  receive({ method: 'A.drop' });
  receive({ method: 'A.see' });
  await settled();
  assert.deepEqual(toDebuggee, [{ id: 1002, method: 'A.change', params: { more: 1 } }]);
  assert.deepEqual(toDebugger, [{ method: 'A.see' }, { id: 1001, result: {} }]);
});

test('responses to own commands are not passed, and the end answers them', async () => {
  const { link, socket, receive, toDebuggee, toDebugger, target } = linked();
  const first = target().call('A.b');
  receive({ id: toDebuggee[0].id, result: 7 });
  assert.equal((await first).result, 7);
  const second = target().call('A.b');
  socket.emit('end');
  assert.equal((await second).error.message, 'closed');
  await once(link, 'end');
  assert.deepEqual(toDebugger, []);
});

test('a command of a filter goes through all filters if that wants it', async () => {
  const seen = [];
  const add = ({ method }) => seen.push(method) && undefined;
  const { target, toDebuggee, receive } = linked({ 'A.b': add });
  const direct = target().call('A.b');
  const filtered = target().call('A.b', {}, target().toFilters);
  await settled();
  assert.deepEqual(seen, ['A.b']);
  for (const [at, { id }] of toDebuggee.entries()) receive({ id, result: { at } });
  assert.deepEqual(await Promise.all([direct, filtered]), [0, 1].map((at) => ({
    id: toDebuggee[at].id, result: { at },
  })));
});

test('a worker thread has filters of its own', async () => {
  const seen = [];
  const { link, receive, send, toDebuggee, toDebugger, target } = linked(
    { 'A.take': (message) => (seen.push(message.id), TAKEN) },
    { 'A.drop': () => TAKEN },
  );
  const to = (message) => ({ sessionId: '1', message: JSON.stringify(message) });
  const command = (id, message) =>
    send({ id, method: 'NodeWorker.sendMessageToWorker', params: to(message) });
  const event = (message) =>
    receive({ method: 'NodeWorker.receivedMessageFromWorker', params: to(message) });
  command(1001, { id: 1, method: 'A.take', params: {} });
  command(1002, { id: 2, method: 'A.pass', params: {} });
  event({ method: 'A.drop' });
  event({ id: 2, result: {} });
  await settled();
  assert.deepEqual(seen, [1]);
  assert.deepEqual(
    toDebuggee.map(({ params }) => params),
    [to({ id: 2, method: 'A.pass', params: {} })],
  );
  const answers = toDebugger.filter(({ id }) => id !== undefined);
  assert.deepEqual(answers, [{ id: 1001, result: {} }, { id: 1002, result: {} }]);
  const events = toDebugger.filter(({ id }) => id === undefined);
  assert.deepEqual(events.map(({ params }) => params), [to({ id: 2, result: {} })]);
  assert.notEqual(target(), target(0));
  // A response to a filter's own command is not passed, and the end of the thread answers one.
  const first = target().call('A.b');
  const inner = JSON.parse(toDebuggee.at(-1).params.message);
  event({ id: inner.id, result: 7 });
  assert.equal((await first).result, 7);
  const second = target().call('A.b');
  receive({ method: 'NodeWorker.detachedFromWorker', params: { sessionId: '1' } });
  assert.equal((await second).error.message, 'closed');
  assert.equal(target(0).isClosed, false);
  link.destroy();
});
