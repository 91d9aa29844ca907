// Which exceptions stop while js-debug asks V8 for the uncaught ones: those that Node or a
// framework reports as failures.
//
// V8 decides at the throw, and knows no handler that the promise gets later. Here the throw of a
// rejected promise does not stop: its frames are captured (frames.js), and when Node calls
// `process._fatalException` with the error, js-debug sees a stop with these frames. The frames of
// an error that was not captured are those of its stack, without variables.
//
// Node's loader catches what a module throws, and test runners and servers what the user's
// functions do. V8 pauses there once it is asked for all exceptions; failures.js selects. Each such
// pause takes time, so there is a bound.
//
// js-debug sees the class of an error, its fields and its cause in the error's description.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');
const { describe } = require('./errors.js');
const { FRAMEWORKS, isFailure, isFramework, isRejection } = require('./failures.js');
const { PROCESS, isSelecting } = require('./programs.js');

/** How many milliseconds a program waits altogether for exceptions that do not stop. */
const MOST_WAITING = 3000;

class Exceptions {
  constructor(target, frames, sources, note) {
    this.target = target;
    this.note = note;
    this.frames = frames;
    this.sources = sources;
    /** What js-debug asks V8 for. */
    this.state = 'none';
    /** Whether V8 is asked for all exceptions. */
    this.isWide = false;
    this.waited = 0;
    this.hidden = 0;
    this.commands = new Map([
      ['Debugger.setPauseOnExceptions', (message) => this.onState(message)],
      ['Debugger.enable', (message) => this.onEnable(message)],
      ['Runtime.runIfWaitingForDebugger', (message) => this.onRun(message)],
      ['Debugger.evaluateOnCallFrame', (message) => this.frames.evaluates(message)],
      ['Debugger.setVariableValue', (message) => this.frames.refuses(message)],
      ['Debugger.restartFrame', (message) => this.frames.refuses(message)],
    ]);
    this.events = new Map([
      ['Debugger.paused', ({ params }) => this.onPaused(params)],
      ['Debugger.resumed', () => this.onResumed()],
      ['Debugger.scriptParsed', ({ params }) => this.onScript(params)],
    ]);
  }

  onState({ params }) {
    this.state = params.state;
    if (!this.isWide || this.state !== 'uncaught') return undefined;
    params.state = 'all';
    return CHANGED;
  }

  onEnable(message) {
    this.target.pass(message);
    this.prepared ??= this.prepare().catch((error) => this.off(error.message));
    return TAKEN;
  }

  /** The program begins once the breakpoint is set. */
  onRun(message) {
    Promise.resolve(this.prepared).then(() => this.target.pass(message));
    return TAKEN;
  }

  async prepare() {
    const evaluate = (expression) =>
      this.target.call('Runtime.evaluate', { expression, silent: true });
    const process = await evaluate(PROCESS);
    const described = JSON.parse(process.result?.result?.value ?? '{}');
    if (isSelecting(described, FRAMEWORKS)) this.widen(true);
    const found = await evaluate('globalThis.process?._fatalException');
    const { objectId } = found.result?.result ?? {};
    if (objectId === undefined) return this.off('process._fatalException is missing');
    const set = await this.target.call('Debugger.setBreakpointOnFunctionCall', { objectId });
    if (set.error !== undefined) return this.off(set.error.message);
    this.fatal = set.result.breakpointId;
  }

  off(why) {
    if (!this.target.isClosed) this.note(`rejections that are handled later stop as well: ${why}`);
  }

  onScript(script) {
    this.sources.add(script);
    if (isFramework(script.url)) this.widen(true);
  }

  widen(isWide) {
    if (isWide === this.isWide || (isWide && this.waited > MOST_WAITING)) return;
    this.isWide = isWide;
    const state = isWide ? 'all' : 'uncaught';
    if (this.state === 'uncaught') this.target.call('Debugger.setPauseOnExceptions', { state });
  }

  onPaused(params) {
    this.frames.close();
    if (params.hitBreakpoints?.includes(this.fatal)) {
      this.settle(this.onFatal(params), params);
      return TAKEN;
    }
    if (params.reason !== 'exception' && params.reason !== 'promiseRejection') return undefined;
    this.settle(this.onThrown(params), params);
    return TAKEN;
  }

  /** Waits for a decision about a pause. If there is none, the pause is a stop. */
  settle(decision, params) {
    decision.catch(() => this.target.emit('Debugger.paused', params));
  }

  /** An exception at its throw. */
  async onThrown(params) {
    if (this.state !== 'uncaught' || this.fatal === undefined) return this.report(params);
    const began = Date.now();
    const stops = await this.stops(params);
    this.waited += Date.now() - began;
    if (stops) return this.report({ ...params, reason: 'exception' });
    if (this.waited > MOST_WAITING) this.widen(false);
    return this.pass();
  }

  /** Whether an exception stops at its throw. */
  async stops(params) {
    const isUncaught = params.data?.uncaught === true;
    const isUsers = params.callFrames.some((frame) => this.sources.isUsers(frame));
    if (!isUncaught && !isUsers) return false;
    if (await this.isStopped(params.data)) return false;
    if (await isFailure(this.sources, params)) return true;
    if (!(await isRejection(this.sources, params))) return isUncaught;
    this.frames.capture(params);
    return false;
  }

  /** Node has an error that nothing handles. */
  async onFatal(params) {
    const error = await this.fatalError(params);
    if (this.state !== 'uncaught' || error === undefined) return this.pass();
    if (await this.isStopped(error)) return this.pass();
    const stop = (await this.frames.take(error)) ?? (await this.frames.ofStack(error));
    if (!stop?.callFrames.some((frame) => this.sources.isUsers(frame))) return this.pass();
    return this.report({ ...stop, reason: 'promiseRejection', hitBreakpoints: [] });
  }

  /** The first argument of `process._fatalException`. */
  async fatalError({ callFrames: [top] }) {
    const { objectId } = top.scopeChain[0].object;
    const found = await this.target.call('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
    return found.result?.result[0]?.value;
  }

  async report(params) {
    this.remember(params);
    const data = await describe(this.target, params.data);
    const uncaught = this.state === 'uncaught' || params.data?.uncaught;
    this.target.emit('Debugger.paused', { ...params, data: { ...data, uncaught } });
  }

  /** Remembers the error of a stop: Node may report it again. */
  remember({ data }) {
    if (this.stopped !== undefined) this.frames.release(this.stopped);
    const list = data?.objectId === undefined ? [] : [data.objectId];
    this.stopped = { params: { data }, arrays: this.frames.collect(list) };
  }

  /** Whether the error is that of the last stop. */
  async isStopped(error) {
    const { stopped } = this;
    return stopped !== undefined && (await this.frames.find(error, [stopped])) !== undefined;
  }

  /** Resumes without a word to js-debug. */
  pass() {
    this.hidden += 1;
    return this.target.call('Debugger.resume');
  }

  onResumed() {
    if (this.hidden === 0) return undefined;
    this.hidden -= 1;
    return TAKEN;
  }
}

module.exports = { Exceptions };
