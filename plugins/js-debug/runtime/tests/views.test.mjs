// Tests of views.js, with a debuggee that answers only what is asked here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';

import { Views } from '../views.js';

const PREVIEW = { description: 'Cart', properties: [] };

/** The pause that js-debug gets, with the scopes that V8 has. */
async function seen({ self = { type: 'object', objectId: 'self' }, scopes = [], unset = {} }) {
  const emitted = [];
  let copies = [];
  const commands = {
    'Runtime.callFunctionOn': ({ objectId, functionDeclaration, arguments: list = [] }) => {
      if (objectId === 'self') return { result: { preview: PREVIEW } };
      const [{ value }, ...rest] = list;
      const called = runInThisContext(`(${functionDeclaration})`);
      copies = called(value, ...rest.map((one) => scopes[+one.objectId]));
      return { result: { objectId: 'list' } };
    },
    'Runtime.getProperties': () => ({
      result: copies.map((copy, n) => ({ name: `${n}`, value: copy && { objectId: `copy${n}` } })),
    }),
  };
  const target = {
    emit: (_, params) => emitted.push(params),
    call: async (method, params) => ({ result: commands[method]?.(params) ?? {} }),
  };
  const sources = { isUsers: () => true, unset: async () => unset };
  const views = new Views(target, sources);
  const scopeChain = scopes.map((_, n) => ({ type: 'block', object: { objectId: `${n}` } }));
  const params = { callFrames: [{ this: self, location: {}, scopeChain }] };
  assert.equal(views.events.get('Debugger.paused')({ params }), 'taken');
  await new Promise(setImmediate);
  assert.equal(params.callFrames[0].this.preview, undefined);
  const [frame] = emitted[0].callFrames;
  const ids = frame.scopeChain.map(({ object }) => object.objectId);
  return { frame, ids, copies, target, emitted };
}

test('`this` has a preview if it is a plain object', async () => {
  assert.equal((await seen({})).frame.this.preview, PREVIEW);
  const list = { type: 'object', subtype: 'array', objectId: 'self' };
  for (const self of [list, { type: 'undefined' }]) {
    assert.equal((await seen({ self })).frame.this.preview, undefined);
  }
});

test('variables that are not yet set have a value of their own', async () => {
  const scopes = [{ a: undefined, b: 1 }, { a: undefined, c: undefined }, { d: 2 }];
  const { ids, copies } = await seen({ scopes, unset: { a: [true], d: [true] } });
  assert.deepEqual(ids, ['copy0', '1', 'copy2']);
  assert.equal(String(copies[0].a), 'Symbol(dapdock.unset)');
  assert.equal(copies[0].b, 1);
  assert.equal(scopes[0].a, undefined);
  const outer = await seen({ scopes, unset: { a: [false, true], c: [true, true] } });
  assert.deepEqual(outer.ids, ['0', 'copy1', '2']);
});

test('a pause that another filter reports is read too', async () => {
  const { target, emitted } = await seen({});
  const self = { type: 'object', objectId: 'self' };
  target.emit('Debugger.paused', { callFrames: [{ this: self, location: {}, scopeChain: [] }] });
  await new Promise(setImmediate);
  assert.equal(emitted[1].callFrames[0].this.preview, PREVIEW);
});
