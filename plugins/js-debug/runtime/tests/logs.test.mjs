// Tests of logs.js, with a debuggee of a few answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Logs } from '../logs.js';

const wrapped = (list) =>
  `(()=>{try{return ${JSON.stringify(list)};}catch(e){console.error(\`\`);return true}})()`;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A filter with one log breakpoint `one`, and what it does. */
async function started({ isCompiled = false, answers = {}, isElsewhere = false } = {}) {
  const [calls, texts, notes, received, answered] = [[], [], [], [], []];
  const target = {
    call: async (method, params) => {
      calls.push(method);
      if (params?.condition !== undefined) target.condition = params.condition;
      return { result: answers[method]?.(params) ?? {} };
    },
    answer: (_, outcome) => answered.push(outcome),
    receive: (message) => {
      received.push([logs.events.get(message.method)(message), message.params]);
    },
  };
  answers['Debugger.setBreakpointByUrl'] = () => ({ breakpointId: 'one' });
  const stale = { isElsewhere: () => isElsewhere };
  const names = { renamed: async (_, list) => list.map((text) => `${text}2`) };
  const output = (hit, isRecorded) => texts.push([hit, isRecorded]);
  const logs = new Logs(target, stale, names, output, (text) => notes.push(text));
  logs.onTarget({ title: '/w/cart.js', processId: 12 });
  const list = ['dapdock.log', 7, ['n is ', ['n'], '!'], null, isCompiled];
  const params = { urlRegex: 'cart', lineNumber: 3, condition: wrapped(list) };
  const set = () => logs.onSet({ method: 'Debugger.setBreakpointByUrl', params });
  return { calls, texts, notes, received, answered, target, logs, set };
}

const frame = { callFrameId: '0', location: {}, scopeChain: [{ object: { objectId: '1.4.9' } }] };
const pause = (ids, reason = 'other') => ({
  method: 'Debugger.paused',
  params: { reason, hitBreakpoints: ids, callFrames: [frame] },
});
const payload = (logs, values) => ({
  name: `${logs.key}.send`,
  payload: JSON.stringify([0, values, true]),
});

test('the first hit stops for a moment, later ones do not', async () => {
  const all = await started();
  const { calls, texts, received, answered, logs, set } = all;
  assert.equal(set(), 'taken');
  await settled();
  assert.deepEqual(answered, [{ result: { breakpointId: 'one' } }]);
  assert.equal(logs.events.get('Debugger.paused')(pause(['one'])), 'taken');
  await settled();
  const evaluate = 'Debugger.evaluateOnCallFrame';
  assert.deepEqual(calls.slice(1), [
    'Runtime.addBinding', evaluate, evaluate, 'Debugger.resume',
  ]);
  assert.equal(logs.onResumed(), 'taken');
  assert.equal(logs.onResumed(), undefined);
  assert.equal(logs.onValues(payload(logs, ['a'])), 'taken');
  logs.onValues(payload(logs, [['2']]));
  const one = (text) => [{ breakpoint: 7, thread: 'cart.js', text }, true];
  assert.deepEqual(texts, [one("n is 'a'!"), one('n is 2!')]);
  assert.deepEqual(received, []);
});

test('another stop is not changed', async () => {
  const { received, logs, set } = await started();
  assert.equal(logs.events.get('Debugger.paused')(pause(['two'])), undefined);
  set();
  await settled();
  logs.events.get('Debugger.paused')(pause(['one', 'two']));
  await settled();
  assert.deepEqual(received, [[undefined, pause(['two']).params]]);
  assert.equal(logs.events.get('Debugger.paused')(pause(['two'])), undefined);
});

test('a breakpoint in the place of a removed one stops', async () => {
  const { received, logs, set } = await started();
  set();
  await settled();
  const remove = { method: 'Debugger.removeBreakpoint', params: { breakpointId: 'one' } };
  assert.equal(logs.commands.get(remove.method)(remove), undefined);
  logs.events.get('Debugger.paused')(pause(['one']));
  await settled();
  assert.deepEqual(received, [[undefined, pause(['one']).params]]);
});

/** The pause of a step in a function so many calls deep. */
const step = (ids, depth, lineNumber) => {
  const { params } = pause(ids);
  const callFrames = Array(depth).fill({ ...frame, location: { lineNumber } });
  return { method: 'Debugger.paused', params: { ...params, callFrames } };
};

