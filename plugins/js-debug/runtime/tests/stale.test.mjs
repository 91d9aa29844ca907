// Tests of stale.js, with a debuggee that answers at once or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Stale } from '../stale.js';

const OLD = '2:3:0:a\\.js';
const MOVED = '1:6:4:file:///w/a.js';

/** A filter and what it sends. */
function filter({ sources = ['a.js'], mappings = ';;;AAAA' } = {}) {
  const sent = [];
  const target = {
    emit: (method) => sent.push(method),
    answer: (_, outcome) => sent.push(Object.keys(outcome)[0]),
    call: async (method) => sent.push(method) && { result: {} },
  };
  const stale = new Stale(target);
  const map = Buffer.from(JSON.stringify({ sources, mappings })).toString('base64');
  const sourceMapURL = `data:application/json;charset=utf-8;base64,${map}`;
  const script = { scriptId: '1', url: 'file:///w/a.js', sourceMapURL };
  stale.events.get('Debugger.scriptParsed')({ params: script });
  const pause = (...hitBreakpoints) => {
    const location = { scriptId: '1', lineNumber: 3, columnNumber: 2 };
    const callFrames = [{ location }];
    const params = { reason: 'other', hitBreakpoints, callFrames };
    return stale.events.get('Debugger.paused')({ params });
  };
  const remove = (breakpointId) =>
    stale.commands.get('Debugger.removeBreakpoint')({ params: { breakpointId } });
  return { pause, remove, sent, resumed: stale.events.get('Debugger.resumed') };
}

const settled = () => new Promise(setImmediate);

test('a hit of a breakpoint that is being removed is none', async () => {
  const { pause, remove, sent, resumed } = filter();
  remove(MOVED);
  assert.equal(pause(MOVED), 'taken');
  await settled();
  assert.deepEqual(sent, ['Debugger.removeBreakpoint', 'Debugger.resume', 'result']);
  assert.deepEqual([resumed(), resumed()], ['taken', undefined]);
  assert.equal(pause(MOVED), undefined);
});

test('in a file compiled under its name js-debug first moves a breakpoint', async () => {
  const { pause, remove, sent } = filter();
  assert.equal(pause(OLD), 'taken');
  await settled();
  assert.deepEqual(sent, []);
  remove(OLD);
  await settled();
  assert.deepEqual(sent.sort(), ['Debugger.removeBreakpoint', 'Debugger.resume', 'result']);
  assert.equal(pause(MOVED), undefined);
  assert.equal(pause('2:0:0:a\\.js'), undefined);
});

test('a breakpoint that js-debug does not move stops', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { pause, sent } = filter();
  assert.equal(pause(OLD), 'taken');
  context.mock.timers.tick(1000);
  await settled();
  assert.deepEqual(sent, ['Debugger.paused']);
  assert.equal(filter({ sources: ['../src/a.ts'] }).pause(OLD), undefined);
});

test('the compiled code of the line itself stops', () => {
  // The fourth line has code of the first line of the source, then of the fourth.
  assert.equal(filter({ mappings: ';;;AAAA,CAGA' }).pause(OLD), undefined);
  assert.equal(filter({ mappings: ';;;AAAA,EAGA' }).pause(OLD), undefined);
  assert.equal(filter({ mappings: ';;;AAAA,GAGA' }).pause(OLD), 'taken');
});
