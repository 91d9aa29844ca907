// Tests of modules.js and of the notes of pending.js, with Node's own inspector as the debuggee.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import { Modules } from '../modules.js';
import { Pending } from '../pending.js';
import { Sources } from '../sources.js';

const session = new Session();
session.connect();
const call = (method, params) =>
  new Promise((resolve) => {
    session.post(method, params, (error, result) => resolve({ error: error ?? undefined, result }));
  });
const target = { call };
const live = { call: ({ timeout, ...params }) => call('Runtime.callFunctionOn', params) };
const sources = new Sources(target);
session.on('Debugger.scriptParsed', ({ params }) => sources.add(params));
await call('Runtime.enable');
await call('Debugger.enable');

let counted = 0;
function count() {
  counted += 1;
  return counted;
}

test('the variables of a module are those in the scope of its functions', async () => {
  count();
  const modules = new Modules(target, live, sources);
  const frames = await modules.frames(1000);
  const own = frames.find(({ url }) => url === import.meta.url);
  assert.equal(own.functionName, '(module)');
  const [{ type, object }] = own.scopeChain;
  assert.equal(type, 'module');
  const { objectId } = object;
  const { result } = await call('Runtime.getProperties', { objectId, ownProperties: true });
  assert.equal(result.result.find(({ name }) => name === 'counted').value.value, 1);
  modules.release();
  assert.deepEqual(await modules.frames(1e12), []);
});

test('a large heap gets a note in place of the functions that wait', async () => {
  const notes = [];
  const emitted = [];
  const usage = { usedSize: 40 << 20 };
  const pausing = {
    call: async () => ({ result: usage }),
    emit: (_, params) => emitted.push(params),
  };
  const frames = { add: (list) => list };
  const modules = { frames: async () => [{ functionName: '(module)' }] };
  const note = (text) => notes.push(text);
  const pending = new Pending(pausing, frames, { isUsers: () => false }, modules, note);
  pending.onPause();
  pending.onPaused({ reason: 'other', callFrames: [{ functionName: 'run' }] });
  await new Promise(setImmediate);
  assert.match(notes[0], /^the async functions that wait are not listed: .* 40 MB/);
  const names = emitted[0].callFrames.map(({ functionName }) => functionName);
  assert.deepEqual(names, ['run', '(module)']);
});
