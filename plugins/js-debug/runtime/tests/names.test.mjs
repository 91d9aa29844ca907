// Tests of names.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Names, replaced } from '../names.js';
import { Source } from '../sources.js';

test('only variables of the expression are replaced', () => {
  const other = (name) => ({ total: 't', item: 'e' })[name];
  for (const [text, expected] of [
    ['total + other', 't + other'],
    ['total.total + item[total]', 't.total + e[t]'],
    ['{ total }', '{ total: t }'],
    ['{ total: item }', '{ total: e }'],
    ['list.map((item) => item.total + total)', 'list.map((item) => item.total + t)'],
    ['`${total}`', '`${t}`'],
    ['total +', 'total +'],
  ]) {
    assert.equal(replaced(text, other), expected);
  }
});

const COMPILED = 'function f(t){{const e=t;g(e)}}function h(n){g(n)}';
const MAP = { version: 3, sources: ['a.ts'], names: ['total', 'item'] };

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** A number from 0 to 511 as base64 VLQ. */
const digits = (value) =>
  value < 16 ? DIGITS[value << 1] : DIGITS[((value << 1) & 31) | 32] + DIGITS[value >> 4];
/** A place so many columns after the last one, with the next name, the same, or the one before. */
const NAMES = { next: 'C', same: 'A', last: 'D' };
const segment = (columns, name) => `${digits(columns)}AAA${NAMES[name]}`;

test('the innermost scope with another name counts', async () => {
  const [t, e, n] = ['t)', 'e=', 'n)'].map((one) => COMPILED.indexOf(one));
  const mappings = [segment(t, 'same'), segment(e - t, 'next'), segment(n - e, 'last')].join(',');
  const source = new Source(COMPILED);
  const names = new Names({}, { source: async () => source });
  const map = Buffer.from(JSON.stringify({ ...MAP, mappings })).toString('base64');
  const sourceMapURL = `data:application/json;charset=utf-8;base64,${map}`;
  names.onScript({ scriptId: '1', url: 'file:///a.js', sourceMapURL });
  const at = async (columnNumber) =>
    (await names.renamed({ scriptId: '1', lineNumber: 0, columnNumber }, ['total + item']))[0];
  assert.equal(await at(COMPILED.indexOf('g(e)')), 't + e');
  assert.equal(await at(COMPILED.lastIndexOf('g(n)')), 'n + item');
  assert.equal(
    (await names.renamed({ scriptId: '2', lineNumber: 0, columnNumber: 0 }, ['total']))[0],
    'total',
  );
});
