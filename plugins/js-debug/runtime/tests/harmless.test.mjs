// Tests of harmless.js, with Node's own inspector as V8.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import { Effects } from '../effects.js';

const session = new Session();
session.connect();

/** The value of an expression that must not change anything, or the first line of its error. */
async function value(expression) {
  const run = (params) =>
    new Promise((resolve) => {
      session.post('Runtime.evaluate', params, (_, result) => resolve({ result }));
    });
  const effects = new Effects({}, {}, { run });
  const params = { expression, throwOnSideEffect: true, returnByValue: true };
  const { result } = await effects.run(params);
  const error = result.exceptionDetails?.exception.description;
  return error === undefined ? result.result.value : error.split('\n')[0];
}

Object.assign(globalThis, {
  text: 'a, b,C',
  object: { a: 1, b: { c: 2 } },
  list: [3, 1, 2],
  map: new Map([['k', 1]]),
  first: /b/,
  all: /B/gi,
  changes: 0,
});

test('methods of the language that V8 refuses have the same value', async () => {
  for (const expression of [
    "text.split(',')", "text.split(', ').length", "'abc'.split('')", "''.split(',')",
    'text.split(/,\\s*/)', 'text.split(/(,)/)', "'abc'.split(/(?:)/)", "'ab'.split(/b/)",
    "text.replace('a', 'x')", "text.replaceAll(',', ';')", "text.replace(/[ab]/g, '_')",
    'text.replace(/b/, (m) => m + m)', "text.replace(/x?/g, '-')", "text.replace('zz', 'y')",
    'text.match(/[a-z]/g)', 'text.match(/b/).index', 'text.match(/zz/)', 'text.match(/zz/g)',
    'text.search(/b/)', 'text.search(/zz/)', 'first.test(text)', 'all.test(text)',
    'all.exec(text)?.[0]', 'text.toUpperCase()', 'text.toLowerCase()', "'a'.localeCompare('b')",
    'text.split(",").map((one) => one.trim().toUpperCase())', "(text, 'q,r').split(',')",
    '({ ...object, z: 1 })', '({ x: 0, ...object, a: 5 })', '({ ...null, ...undefined })',
    'list.map((x) => ({ ...object, x }))', 'Array.from(list)', 'Array.from(map.values())',
    'Array.from({ length: 3 }, (_, i) => i)', 'Array.of(1, 2)',
    'Object.assign({}, object, { q: 1 })', 'Object.fromEntries(map)',
    "Reflect.get(object, 'a')", "map.get('k')", '({ get(k) { return k + 1; } }).get(2)',
    "text.split(',').sort((a, b) => a.localeCompare(b))[0]",
  ]) {
    const wanted = JSON.stringify((0, eval)(`(${expression})`));
    all.lastIndex = 0;
    assert.equal(JSON.stringify(await value(expression)), wanted, expression);
    assert.equal(all.lastIndex, 0);
  }
});

test('what changes the program, or is not known, stays refused', async () => {
  for (const expression of [
    'Object.assign(object, { evil: 1 })', '({ split() { changes += 1; } }).split()',
    'Array.from({ [Symbol.iterator]: function* () { changes += 1; yield 1; } })',
    "text.replace('a', () => { changes += 1; return 'x'; })",
    '({ ...{ get a() { changes += 1; return 1; } } })',
    "text.replace(/(b)/, '$1$1')", "text.split(',', 1)", "'é'.toUpperCase()",
    "text.split({ [Symbol.split]() { changes += 1; return []; } })",
  ]) {
    assert.match(String(await value(expression)), /^EvalError: Possible side-effect/, expression);
  }
  assert.deepEqual([changes, object], [0, { a: 1, b: { c: 2 } }]);
});

test('a method that the program has changed is called', async () => {
  const { split } = String.prototype;
  String.prototype.split = () => ['own'];
  const found = await value("'a,b'.split(',')");
  String.prototype.split = split;
  assert.deepEqual(found, ['own']);
});
