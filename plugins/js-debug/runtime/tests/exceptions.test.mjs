// Tests of exceptions.js, with a debuggee that answers only what is asked here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CHANGED } from '../cdp.js';
import { Exceptions } from '../exceptions.js';
import { Frames } from '../frames.js';

const TEXT = 'UnhandledPromiseRejection: … The promise rejected with the reason ';
const LOCATION = { scriptId: '1', lineNumber: 3, columnNumber: 2 };

/** Filters before a debuggee: what they do with the commands, stops and notes. */
async function filter({ breaks = true } = {}) {
  const made = { states: [], stops: [], notes: [], resumed: 0, fatal: [] };
  const commands = {
    'Runtime.evaluate': ({ expression }) =>
      expression.includes('_fatalException') ? { result: { objectId: '1.1.1' } } : {},
    'Debugger.setBreakpointOnFunctionCall': () => ({ breakpointId: 'fatal' }),
    'Debugger.setPauseOnExceptions': ({ state }) => made.states.push(state) && {},
    'Debugger.resume': () => (made.resumed += 1) && {},
    'Runtime.getProperties': () => ({ result: made.fatal.map((value) => ({ value })) }),
    'Runtime.callFunctionOn': () => ({ result: { value: -1 } }),
    'Runtime.getExceptionDetails': () => ({
      exceptionDetails: { stackTrace: { callFrames: [{ functionName: 'f', ...LOCATION }] } },
    }),
  };
  const target = {
    pass() {},
    emit: (_, params) => made.stops.push(params),
    call: async (method, params) =>
      method.endsWith('OnFunctionCall') && !breaks
        ? { error: { message: 'no' } }
        : { result: commands[method]?.(params) ?? {} },
  };
  const place = { catches: false, rejects: false, throws: true, promise: 'unknown' };
  const sources = { isUsers: () => true, url: () => '/w/a.js', add() {}, at: async () => place };
  const exceptions = new Exceptions(target, new Frames(target), sources, (text) =>
    made.notes.push(text),
  );
  exceptions.onState({ params: { state: 'uncaught' } });
  const pause = async (params) => {
    exceptions.onPaused({ hitBreakpoints: [], callFrames: [frame()], ...params });
    await new Promise(setImmediate);
  };
  const fatal = async (...args) => {
    made.fatal = args;
    const scope = { type: 'local', object: { objectId: '1.1.2' } };
    await pause({ hitBreakpoints: ['fatal'], callFrames: [{ ...frame(), scopeChain: [scope] }] });
  };
  return { exceptions, made, pause, fatal };
}

function frame(lineNumber = 3) {
  const location = { ...LOCATION, lineNumber };
  return { functionName: 'f', location, this: { type: 'undefined' }, scopeChain: [] };
}

const ready = (exceptions) => exceptions.onEnable({}) && exceptions.prepared;
const text = (value) => ({ type: 'string', value });
const rejected = (data) => ({ reason: 'promiseRejection', data: { ...data, uncaught: true } });
const unhandled = (reason) => ({
  type: 'object',
  subtype: 'error',
  className: 'UnhandledPromiseRejection',
  description: `${TEXT}"${reason}".`,
  objectId: '1.1.9',
});
const PROMISE = { type: 'boolean', value: true };

test('a rejection whose reason is no error stops with the frames of the reason', async () => {
  const { exceptions, made, pause, fatal } = await filter();
  await ready(exceptions);
  await pause(rejected(text('boom 3')));
  await pause(rejected(text('handled')));
  await pause(rejected({ type: 'object', className: 'Object', objectId: '1.1.5' }));
  assert.equal(made.stops.length, 0);
  await fatal(unhandled('boom 3'), PROMISE);
  await fatal(unhandled('#<Object>'), PROMISE);
  const reasons = made.stops.map(({ data }) => data.value ?? data.className);
  assert.deepEqual(reasons, ['boom 3', 'Object']);
  assert.equal(made.stops[0].reason, 'promiseRejection');
});

