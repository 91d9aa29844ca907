// The stop at the beginning of the program.
//
// js-debug sets a breakpoint at the first character of the program's script (nodeLauncher.ts,
// `createLifecycle`), and V8 puts it where the text has its first code. That may be in a function,
// which runs when it is called, if ever. Here the breakpoint is at the first code that runs, and
// removed when it is hit: that code may run again. A file that is no JavaScript is compiled at
// load: its breakpoint does not move.
'use strict';
const { readFileSync } = require('fs');
const { CHANGED } = require('./cdp.js');
const { Source } = require('./sources.js');

/** The pattern by which js-debug names the script: its URL, then its path. */
const PATTERN = /\(\$\|\\\?\)\|(.*)\(\$\|\\\?\)\(\?:entryBreakpoint\)\{0\}$/;

/** The place of the first code that runs in the file of a pattern; none if it is not known. */
function begin(pattern) {
  const [, path] = PATTERN.exec(pattern);
  try {
    return new Source(readFileSync(path.replace(/\\(.)/g, '$1'), 'utf8')).begin();
  } catch {
    return undefined; // not readable, or another language
  }
}

class Entry {
  constructor(target) {
    this.target = target;
    /** V8's name of the breakpoint (v8-debugger-agent-impl.cc, `generateBreakpointId`). */
    this.id = undefined;
    this.commands = new Map([
      ['Debugger.setBreakpointByUrl', ({ params }) => this.onBreakpoint(params)],
    ]);
    this.events = new Map([['Debugger.paused', ({ params }) => this.onPaused(params)]]);
  }

  onBreakpoint(params) {
    const { urlRegex = '' } = params;
    if (!PATTERN.test(urlRegex)) return undefined;
    Object.assign(params, begin(urlRegex));
    this.id = `2:${params.lineNumber}:${params.columnNumber}:${urlRegex}`;
    return CHANGED;
  }

  onPaused({ hitBreakpoints }) {
    if (this.id === undefined || !hitBreakpoints?.includes(this.id)) return;
    this.target.call('Debugger.removeBreakpoint', { breakpointId: this.id });
    this.id = undefined;
  }
}

module.exports = { Entry };
