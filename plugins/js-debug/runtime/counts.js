// The number of frames in js-debug's answers for stacks: until it has read the whole asynchronous
// stack, it has a million (stackTrace.ts, `toDap`), which is no number of frames.
'use strict';

const UNKNOWN = '"totalFrames":1000000';
/** As long as that, because each message begins with its length. */
const NONE = '"totalFrames":null'.padEnd(UNKNOWN.length);

/** A message to the client without the number that stands for an unknown one. */
function counted(message) {
  return typeof message === 'string' ? message.replace(UNKNOWN, NONE) : message;
}

module.exports = { counted };
