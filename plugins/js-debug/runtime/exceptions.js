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
// An error that the user's code hands to a framework stops where it does that (handovers.js), or
// where the error was thrown, if that was captured.
//
// Where js-debug asks for all exceptions, those stop that come to the user's code.
//
// js-debug sees the class of an error, its fields and its cause in the error's description.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');
const { describe } = require('./errors.js');
const {
  FRAMEWORKS, handler, isFramework, isOfTodo, isOfUsers, isRejection, reachesUsers,
} = require('./failures.js');
const { isReason } = require('./frames.js');
const { HandOvers } = require('./handovers.js');
const { Handlers } = require('./handlers.js');
const { PROCESS, isSelecting } = require('./programs.js');
const { isUsers } = require('./sources.js');
const { isStep } = require('./steps.js');

/**
 * How many milliseconds a program waits between two stops for exceptions that do not stop, unless
 * that is less than this share of the time, or they are few: on a slow machine each takes longer.
 */
const MOST_WAITING = 1000;
const MOST_SHARE = 1 / 4;
const FEW = 100;
/** How many of them there may be. */
const MOST_HIDDEN = 2000;
const NARROWED = 'the program catches many exceptions: failures that a framework catches do not ' +
  'stop any more, and those of modules stop without variables; debug_breakpoints ' +
  'exceptions=["all"] stops at every exception';
/**
 * No module of Node's whose functions reject promises of the user's: V8 ignores an exception if all
 * frames are in code that js-debug skips.
 */
const REJECTS = '(?!^(node:)?internal/(fs/promises|deps/undici/undici)$)';
/** Node's error in place of the reason of a rejection that is no error. */
const NO_ERROR = 'UnhandledPromiseRejection';
/** Said of a stop that has the frames of an error's stack. */
const NOT_HANDLED = 'nothing handled this rejection';
const NO_VARIABLES = 'the variables at the throw are not known';

function isSamePlace({ location: one }, { location: other }) {
  const keys = ['scriptId', 'lineNumber', 'columnNumber'];
  return keys.every((key) => one[key] === other[key]);
}

