// Breakpoints that are hit before js-debug has moved them.
//
// js-debug sets a breakpoint by the path and the line of the source. A file that is compiled at
// load has this path too and other lines; once js-debug has read its source map it sets the
// breakpoint at its line and then removes the first one. Meanwhile the program runs. A hit of a
// breakpoint that is being removed, or will be, is none.
'use strict';
const { TAKEN } = require('./cdp.js');

/** V8's names of breakpoints by patterns, except those at the first character. */
const BY_PATTERN = /^2:(?!0:0:)/;
const INLINE = /^data:application\/json;.*?base64,/;
/** The milliseconds that js-debug has for a source map (sourceMapTimeouts, `sourceMapMinPause`). */
const LONGEST = 1000;

/** The name of the file in a URL or a path. */
function fileName(url) {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Whether a source map is that of a file that has been compiled under its own name. */
function isOwn(url, sourceMapURL) {
  const [prefix] = INLINE.exec(sourceMapURL) ?? [];
  if (prefix === undefined) return false;
  try {
    const text = Buffer.from(sourceMapURL.slice(prefix.length), 'base64').toString();
    return JSON.parse(text).sources.some((source) => fileName(source) === fileName(url));
  } catch {
    return false; // no source map
  }
}

class Stale {
  constructor(target) {
    this.target = target;
    /** Scripts that are compiled under their own names. */
    this.compiled = new Set();
    /** The breakpoints that V8 is removing. */
    this.removing = new Set();
    /** Called when js-debug removes a breakpoint. */
    this.onRemoved = () => {};
    /** How often V8 will report that the program runs without js-debug having asked for it. */
    this.hidden = 0;
    this.commands = new Map([
      ['Debugger.removeBreakpoint', (message) => this.onRemove(message)],
    ]);
    this.events = new Map([
      ['Debugger.scriptParsed', ({ params }) => this.onScript(params)],
      ['Debugger.paused', ({ params }) => this.onPaused(params)],
      ['Debugger.resumed', () => this.onResumed()],
    ]);
  }

  onScript({ scriptId, url, sourceMapURL }) {
    if (sourceMapURL && isOwn(url, sourceMapURL)) this.compiled.add(scriptId);
  }

  onRemove(message) {
    this.remove(message);
    return TAKEN;
  }

  async remove(message) {
    const { breakpointId } = message.params;
    this.removing.add(breakpointId);
    const removed = this.target.call('Debugger.removeBreakpoint', { breakpointId });
    this.onRemoved(breakpointId);
    const outcome = await removed;
    this.removing.delete(breakpointId);
    this.target.answer(message, outcome);
  }

  onPaused(params) {
    const { reason, hitBreakpoints = [], callFrames: [top] } = params;
    if (reason !== 'other' || hitBreakpoints.length === 0) return undefined;
    const left = new Set(hitBreakpoints.filter((id) => !this.removing.has(id)));
    const isCompiled = this.compiled.has(top?.location.scriptId);
    if (left.size > 0 && !(isCompiled && [...left].every((id) => BY_PATTERN.test(id)))) {
      return undefined;
    }
    this.settle(params, left);
    return TAKEN;
  }

  /** Resumes once js-debug has removed these breakpoints. If it does not, the pause is a stop. */
  async settle(params, left) {
    const isStale = left.size === 0 || (await this.areRemoved(left));
    if (!isStale) return this.target.emit('Debugger.paused', params);
    this.hidden += 1;
    return this.target.call('Debugger.resume');
  }

  areRemoved(left) {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => resolve(false), LONGEST);
      this.onRemoved = (id) => {
        left.delete(id);
        if (left.size > 0) return;
        clearTimeout(deadline);
        resolve(true);
      };
    });
  }

  onResumed() {
    if (this.hidden === 0) return undefined;
    this.hidden -= 1;
    return TAKEN;
  }
}

module.exports = { Stale };
