// Tests of effects.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CHANGED, TAKEN } from '../cdp.js';
import { Effects } from '../effects.js';

/** The outcome of a command, the message after it, and the answers. */
async function sent(method, params, outcome, isPaused = false) {
  const answers = [];
  const target = { answer: (_, answer) => answers.push(answer) };
  const call = async (own) => ({ ...outcome, own });
  const live = { call, evaluateGlobally: call, isPaused: () => isPaused };
  const message = { id: 1, method, params };
  const taken = new Effects(target, live).commands.get(method)(message);
  await new Promise(setImmediate);
  return { taken, params: message.params, answers };
}

test('descriptions by the program are answered with nothing', async () => {
  const listed = 'function(){let i="<<default preview>>";return{out:n,customProps:t}}';
  const { taken, answers } = await sent('Runtime.callFunctionOn', { functionDeclaration: listed });
  assert.equal(taken, TAKEN);
  assert.deepEqual(answers[0].result.result.value, { out: {}, customProps: false });
  const one = 'function(){let i="<<default preview>>"}';
  const single = await sent('Runtime.callFunctionOn', { functionDeclaration: one });
  assert.equal(single.answers[0].result.result.value, undefined);
  const other = await sent('Runtime.callFunctionOn', { functionDeclaration: 'function(){}' });
  assert.equal(other.taken, undefined);
});

test('a getter is called without side effects, and ends in time', async () => {
  const params = { functionDeclaration: 'function(r){return r.call(this)\n//# x\n}' };
  const read = await sent('Runtime.callFunctionOn', params, { result: { result: { value: 2 } } });
  const { throwOnSideEffect, timeout } = read.answers[0].own;
  assert.deepEqual([throwOnSideEffect, timeout], [true, 500]);
  assert.equal(read.answers[0].result.result.value, 2);
  const description = 'EvalError: Possible side-effect in debug-evaluate';
  const refusal = { result: { exceptionDetails: { exception: { description } } } };
  const refused = await sent('Runtime.callFunctionOn', params, refusal);
  assert.match(refused.answers[0].result.result.value, /effects=allow/);
  const ended = { error: { message: 'Execution was terminated' } };
  const long = await sent('Runtime.callFunctionOn', params, ended);
  assert.match(long.answers[0].result.result.value, /takes longer than/);
});

test('a marked expression must not change the program, and ends in time', async () => {
  for (const expression of ['"dapdock.pure:300";\na + 1', "'dapdock.pure:300';\n\na + 1"]) {
    const { taken, params } = await sent('Debugger.evaluateOnCallFrame', { expression });
    assert.equal(taken, CHANGED);
    assert.deepEqual(params, { expression: 'a + 1', throwOnSideEffect: true, timeout: 300 });
  }
  const object = await sent('Runtime.evaluate', { expression: '"dapdock.pure:1";\n{a: 1}' });
  assert.equal(object.params.expression, '({a: 1}\n)');
  const plain = await sent('Runtime.evaluate', { expression: 'a + 1' });
  assert.equal(plain.taken, undefined);
});

test('an expression with effects ends in time too', async () => {
  const expression = '"dapdock.limited:300";\nf()';
  const { params } = await sent('Debugger.evaluateOnCallFrame', { expression });
  assert.deepEqual(params, { expression: 'f()', timeout: 300 });
  const other = await sent('Debugger.evaluateOnCallFrame', { expression: 'f()' });
  assert.deepEqual(other.params, { expression: 'f()', timeout: 30_000 });
  const paused = await sent('Runtime.evaluate', { expression, contextId: 1 }, {}, true);
  assert.equal(paused.taken, TAKEN);
  assert.deepEqual(paused.answers[0].own, { expression: 'f()', timeout: 300 });
});

test('values of expressions are released when the program runs again', () => {
  const calls = [];
  const target = { call: (method, params) => calls.push([method, params.objectGroup]) };
  const effects = new Effects(target, {});
  effects.onResumed();
  assert.deepEqual(calls, []);
  effects.onEvaluate({ params: { expression: 'a', objectGroup: 'console' } });
  effects.onResumed();
  effects.onResumed();
  assert.deepEqual(calls, [['Runtime.releaseObjectGroup', 'console']]);
});