class Exceptions {
  constructor(target, frames, sources, note, inLibraries = () => false) {
    this.target = target;
    this.note = note;
    /** Whether exceptions that a library catches itself stop too. */
    this.inLibraries = inLibraries;
    this.frames = frames;
    this.sources = sources;
    this.handlers = new Handlers(target, sources);
    this.handOvers = new HandOvers(target, sources);
    /** Whether a stop is in a caller of the framework's function that V8 is in, and its depth. */
    this.hidesFrameworkFrames = false;
    this.depth = 0;
    /** The step that leaves that function, or the caller as well. */
    this.leaving = undefined;
    /** What js-debug asks V8 for. */
    this.state = 'none';
    /** Whether a framework is loaded, and whether a script of the user's is. */
    this.hasFramework = false;
    this.hasOwn = false;
    /** Whether the program's exceptions are selected. */
    this.isWished = false;
    /** Whether V8 is asked for all exceptions. */
    this.isWide = false;
    /** Whether that took too long. */
    this.isNarrowed = false;
    this.restart();
    /** How often V8 will report that the program runs without js-debug having asked for it. */
    this.hidden = 0;
    const step = (message) => this.onStep(message);
    this.commands = new Map([
      ['Debugger.stepInto', step],
      ['Debugger.stepOver', step],
      ['Debugger.stepOut', step],
      ['Debugger.resume', (message) => this.onResume(message)],
      ['Debugger.pause', () => this.onPause()],
      ['Debugger.setPauseOnExceptions', (message) => this.onState(message)],
      ['Debugger.setBlackboxPatterns', ({ params }) => this.onSkipped(params)],
      ['Debugger.enable', (message) => this.onEnable(message)],
      ['Runtime.runIfWaitingForDebugger', (message) => this.onRun(message)],
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
    this.handOvers.update({ isWanted: this.state === 'uncaught' });
    if (!this.isWide || this.state !== 'uncaught') return undefined;
    params.state = 'all';
    return CHANGED;
  }

  onSkipped(params) {
    params.patterns = params.patterns.map((pattern) => `${REJECTS}(?:${pattern})`);
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
    if (isSelecting(described, FRAMEWORKS)) this.wish();
    const found = await evaluate('globalThis.process?._fatalException');
    const { objectId } = found.result?.result ?? {};
    if (objectId === undefined) return this.off('process._fatalException is missing');
    const set = await this.target.call('Debugger.setBreakpointOnFunctionCall', { objectId });
    if (set.error !== undefined) return this.off(set.error.message);
    this.fatal = set.result.breakpointId;
    if (this.isWished) this.widen(true);
  }

  off(why) {
    this.widen(false);
    if (!this.target.isClosed) this.note(`rejections that are handled later stop as well: ${why}`);
  }

  /** Begins to count exceptions that do not stop: the time they take, and their number. */
  restart() {
    this.began = Date.now();
    this.waited = 0;
    this.passed = 0;
  }

  onScript(script) {
    this.sources.add(script);
    if (isFramework(script.url)) {
      this.hasFramework = true;
      this.wish();
      this.handOvers.add(script);
    }
    if (!this.hasOwn && isUsers(script.url)) this.onOwn();
  }

  /** The first script of the user's: what passed before was not theirs. */
  onOwn() {
    this.hasOwn = true;
    this.isNarrowed = false;
    this.restart();
    if (this.isWished && this.fatal !== undefined) this.widen(true);
  }

  /** Widens as soon as exceptions are selected. */
  wish() {
    this.isWished = true;
    if (this.fatal !== undefined) this.widen(true);
  }

  widen(isWide) {
    if (isWide === this.isWide || (isWide && this.isNarrowed)) return;
    this.isWide = isWide;
    const state = isWide ? 'all' : 'uncaught';
    if (this.state === 'uncaught') this.target.call('Debugger.setPauseOnExceptions', { state });
  }

  /** Whether the program has waited enough. */
  isBounded() {
    if (this.passed >= MOST_HIDDEN) return true;
    if (this.passed < FEW) return false;
    return this.waited > Math.max(MOST_WAITING, MOST_SHARE * (Date.now() - this.began));
  }

  /** A step from a call of a framework begins behind the call. */
  onStep(message) {
    this.leaving = this.hidesFrameworkFrames ? message.method : undefined;
    if (this.leaving === undefined) return undefined;
    message.method = 'Debugger.stepOut';
    return CHANGED;
  }

  /** A pause that the user wants ends such a step. */
  onPause() {
    this.leaving = undefined;
  }

  onResume(message) {
    this.leaving = undefined;
    return this.handOvers.onResume(message);
  }

  /** Whether a pause is only on the way of such a step. */
  leaves({ callFrames, ...params }) {
    if (this.leaving === undefined || !isStep(params)) return false;
    const isInCaller = callFrames.length === this.depth;
    const isHidden = callFrames.length > this.depth && !this.sources.isUsers(callFrames[0]);
    if (!isHidden && !(isInCaller && this.leaving === 'Debugger.stepOut')) return false;
    this.hidden += 1;
    // That out of the caller is for all filters.
    this.target.call('Debugger.stepOut', {}, isInCaller ? this.target.toFilters : undefined);
    return true;
  }

  onPaused(params) {
    this.hidesFrameworkFrames = false;
    this.frames.close();
    if (this.leaves(params)) return TAKEN;
    if (params.hitBreakpoints?.includes(this.fatal)) {
      this.settle(this.onFatal(params), params);
      return TAKEN;
    }
    if (this.handlers.isHit(params)) {
      this.settle(this.onHandler(params), params);
      return TAKEN;
    }
    if (this.handOvers.isHit(params)) {
      this.settle(this.onHandOver(params), params);
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
    if (this.state !== 'uncaught') {
      return (await this.isOfLibrary(params)) ? this.pass() : this.report(params);
    }
    if (this.fatal === undefined) return this.report(params);
    const began = Date.now();
    const stops = await this.stops(params);
    if (stops) return this.report({ ...params, reason: 'exception' });
    await this.pass();
    this.waited += Date.now() - began;
    this.passed += 1;
    if (!this.isWide || !this.isBounded()) return undefined;
    this.widen(false);
    this.isNarrowed = true;
    if (this.hasOwn) this.note(NARROWED);
    return undefined;
  }

  /** Whether a library catches its own exception, where all are asked for. */
  async isOfLibrary(params) {
    if (this.inLibraries() || params.data?.uncaught) return false;
    return !(await reachesUsers(this.sources, params));
  }

  /** Whether an exception stops at its throw. */
  async stops(params) {
    const isUncaught = params.data?.uncaught === true;
    if (!isUncaught && !isOfUsers(this.sources, params)) return false;
    if (await this.isStopped(params.data, params.callFrames[0])) return false;
    const found = await handler(this.sources, params);
    if (found === 'framework') return !(await isOfTodo(this.target, this.sources, params));
    if (found === 'caught' && !isUncaught) return false;
    if (!(await isRejection(this.sources, params))) return isUncaught;
    this.frames.capture(params);
    await this.handlers.find();
    return false;
  }

  /**
   * A handler of the process gets a rejection that nothing else handles. That is a failure in a
   * program with a framework, whose user sees it reported, and where the handler ends the program.
   */
  async onHandler(params) {
    const handled = await this.handlers.handled(params);
    const isFailure = handled?.fails || handled?.isOfFramework || this.hasFramework;
    if (handled === undefined || !isFailure || this.state !== 'uncaught') return this.pass();
    if (await this.isStopped(handled.reason)) return this.pass();
    const captured = await this.frames.take(handled.reason);
    if (!this.runsOwn(captured)) return this.pass();
    return this.report({ ...captured, reason: 'promiseRejection', hitBreakpoints: [] });
  }

  /** A framework gets an error: from the user's code, a promise, or from itself. */
  async onHandOver(params) {
    const error = await this.handOvers.error(params);
    if (error === undefined || this.state !== 'uncaught') return this.pass();
    if (await this.isStopped(error)) return this.pass();
    const captured = await this.frames.take(error);
    const caller = this.handOvers.caller(params);
    if (this.runsOwn(captured)) return this.report({ ...captured, reason: 'exception' });
    if (caller !== undefined) {
      this.hidesFrameworkFrames = true;
      this.depth = caller.callFrames.length;
      return this.report({ ...caller, reason: 'exception', data: error, hitBreakpoints: [] });
    }
    const isWithoutFramework = this.handOvers.isWithoutFramework(params);
    const ofStack = isWithoutFramework ? await this.frames.ofStack(error) : undefined;
    if (!this.runsOwn(ofStack)) return this.pass();
    return this.report({ ...ofStack, reason: 'exception', hitBreakpoints: [] }, NO_VARIABLES);
  }

  /** Whether a pause has a frame of the user's. */
  runsOwn(pause) {
    return pause?.callFrames.some((frame) => this.sources.isUsers(frame)) ?? false;
  }

  /** Node has an error that nothing handles. */
  async onFatal(params) {
    const [error, fromPromise] = await this.fatalArguments(params);
    if (this.state !== 'uncaught' || error === undefined) return this.pass();
    if (await this.isStopped(error)) {
      // The next one is another exception, even with the same error.
      this.forget();
      return this.pass();
    }
    const isRejection = fromPromise?.value === true;
    let captured = await this.captured(error);
    // Node may have rejected a promise of its own with it, as that of a module.
    if (!this.runsOwn(captured)) captured = undefined;
    const stop = captured ?? (await this.frames.ofStack(error));
    if (!this.runsOwn(stop)) return this.pass();
    const reason = isRejection && captured !== undefined ? 'promiseRejection' : 'exception';
    const remark = isRejection ? `${NOT_HANDLED}; ${NO_VARIABLES}` : NO_VARIABLES;
    const fatal = { ...stop, reason, hitBreakpoints: [] };
    await this.report(fatal, captured === undefined ? remark : undefined);
    return this.forget();
  }

  /** The captured pause of an error that nothing handles. */
  captured(error) {
    return error.className === NO_ERROR
      ? this.frames.takeReason(error.description)
      : this.frames.take(error);
  }

  /** The arguments of `process._fatalException`: the error, and whether a promise has it. */
  async fatalArguments({ callFrames: [top] }) {
    const { objectId } = top.scopeChain[0].object;
    const found = await this.target.call('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
    return (found.result?.result ?? []).slice(0, 2).map(({ value }) => value);
  }

  /** Reports a stop, with a text for the user. */
  async report(params, remark) {
    this.remember(params);
    const data = await describe(this.target, params.data, remark);
    const uncaught = this.state === 'uncaught' || params.data?.uncaught;
    this.target.emit('Debugger.paused', { ...params, data: { ...data, uncaught } });
  }

  /** Remembers the error of a stop: Node may report it again. */
  remember({ data, callFrames }) {
    this.forget();
    const list = data?.objectId === undefined ? [] : [data.objectId];
    this.stopped = this.frames.holder({ data, callFrames }, list);
  }

  forget() {
    if (this.stopped !== undefined) this.frames.release(this.stopped);
    this.stopped = undefined;
  }

  /**
   * Whether the error is that of the last stop. Of equal values that are no objects, only one at
   * the same place is, if the frame is known.
   */
  async isStopped(error, frame) {
    const { stopped } = this;
    if (stopped === undefined) return false;
    const { data } = stopped.params;
    if (error.className === NO_ERROR && isReason(data, error.description)) return true;
    const isValue = error.objectId === undefined;
    if (isValue && frame && !isSamePlace(frame, stopped.params.callFrames[0])) return false;
    return (await this.frames.find(error, [stopped])) !== undefined;
  }

  /** Resumes without a word to js-debug. */
  pass() {
    this.hidden += 1;
    return this.target.call('Debugger.resume');
  }

  onResumed() {
    this.frames.close();
    if (this.hidden === 0) return this.restart();
    this.hidden -= 1;
    return TAKEN;
  }
}

module.exports = { Exceptions };
