// Tests of frames.js, with a debuggee whose objects have the ids `1.1.N`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';

import { Frames } from '../frames.js';

/** A debuggee that calls functions on its objects, and the answers to js-debug. */
function debuggee() {
  const objects = [];
  const answers = [];
  const remote = (value) => {
    if (Object(value) !== value) return { type: typeof value, value };
    if (!objects.includes(value)) objects.push(value);
    return { type: 'object', objectId: `1.1.${objects.indexOf(value)}` };
  };
  const local = ({ objectId, value }) =>
    objectId === undefined ? value : objects[objectId.split('.')[2]];
  const commands = {
    'Runtime.callFunctionOn': ({ functionDeclaration, objectId, arguments: list, returnByValue }) => {
      const made = vm.runInThisContext(`(${functionDeclaration})`);
      const value = made.apply(local({ objectId }), list.map(local));
      return { result: returnByValue ? { value } : remote(value) };
    },
    'Runtime.getProperties': ({ objectId }) => ({
      result: Object.entries(local({ objectId })).map(([name, value]) => ({
        name,
        value: remote(value),
      })),
    }),
    // V8 gives every object this id until it follows their addresses.
    'HeapProfiler.getHeapObjectId': () => ({ heapSnapshotObjectId: '0' }),
    'Runtime.releaseObjectGroup': () => ({}),
  };
  const target = {
    call: async (method, params) => ({ result: commands[method](params) }),
    answer: (message, outcome) => answers.push([message.id, outcome]),
  };
  return { target, remote, answers };
}

/** A pause for this error in a function with these variables. */
function pause(remote, error, variables) {
  const scope = { type: 'local', object: remote(variables) };
  const frame = { callFrameId: '0', this: remote({ own: 'this' }), scopeChain: [scope] };
  return { data: remote(error), callFrames: [frame] };
}

test('the pause with an error is found again, once', async () => {
  const { target, remote } = debuggee();
  const frames = new Frames(target);
  const [first, second] = [new Error('1'), new Error('2')];
  frames.capture(pause(remote, first, { n: 1 }));
  frames.capture(pause(remote, second, { n: 2 }));
  frames.capture({ data: { type: 'string', value: 'text' }, callFrames: [] });
  const found = await frames.take(remote(first));
  assert.deepEqual(found.data, remote(first));
  assert.equal(await frames.take(remote(first)), undefined);
  assert.equal(await frames.take(remote(new Error('1'))), undefined);
  assert.notEqual(await frames.take({ type: 'string', value: 'text' }), undefined);
  assert.equal(await frames.take({ type: 'string', value: 'text' }), undefined);
});

test('an error is found as an object of another context, and is unchanged after that', async () => {
  const { target, remote } = debuggee();
  const frames = new Frames(target);
  const errors = [new Error('1'), new Error('2'), Object.freeze(new Error('3'))];
  for (const [n, error] of errors.entries()) frames.capture(pause(remote, error, { n }));
  const foreign = (error) => {
    const objectId = remote(error).objectId.replace('1.1', '1.2');
    return { ...remote(error), objectId };
  };
  const [, second, frozen] = errors;
  assert.equal(await frames.take(foreign(new Error('2'))), undefined);
  assert.equal(await frames.take(foreign(frozen)), undefined);
  assert.deepEqual((await frames.take(foreign(second))).data, remote(second));
  assert.deepEqual(Reflect.ownKeys(second), Reflect.ownKeys(new Error('2')));
});

test('the handler of a proxy does not run while an error is looked for', async () => {
  const { target, remote } = debuggee();
  const frames = new Frames(target);
  const fail = () => assert.fail('runs');
  const proxy = new Proxy({}, { defineProperty: fail, getOwnPropertyDescriptor: fail });
  const near = { ...remote(proxy), subtype: 'proxy' };
  const far = { ...near, objectId: near.objectId.replace('1.1', '1.2') };
  const thrown = (data) => ({ data, callFrames: [] });
  frames.capture(thrown(near));
  frames.capture(thrown(remote(new Error('1'))));
  assert.equal(await frames.take(far), undefined);
});

test('expressions read the variables of a captured frame', async () => {
  const { target, remote, answers } = debuggee();
  const live = { call: (params) => target.call('Runtime.callFunctionOn', params) };
  const frames = new Frames(target, live);
  const error = new Error('1');
  frames.capture(pause(remote, error, { n: 4, eval_: 1 }));
  const { callFrames } = await frames.take(remote(error));
  const [{ callFrameId }] = callFrames;
  const evaluate = (id, expression) =>
    frames.evaluates({ id, params: { callFrameId, expression } });
  assert.notEqual(evaluate(1, 'n + 1'), undefined);
  evaluate(2, 'this.own');
  frames.refuses({ id: 3, params: { callFrameId } });
  await new Promise(setImmediate);
  assert.deepEqual(answers[0][1].error.message, 'this function has ended: its variables cannot change');
  assert.equal(answers[1][1].result.result.value, 5);
  assert.equal(answers[2][1].result.result.value, 'this');
  frames.close();
  assert.equal(evaluate(4, 'n'), undefined);
});

test('objects of a captured pause are released after the stop, or for later pauses', async () => {
  const { target, remote } = debuggee();
  const released = [];
  const call = (method, params) => {
    if (method === 'Runtime.releaseObjectGroup') released.push(params.objectGroup);
    return target.call(method, params);
  };
  const frames = new Frames({ ...target, call });
  const errors = Array.from({ length: 10 }, (_, n) => new Error(String(n)));
  for (const error of errors) frames.capture(pause(remote, error, {}));
  assert.deepEqual(released, ['dapdock.frames.1', 'dapdock.frames.2']);
  await frames.take(remote(errors[5]));
  frames.close();
  frames.close();
  assert.deepEqual(released.slice(2), ['dapdock.frames.6']);
});
