// Tests of sizes.js and parts.js, with Node's own inspector as the debuggee.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';

import { CHANGED, TAKEN } from '../cdp.js';
import { Sizes } from '../sizes.js';

const session = new Session();
session.connect();
const call = (method, params) =>
  new Promise((resolve) => {
    session.post(method, params, (error, result) => resolve({ error: error ?? undefined, result }));
  });

/** The filter at a pause; expressions are evaluated without a frame. */
function filter() {
  const answers = [];
  const waiting = [];
  const answer = (_, outcome) => (waiting.shift() ?? ((one) => answers.push(one)))(outcome);
  const live = {
    isPaused: () => true,
    call: ({ timeout, ...params }) => call('Runtime.callFunctionOn', params),
  };
  const frames = { evaluates: () => undefined };
  const effects = { run: ({ callFrameId, ...params }) => call('Runtime.evaluate', params) };
  const sizes = new Sizes({ call, answer }, live, frames, effects);
  const send = (method, params) => {
    const answered = new Promise((resolve) => waiting.push(resolve));
    assert.equal(sizes.commands.get(method)({ params }), TAKEN);
    return answered;
  };
  return { sizes, send };
}

/** The id of an expression's object. */
async function object(expression) {
  return (await call('Runtime.evaluate', { expression })).result.result.objectId;
}

/** The properties of an expression's object by their names. */
async function read(expression) {
  const { send } = filter();
  const params = { ownProperties: true, generatePreview: true };
  const objectId = await object(expression);
  const { result } = await send('Runtime.getProperties', { objectId, ...params });
  return new Map(result.result.map(({ name, value, get }) => [name, value ?? get]));
}

