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
  assert.equal(found.cause, 'Lost: line');
  assert.match(found.stack, /a\.js:1:2/);
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
  assert.deepEqual(other, { ...object, objectId: '1.1.1' });
});
