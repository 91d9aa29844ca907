// Tests of log_code.js, with Node's own inspector as V8: conditions run in a function here.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import { bindingOf, condition, installation, texts } from '../log_code.js';

const session = new Session();
session.connect();
const post = (method, params) =>
  new Promise((resolve) => session.post(method, params, (_, result) => resolve(result)));

const KEY = 'dapdock.log.test';
await post('Runtime.enable');
await post('Runtime.addBinding', { name: bindingOf(KEY) });
const sent = [];
session.on('Runtime.bindingCalled', ({ params }) => sent.push(JSON.parse(params.payload)));
session.on('Runtime.consoleAPICalled', ({ params: { args } }) => {
  if (args[0].value === KEY) sent.push([...JSON.parse(args[1].value), ...args.slice(2)]);
});

const log = { expressions: [], own: null, isMoving: false };

/** What a condition is where these variables are, and what it has sent. */
function run(expressions, more = {}, id = 3) {
  const [n, text, self, shop] = [7, "it's", { a: 1 }, new Proxy({}, { get: () => assert.fail() })];
  sent.length = 0;
  const result = eval(condition(KEY, id, { ...log, expressions, ...more }));
  assert.ok([n, text, self, shop]);
  return [result, ...sent];
}

test('a context without a writer stops', async () => {
  assert.equal(run(['n'])[0], true);
  await post('Runtime.evaluate', { expression: installation(KEY), includeCommandLineAPI: true });
  assert.deepEqual(run(['n']), [false, [3, [['7']]]]);
  assert.deepEqual(Object.keys(globalThis).filter((name) => name.startsWith(KEY)), []);
});

test('texts and numbers are sent as they are', () => {
  const expressions = ['text', '-0', '2n', 'null', 'undefined', 'true', 'n + 1', 'Symbol("s")'];
  const values = ["it's", ['-0'], ['2n'], ['null'], ['undefined'], ['true'], ['8'], ['Symbol(s)']];
  assert.deepEqual(run(expressions), [false, [3, values]]);
  assert.deepEqual(run(["text.repeat(1000)"])[1][1][0], "it's".repeat(500) + '…');
  assert.deepEqual(run([]), [false, [3, []]]);
});

test('objects are sent with their previews, and run nothing', () => {
  const [result, [id, kinds, object, proxy, number]] = run(['self', 'shop', 'n']);
  assert.deepEqual([result, id, kinds, number.value], [false, 3, ['', '', ''], 7]);
  assert.deepEqual(object.preview.properties, [{ name: 'a', type: 'number', value: '1' }]);
  assert.equal(proxy.subtype, 'proxy');
  const [, [, sizes, array, map]] = run(['Array(200000)', 'new Map(Array(20000).entries())']);
  assert.deepEqual(sizes, ['Array(200000)', 'Map(20000)']);
  assert.deepEqual([array.description, map.description], ['Array(101)', 'Map(6)']);
});

/** The texts of expressions, which the writer has once they are looked up. */
function know(id, expressions, compiled = expressions) {
  globalThis[KEY].texts[id] = texts(expressions, compiled);
}

test('an expression that fails leaves the others', () => {
  for (const [text, why] of [
    ['self.b.c', 'TypeError: Cannot read properties of undefined'],
    ['n +', 'SyntaxError: Unexpected end of input'],
    ['(() => { throw 5; })()', undefined],
  ]) {
    assert.deepEqual(run(['self.a', text, 'n', text], {}, text.length), [true]);
    know(text.length, ['self.a', text, 'n', text]);
    const [result, [, kinds, one, error, number, again]] =
      run(['self.a', text, 'n', text], {}, text.length);
    assert.deepEqual([result, kinds], [false, ['', 'error', '', 'error']]);
    assert.deepEqual([one.value, number.value, again.type], [1, 7, error.type]);
    if (why === undefined) assert.equal(error.value, 5);
    else assert.ok(error.description.startsWith(why), error.description);
  }
});

test('a value is read once, also before an expression that fails', () => {
  globalThis.reads = 0;
  know(20, ['reads += 1', 'nowhere']);
  const [result, [, kinds, reads]] = run(['reads += 1', 'nowhere'], {}, 20);
  assert.deepEqual([result, kinds, reads.value, globalThis.reads], [false, ['', 'error'], 1, 1]);
});

test('a name of the source has that of the compiled code once it is known', () => {
  assert.deepEqual(run(['total', 'n'], {}, 4), [true]);
  know(4, ['total', 'n'], ['n * 2', 'n']);
  assert.deepEqual(run(['total', 'n'], {}, 4), [false, [4, [['14'], ['7']]]]);
});

test('a condition decides, and one that fails is sent with the text', () => {
  assert.deepEqual(run(['n'], { own: 'n > 7' }), [false]);
  assert.deepEqual(run(['n'], { own: 'n == 7' }), [false, [3, [['7']]]]);
  know(3, ['n']);
  const [result, [, kinds, number, error]] = run(['n'], { own: 'n.a.b' });
  assert.deepEqual([result, kinds, number.value], [false, ['', 'condition'], 7]);
  assert.ok(error.description.startsWith('TypeError'));
});

test('a breakpoint that may move stops until it is found', () => {
  const { [KEY]: writer } = globalThis;
  assert.deepEqual(run(['n'], { isMoving: true }, 9), [true]);
  writer.found[9] = true;
  assert.deepEqual(run(['n'], { isMoving: true }, 9), [false, [9, [['7']]]]);
});
