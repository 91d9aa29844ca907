// The line of a return in sources that are compiled at load.
//
// V8 stops at the end of a `return` whose value is a variable. A compiler that puts statements on
// one line has there the token that follows, of a later line of the source, to which js-debug would
// move the breakpoint and the stop. It gets the place of the last character of the `return`.
'use strict';
const { TAKEN } = require('./cdp.js');
const { sourceLine } = require('./stale.js');

const SETS = ['Debugger.setBreakpoint', 'Debugger.setBreakpointByUrl'];

class Returns {
  /** The filter is behind those that answer such commands, and before those that emit a pause. */
  constructor(target, sources, stale) {
    this.target = target;
    this.sources = sources;
    this.stale = stale;
    this.commands = new Map(SETS.map((method) => [method, (message) => this.onSet(message)]));
    this.events = new Map([
      ['Debugger.breakpointResolved', ({ params }) => this.onResolved(params)],
    ]);
    const [answer, emit] = [target.answer.bind(target), target.emit.bind(target)];
    target.answer = (message, outcome) =>
      SETS.includes(message.method)
        ? this.moved(outcome).then((moved) => answer(message, moved))
        : answer(message, outcome);
    this.emit = emit;
    target.emit = (method, params) =>
      method === 'Debugger.paused' ? this.onPaused(params) : emit(method, params);
  }

  onSet(message) {
    const set = this.target.call(message.method, message.params);
    set.then((outcome) => this.target.answer(message, outcome));
    return TAKEN;
  }

  onResolved(params) {
    if (!this.isCompiled(params.location)) return undefined;
    this.place(params.location).then((location) =>
      this.emit('Debugger.breakpointResolved', { ...params, location }),
    );
    return TAKEN;
  }

  onPaused(params) {
    const [top, ...others] = params.callFrames;
    if (top === undefined || !this.isCompiled(top.location)) {
      return this.emit('Debugger.paused', params);
    }
    return this.place(top.location).then((location) =>
      this.emit('Debugger.paused', { ...params, callFrames: [{ ...top, location }, ...others] }),
    );
  }

  isCompiled({ scriptId }) {
    return this.stale.compiled.has(scriptId);
  }

  /** The outcome of a command that sets a breakpoint. */
  async moved(outcome) {
    const { locations, actualLocation } = outcome.result ?? {};
    if (locations === undefined && actualLocation === undefined) return outcome;
    const result = { ...outcome.result };
    if (locations !== undefined) {
      result.locations = await Promise.all(locations.map((location) => this.place(location)));
    }
    if (actualLocation !== undefined) result.actualLocation = await this.place(actualLocation);
    return { ...outcome, result };
  }

  /** A place, or that of the last character of the `return` that ends there. */
  place(location) {
    return this.find(location).catch(() => location);
  }

  async find(location) {
    const mappings = this.stale.compiled.get(location.scriptId);
    if (mappings === undefined || !(location.columnNumber > 0)) return location;
    const before = { ...location, columnNumber: location.columnNumber - 1 };
    if (sourceLine(mappings, before) === sourceLine(mappings, location)) return location;
    const { path, offset } = (await this.sources.source(location))?.path(before) ?? {};
    const ends = ({ type, end }) => type === 'ReturnStatement' && end === offset + 1;
    return path?.some(ends) ? before : location;
  }
}

module.exports = { Returns };
