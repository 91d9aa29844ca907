// Tests of conditions.js, with a debuggee that answers only what is asked here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Conditions } from '../conditions.js';

const wrapped = (text) =>
  `(()=>{try{return ${text};}catch(e){console.error(\`Breakpoint condition error: ` +
  `\${e.message||e}\`);return true}})()`;

/** The condition that V8 gets, and the notes of a stop with this error. */
async function stop(condition, description) {
  const [notes, answers] = [[], []];
  let sent;
  const commands = {
    'Debugger.setBreakpoint': (params) => (sent = params.condition) && { breakpointId: 'one' },
    'Debugger.evaluateOnCallFrame': ({ expression }) => {
      assert.equal(expression, 'x == 2');
      return description && { exceptionDetails: { exception: { description } } };
    },
  };
  const target = {
    call: async (method, params) => ({ result: commands[method](params) ?? {} }),
    answer: (_, outcome) => answers.push(outcome),
  };
  const conditions = new Conditions(target, (text) => notes.push(text));
  const message = { method: 'Debugger.setBreakpoint', params: { condition } };
  if (conditions.onSet(message) === 'taken') await new Promise(setImmediate);
  conditions.onPaused({ hitBreakpoints: ['one'], callFrames: [{ callFrameId: '0' }] });
  await new Promise(setImmediate);
  return { sent, notes, answers };
}

test('a failing condition stops and writes nothing in the program', async () => {
  const { sent, notes, answers } = await stop(wrapped('x == 2'), 'ReferenceError: x is none\n at');
  assert.equal(sent, '(()=>{try{return x == 2;}catch(e){return true}})()');
  assert.deepEqual(notes, ['the condition failed: x is none']);
  assert.deepEqual(answers, [{ result: { breakpointId: 'one' } }]);
  for (const error of [undefined, 'EvalError: Possible side-effect in debug-evaluate']) {
    assert.deepEqual((await stop(wrapped('x == 2'), error)).notes, []);
  }
});

test('another condition does not change', async () => {
  assert.deepEqual(await stop('x == 2'), { sent: undefined, notes: [], answers: [] });
});