test('a value that V8 would send in full is read in part', async () => {
  for (const [value, text] of [
    ["'x'.repeat(3e5)", /^x{100000}… \(300000 characters\)$/],
    ["Symbol('x'.repeat(3e5))", /^Symbol\(x+… \(300008 characters\)$/],
    ["new Error('x'.repeat(3e5))", /^x{100000}… \(300000 characters\)$/],
    ["eval('(() => {/*' + 'x'.repeat(3e5) + '*/})')", /^\(\) => .*… \(\d+ characters\)$/],
    ['2n ** 1000000n', /^a bigint of more than/],
  ]) {
    const all = await read(`({ b: 2, a: ${value}, get c() { throw 1; } })`);
    assert.match(all.get('a').value, text, value);
    assert.equal(all.get('b').value, 2);
    assert.equal(all.get('c').type, 'function');
  }
  const texts = "Object.fromEntries(Array.from(Array(30), (_, n) => [n, 'x'.repeat(9e4)]))";
  const many = await read(texts);
  assert.equal(many.get('0').value.length, 9e4);
  assert.match(many.get('29').value, /^x{1000}…/);
});

test('an error whose text is code of the program is no error', async () => {
  const made = "Object.defineProperty(new RangeError('bad'), 'message', { get() { return 1; } })";
  const all = await read(`({ own: ${made}, inner: { error: ${made}, n: 5 }, plain: new Error('x') })`);
  assert.equal(all.get('own').subtype, undefined);
  assert.equal(all.get('own').description, 'RangeError');
  assert.equal(all.get('inner').preview.properties[0].value, 'RangeError');
  assert.equal(all.get('plain').subtype, 'error');
});

test('a value with many parts has the preview of its first ones', async () => {
  const all = await read(`({
    list: new Array(2e5).fill(7),
    map: new Map(Array.from(Array(2e4), (_, n) => [n, n])),
    set: new Set(Array(2e4).keys()),
    wide: Object.fromEntries(Array.from(Array(2e4), (_, n) => ['k' + n, n])),
    texts: { long: 'x'.repeat(3e5), short: 1 },
    small: { n: 1 },
  })`);
  const { list, map, set, wide, texts, small } = Object.fromEntries(all);
  assert.equal(list.description, 'Array(200000)');
  assert.equal(list.preview.description, 'Array(200000)');
  assert.equal(list.preview.properties.length, 100);
  assert.deepEqual(map.preview.properties.map(({ name, value }) => name + value), ['size20000']);
  assert.equal(map.preview.entries[1].key.description, '1');
  assert.equal(set.preview.properties[0].value, '20000');
  assert.equal(wide.preview.properties[1].name, 'k1');
  assert.equal(texts.preview.properties[1].name, 'short');
  for (const one of [list, map, set, wide, texts]) assert.equal(one.preview.overflow, true);
  assert.equal(small.preview.overflow, false);
  const own = await call('Runtime.callFunctionOn', {
    objectId: list.objectId,
    functionDeclaration: 'function () { return this.length; }',
  });
  assert.equal(own.result.result.value, 2e5);
});

test('an object with many properties lists the first ones and how many others', async () => {
  const wide = await read(`Object.fromEntries(Array.from(Array(2e4), (_, n) => ['k' + n, n]))`);
  assert.equal(wide.size, 2001);
  assert.equal(wide.get('k1999').value, 1999);
  assert.equal(wide.get('…').value, '18000 more properties');
});

const slots = 'function(r,e){for(this.length;;)Object.getOwnPropertyDescriptor(this,0)}';

/** The list of the entries of an expression's object, as js-debug reads it. */
async function entriesOf(expression) {
  const { sizes, send } = filter();
  const objectId = await object(expression);
  const { result } = await send('Runtime.getProperties', { objectId, ownProperties: true });
  const { value } = result.internalProperties.find(({ name }) => name === '[[Entries]]');
  const range = [{ value: 0 }, { value: 9 }];
  const params = { objectId: value.objectId, functionDeclaration: slots, arguments: range };
  assert.equal(sizes.commands.get('Runtime.callFunctionOn')({ params }), CHANGED);
  const page = await call('Runtime.callFunctionOn', params);
  const read = await send('Runtime.getProperties', {
    objectId: page.result.result.objectId,
    ownProperties: true,
  });
  return read.result.result.map(({ name, value: one }) => [name, one.value ?? one.description]);
}

test('entries of a map are its values by their keys, those of a set its elements', async () => {
  const map = "new Map([['a b', 'x'], [1, 2], [{}, 3], ['x'.repeat(101), 4]])";
  assert.deepEqual((await entriesOf(map)).sort(), [
    ['0000000000 "a b"', 'x'],
    ['0000000001 1', 2],
    ['0000000002 entry@2', 'Object'],
    ['0000000003 entry@3', 'Object'],
  ]);
  const elements = [['0', 'x'], ['1', 7], ['2', 'Object']];
  assert.deepEqual(await entriesOf("new Set(['x', 7, {}])"), elements);
  const [[name]] = await entriesOf("new Map([['a', 1]]).entries()");
  assert.equal(name, '0');
});

test('what V8 alone knows of an object has a preview', async () => {
  const { send } = filter();
  const objectId = await object('new Proxy({ t: 1 }, {})');
  const { result } = await send('Runtime.getProperties', { objectId, ownProperties: true });
  const { value } = result.internalProperties.find(({ name }) => name === '[[Target]]');
  assert.equal(value.preview.properties[0].name, 't');
});

test('texts in the preview of an entry have quotes once', async () => {
  const map = "new Map([['k', 'x']])";
  for (const expression of [`Promise.resolve(${map})`, `new Proxy(${map}, {})`]) {
    const { send } = filter();
    const params = { ownProperties: true, generatePreview: true };
    const { result } = await send('Runtime.getProperties', {
      objectId: await object(expression),
      ...params,
    });
    const inner = ['[[PromiseResult]]', '[[Target]]'];
    const { value } = result.internalProperties.find(({ name }) => inner.includes(name));
    const [{ key, value: text }] = value.preview.entries;
    assert.deepEqual([key.description, text.description], ["'k'", "'x'"], expression);
  }
  const large = "new Map(Array.from(Array(2e4), (_, n) => ['k' + n, 'x']))";
  for (const [name, expression] of [['small', map], ['large', large]]) {
    const all = await read(`({ ${name}: ${expression}, long: 'x'.repeat(3e5) })`);
    assert.equal(all.get(name).preview.entries[0].value.description, "'x'", name);
  }
});

test('a typed array has no getters of its prototype, a promise nothing of Node', async () => {
  const all = await read('({ u8: new Uint8Array(1), list: [new Map([["1", "x"]])] })');
  assert.deepEqual(all.get('u8').preview.properties.map(({ name }) => name), ['0']);
  const promise = "Object.assign(Promise.resolve(), { [Symbol('async_id_symbol')]: 1, own: 2 })";
  assert.deepEqual([...(await read(promise)).keys()], ['own']);
});

test('entries of a large map are read by pages', async () => {
  for (const [expression, names] of [
    ['new Map(Array.from(Array(2e4), (_, n) => [n, n]))', '0000015000 15000,0000015001 15001'],
    ['new Set(Array(2e4).keys())', '15000,15001'],
  ]) {
    const { send } = filter();
    const objectId = await object(expression);
    const own = { objectId, ownProperties: true };
    const { result } = await send('Runtime.getProperties', own);
    const list = result.internalProperties.find(({ name }) => name === '[[Entries]]').value;
    assert.equal(list.description, 'Array(20000)');
    const range = [{ value: 15_000 }, { value: 2 }];
    const page = await send('Runtime.callFunctionOn', {
      objectId: list.objectId,
      functionDeclaration: slots,
      arguments: range,
    });
    const read = await send('Runtime.getProperties', {
      objectId: page.result.result.objectId,
      ownProperties: true,
    });
    const entries = read.result.result.filter(({ name }) => /^\d/.test(name));
    assert.equal(entries.map(({ name }) => name).join(), names);
    assert.equal(entries[0].value.value, 15000);
  }
});

test('names of a long array are not listed', async () => {
  const names =
    'function(){let r={__proto__:this.__proto__},e=Object.getOwnPropertyNames(this);return r}';
  for (const [expression, found] of [
    ['Object.assign(new Array(2e5).fill(0), { own: 1 })', 'length'],
    ['Object.assign([1, 2], { own: 1 })', 'own,length'],
  ]) {
    const message = { params: { objectId: await object(expression), functionDeclaration: names } };
    assert.equal(filter().sizes.commands.get('Runtime.callFunctionOn')(message), CHANGED);
    const copy = await call('Runtime.callFunctionOn', message.params);
    const { objectId } = copy.result.result;
    const { result } = await call('Runtime.getProperties', { objectId, ownProperties: true });
    assert.equal(String(result.result.map(({ name }) => name)), found);
  }
});

test('the value of an expression is read in part, errors as they are', async () => {
  const { send, sizes } = filter();
  const evaluate = async (expression) => {
    const params = { callFrameId: '0', expression, generatePreview: true };
    return (await send('Debugger.evaluateOnCallFrame', params)).result;
  };
  assert.match((await evaluate("'x'.repeat(3e5)")).result.value, /… \(300000 characters\)$/);
  assert.equal((await evaluate('new Array(2e5)\n// end')).result.preview.overflow, true);
  assert.equal((await evaluate('(() => {})')).result.description, '() => {}');
  assert.match((await evaluate('missing')).exceptionDetails.exception.description, /^Reference/);
  const copies = '(()=>{let r=text;let e=2;return r})()';
  const message = { params: { expression: copies, returnByValue: true } };
  assert.equal(sizes.commands.get('Debugger.evaluateOnCallFrame')(message), CHANGED);
  globalThis.text = 'x'.repeat(2e6);
  const copied = await call('Runtime.evaluate', message.params);
  assert.match(copied.result.result.value, /^x{1000000}… \(2000000 characters\)$/);
});

const LISTS = `globalThis.ran = [];
globalThis.List = class List {
  #items = [1];
  size = 1;
  get first() { return this.#items[0]; }
  get length() { ran.push('prototype'); return 1; }
  splice() {}
};
globalThis.Pure = class { #items = [1]; get length() { return 1; } splice() {} };
globalThis.own = () => ({ a: 1, get length() { ran.push('own'); return 3; }, splice() {} });
globalThis.method = () => ({ b: 2, get splice() { ran.push('splice'); return () => {}; } });
`;

test('V8 runs no getter for the length of what it takes for a list', async () => {
  await call('Runtime.evaluate', { expression: LISTS });
  for (const [expression, names] of [
    ['({ list: new List(), own: own(), method: method(), one: 1 })', 'list,own,method,one'],
    ['[own()]', '0,length'],
    ['({ inner: { own: own() }, all: [own()], map: new Map([["k", own()]]) })', 'inner,all,map'],
    ['({ set: new Set([own()]), list: [new List()] })', 'set,list'],
    ['new List()', 'size,…'],
  ]) {
    const all = await read(expression);
    const { result } = await call('Runtime.evaluate', { expression: 'ran.splice(0).join()' });
    assert.deepEqual([result.result.value, [...all.keys()].join()], ['', names], expression);
  }
  const all = await read('({ list: new List(), own: own() })');
  assert.deepEqual(
    [...all.values()].map(({ description, preview }) => [
      description, preview.properties.map(({ name }) => name).join(),
    ]),
    [['List', 'size,…'], ['Object', 'a,splice']],
  );
  const map = (await read('({ map: new Map([["k", own()]]) })')).get('map');
  assert.equal(map.description, 'Map(1)');
  assert.equal(map.preview.entries[0].value.description, 'Object');
});

test('an object whose getter changes nothing stays as it is', async () => {
  const { send } = filter();
  const params = { objectId: await object('new Pure()'), ownProperties: true };
  const { result } = await send('Runtime.getProperties', params);
  assert.deepEqual(result.privateProperties.map(({ name }) => name), ['#items']);
});
