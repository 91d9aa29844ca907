// Tests of log_code.js, with Node's own inspector as V8: conditions run in a function here.
import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import {
  RECORDS, bindingOf, condition, conditionAtPause, installation, resumption,
} from '../log_code.js';

const session = new Session();
session.connect();
const post = (method, params) =>
  new Promise((resolve) => session.post(method, params, (_, result) => resolve(result)));

const KEY = 'dapdock.log.test';
await post('Runtime.enable');
await post('Runtime.addBinding', { name: bindingOf(KEY) });
const [sent, recorded] = [[], []];
const add = ([id, values, isRecorded], objects = []) => {
  sent.push([id, values, ...objects]);
  recorded.push(isRecorded);
};
session.on('Runtime.bindingCalled', ({ params }) => add(JSON.parse(params.payload)));
session.on('Runtime.consoleAPICalled', ({ params: { args } }) => {
  if (args[0].value === KEY) add(JSON.parse(args[1].value), args.slice(2));
});

const log = { expressions: [], own: null, isMoving: false };

const unseen = new Proxy({}, { getPrototypeOf: () => assert.fail(), get: () => assert.fail() });
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

/** What code is where these variables are, and what it has sent. */
function evaluate(code) {
  const [n, text, self, shop, gone] = [7, "it's", { a: 1 }, unseen, revoked];
  sent.length = 0;
  const result = eval(code);
  assert.ok([n, text, self, shop, gone]);
  return [result, ...sent];
}

function run(expressions, more = {}, id = 3) {
  return evaluate(condition(KEY, id, { ...log, expressions, ...more }));
}

/** The end of a hit that waits. */
function resume(expressions, compiled = expressions, id = 3) {
  return evaluate(resumption(KEY, id, expressions, compiled));
}

test('a context without a writer stops', async () => {
  assert.equal(run(['n'])[0], true);
  await post('Runtime.evaluate', { expression: installation(KEY), includeCommandLineAPI: true });
  assert.deepEqual(run(['n']), [false, [3, [['7']]]]);
  const names = Object.getOwnPropertyNames(globalThis);
  assert.deepEqual(names.filter((name) => name.startsWith(KEY)), []);
});

test('texts and numbers are sent as they are', () => {
  const expressions = ['text', '-0', '2n', 'null', 'undefined', 'true', 'n + 1', 'Symbol("s")'];
  const values = ["it's", ['-0'], ['2n'], ['null'], ['undefined'], ['true'], ['8'], ['Symbol(s)']];
  assert.deepEqual(run(expressions), [false, [3, values]]);
  assert.deepEqual(run(["text.repeat(1000)"])[1][1][0], "it's".repeat(500) + '…');
  assert.deepEqual(run([]), [false, [3, []]]);
});

test('objects are sent with their previews, and run nothing', () => {
  const [result, [id, kinds, object, proxy, other, n]] = run(['self', 'shop', 'gone', 'n']);
  assert.deepEqual([result, id, kinds, n.value], [false, 3, ['', '', '', ''], 7]);
  assert.deepEqual(object.preview.properties, [{ name: 'a', type: 'number', value: '1' }]);
  assert.deepEqual([proxy.subtype, other.subtype], ['proxy', 'proxy']);
  const [, [, sizes, array, map]] = run(['Array(200000)', 'new Map(Array(20000).entries())']);
  assert.deepEqual(sizes, ['Array(200000)', 'Map(20000)']);
  assert.deepEqual([array.description, map.description], ['Array(101)', 'Map(6)']);
});

test('a hit is recorded before it is sent', () => {
  const seen = [];
  const record = (hit) => {
    seen.push(sent.length);
    hit.isRecorded = true;
  };
  recorded.length = 0;
  run(['n']);
  channel(RECORDS).subscribe(record);
  run(['n']);
  run(['self']);
  run([], { own: 'false' });
  channel(RECORDS).unsubscribe(record);
  assert.deepEqual([recorded, seen], [[false, true, true], [0, 0]]);
});

/** Each with what V8 says of it. */
const FAILING = [
  ['self.b.c', "TypeError: Cannot read properties of undefined (reading 'c')"],
  ['nowhere', 'ReferenceError: nowhere is not defined'],
  ['(() => { throw new (class Own extends Error {})("mine"); })()', 'Error: mine'],
  ['(() => { throw Object.assign(new Error("no"), { name: "Own" }); })()', 'Own: no'],
  ['(() => { throw new Error(); })()', 'Error'],
  ['(() => { throw 5; })()', '5'],
  ['(() => { throw ""; })()', ''],
];

