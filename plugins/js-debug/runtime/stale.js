// Breakpoints that are hit before js-debug has moved them.
//
// js-debug sets a breakpoint by the path and the line of the source. A file that is compiled at
// load has this path too and other lines; once js-debug has read its source map it sets the
// breakpoint at its line and then removes the first one. Meanwhile the program runs. A hit of a
// breakpoint that is being removed, or will be, is none, unless the compiled code there is that of
// the breakpoint's own line: V8 does not stop there again.
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

/** The source map of a file that has been compiled under its own name. */
function ownMap(url, sourceMapURL) {
  const [prefix] = INLINE.exec(sourceMapURL) ?? [];
  if (prefix === undefined) return undefined;
  try {
    const text = Buffer.from(sourceMapURL.slice(prefix.length), 'base64').toString();
    const map = JSON.parse(text);
    const isOwn = map.sources.some((source) => fileName(source) === fileName(url));
    return isOwn && typeof map.mappings === 'string' ? map.mappings : undefined;
  } catch {
    return undefined; // no source map
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of a segment (Source Map format, "Base64 VLQ"). */
function numbers(segment) {
  const values = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    values.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return values;
}

/** The line of the source that a place in the compiled text belongs to, both counted from 0. */
function sourceLine(mappings, { lineNumber, columnNumber }) {
  let [line, found] = [0, undefined];
  for (const [number, segments] of mappings.split(';').slice(0, lineNumber + 1).entries()) {
    let column = 0;
    for (const segment of segments.split(',').filter(Boolean)) {
      const [columns, , lines = 0] = numbers(segment);
      column += columns;
      line += lines;
      if (number === lineNumber && column <= columnNumber) found = line;
    }
  }
  return found;
}

class Stale {
  constructor(target) {
    this.target = target;
    /** The mappings of scripts that are compiled under their own names. */
    this.compiled = new Map();
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
    const mappings = sourceMapURL && ownMap(url, sourceMapURL);
    if (mappings) this.compiled.set(scriptId, mappings);
  }

  /**
   * Whether a place is not in the code of this line of the source: the breakpoint there has the
   * line of the source in a file that is compiled under its own name.
   */
  isElsewhere(location, line) {
    const mappings = this.compiled.get(location.scriptId);
    return mappings !== undefined && sourceLine(mappings, location) !== line;
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
    const mappings = this.compiled.get(top?.location.scriptId);
    const isMoving = mappings !== undefined && [...left].every((id) => BY_PATTERN.test(id));
    if (left.size > 0 && !isMoving) return undefined;
    if (mappings !== undefined) {
      const line = sourceLine(mappings, top.location);
      const isOfLine = (id) => BY_PATTERN.test(id) && Number(id.split(':')[1]) === line;
      if (hitBreakpoints.some(isOfLine)) return undefined;
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

module.exports = { Stale, numbers, sourceLine };
