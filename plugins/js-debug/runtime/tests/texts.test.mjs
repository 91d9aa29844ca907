// Tests of texts.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Texts } from '../texts.js';

const hit = (text, breakpoint = 7) => ({ breakpoint, text });

test('texts are collected, and written before what follows them', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1000 });
  const written = [];
  const texts = new Texts((data) => written.push(data), () => 0);
  texts.add([hit('a')]);
  texts.flush();
  texts.flush();
  assert.deepEqual(written, [{ breakpoint: 7, texts: [hit('a')] }]);
  texts.add([hit('b')]);
  texts.add([hit('c', 8)]);
  context.mock.timers.tick(19);
  assert.equal(written.length, 1);
  context.mock.timers.tick(1);
  assert.deepEqual(written[1], { breakpoint: 7, texts: [hit('b'), hit('c', 8)] });
});

test('texts may be more than a call has arguments', () => {
  const written = [];
  const texts = new Texts((data) => written.push(data), () => 0);
  texts.add(Array(200_000).fill(hit('a')));
  texts.flush();
  assert.equal(written.length, 400);
});

test('texts that a slow client has not read are counted', () => {
  const written = [];
  let waiting = 0;
  const texts = new Texts((data) => written.push(data), () => waiting);
  texts.add(Array(501).fill(hit('a')));
  texts.flush();
  assert.deepEqual(written.map((one) => one.texts.length), [500, 1]);
  waiting = 16 << 20;
  texts.add([hit('b'), hit('c'), hit('d', 8)]);
  texts.flush();
  assert.deepEqual(written.slice(2), [
    { breakpoint: 7, hits: 2, unlogged: true },
    { breakpoint: 8, hits: 1, unlogged: true },
  ]);
});
