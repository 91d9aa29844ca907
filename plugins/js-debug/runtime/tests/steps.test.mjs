// Tests of steps.js, with a debuggee that answers only what is asked here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Source } from '../sources.js';
import { Steps } from '../steps.js';

const OWN = '/w/a.mjs';
const TEXT = `async function* numbers() {
  yield 1;
}
async function leaf() {
  return 1;
}
async function middle() { return leaf(); }
async function main() {
  for await (const n of numbers()) n;
  await middle();
}
`;
const numbers = frame(1, 2);
const leaf = frame(4, 2);
const middle = frame(6, 33);
const main = frame(9, 8);
const internal = { location: { scriptId: '0', lineNumber: 1, columnNumber: 0 } };
const waits = (...callFrames) => ({ description: 'await', callFrames });

function frame(lineNumber, columnNumber) {
  const location = { scriptId: '1', lineNumber, columnNumber };
  return { ...location, location };
}

/** A filter and what it sends. */
function filter() {
  const source = new Source(TEXT);
  const sources = {
    url: ({ location, scriptId = location.scriptId }) => (scriptId === '1' ? OWN : 'node:x'),
    isUsers: (one) => sources.url(one) === OWN,
    at: async (place) => source.at(place),
    body: async (place) => source.body(place),
  };
  const sent = [];
  const target = {
    pass: ({ method }) => sent.push(method),
    emit: (method) => sent.push(method),
    call: async (method, params) => {
      if (method === 'Debugger.getPossibleBreakpoints') {
        const { start, end } = params;
        sent.push(`${start.lineNumber + 1} to ${end.lineNumber + 1}`);
        return { result: { locations: [start] } };
      }
      sent.push(method);
      return { result: { breakpointId: 'own' } };
    },
  };
  const steps = new Steps(target, sources);
  const run = async (kind, method, params = {}) => {
    const outcome = steps[kind].get(`Debugger.${method}`)({ method: `Debugger.${method}`, params });
    await new Promise(setImmediate);
    return [outcome, ...sent.splice(0)];
  };
  const pause = (params) =>
    run('events', 'paused', { reason: 'other', hitBreakpoints: [], ...params });
  return { pause, send: (method) => run('commands', method), sent };
}

test('out of an async generator the program runs to its caller', async () => {
  const { pause, send } = filter();
  await pause({ callFrames: [numbers, frame(8, 24), internal] });
  const set = ['8 to 11', 'Debugger.setBreakpoint', 'Debugger.resume'];
  assert.deepEqual(await send('stepOut'), ['taken', ...set]);
  const params = { callFrames: [main], hitBreakpoints: ['own', 'users'] };
  assert.deepEqual(await pause(params), ['changed']);
  assert.deepEqual(await send('resume'), [undefined, 'Debugger.removeBreakpoint']);
});

test('a step that ends in code of Node goes on to the function that awaits', async () => {
  for (const step of ['stepOut', 'stepOver']) {
    const { pause, send } = filter();
    await pause({ callFrames: [leaf, internal], asyncStackTrace: waits(middle, main) });
    const expect = step === 'stepOut' ? ['taken', 'Debugger.stepOut'] : [undefined];
    assert.deepEqual(await send(step), expect);
    const set = ['8 to 11', 'Debugger.setBreakpoint', 'Debugger.resume'];
    assert.deepEqual(await pause({ callFrames: [internal] }), ['taken', ...set]);
  }
});

test('a step without a caller ends where V8 ends it', async () => {
  const { pause, send } = filter();
  const asyncStackTrace = { ...waits(main), description: 'setTimeout' };
  await pause({ callFrames: [leaf, internal], asyncStackTrace });
  await send('stepOver');
  assert.deepEqual(await pause({ callFrames: [internal] }), ['taken', 'Debugger.paused']);
  await send('stepOver');
  assert.deepEqual(await pause({ callFrames: [leaf, internal] }), [undefined]);
});
