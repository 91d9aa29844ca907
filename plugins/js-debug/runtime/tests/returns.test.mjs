// Tests of returns.js, with a debuggee that answers only what is asked here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Returns } from '../returns.js';
import { Source } from '../sources.js';

const TEXT = 'function f(){const s=1;return s}';
/** `function`, `const`, `return` and the brace are on lines 0 to 3 of the source. */
const MAPPINGS = 'AAAA,aACA,UACA,QACA';
const END = TEXT.indexOf('}');

/** What js-debug gets of a place of V8's: in the response, the event and the pause. */
async function seen(columnNumber, scriptId = '7') {
  const location = { scriptId, lineNumber: 0, columnNumber };
  const got = [];
  const target = {
    call: async () => ({ result: { breakpointId: 'b', locations: [location] } }),
    answer: (_, { result }) => got.push(result.locations[0].columnNumber),
    emit: (_, { location, callFrames = [] }) =>
      got.push((location ?? callFrames[0].location).columnNumber),
  };
  const sources = { source: async () => new Source(TEXT) };
  const returns = new Returns(target, sources, { compiled: new Map([['7', MAPPINGS]]) });
  const method = 'Debugger.setBreakpointByUrl';
  assert.equal(returns.commands.get(method)({ method, params: {} }), 'taken');
  await new Promise(setImmediate);
  const params = { location };
  const isTaken = returns.events.get('Debugger.breakpointResolved')({ params }) === 'taken';
  assert.equal(isTaken, scriptId === '7');
  target.emit('Debugger.paused', { callFrames: [{ location }] });
  await new Promise(setImmediate);
  return got;
}

test('the end of a return has the line of the return', async () => {
  assert.deepEqual(await seen(END), [END - 1, END - 1, END - 1]);
});

test('other places do not change', async () => {
  for (const column of [0, TEXT.indexOf('const'), TEXT.indexOf('return'), END + 1]) {
    assert.deepEqual(await seen(column), [column, column, column]);
  }
  assert.deepEqual(await seen(END, 'other'), [END, END]);
});
