// Tests of causes.js, which is one function expression.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const source = readFileSync(new URL('../causes.js', import.meta.url), 'utf8');
const script = vm.runInThisContext(`(${source.trimEnd()})`);

/** The description of an error, as the plugin reads it. */
function described(raised, most = 10) {
  const text = script(raised, most);
  return JSON.parse(text.replace(/%(..)/g, (_, code) => String.fromCharCode(parseInt(code, 16))));
}

/** Type and message of each cause. */
function causes(raised, most) {
  return described(raised, most).innerException.map((one) => [one.link, one.typeName, one.message]);
}

test('nothing describes nothing', () => {
  assert.equal(script(undefined, 1), undefined);
});

test('text has no quotes and no backslashes of its own', () => {
  const text = script(new Error('\'"`\\%'), 1);
  assert.doesNotMatch(text, /['"`\\]/);
  assert.equal(described(new Error('\'"`\\%')).message, '\'"`\\%');
});

test('chain is followed to its bound', () => {
  let error = new Error('0');
  for (let n = 1; n < 5; n++) error = new RangeError(String(n), { cause: error });
  const first = described(error, 2);
  assert.deepEqual([first.typeName, first.message], ['RangeError', '4']);
  const [second] = first.innerException;
  assert.equal(second.innerException[0].message, '2');
  assert.deepEqual(second.innerException[0].innerException, []);
});

test('a message that the program computes is that of the stack', () => {
  const computed = (error) => {
    // The engine makes the text of the stack when it is read first.
    assert.equal(typeof error.stack, 'string');
    return Object.defineProperty(error, 'message', { get: () => assert.fail('was called') });
  };
  assert.equal(described(computed(new Error('[\n  1\n]'))).message, '[\n  1\n]');
  assert.equal(described(computed(new Error())).message, undefined);
});

test('circle of causes ends', () => {
  const error = new Error('a');
  error.cause = new Error('b', { cause: error });
  assert.deepEqual(causes(error), [['cause', 'Error', 'b']]);
});

test('members are listed, undefined too', () => {
  const error = new AggregateError([undefined, 'text', new TypeError('x')], 'all');
  assert.deepEqual(causes(error), [
    ['member', 'undefined', 'undefined'],
    ['member', 'string', 'text'],
    ['member', 'TypeError', 'x'],
  ]);
});

test('only a list has members, and only values that can be read', () => {
  assert.deepEqual(causes(Object.assign(new Error('a'), { errors: (b, c) => b + c })), []);
  assert.deepEqual(causes(Object.assign(new Error('a'), { errors: { length: 3 } })), []);
  const errors = [];
  Object.defineProperty(errors, 0, { get: () => assert.fail('a getter was called') });
  assert.deepEqual(causes(Object.assign(new Error('a'), { errors })), []);
});

test('object without a message has its fields', () => {
  const message = (value) => described(value).message;
  assert.equal(message({ code: 7, who: { name: 'Ada' }, list: [1] }),
    "{code: 7, who: Object, list: Array(1)}");
  assert.equal(message({ get total() { return assert.fail('a getter was called'); } }), undefined);
  assert.equal(message({ message: { a: 1 }, code: 7 }), '{message: Object, code: 7}');
  assert.equal(message(new Error()), '');
  assert.equal(message({}), undefined);
  class Full extends Error {
    name = 'Full';
  }
  assert.equal(message(new Full()), '');
});

test('large values cost nothing', () => {
  const began = performance.now();
  for (const value of [new Uint8Array(1 << 27), new Array(1 << 24).fill(0)]) {
    described(new Error('large', { cause: value }));
  }
  assert.ok(performance.now() - began < 2000);
});

test('a Proxy that refuses or never ends costs its own part', () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  assert.equal(described({ code: 7, proxy }).message, '{code: 7, proxy: Object}');
  const endless = () => new Proxy({}, { getPrototypeOf: endless });
  assert.equal(described(endless()).message, undefined);
  assert.equal(described(new Error('x', { cause: proxy })).message, 'x');
});

test('frames are places of the program', () => {
  const { frames } = described(new Error('here'));
  assert.ok(frames[0].source.path.endsWith('causes.test.mjs'), JSON.stringify(frames));
  assert.ok(frames[0].line > 0 && frames[0].column > 0);
});
