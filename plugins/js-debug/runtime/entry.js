// The stop at the beginning of the program.
//
// js-debug sets a breakpoint at the first character of the program's script (nodeLauncher.ts,
// `createLifecycle`), and V8 puts it where the text has its first code. That may be in a function,
// which runs when it is called, if ever. Here the breakpoint is at the first statement that runs.
// A file that is no JavaScript is compiled at load: its breakpoint does not change.
'use strict';
const { readFileSync } = require('fs');
const { CHANGED } = require('./cdp.js');
const { Source } = require('./sources.js');

/** The pattern by which js-debug names the script: its URL, then its path. */
const PATTERN = /\(\$\|\\\?\)\|(.*)\(\$\|\\\?\)\(\?:entryBreakpoint\)\{0\}$/;

/** The place of the first statement that runs in the file of a pattern; none if it is not known. */
function begin(pattern) {
  const [, path] = PATTERN.exec(pattern) ?? [];
  if (path === undefined) return undefined;
  try {
    return new Source(readFileSync(path.replace(/\\(.)/g, '$1'), 'utf8')).begin();
  } catch {
    return undefined; // not readable, or another language
  }
}

class Entry {
  constructor() {
    this.commands = new Map([
      ['Debugger.setBreakpointByUrl', ({ params }) => this.onBreakpoint(params)],
    ]);
    this.events = new Map();
  }

  onBreakpoint(params) {
    const place = begin(params.urlRegex ?? '');
    if (place === undefined) return undefined;
    Object.assign(params, place);
    return CHANGED;
  }
}

module.exports = { Entry };
