// Tests of values.js, with Node's own inspector as V8. The texts are js-debug's at a stop.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import { text, thrown } from '../values.js';

const session = new Session();
session.connect();

globalThis.Own = class Own extends Error {
  constructor(message) {
    super(message);
    this.code = 42;
  }
};
globalThis.Point = class Point {
  #secret = 1;
  x = 3;
  get twice() {
    return assert.fail();
  }
  toString() {
    return assert.fail();
  }
};

/** V8's description of the value of an expression. */
function read(expression) {
  let value;
  const params = { expression, generatePreview: true };
  session.post('Runtime.evaluate', params, (_, { result }) => (value = result));
  return value;
}

test('values have the texts of a stop', () => {
  for (const [expression, expected] of [
    ['3.5', '3.5'], ['-0', '-0'], ['NaN', 'NaN'], ['12n', '12n'], ['true', 'true'],
    ['undefined', 'undefined'], ['null', 'null'], ['Symbol("s")', 'Symbol(s)'],
    ["'abc'", "'abc'"], ['"it\'s"', '"it\'s"'], ['`it\'s "x"`', '`it\'s "x"`'],
    ["'a\\\\b'", "'a\\\\b'"], ["'a\\nb'", "'a\nb'"],
    ['({})', '{}'], ['({ a: 1, b: "two", c: {}, d: [1, 2], f() {}, g: null })',
      "{a: 1, b: 'two', c: {…}, d: Array(2), f: ƒ, …}"],
    ['({ get got() { return 1; } })', '{got: <accessor>}'],
    ['[]', '(0) []'], ['[1, "b", { c: 3 }, [4]]', "(4) [1, 'b', {…}, Array(1)]"],
    ['[1, , 3]', '(3) [1, …, 3]'],
    ['new Uint8Array(1)', 'Uint8Array(1) [0]'],
    ['new Map([["k", 1], [{ a: 1 }, { b: 2 }]])', "Map(2) {'k' => 1, {a: 1} => {b: 2}}"],
    ['new Set([1, "x"])', "Set(2) {1, 'x'}"],
    ['new Point()', 'Point {#secret: 1, x: 3}'], ['new Number(4)', 'Number (4)'],
    ['new Date(0)', read('String(new Date(0))').value], ['/a+b/gi', '/a+b/gi'],
    ['(x) => x + 1', '(x) => x + 1'], ['(function named(a, b) { return a; })',
      'ƒ named(a, b) { return a; }'],
    ['(async function later() {})', 'async ƒ later() {}'], ['(function* gen() {})', 'ƒ* gen() {}'],
    ['(class A { a = 1; })', 'class A { a = 1; }'], ['Math.max', 'ƒ max()'],
    ['({ m() { return 1; } }).m', 'ƒ m() { return 1; }'],
    ['new Error("boom")', 'Error: boom'], ['new Own("mine")', 'Own: mine {code: 42}'],
    ['new Error("outer", { cause: new Error("inner") })', 'Error: outer {cause: Error: inner}'],
    ['new AggregateError([1], "many")', 'AggregateError: many {errors: Array(1)}'],
  ]) {
    assert.equal(text(read(expression)), expected, expression);
  }
});

test('long parts are cut', () => {
  const [property] = /'.*'/.exec(text(read('({ text: "y".repeat(200) })')));
  assert.ok(property.length <= 100 && property.includes('…'), property);
  const list = text(read('Array.from({ length: 200 }, (_, i) => i)'));
  assert.match(list, /^\(200\) \[0, 1, .*, 99, …\]$/);
  const entry = text(read('new Map([["key".repeat(20), 1]])'));
  assert.match(entry, /^Map\(1\) \{'keykeykey…eykeykey' => 1\}$/);
});

test('what is thrown is its first line', () => {
  for (const [expression, expected] of [
    ['new TypeError("no")', 'TypeError: no'], ['"text"', 'text'], ['5', '5'],
    ['null', 'null'], ['({ a: 1 })', 'Object'],
  ]) {
    assert.equal(thrown(read(expression)), expected);
  }
});
