// Tests of acks.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Acks } from '../acks.js';

function acks() {
  const pings = [];
  const made = new Acks((method) => {
    pings.push(method);
    made.onCommand(`{"id":${1e9 + pings.length},"method":"${method}"}`);
  });
  const receive = (...texts) => {
    texts.forEach((text) => made.onMessage(text));
    made.follow();
    return pings.splice(0).length;
  };
  return { acks: made, receive };
}

const PARSED = '{"method":"Debugger.scriptParsed","params":{}}';
const PAUSED = '{"method":"Debugger.paused","params":{}}';

test('what arrives is followed by a command while an answer is awaited', () => {
  const { acks: made, receive } = acks();
  assert.equal(receive(PARSED), 0);
  made.onCommand('{"id":7,"method":"Debugger.evaluateOnCallFrame"}');
  made.onCommand('{"id":8,"method":"Runtime.callFunctionOn"}');
  assert.equal(receive(PARSED, PARSED), 1);
  assert.equal(receive('{"id":7,"result":{}}'), 1);
  assert.equal(receive('{"id":8,"result":{}}'), 0);
  assert.equal(receive('{"id":1000000001,"result":{}}'), 0);
});

test('a step is awaited until the next pause', () => {
  const { acks: made, receive } = acks();
  made.onCommand('{"id":7,"method":"Debugger.stepOver","params":{}}');
  assert.equal(receive('{"id":7,"result":{}}'), 1);
  assert.equal(receive('{"method":"Debugger.resumed","params":{}}'), 1);
  assert.equal(receive(PAUSED), 0);
  made.onCommand('{"id":8,"method":"Debugger.resume","params":{}}');
  assert.equal(receive('{"id":8,"result":{}}'), 0);
});

test('a command that is not answered is followed for a while', () => {
  const { acks: made, receive } = acks();
  made.onCommand('{"id":7,"method":"Runtime.evaluate"}');
  let count = 0;
  for (let n = 0; n < 100; n += 1) count += receive(PARSED);
  assert.equal(count, 20);
  made.onCommand('{"id":8,"method":"Runtime.evaluate"}');
  assert.equal(receive(PARSED), 1);
});
