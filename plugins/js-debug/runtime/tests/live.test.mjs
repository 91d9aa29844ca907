// Tests of live.js: a thread asks the main thread, which is at a pause.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import vm from 'node:vm';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

import { Live } from '../live.js';

/** Pauses while there are two contexts. */
function pause() {
  const inner = { n: 5, calls: 0 };
  const context = vm.createContext({});
  debugger;
  return [inner, context];
}

/** What the thread reads at the pause. */
async function read(live, [inner, outer]) {
  const call = async (objectId, functionDeclaration, options) => {
    const { result, error } = await live.call({ objectId, functionDeclaration, ...options });
    if (result?.exceptionDetails) return result.exceptionDetails.exception.description;
    return error?.message ?? result.result.value;
  };
  const adds = 'function (more) { return this.n + more; }';
  const writes = 'function () { this.calls = 1; }';
  const ends = 'function () { for (;;); }';
  const pure = { throwOnSideEffect: true };
  const text = await live.evaluateGlobally({ expression: 'typeof require + typeof Map' });
  const near = await call(inner, adds, { arguments: [{ value: 1 }] });
  const remains = await live.evaluateGlobally({ expression: "'dapdock.call' in globalThis" });
  return {
    near,
    far: await call(outer, adds, { arguments: [{ value: 1 }] }),
    refused: await call(inner, writes, pure),
    refusedFar: await call(outer, writes, pure),
    ended: await call(inner, ends, { timeout: 50 }),
    endedFar: await call(outer, ends, { timeout: 50 }),
    text: text.result.result.value,
    remains: remains.result.result.value,
  };
}

/** A connection to the main thread, as filters have it. */
function connect() {
  const session = new Session();
  session.connectToMainThread();
  const call = (method, params) =>
    new Promise((resolve) => {
      const respond = (error, result) => resolve({ error: error ?? undefined, result });
      session.post(method, params, respond);
    });
  return { session, call };
}

async function ask() {
  const { session, call } = connect();
  const live = new Live({ call });
  session.on('Debugger.paused', async (message) => {
    live.onPaused(message.params);
    const { objectId } = message.params.callFrames[0].scopeChain[0].object;
    const own = await call('Runtime.getProperties', { objectId, ownProperties: true });
    const inner = own.result.result[0].value.objectId;
    const { id: contextId } = contexts.find(({ name }) => name.startsWith('VM'));
    const outer = await call('Runtime.evaluate', { expression: '({ n: 7 })', contextId });
    const found = await read(live, [inner, outer.result.result.objectId]);
    parentPort.postMessage(found);
    await call('Debugger.resume');
  });
  // Node aborts if the thread ends before the main thread has removed its session.
  parentPort.on('message', () => {
    session.disconnect();
    parentPort.postMessage('over');
  });
  const contexts = [];
  session.on('Runtime.executionContextCreated', ({ params }) => contexts.push(params.context));
  await call('Runtime.enable');
  await call('Debugger.enable');
  parentPort.postMessage('ready');
}

/** What a thread reads at a pause of this one. */
function answers() {
  const worker = new Worker(new URL(import.meta.url), { execArgv: ['--expose-internals'] });
  return new Promise((resolve) => {
    let read;
    worker.on('message', (message) => {
      if (message === 'ready') pause();
      if (message === 'over') setImmediate(() => worker.terminate().then(() => resolve(read)));
      if (typeof message !== 'object') return;
      read = message;
      worker.postMessage('end');
    });
  });
}

if (isMainThread) {
  test('calls at a pause end in time, in every context', async () => {
    const { ended, endedFar, refused, refusedFar, ...values } = await answers();
    assert.deepEqual(values, { near: 6, far: 8, text: 'undefinedfunction', remains: false });
    for (const text of [ended, endedFar]) assert.match(text, /terminated/);
    for (const text of [refused, refusedFar]) assert.match(text, /side-effect/);
  });
  test('results are released when the program runs again', async () => {
    const calls = [];
    const call = async (method, params) => calls.push([method, params.objectGroup]);
    const live = new Live({ call });
    live.onPaused({ callFrames: [{ callFrameId: '0', scopeChain: [] }] });
    await live.evaluate({ expression: 'a' });
    live.onResumed();
    live.onResumed();
    assert.deepEqual(calls, [
      ['Debugger.evaluateOnCallFrame', 'dapdock.live'],
      ['Runtime.releaseObjectGroup', 'dapdock.live'],
    ]);
  });
} else {
  await ask();
}
