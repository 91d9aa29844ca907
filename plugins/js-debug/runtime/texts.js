// Texts of log breakpoints for the client, some together: each event has a cost of its own.
'use strict';

/** The milliseconds between two events with texts. */
const COLLECTED = 20;
/** The bytes that wait for the client; texts that come then are counted. */
const MOST_WAITING = 16 << 20;
const MOST_TEXTS = 500;

class Texts {
  /** `write` gets `data` of an event, a `BreakpointOutput` of the plugin interface. */
  constructor(write, waiting) {
    Object.assign(this, { write, waiting });
    this.texts = [];
    this.timer = undefined;
    this.flushed = 0;
  }

  add(texts) {
    // They may be more than a call has arguments.
    for (const text of texts) this.texts.push(text);
    const left = this.flushed + COLLECTED - Date.now();
    this.timer ??= setTimeout(() => this.flush(), Math.max(left, 0));
  }

  /** Writes the texts so far: before what is written next. */
  flush() {
    if (this.texts.length === 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushed = Date.now();
    const { texts } = this;
    this.texts = [];
    const uncounted = new Map();
    for (let at = 0; at < texts.length; at += MOST_TEXTS) {
      const part = texts.slice(at, at + MOST_TEXTS);
      const [{ breakpoint }] = part;
      if (this.waiting() < MOST_WAITING) {
        this.write({ breakpoint, texts: part });
        continue;
      }
      for (const one of part) {
        uncounted.set(one.breakpoint, (uncounted.get(one.breakpoint) ?? 0) + 1);
      }
    }
    for (const [breakpoint, hits] of uncounted) this.write({ breakpoint, hits, unlogged: true });
  }
}

module.exports = { Texts };
