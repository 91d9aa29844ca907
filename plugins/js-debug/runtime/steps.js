// Steps that leave an async function: where V8 does not know who goes on, or fails.
//
// V8 follows a promise to the function that awaits it, and to no function that awaits what another
// has returned; it then stops in Node's own code. Stepping out of an async generator, it reads the
// value of a `yield` as a promise, and the process ends (debug.cc, `PrepareStep`). Here the program
// runs to the next code of the caller: that below on the stack, else the nearest that awaits.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');

/** How many places of a caller stop. */
const MOST_PLACES = 500;
/** The names of V8 for tasks of async functions and promises. */
const IN_PROMISE = /^(await|async function|Promise\.)/;

/** Whether a pause is the end of a step, or of a command to pause. */
function isStep({ reason, hitBreakpoints }) {
  return ['other', 'step'].includes(reason) && !hitBreakpoints?.length;
}

class Steps {
  constructor(target, sources) {
    this.target = target;
    this.sources = sources;
    /** The last pause, and that where a step began which has not ended. */
    this.pause = undefined;
    this.began = undefined;
    /** The breakpoints of a step. */
    this.breakpoints = [];
    /** How often V8 will report that the program runs without js-debug having asked for it. */
    this.hidden = 0;
    this.commands = new Map([
      ['Debugger.resume', () => this.onMove()],
      ['Debugger.stepInto', () => this.onMove()],
      ['Debugger.stepOver', () => this.onStep()],
      ['Debugger.stepOut', (message) => this.onStepOut(message)],
    ]);
    this.events = new Map([
      ['Debugger.paused', ({ params }) => this.onPaused(params)],
      ['Debugger.resumed', () => this.onResumed()],
    ]);
  }

  onMove() {
    this.began = undefined;
    for (const breakpointId of this.breakpoints) {
      this.target.call('Debugger.removeBreakpoint', { breakpointId });
    }
    this.breakpoints = [];
  }

  onStep() {
    this.onMove();
    this.began = this.pause;
  }

  onStepOut(message) {
    this.onStep();
    const top = this.began?.callFrames[0];
    if (top === undefined || !this.sources.isUsers(top)) return undefined;
    this.leave(message, top.location);
    return TAKEN;
  }

  /** Steps out of the function at a place. */
  async leave(message, location) {
    const { isAsync, isGenerator } = await this.sources.body(location);
    if (!isAsync || !isGenerator) return this.target.pass(message);
    const { began } = this;
    this.began = undefined;
    await this.breakIn(await this.callers(began));
    return this.target.pass({ ...message, method: 'Debugger.resume', params: {} });
  }

  onPaused(params) {
    const { began } = this;
    const ours = params.hitBreakpoints?.filter((id) => this.breakpoints.includes(id)) ?? [];
    this.pause = params;
    if (ours.length > 0) {
      params.hitBreakpoints = params.hitBreakpoints.filter((id) => !ours.includes(id));
      return CHANGED;
    }
    const runsOwn = params.callFrames.some((frame) => this.sources.isUsers(frame));
    if (began === undefined || !isStep(params) || runsOwn) return undefined;
    this.began = undefined;
    this.follow(began, params).catch(() => this.target.emit('Debugger.paused', params));
    return TAKEN;
  }

  onResumed() {
    if (this.hidden === 0) return undefined;
    this.hidden -= 1;
    return TAKEN;
  }

  /** Goes on from a pause in Node's own code to the caller of the place where the step began. */
  async follow(began, params) {
    const isSet = await this.breakIn(await this.callers(began));
    if (!isSet) return this.target.emit('Debugger.paused', params);
    this.hidden += 1;
    return this.target.call('Debugger.resume');
  }

  /** The places of the functions that go on when the function of a pause has ended. */
  async callers({ callFrames, asyncStackTrace }) {
    const below = callFrames.slice(1).find((frame) => this.sources.isUsers(frame));
    if (below !== undefined) return [below.location];
    const found = [];
    let trace = asyncStackTrace;
    for (; IN_PROMISE.test(trace?.description ?? ''); trace = trace.parent) {
      for (const frame of trace.callFrames.filter((one) => this.sources.isUsers(one))) {
        const { promise } = await this.sources.at(frame);
        const { isAsync } = await this.sources.body(frame);
        if (promise === 'returned' || !isAsync) continue;
        found.push(frame);
        if (promise === 'awaited') return found;
      }
    }
    return found;
  }

  /** Sets breakpoints everywhere in the functions at these places. Whether there are any. */
  async breakIn(places) {
    for (const place of places) {
      const { start, end } = await this.sources.body(place);
      const at = (point) => ({ ...point, scriptId: place.scriptId });
      const range = { start: at(start), end: at(end), restrictToFunction: true };
      const found = await this.target.call('Debugger.getPossibleBreakpoints', range);
      const locations = (found.result?.locations ?? []).slice(0, MOST_PLACES);
      const set = await Promise.all(
        // V8 refuses a second breakpoint at a place; the other stops as well.
        locations.map((location) => this.target.call('Debugger.setBreakpoint', { location })),
      );
      this.breakpoints.push(...set.flatMap(({ result }) => result?.breakpointId ?? []));
    }
    return places.length > 0;
  }
}

module.exports = { Steps, isStep };
