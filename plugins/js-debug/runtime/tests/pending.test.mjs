// Tests of pending.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hideIdle, suspended } from '../pending.js';

test('the objects of suspended functions are found in a snapshot', () => {
  const meta = {
    node_fields: ['type', 'name', 'id', 'edge_count'],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [['context', 'internal']],
  };
  const strings = ['', 'function', 'parameters_and_registers', 'map'];
  const nodes = [0, 0, 11, 2, 0, 0, 13, 1, 0, 0, 15, 2];
  const edges = [1, 1, 0, 1, 2, 0, 0, 2, 0, 1, 3, 0, 1, 2, 0];
  assert.deepEqual(suspended({ snapshot: { meta }, nodes, edges, strings }), [11, 15]);
  assert.deepEqual(suspended({ snapshot: { meta }, nodes, edges, strings: [''] }), []);
});

test('the code for an idle thread is not its own', () => {
  const idle = () => ({ location: { scriptId: '7' }, functionName: '' });
  const own = { location: { scriptId: '1' }, functionName: 'f' };
  const of = (frames) => [hideIdle(frames, '7'), ...frames.map((one) => one.functionName)];
  assert.deepEqual(of([idle()]), [true, 'event loop (waits)']);
  assert.deepEqual(of([idle(), own]), [true, 'f']);
  assert.deepEqual(of([own, idle()]), [false, 'f', '']);
  assert.deepEqual(of([]), [false]);
  assert.equal(hideIdle([own]), false);
});
