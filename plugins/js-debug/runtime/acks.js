// Has the debuggee send its messages at once.
//
// The inspector of Node writes each message by itself, with Nagle's algorithm: one that follows
// another waits until the debugger has acknowledged that. Linux delays this by 40 ms if the
// debugger sends nothing, and an evaluation has an event for its script before its answer. So where
// messages are awaited, each that arrives is followed by a short command.
'use strict';

/** A command that does nothing. */
const PING = 'Runtime.getIsolateId';
/** How many of them there are after another command. */
const MOST = 20;
/** The commands after which the debuggee pauses again soon. */
const STEP = /^\{"id":\d+,"method":"Debugger\.(step\w+|pause)"/;
const PAUSED = '{"method":"Debugger.paused"';
const ID = /^\{"id":(\d+)/;

class Acks {
  constructor(call) {
    this.call = call;
    this.isPinging = false;
    /** The commands without an answer, and whether a step has not ended. */
    this.pending = new Set();
    this.isStepping = false;
    this.left = 0;
  }

  onCommand(text) {
    if (this.isPinging) return;
    const [, id] = ID.exec(text) ?? [];
    if (id !== undefined) this.pending.add(id);
    this.isStepping ||= STEP.test(text);
    this.left = MOST;
  }

  onMessage(text) {
    const [, id] = ID.exec(text) ?? [];
    if (id !== undefined) this.pending.delete(id);
    if (text.startsWith(PAUSED)) this.isStepping = false;
  }

  /** Follows what has arrived, if more is awaited. */
  follow() {
    if (this.left === 0 || (this.pending.size === 0 && !this.isStepping)) return;
    this.left -= 1;
    this.isPinging = true;
    this.call(PING);
    this.isPinging = false;
  }
}

module.exports = { PING, Acks };