test('a stop says whether a promise has the error and whether variables are known', async () => {
  const { exceptions, made, fatal } = await filter();
  await ready(exceptions);
  const description = 'Error: e\n    at f (/w/a.js:4:3)';
  const error = { type: 'object', subtype: 'error', className: 'Error', description };
  for (const promise of [PROMISE, { type: 'boolean', value: false }]) {
    await fatal({ ...error, objectId: '1.1.8' }, promise);
  }
  const [promise, other] = made.stops;
  assert.deepEqual([promise.reason, other.reason], ['exception', 'exception']);
  assert.match(promise.data.description, /handled this rejection; the variables .* not known"/);
  assert.match(other.data.description, /"remark":"the variables at the throw are not known"/);
});

test('an equal value at another place, or after the report to Node, stops again', async () => {
  const { exceptions, made, pause, fatal } = await filter();
  await ready(exceptions);
  exceptions.stops = async ({ data, callFrames }) =>
    !(await exceptions.isStopped(data, callFrames[0]));
  const thrown = { reason: 'exception', data: text('same') };
  await pause(thrown);
  await pause(thrown);
  assert.equal(made.stops.length, 1);
  await pause({ ...thrown, callFrames: [frame(7)] });
  assert.equal(made.stops.length, 2);
  await fatal(text('same'), { type: 'boolean', value: false });
  assert.equal(made.stops.length, 2);
  await pause({ ...thrown, callFrames: [frame(7)] });
  assert.equal(made.stops.length, 3);
});

test('all exceptions are asked for only while they are selected', async () => {
  const { exceptions, made } = await filter();
  exceptions.onScript({ url: 'file:///w/node_modules/express/index.js' });
  assert.deepEqual(made.states, []);
  await ready(exceptions);
  assert.deepEqual(made.states, ['all']);
  const other = await filter({ breaks: false });
  other.exceptions.onScript({ url: 'file:///w/node_modules/express/index.js' });
  await ready(other.exceptions);
  assert.deepEqual(other.made.states, []);
  assert.equal(other.made.notes.length, 1);
});

test('of code that is skipped, the modules that reject promises of the user are none', async () => {
  const { exceptions } = await filter();
  const params = { patterns: ['^(node:)?internal\\/', '^(node:)?fs$'] };
  assert.equal(exceptions.commands.get('Debugger.setBlackboxPatterns')({ params }), CHANGED);
  const isSkipped = (url) => params.patterns.some((pattern) => new RegExp(pattern).test(url));
  const others = ['node:internal/url', 'node:fs', 'node:internal/fs/promises2'];
  assert.deepEqual(others.map(isSkipped), [true, true, true]);
  const rejecting = ['node:internal/fs/promises', 'node:internal/deps/undici/undici'];
  assert.deepEqual(rejecting.map(isSkipped), [false, false]);
});

test('exceptions that do not stop are bounded, and a note says so once', async () => {
  const { exceptions, made, pause } = await filter();
  exceptions.wish();
  exceptions.onScript({ url: 'file:///w/a.js' });
  await ready(exceptions);
  exceptions.stops = async () => false;
  for (let n = 0; n < 2010; n += 1) await pause({ reason: 'exception', data: text('caught') });
  assert.deepEqual(made.states, ['all', 'uncaught']);
  assert.equal(made.notes.length, 1);
  assert.match(made.notes[0], /exceptions=\["all"\]/);
  exceptions.wish();
  assert.deepEqual(made.states, ['all', 'uncaught']);
});

test('only many that take much of the time since the last stop bound exceptions', async (t) => {
  let now = 0;
  t.mock.method(Date, 'now', () => now);
  const { exceptions, made, pause } = await filter();
  exceptions.wish();
  exceptions.onScript({ url: 'file:///w/a.js' });
  await ready(exceptions);
  const waits = async (milliseconds, times = 100) => {
    exceptions.stops = async () => (now += milliseconds / times) === 0;
    for (let n = 0; n < times; n += 1) {
      await pause({ reason: 'exception', data: text('caught') });
      exceptions.onResumed();
    }
  };
  await waits(900);
  exceptions.onResumed();
  await waits(900);
  now += 10000;
  await waits(900);
  exceptions.onResumed();
  await waits(3000, 99);
  assert.deepEqual(made.states, ['all']);
  await waits(3000, 1);
  exceptions.onResumed();
  exceptions.wish();
  assert.deepEqual(made.states, ['all', 'uncaught']);
});

test('what passes before the first script of the user does not count', async () => {
  const { exceptions, made, pause } = await filter();
  exceptions.wish();
  await ready(exceptions);
  exceptions.stops = async () => false;
  for (let n = 0; n < 2010; n += 1) await pause({ reason: 'exception', data: text('caught') });
  assert.deepEqual(made.states, ['all', 'uncaught']);
  assert.deepEqual(made.notes, []);
  exceptions.onScript({ url: 'file:///w/node_modules/a.js' });
  assert.deepEqual(made.states, ['all', 'uncaught']);
  exceptions.onScript({ url: 'file:///w/a.js' });
  assert.deepEqual(made.states, ['all', 'uncaught', 'all']);
});

test('the time until the program runs again counts', async (t) => {
  let now = 0;
  t.mock.method(Date, 'now', () => now);
  const { exceptions, made, pause } = await filter();
  exceptions.wish();
  exceptions.onScript({ url: 'file:///w/a.js' });
  await ready(exceptions);
  exceptions.stops = async () => false;
  exceptions.pass = async () => {
    now += 11;
  };
  for (let n = 0; n < 100; n += 1) await pause({ reason: 'exception', data: text('caught') });
  assert.deepEqual(made.states, ['all', 'uncaught']);
});
