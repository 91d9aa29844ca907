// Tests of counts.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { counted } from '../counts.js';

test('the number for a stack that is not read whole is none, in a message as long as before', () => {
  const message = (body) => `Content-Length: 99\r\n\r\n${JSON.stringify({ body })}`;
  const unknown = message({ stackFrames: [], totalFrames: 1e6 });
  const none = counted(unknown);
  assert.equal(none.length, unknown.length);
  assert.equal(JSON.parse(none.split('\r\n\r\n')[1]).body.totalFrames, null);
  for (const body of [{ totalFrames: 9 }, { output: '"totalFrames":1000000' }]) {
    assert.equal(counted(message(body)), message(body));
  }
  assert.deepEqual(counted(Buffer.from('x')), Buffer.from('x'));
});
