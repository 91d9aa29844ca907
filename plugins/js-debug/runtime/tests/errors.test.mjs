// Tests of errors.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describe, more, withClass } from '../errors.js';

const property = (name, value, enumerable = true) => ({ name, value, enumerable });
const text = (value) => ({ type: 'string', value });
const error = (className, description) => ({ type: 'object', subtype: 'error', className, description });

test('an own class stands for that of the language', () => {
  const check = (className, description) => withClass({ className, description });
  assert.equal(check('HttpError', 'Error: no\n    at x'), 'HttpError: no\n    at x');
  assert.equal(check('Gone', 'TypeError\n    at x'), 'Gone\n    at x');
  assert.equal(check('TypeError', 'TypeError: no'), 'TypeError: no');
  assert.equal(check('Error', 'Error: no'), 'Error: no');
  assert.equal(check('e', 'Error: minified'), 'Error: minified');
  assert.equal(check('Whole', 'Named: by itself'), 'Named: by itself');
});

test('fields and cause are read', () => {
  const cause = error('Lost', 'Error: line\n    at f (/w/a.js:1:2)');
  const found = more([
    property('stack', text('x'), false),
    property('status', { type: 'number', value: 404, description: '404' }),
    property('path', text('/a')),
    property('getter', undefined),
    property('list', { type: 'object', subtype: 'array', description: 'Array(2)' }),
    property('none', { type: 'object', subtype: 'null', value: null }),
    property('cause', cause, false),
  ]);
  assert.equal(found.fields, 'status: 404, path: "/a", list: Array(2), none: null');
  const frame = { id: 0, name: 'f', source: { path: '/w/a.js' }, line: 1, column: 2 };
  assert.deepEqual(found.cause, { typeName: 'Lost', message: 'line', frames: [frame] });
});

test('the place of a cause is its first frame of the user', () => {
  const stack = [
    'Error: a: b',
    '    at JSON.parse (<anonymous>)',
    '    at g (/w/node_modules/g/index.js:3:4)',
    '    at file:///w/gr%C3%BCn.mjs:10:5',
    '    at f (/w/a.js:1:2)',
  ].join('\n');
  const source = { path: '/w/grün.mjs' };
  const frame = { id: 0, name: '<anonymous>', source, line: 10, column: 5 };
  const { cause } = more([property('cause', error('Error', stack), false)]);
  assert.deepEqual(cause, { typeName: 'Error', message: 'a: b', frames: [frame] });
  const lines = error('Error', 'Error: a: b\nc\n\nd\n    at f');
  const { message } = more([property('cause', lines, false)]).cause;
  assert.equal(message, 'a: b\nc\n\nd');
  const late = more([property('cause', text('late'), false)]);
  assert.deepEqual(late.cause, { typeName: 'string', message: 'late' });
});

test('a failed comparison has its two values alone', () => {
  const number = (value) => ({ type: 'number', value, description: String(value) });
  const found = more([
    property('actual', number(7)),
    property('expected', number(6)),
    property('operator', text('strictEqual')),
  ]);
  assert.deepEqual([found.fields, found.cause], ['actual: 7, expected: 6', undefined]);
});

test('an object with the stack of an error is one', async () => {
  const object = { type: 'object', className: 'AssertionError', description: 'AssertionError' };
  const stack = 'AssertionError: expected 4 to be 3\n    at f (/w/a.js:1:2)';
  const properties = [property('stack', text(stack), false), property('actual', text('4'))];
  const target = { call: async () => ({ result: { result: properties } }) };
  const found = await describe(target, { ...object, objectId: '1.1.1' });
  assert.equal(found.subtype, 'error');
  assert.ok(found.description.startsWith(`${stack}\n\u001e{"fields":"actual: \\"4\\""`));
  properties[0] = property('stack', text('a heap'));
  const other = await describe(target, { ...object, objectId: '1.1.1' });
  assert.deepEqual(other, {
    ...object,
    objectId: '1.1.1',
    description: 'AssertionError {actual: "4"}',
  });
});

test('an object that is no error is its class and its fields', async () => {
  const check = async (className, description, properties) => {
    const target = { call: async () => ({ result: { result: properties } }) };
    const thrown = { type: 'object', className, description, objectId: '1.1.1' };
    return (await describe(target, thrown)).description;
  };
  const code = property('code', { type: 'number', value: 5, description: '5' });
  const reason = property('reason', text('late'));
  const line = 'Refused {code: 5, reason: "late"}';
  assert.equal(await check('Refused', 'Refused', [code, reason]), line);
  assert.equal(await check('Object', 'Object', [code]), 'Object {code: 5}');
  assert.equal(await check('Object', 'Object', []), 'Object');
  const message = property('message', text('no\nway'));
  assert.equal(await check('Refused', 'Refused', [message, code]), 'Refused: no way {code: 5}');
  const long = Array.from({ length: 9 }, (_, n) => property(`f${n}`, text('x'.repeat(99))));
  const value = `"${'x'.repeat(60)}"`;
  const fields = Array.from({ length: 6 }, (_, n) => `f${n}: ${value}`);
  assert.equal(await check('Refused', 'Refused', long), `Refused {${fields.join(', ')}}`);
});