test('a step that meets a breakpoint ends there', async () => {
  const { received, logs, set } = await started();
  set();
  await settled();
  logs.events.get('Debugger.paused')(step([], 1, 5));
  await settled();
  logs.commands.get('Debugger.stepOver')({ method: 'Debugger.stepOver' });
  logs.events.get('Debugger.paused')(step(['one'], 1, 6));
  await settled();
  assert.deepEqual(received.at(-1), [undefined, step([], 1, 6).params]);
});

test('a step over a call does not end at a breakpoint in it', async () => {
  const { calls, logs, received, set } = await started();
  set();
  await settled();
  logs.events.get('Debugger.paused')(step([], 1, 5));
  await settled();
  received.length = 0;
  logs.commands.get('Debugger.stepOver')({ method: 'Debugger.stepOver' });
  for (const [ids, depth, line, next] of [
    [['one'], 3, 9, 'Debugger.stepOut'],
    [[], 2, 7, 'Debugger.stepOut'],
    [[], 1, 5, 'Debugger.stepOver'],
  ]) {
    assert.equal(logs.events.get('Debugger.paused')(step(ids, depth, line)), 'taken');
    await settled();
    assert.equal(calls.at(-1), next);
    assert.equal(logs.onResumed(), 'taken');
  }
  assert.equal(logs.events.get('Debugger.paused')(step([], 1, 6)), undefined);
  assert.deepEqual(received, []);
});

test('an unknown name is looked up once', async () => {
  const expressions = [];
  const answers = {
    'Debugger.evaluateOnCallFrame': ({ expression }) => {
      expressions.push(expression);
      return { result: { value: expressions.length === 2 } };
    },
  };
  const { logs, set } = await started({ answers });
  set();
  await settled();
  logs.events.get('Debugger.paused')(pause(['one']));
  await settled();
  assert.equal(expressions.length, 3);
  assert.ok(expressions[2].includes(JSON.stringify(['(n2\n)\n//# sourceURL=dapdock.log'])));
});

test('a breakpoint that is not yet at its line writes nothing', async () => {
  for (const [isElsewhere, count] of [[true, 1], [false, 2]]) {
    const { calls, logs, set } = await started({ isCompiled: true, isElsewhere });
    set();
    await settled();
    logs.events.get('Debugger.paused')(pause(['one']));
    await settled();
    assert.equal(calls.filter((method) => /evaluate/.test(method)).length, count);
    assert.equal(calls.at(-1), 'Debugger.resume');
  }
});

test('values of any kind are texts', async () => {
  const { notes, texts, logs, set } = await started();
  set();
  await settled();
  const print = (kinds, ...values) => {
    const head = { type: 'string', value: JSON.stringify([0, kinds, false]) };
    return logs.onPrinted({ args: [{ value: logs.key }, head, ...values] });
  };
  const error = { type: 'object', subtype: 'error', description: 'TypeError: no\n    at f' };
  print(['error'], error);
  print(['', 'condition'], { type: 'number', value: 1 }, error);
  const preview = { type: 'object', subtype: 'array', description: 'Array(1)', properties: [] };
  print(['', 'condition'], { type: 'number', value: 2 }, error);
  logs.onValues(payload(logs, [['TypeError: no\nat', 'error']]));
  logs.onValues(payload(logs, [['3'], ['TypeError: no\nat', 'condition']]));
  print(['Array(200000)'], { type: 'object', subtype: 'array', preview });
  const found = texts.map(([{ text }, isRecorded]) => [text, isRecorded]);
  assert.deepEqual(found, [
    ['n is <error: TypeError: no>!', false], ['n is 1!', false], ['n is 2!', false],
    ['n is <error: TypeError: no>!', true], ['n is 3!', true], ['n is (200000) […]!', false],
  ]);
  assert.deepEqual(notes, ['the condition failed: no']);
  logs.events.get('Debugger.paused')(pause(['two']));
  await settled();
  logs.onValues(payload(logs, [['3'], ['no', 'condition']]));
  assert.equal(notes.length, 2);
  assert.equal(logs.onPrinted({ args: [] }), undefined);
});

test('a worker thread has its own name', async () => {
  const { texts, target, logs, set } = await started();
  logs.onWorker({ sessionId: '3', workerInfo: { title: '[worker 1]' } });
  const other = await started();
  Object.assign(other.target, { parent: target, workerSession: '3' });
  other.set();
  await settled();
  other.logs.onValues(payload(other.logs, [['2']]));
  assert.equal(other.texts[0][0].thread, '[worker 1]');
  set();
  await settled();
  logs.onValues(payload(logs, [['2']]));
  assert.deepEqual(texts.map(([{ thread }]) => thread), ['cart.js']);
});
