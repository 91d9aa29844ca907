// Tests of handovers.js, with scripts of frameworks in short.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CHANGED, TAKEN } from '../cdp.js';
import { Exceptions } from '../exceptions.js';
import { Frames } from '../frames.js';
import { Sources } from '../sources.js';

const SCRIPTS = {
  1: ['file:///w/app.js', ''],
  2: ['/w/node_modules/mocha/lib/runnable.js', `function run(fn) {
  function done(err) { finish(err); }
  fn(function (err) { return done(err); });
}`],
  3: ['/w/node_modules/express/lib/router/index.js', 'const next = function (...all) {};'],
  4: ['/w/node_modules/express/lib/router/layer.js', 'function handle(next) { next(1); }'],
  5: ['/w/node_modules/mocha/lib/runner.js', 'function done(err) {}'],
  6: ['/w/node_modules/supertest/lib/test.js', 'function end(done) { done(1); }'],
  7: ['node:internal/test_runner/utils', 'const cb = (err) => reject(err);'],
};

/** A filter that has these scripts, and what it does; `error` is what the functions get. */
async function filter(error = { type: 'string', value: 'no' }) {
  const made = { set: [], stops: [], resumed: 0, error };
  const commands = {
    'Debugger.getScriptSource': ({ scriptId }) => ({ scriptSource: SCRIPTS[scriptId][1] }),
    'Debugger.setBreakpoint': (params) => ({ breakpointId: `b${made.set.push(params)}` }),
    'Debugger.evaluateOnCallFrame': () => ({ result: made.error }),
    'Debugger.resume': () => (made.resumed += 1) && {},
  };
  const target = {
    pass() {},
    emit: (_, params) => made.stops.push(params),
    call: async (method, params) => ({ result: commands[method]?.(params) ?? {} }),
  };
  const sources = new Sources(target);
  const exceptions = new Exceptions(target, new Frames(target), sources, () => {});
  exceptions.onState({ params: { state: 'uncaught' } });
  for (const [scriptId, [url]] of Object.entries(SCRIPTS)) exceptions.onScript({ scriptId, url });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const pause = async (...scripts) => {
    const callFrames = scripts.map((scriptId, at) => ({
      callFrameId: `${at}`, location: { scriptId, lineNumber: at }, this: {}, scopeChain: [],
    }));
    const params = { reason: 'other', hitBreakpoints: ['b1'], callFrames };
    assert.equal(exceptions.onPaused(params), TAKEN);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return made.stops.splice(0).map((stop) => [stop.callFrames[0].callFrameId, stop.data.value]);
  };
  return { exceptions, made, pause };
}

test('functions that take errors have breakpoints', async () => {
  const { made } = await filter();
  const set = made.set.map(({ location, condition }) => [
    +location.scriptId, location.lineNumber, location.columnNumber, condition,
  ]);
  const rest = (argument) => `${argument} !== "route" && ${argument} !== "router"`;
  assert.deepEqual(set.sort(), [
    [2, 1, 22, `Boolean(err) && ${rest('err')}`],
    [3, 0, 32, `Boolean(all[0]) && ${rest('all[0]')}`],
    [7, 0, 20, `Boolean(err) && ${rest('err')}`],
  ]);
});

test('a call of the user stops in its function, and once', async () => {
  const { made, pause } = await filter();
  assert.deepEqual(await pause('2', '2', '1', '2', '5'), [['2', 'no']]);
  assert.deepEqual(await pause('2', '2', '1', '2', '5'), []);
  made.error = { type: 'string', value: 'other' };
  assert.deepEqual(await pause('3', '6', '1', '4', '1'), [['2', 'other']]);
  assert.equal(made.resumed, 1);
});

test('a call of the framework does not stop', async () => {
  const { made, pause } = await filter();
  assert.deepEqual(await pause('3', '4', '1', '3'), []);
  assert.deepEqual(await pause('2'), []);
  made.error = { type: 'undefined' };
  assert.equal(made.resumed, 2);
});

test('nothing stops without exceptions that stop', async () => {
  const { exceptions, pause } = await filter();
  exceptions.onState({ params: { state: 'none' } });
  assert.deepEqual(await pause('2', '1'), []);
});

test('a step from such a call goes on behind it', async () => {
  const { exceptions, pause } = await filter();
  const step = () => {
    const message = { method: 'Debugger.stepOver' };
    return [exceptions.commands.get(message.method)(message), message.method];
  };
  assert.deepEqual(step(), [undefined, 'Debugger.stepOver']);
  await pause('2', '1');
  assert.deepEqual(step(), [CHANGED, 'Debugger.stepOut']);
  // A breakpoint on the way would end the step.
  assert.equal(exceptions.handOvers.breakpoints.size, 0);
  exceptions.onPaused({ reason: 'other', hitBreakpoints: [], callFrames: [] });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(exceptions.handOvers.breakpoints.size, 3);
  assert.deepEqual(step(), [undefined, 'Debugger.stepOver']);
});