test('an expression that fails leaves the others', () => {
  for (const [id, [text, why]] of FAILING.entries()) {
    const [expressions, expected] = [['text', text, 'n'], ["it's", [why, 'error'], ['7']]];
    assert.deepEqual(run(expressions, {}, id), [true]);
    assert.deepEqual(resume(expressions, expressions, id), [false, [id, expected]]);
    assert.deepEqual(run(expressions, {}, id), [false, [id, expected]]);
  }
});

test('V8 previews an error whose text takes more than names', () => {
  const code = '(() => { throw Object.assign(new Error("no"), { code: "E" }); })()';
  const getter = '(() => { throw new (class extends Error { get name() { return 1; } })(); })()';
  for (const text of [code, getter, '(() => { throw self; })()']) {
    assert.deepEqual(run(['n', text], {}, 10), [true]);
    const [result, [, kinds, n, error]] = resume(['n', text], ['n', text], 10);
    assert.deepEqual([result, kinds, n.value, error.type], [false, ['', 'error'], 7, 'object']);
    delete globalThis[KEY].others[10];
  }
});

test('an expression that is none has the error that V8 finds', () => {
  for (const [id, text, why] of [
    [12, 'n +', 'SyntaxError: Unexpected end of input'],
    [13, 'n); (n', "SyntaxError: Unexpected token ')'"],
  ]) {
    assert.deepEqual(run([text], {}, id), [true]);
    assert.deepEqual(resume([text], [text], id), [false, [id, [[why, 'error']]]]);
  }
  // In strict code this is none.
  assert.deepEqual(run(['010'], {}, 11), [true]);
});

test('each value is read once', () => {
  globalThis.reads = 0;
  const expressions = ['reads += 1', 'nowhere', 'reads += 1'];
  assert.deepEqual(run(expressions, {}, 20), [true]);
  const [result, [, [first, , last]]] = resume(expressions, expressions, 20);
  assert.deepEqual([result, first, last, globalThis.reads], [false, ['1'], ['2'], 2]);
});

test('a hit that waits is that of its pause', () => {
  const [expressions, other] = [['n', 'nowhere'], { ...log, expressions: ['text', 'nowhere'] }];
  assert.deepEqual(run(expressions, {}, 21), [true]);
  // Of another breakpoint at the place.
  assert.deepEqual(evaluate(condition(KEY, 22, other)), [true]);
  const again = conditionAtPause(KEY, 21, { ...log, expressions });
  assert.deepEqual(evaluate(again), [true]);
  assert.deepEqual(resume(expressions, expressions, 21)[1][1][0], ['7']);
  assert.deepEqual(resume(other.expressions, other.expressions, 22)[1][1][0], "it's");
  assert.deepEqual(evaluate(again)[0], false);
});

test('a name of the source has that of the compiled code once it is known', () => {
  assert.deepEqual(run(['total', 'n'], {}, 40), [true]);
  assert.deepEqual(resume(['total', 'n'], ['n * 2', 'n'], 40), [false, [40, [['14'], ['7']]]]);
  assert.deepEqual(run(['total', 'n'], {}, 40), [false, [40, [['14'], ['7']]]]);
  assert.deepEqual(run(['{ total }'], {}, 50), [true]);
  const [, [, , { preview }]] = resume(['{ total }'], ['{ total: n }'], 50);
  assert.equal(preview.properties[0].name, 'total');
});

test('a condition decides, and one that fails is sent with the text', () => {
  assert.deepEqual(run(['n'], { own: 'n > 7' }), [false]);
  assert.deepEqual(run(['n'], { own: '0, n == 7' }), [false, [3, [['7']]]]);
  const why = "TypeError: Cannot read properties of undefined (reading 'b')";
  assert.deepEqual(run(['n'], { own: 'n.a.b' }), [false, [3, [['7'], [why, 'condition']]]]);
  const [, [, kinds]] = run(['self'], { own: 'n.a.b' });
  assert.deepEqual(kinds, ['', 'condition']);
});

test('a breakpoint that may move stops until it is found', () => {
  const moving = { ...log, expressions: ['n'], isMoving: true };
  assert.deepEqual(evaluate(condition(KEY, 9, moving)), [true]);
  assert.deepEqual(evaluate(conditionAtPause(KEY, 9, moving)), [false, [9, [['7']]]]);
  assert.deepEqual(evaluate(condition(KEY, 9, moving)), [false, [9, [['7']]]]);
});
