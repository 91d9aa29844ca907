// Tests of sources.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Source, Sources } from '../sources.js';

/** The source without the mark `@`, and the place of the mark. */
function read(marked) {
  const before = marked.slice(0, marked.indexOf('@')).split('\n');
  const place = { lineNumber: before.length - 1, columnNumber: before.at(-1).length };
  return { source: new Source(marked.replace('@', '')), place };
}

function at(marked) {
  const { source, place } = read(marked);
  return source.at(place);
}

test('a function catches what is thrown in its own try block', () => {
  assert.equal(at('function f() { try { @g(); } catch {} }').catches, true);
  assert.equal(at('function f() {\n  try { if (a) { @throw 1; } } catch (e) {} }').catches, true);
  assert.equal(at('function f() { try { g(); } catch { @throw 1; } }').catches, false);
  assert.equal(at('function f() { try { @g(); } finally { h(); } }').catches, false);
  assert.equal(at('try { f(() => { @g(); }); } catch {}').catches, false);
  assert.equal(at('try { function f() { @g(); } f(); } catch {}').catches, false);
});

test('what an async function or an executor throws rejects a promise', () => {
  for (const text of [
    'async function f() { @throw 1; }',
    'const o = { async f() { @throw 1; } };',
    'const f = async (a) => @g(a);',
    'class A { static async *f() { @throw 1; } }',
    'new Promise((done) => { @throw 1; });',
    'new Promise(function (done) { @done(g()); });',
  ]) {
    assert.equal(at(text).rejects, true, text);
  }
  for (const text of [
    'function f() { @throw 1; }',
    'async function f() { g(() => { @throw 1; }); }',
    'new Other(() => { @throw 1; });',
    'const async = () => { @throw 1; };',
    '@throw 1;',
  ]) {
    assert.equal(at(text).rejects, false, text);
  }
});

test('the promise of a call is awaited, returned or unknown', () => {
  for (const [text, promise] of [
    ['async function f() { await @g(); }', 'awaited'],
    ['async function f() { const a = await o.@g(1); }', 'awaited'],
    ['async function f() { await Promise.all([1, ...[@g(), h()]]); }', 'awaited'],
    ['async function f() { await Promise.all(list.@map(g)); }', 'awaited'],
    ['async function f() { @await g(); }', 'awaited'],
    ['async function f() { for await (const @x of rows()) { h(); } }', 'awaited'],
    ['async function f() { for await (const x of @rows()) { h(); } }', 'awaited'],
    ['async function f() { for await (const x of rows()) { @h(); } }', 'unknown'],
    ['async function f() { for await (const x of rows()) { s += @x; } }', 'unknown'],
    ['async function f() { for (const @x of rows()) { h(); } }', 'unknown'],
    ['function f() { return @o.getter; }', 'unknown'],
    ['function f() { return @g(); }', 'returned'],
    ['const f = () => @g();', 'returned'],
    ['function f() { return a ? @g() : h; }', 'returned'],
    ['function f() { return @g().catch(h); }', 'unknown'],
    ['async function f() { await Promise.allSettled([@g()]); }', 'unknown'],
    ['async function f() { await expect(@g()).rejects.toThrow(); }', 'unknown'],
    ['function f() { const p = @g(); return p; }', 'unknown'],
    ['function f() { @g(); }', 'unknown'],
  ]) {
    assert.equal(at(text).promise, promise, text);
  }
});

test('what is declared behind a place is not yet set there', () => {
  // Names with the scopes around the place that have them, innermost first: + is set.
  const cases = {
    '@f(); let a = 1; const { b, c: [d = 2, ...e] } = f(); var g; class H {}': 'a- b- d- e- H-',
    'let a = 1; @f(); let b; { let c; }': 'b-',
    'function f() { { const x = 1; @g(x); let y; } let z; }': 'y- z-',
    'for (const @k of l) { let q; }': 'k-',
    'for (const k of @l()) { let q; }': 'k-',
    'for (const k of l) { @f(); let q; }': 'q-',
    'let a = @f(), b = 2;': 'a- b-',
    'export const a = 1; @f(); export class C {}': 'C-',
    'switch (a) { case 1: @f(); let z; }': 'z-',
    'switch (a) { case 1: @f(); case 2: let z; }': 'z-',
    'const a = @(x) => x + 1;': 'a-',
    'let a = () => { @f(); }; let b;': '',
    'function f(a) { var b; { @g(); let a, b, c; } }': 'a-+ b-+ c-',
    'let a = 1; { @f(); let a; }': 'a-+',
    '{ let a = 1; @f(); } let a;': 'a+-',
    'try {} catch (a) { @f(); } let a;': 'a+-',
    '{ function a() {} @f(); } let a;': 'a+-',
    'function f(a) { @g(); let b; }': 'b-',
  };
  for (const [text, names] of Object.entries(cases)) {
    const { source, place } = read(text);
    const unset = Object.entries(source.unset(place));
    const flags = (all) => all.map((isUnset) => (isUnset ? '-' : '+')).join('');
    assert.equal(unset.map(([name, all]) => name + flags(all)).join(' '), names, text);
  }
});

test('a place is read once, and only scripts used last stay parsed', async () => {
  const texts = { a: 'f();'.repeat(7e5), b: 'g();'.repeat(7e5), c: 'h()' };
  const reads = [];
  const call = async (_, { scriptId }) => {
    reads.push(scriptId);
    return { result: { scriptSource: texts[scriptId] } };
  };
  const sources = new Sources({ call });
  const places = [['a', 0], ['a', 0], ['a', 4], ['c', 0], ['b', 0], ['c', 1]];
  for (const [scriptId, columnNumber] of places) {
    await sources.at({ scriptId, lineNumber: 0, columnNumber });
  }
  await sources.at({ scriptId: 'a', lineNumber: 0, columnNumber: 0 });
  assert.equal(reads.join(''), 'acb');
  await sources.at({ scriptId: 'a', lineNumber: 0, columnNumber: 8 });
  assert.equal(reads.join(''), 'acba');
});
