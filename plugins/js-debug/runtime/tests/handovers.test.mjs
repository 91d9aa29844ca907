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
async function filter({ error = { type: 'string', value: 'no' }, state = 'uncaught' } = {}) {
  const made = {
    set: [], removed: [], stops: [], resumed: 0, stepped: [], passed: [], error,
  };
  const commands = {
    'Debugger.getScriptSource': ({ scriptId }) => ({ scriptSource: SCRIPTS[scriptId][1] }),
    'Debugger.setBreakpoint': (params) => ({ breakpointId: `b${made.set.push(params)}` }),
    'Debugger.evaluateOnCallFrame': () => ({ result: made.error }),
    'Debugger.removeBreakpoint': ({ breakpointId }) => made.removed.push(breakpointId) && {},
    'Debugger.resume': () => (made.resumed += 1) && {},
    'Debugger.stepOut': () => made.stepped.push('out') && {},
  };
  const target = {
    pass: ({ method }) => made.passed.push(method),
    emit: (_, params) => made.stops.push(params),
    toFilters: () => made.stepped.push('out by all filters'),
    call: async (method, params, send) => ({
      result: send === undefined ? commands[method]?.(params) ?? {} : send() && {},
    }),
  };
  const sources = new Sources(target);
  const exceptions = new Exceptions(target, new Frames(target), sources, () => {});
  if (state !== '') exceptions.onState({ params: { state } });
  for (const [scriptId, [url]] of Object.entries(SCRIPTS)) exceptions.onScript({ scriptId, url });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const framesOf = (scripts) => scripts.map((scriptId, at) => ({
    callFrameId: `${at}`, location: { scriptId, lineNumber: at }, this: {}, scopeChain: [],
  }));
  const pause = async (...scripts) => {
    const params = { reason: 'other', hitBreakpoints: ['b1'], callFrames: framesOf(scripts) };
    assert.equal(exceptions.onPaused(params), TAKEN);
    await settled();
    return made.stops.splice(0).map((stop) => [stop.callFrames[0].callFrameId, stop.data.value]);
  };
  /** What becomes of a pause at the end of a step, and of a command. */
  const stepEnds = (...scripts) =>
    exceptions.onPaused({ reason: 'step', hitBreakpoints: [], callFrames: framesOf(scripts) });
  const send = (method) => {
    const message = { method: `Debugger.${method}` };
    exceptions.handOvers.commands.get(message.method)?.(message);
    return [exceptions.commands.get(message.method)(message), message.method.slice(9)];
  };
  return { exceptions, made, pause, stepEnds, send };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

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
  exceptions.state = 'none';
  assert.deepEqual(await pause('2', '1'), []);
});

test('only where such errors stop there are breakpoints', async () => {
  for (const state of ['', 'none', 'all']) {
    const { exceptions, made } = await filter({ state });
    assert.deepEqual(made.set, [], state);
    exceptions.onState({ params: { state: 'uncaught' } });
    await settled();
    assert.equal(made.set.length, 3);
    exceptions.onState({ params: { state: 'none' } });
    assert.deepEqual(made.removed, ['b1', 'b2', 'b3']);
  }
});

test('no step meets a breakpoint, until the program runs freely', async () => {
  for (const step of ['stepInto', 'stepOver', 'stepOut']) {
    const { exceptions, made, stepEnds, send } = await filter();
    assert.deepEqual(send('resume'), [undefined, 'resume']);
    assert.deepEqual(send(step), [undefined, step]);
    assert.deepEqual(made.removed, ['b1', 'b2', 'b3']);
    // An exception that does not stop, as one that a framework catches, ends no step.
    exceptions.stops = async () => false;
    exceptions.onPaused({ reason: 'exception', hitBreakpoints: [], callFrames: [] });
    await exceptions.onScript({ scriptId: '2', url: SCRIPTS[2][0] });
    await settled();
    assert.equal(stepEnds('1'), undefined);
    assert.deepEqual([made.set.length, made.passed], [3, []]);
    // A breakpoint is set before the program can reach it.
    assert.deepEqual(send('resume'), [TAKEN, 'resume']);
    assert.deepEqual(made.passed, []);
    await settled();
    assert.deepEqual([made.set.length, made.passed], [7, ['Debugger.resume']]);
    assert.deepEqual(send('resume'), [undefined, 'resume']);
  }
});

test('a step begins while a breakpoint is being set', async () => {
  const { exceptions, made, send } = await filter({ state: 'none' });
  exceptions.onState({ params: { state: 'uncaught' } });
  send('stepOver');
  await settled();
  assert.deepEqual(made.removed, made.set.map((_, at) => `b${at + 1}`));
  assert.equal(exceptions.handOvers.breakpoints.size, 0);
});

test('a step from such a call goes on behind it', async () => {
  const { made, pause, stepEnds, send } = await filter();
  await pause('2', '2', '6', '1', '5');
  assert.deepEqual(send('stepOver'), [CHANGED, 'stepOut']);
  // Frames of the framework, and of a library, are hidden.
  assert.equal(stepEnds('2', '6', '1', '5'), TAKEN);
  assert.equal(stepEnds('6', '1', '5'), TAKEN);
  assert.equal(stepEnds('1', '5'), undefined);
  assert.deepEqual(made.stepped, ['out', 'out']);
  assert.deepEqual(send('stepOver'), [undefined, 'stepOver']);
});

test('a step out of the caller of such a call leaves the caller', async () => {
  const { exceptions, made, pause, stepEnds, send } = await filter();
  await pause('2', '2', '1', '1', '5');
  assert.deepEqual(send('stepOut'), [CHANGED, 'stepOut']);
  assert.equal(exceptions.onResumed(), undefined);
  assert.equal(stepEnds('2', '1', '1', '5'), TAKEN);
  assert.equal(stepEnds('1', '1', '5'), TAKEN);
  assert.deepEqual(made.stepped, ['out', 'out by all filters']);
  assert.deepEqual([exceptions.onResumed(), exceptions.onResumed()], [TAKEN, TAKEN]);
  assert.deepEqual(send('stepOut'), [undefined, 'stepOut']);
  assert.equal(stepEnds('1', '5'), undefined);
});

test('another stop ends such a step', async () => {
  for (const command of ['resume', 'pause']) {
    const { made, pause, stepEnds, send } = await filter();
    await pause('2', '1', '1', '5');
    send('stepOut');
    // A `debugger` statement in a function that the framework calls.
    assert.equal(stepEnds('1', '2', '1', '1', '5'), undefined);
    send(command);
    assert.equal(stepEnds('1', '1', '5'), undefined);
    assert.deepEqual(made.stepped, []);
  }
});
