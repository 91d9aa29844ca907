// Errors that are handed to a framework and not thrown, as in `done(error)` of a test and
// `next(error)` of a request: no exception stops there.
//
// A breakpoint in each such function stops if it gets an error. V8 ends a step at every breakpoint,
// so there are none from the beginning of a step until the program runs freely, and none while such
// errors do not stop. Does not know whether an error is a failure.
'use strict';
const { TAKEN } = require('./cdp.js');
const { isFramework } = require('./failures.js');

/** The scripts of frameworks that have such functions, and the names of the functions. */
const SCRIPTS = [
  [/^node:internal\/test_runner\/utils$/, ['cb']],
  [/\/node_modules\/mocha\/lib\/runnable\.js$/, ['done']],
  [/\/node_modules\/jest-circus\/build\//, ['done']],
  [/\/node_modules\/jest-jasmine2\/build\/queueRunner\.js$/, ['next']],
  [/\/node_modules\/(express\/lib\/router|router)\//, ['next']],
  [/\/node_modules\/fastify\/lib\/hooks\.js$/, ['next']],
];
/** What Express gets in place of an error. */
const WORDS = ['route', 'router'];

/** A condition that holds for an error, and not for a word of Express. */
function condition(argument) {
  const isOther = WORDS.map((word) => `${argument} !== ${JSON.stringify(word)}`);
  return `Boolean(${argument}) && ${isOther.join(' && ')}`;
}

class HandOvers {
  constructor(target, sources) {
    this.target = target;
    this.sources = sources;
    /** The places of such functions, and the expressions of the errors by the breakpoints. */
    this.places = [];
    this.breakpoints = new Map();
    /** Whether such errors stop, and whether the program steps. */
    this.isWanted = false;
    this.isStepping = false;
    const step = () => this.update({ isStepping: true });
    /** This filter is before those that take a step. */
    this.commands = new Map([
      ['Debugger.stepInto', step],
      ['Debugger.stepOver', step],
      ['Debugger.stepOut', step],
    ]);
    this.events = new Map();
  }

  /** Sets breakpoints in a script that has such functions. */
  async add({ scriptId, url }) {
    const [, names] = SCRIPTS.find(([pattern]) => pattern.test(url)) ?? [];
    if (names === undefined) return;
    const source = await this.sources.source({ scriptId });
    const places = source?.taking(names) ?? [];
    const toAdd = ({ argument, ...at }) => ({ argument, location: { scriptId, ...at } });
    const added = places.map(toAdd);
    this.places.push(...added);
    await this.set(added);
  }

  get isOn() {
    return this.isWanted && !this.isStepping;
  }

  /** Sets the breakpoints, or removes them. */
  async update(state) {
    Object.assign(this, state);
    if (!this.isOn) for (const breakpointId of this.breakpoints.keys()) this.remove(breakpointId);
    else if (this.breakpoints.size === 0) await this.set(this.places);
  }

  async set(places) {
    for (const { argument, location } of this.isOn ? places : []) {
      const params = { location, condition: condition(argument) };
      const { result } = await this.target.call('Debugger.setBreakpoint', params);
      if (result !== undefined) this.breakpoints.set(result.breakpointId, argument);
    }
    // A step may have begun meanwhile.
    if (!this.isOn) await this.update();
  }

  remove(breakpointId) {
    this.breakpoints.delete(breakpointId);
    this.target.call('Debugger.removeBreakpoint', { breakpointId });
  }

  /** The program runs freely once the breakpoints are set. */
  onResume(message) {
    this.isStepping = false;
    const isSet = this.breakpoints.size > 0 || this.places.length === 0;
    if (isSet || !this.isOn) return undefined;
    this.update().then(() => this.target.pass(message));
    return TAKEN;
  }

  /** Whether a pause is at the call of such a function with an error. */
  isHit({ hitBreakpoints }) {
    return hitBreakpoints?.some((id) => this.breakpoints.has(id)) ?? false;
  }

  /** The error of such a call. */
  async error({ hitBreakpoints, callFrames: [top] }) {
    const { result } = await this.target.call('Debugger.evaluateOnCallFrame', {
      callFrameId: top.callFrameId,
      expression: this.breakpoints.get(hitBreakpoints.find((id) => this.breakpoints.has(id))),
      silent: true,
    });
    return result?.exceptionDetails ? undefined : result?.result;
  }

  /**
   * The frames that have made such a call: a function around it in the same script has the call of
   * the user's.
   */
  callers({ callFrames: [top, ...callers] }) {
    const isOther = ({ location }) => location.scriptId !== top.location.scriptId;
    const at = callers.findIndex(isOther);
    return at < 0 ? [] : callers.slice(at);
  }

  /**
   * The pause in the function of the user's that has made such a call, itself or by a library. None
   * if the framework has: with an error that it has caught.
   */
  caller(params) {
    const callers = this.callers(params);
    const isKnown = (frame) => this.sources.isUsers(frame) || this.isOfFramework(frame);
    const at = callers.findIndex(isKnown);
    const isOwn = at >= 0 && this.sources.isUsers(callers[at]);
    return isOwn ? { ...params, callFrames: callers.slice(at) } : undefined;
  }

  isOfFramework(frame) {
    return isFramework(this.sources.url(frame));
  }

  /** Whether no frame of a framework is among the callers. */
  isWithoutFramework(params) {
    return !this.callers(params).some((frame) => this.isOfFramework(frame));
  }
}

module.exports = { HandOvers };
