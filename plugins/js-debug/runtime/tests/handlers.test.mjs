// Tests of handlers.js, with a debuggee that has one handler.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Handlers } from '../handlers.js';

const PLACE = { scriptId: '1', lineNumber: 3, columnNumber: 2 };
const REASON = { type: 'object', subtype: 'error', objectId: '1.1.7' };

/** Handlers of a process; `fails` is what the call of `process.exit` means. */
async function found({ url = '/w/a.js', fails = true } = {}) {
  const urls = { 1: url, 2: 'node:events', 3: 'node:internal/process/per_thread' };
  const functions = [];
  const values = (expression) => {
    if (expression.includes('listenerCount')) return { type: 'number', value: 1 };
    return { type: 'object', objectId: expression.includes('exit') ? 'exit' : 'list' };
  };
  const commands = {
    'Runtime.evaluate': ({ expression }) => ({ result: values(expression) }),
    'Runtime.getProperties': ({ objectId }) =>
      objectId === 'list'
        ? { result: [{ name: '0', value: { type: 'function', objectId: 'handler' } }] }
        : {
            result: [],
            internalProperties: [{ name: '[[FunctionLocation]]', value: { value: PLACE } }],
          },
    'Debugger.setBreakpointOnFunctionCall': ({ objectId }) => {
      functions.push(objectId);
      return { breakpointId: objectId };
    },
    'Debugger.evaluateOnCallFrame': ({ callFrameId }) => ({
      result: callFrameId === 'emit' ? REASON : { type: 'boolean', value: fails },
    }),
  };
  const target = { call: async (method, params) => ({ result: commands[method](params) }) };
  const sources = { url: ({ location }) => urls[location.scriptId] };
  const handlers = new Handlers(target, sources);
  await handlers.find();
  await handlers.find();
  assert.deepEqual(functions, ['handler', 'exit']);
  return handlers;
}

/** A pause at a breakpoint, in functions of these scripts. */
function pause(breakpoint, ...frames) {
  const callFrames = frames.map(([callFrameId, scriptId]) => ({
    callFrameId,
    location: { scriptId },
    functionLocation: { ...PLACE, scriptId },
  }));
  return { hitBreakpoints: [breakpoint], callFrames };
}

const CALL = [['handle', '1'], ['emit', '2']];

test('a call of a handler has the reason of the rejection', async () => {
  const handlers = await found();
  const at = pause('handler', ...CALL);
  assert.equal(handlers.isHit(at), true);
  assert.deepEqual(await handlers.handled(at), {
    reason: REASON,
    isOfFramework: false,
    fails: false,
  });
  assert.equal(handlers.isHit(pause('other', ...CALL)), false);
  const ownCall = pause('handler', ['handle', '1'], ['main', '1']);
  assert.equal(await handlers.handled(ownCall), undefined);
  const mocha = await found({ url: '/w/node_modules/mocha/lib/cli.js' });
  assert.equal((await mocha.handled(at)).isOfFramework, true);
});

test('a handler that ends the program with a failure fails', async () => {
  const exit = pause('exit', ['exit', '3'], ...CALL);
  assert.equal((await (await found()).handled(exit)).fails, true);
  assert.equal((await (await found({ fails: false })).handled(exit)).fails, false);
  const elsewhere = pause('exit', ['exit', '3'], ['main', '4']);
  assert.equal(await (await found()).handled(elsewhere), undefined);
});
