// Log breakpoints that do not stop the program.
//
// The plugin sends the text of a log breakpoint as its condition, and V8 gets one that sends the
// values of the text's expressions and is false (log_code.js). The first pass in a context stops
// there, since only a frame at a pause has Node's modules: it gets what the condition calls, and
// the program runs on. Stops too where an expression has a name that the compiled code may have
// another for: the text then has that name.
'use strict';
const { TAKEN } = require('./cdp.js');
const {
  URL, bindingOf, condition, conditionAtPause, installation, resumption,
} = require('./log_code.js');
const { contextOf } = require('./live.js');
const { quoted, text: textOf, thrown } = require('./values.js');

/** A log breakpoint of the plugin in what js-debug makes of a condition. */
const WRAPPED = /^\(\(\)=>\{try\{return (\["dapdock\.log",[^]*\]);\}catch\(e\)\{/;
/** The most characters of a text. */
const LONGEST = 2000;
/** After how many messages their values are released. */
const RELEASED = 200;
/** V8's group of the values of its console. */
const CONSOLE = 'console';
/** The thread of each target with those of its workers: their names. */
const threads = new WeakMap();

function threadOf(target) {
  const { parent, workerSession } = target;
  if (parent === undefined) return threads.get(target)?.name;
  return threads.get(parent)?.workers.get(workerSession);
}

/** The context of a frame as V8 numbers it, and as a key. */
function contextOfFrame(frame) {
  const objectId = frame?.scopeChain.at(-1)?.object.objectId;
  const key = objectId && contextOf(objectId);
  return { key, id: key && +key.slice(key.lastIndexOf('.') + 1) };
}

/** Kinds of values that are errors: of an expression, and of the breakpoint's own condition. */
const FAILED = ['error', 'condition'];

function failed(kind, why) {
  return kind === 'error' ? `<error: ${why}>` : why;
}

function firstLine(text) {
  return text.split('\n', 1)[0];
}

let count = 0;

class Logs {
  /** `output` gets each hit, and whether the program has recorded it among its output. */
  constructor(target, stale, names, output, note) {
    Object.assign(this, { target, stale, names, output, note });
    count += 1;
    /** The name of the writer in the program. */
    this.key = `dapdock.log.${process.pid}.${Date.now()}.${count}`;
    /** The log breakpoints by their numbers in the program, and these by V8's ids. */
    this.logs = [];
    this.ids = new Map();
    /** Breakpoints that V8 is setting. */
    this.setting = new Set();
    /** Contexts that have a writer. */
    this.contexts = new Set();
    /** Breakpoints whose condition has failed since the last stop. */
    this.failed = new Set();
    this.printed = 0;
    /** The pause that js-debug has seen, and how the program moves on from it, if not freely. */
    this.pause = undefined;
    this.move = undefined;
    /** Whether a step ends that has left a function. */
    this.isLeaving = false;
    this.isChecked = false;
    this.hidden = 0;
    const set = (message) => this.onSet(message);
    const step = ({ method }) => this.onMove(method);
    this.commands = new Map([
      ['Debugger.setBreakpoint', set],
      ['Debugger.setBreakpointByUrl', set],
      ['Debugger.removeBreakpoint', ({ params }) => this.onRemoved(params)],
      ['Debugger.resume', () => this.onMove()],
      ['Debugger.pause', step],
      ['Debugger.stepInto', step],
      ['Debugger.stepOver', step],
      ['Debugger.stepOut', step],
    ]);
    this.events = new Map([
      ['Target.targetCreated', ({ params }) => this.onTarget(params.targetInfo)],
      ['NodeWorker.attachedToWorker', ({ params }) => this.onWorker(params)],
      ['Runtime.bindingCalled', ({ params }) => this.onValues(params)],
      ['Runtime.consoleAPICalled', ({ params }) => this.onPrinted(params)],
      ['Debugger.scriptParsed', ({ params }) => this.onScript(params)],
      ['Debugger.paused', (message) => this.onPaused(message)],
      ['Debugger.resumed', () => this.onResumed()],
    ]);
  }

  onTarget({ title, processId }) {
    const name = title ? title.slice(title.lastIndexOf('/') + 1) : `[${processId}]`;
    threads.set(this.target, { name, workers: new Map() });
  }

  onWorker({ sessionId, workerInfo }) {
    threads.get(this.target)?.workers.set(sessionId, workerInfo.title);
  }

  /** js-debug need not know the conditions. */
  onScript({ url }) {
    return url === URL ? TAKEN : undefined;
  }

  onSet(message) {
    const [, list] = WRAPPED.exec(message.params.condition ?? '') ?? [];
    if (list === undefined) return undefined;
    const [, number, pieces, own, isCompiled] = JSON.parse(list);
    const id = this.logs.length;
    const expressions = pieces.filter((piece) => Array.isArray(piece)).map(([text]) => text);
    const { urlRegex, lineNumber } = message.params;
    const isMoving = isCompiled && urlRegex !== undefined;
    this.logs.push({ number, pieces, expressions, own, isMoving, lineNumber });
    const setting = this.set(message, id);
    this.setting.add(setting);
    setting.then(() => this.setting.delete(setting));
    if (this.pause !== undefined) this.prepare(this.pause.callFrames[0]);
    return TAKEN;
  }

  /** V8 gives the next breakpoint at this place the same id. */
  onRemoved({ breakpointId }) {
    this.ids.delete(breakpointId);
  }

  async set(message, id) {
    const params = { ...message.params, condition: condition(this.key, id, this.logs[id]) };
    const outcome = await this.target.call(message.method, params);
    const breakpointId = outcome.result?.breakpointId;
    if (breakpointId !== undefined) this.ids.set(breakpointId, id);
    this.target.answer(message, outcome);
  }

  /** Puts a writer into the context of a frame. */
  async prepare(frame) {
    const { key, id: executionContextId } = contextOfFrame(frame);
    if (key === undefined || this.contexts.has(key)) return;
    this.contexts.add(key);
    const name = bindingOf(this.key);
    this.target.call('Runtime.addBinding', { name, executionContextId });
    await this.evaluate(frame, installation(this.key), { includeCommandLineAPI: true });
  }

  evaluate({ callFrameId }, expression, options = {}) {
    const params = { callFrameId, expression, silent: true, returnByValue: true, ...options };
    return this.target.call('Debugger.evaluateOnCallFrame', params);
  }

  onMove(method) {
    const { callFrames = [] } = this.pause ?? {};
    const depth = method === 'Debugger.stepInto' ? Infinity : callFrames.length || Infinity;
    this.move = method && { method, depth, line: callFrames[0]?.location.lineNumber };
    this.pause = undefined;
    this.isLeaving = false;
  }

  onResumed() {
    if (this.hidden > 0) {
      this.hidden -= 1;
      return TAKEN;
    }
    this.pause = undefined;
    return undefined;
  }

  onPaused(message) {
    const { params } = message;
    const { hitBreakpoints = [], callFrames } = params;
    const isOurs = hitBreakpoints.some((id) => this.ids.has(id)) || this.setting.size > 0;
    const isReady = this.contexts.has(contextOfFrame(callFrames[0]).key);
    if (this.isChecked || this.logs.length === 0 || (isReady && !isOurs)) {
      if (this.leaves(params)) return TAKEN;
      this.pause = params;
      this.move = undefined;
      this.failed.clear();
      return undefined;
    }
    this.check(message).catch(() => this.pass(message));
    return TAKEN;
  }

  pass(message) {
    this.isChecked = true;
    this.target.receive(message);
    this.isChecked = false;
  }

  /** Runs the conditions of a pause again that had no writer. */
  async check(message) {
    const { params } = message;
    const { reason, hitBreakpoints = [], callFrames } = params;
    const [top] = callFrames;
    await Promise.all(this.setting);
    await this.prepare(top);
    const ours = hitBreakpoints.filter((id) => this.ids.has(id));
    for (const id of ours) await this.write(this.ids.get(id), top);
    params.hitBreakpoints = hitBreakpoints.filter((id) => !ours.includes(id));
    const isStop = params.hitBreakpoints.length > 0 || ours.length === 0 || reason !== 'other';
    if (isStop) return this.pass(message);
    if (this.move === undefined) return this.goOn('Debugger.resume');
    return callFrames.length > this.move.depth ? this.leave() : this.pass(message);
  }

  goOn(method) {
    this.hidden += 1;
    return this.target.call(method);
  }

  /** Goes on with a step that a hit has ended in a function which it passes over. */
  leave() {
    this.isLeaving = true;
    return this.goOn('Debugger.stepOut');
  }

  /** Whether a pause is only on the way back to where a step began. */
  leaves({ hitBreakpoints = [], callFrames: [top, ...callers] }) {
    if (!this.isLeaving) return false;
    this.isLeaving = false;
    const { method, depth, line } = this.move;
    const level = callers.length + 1;
    if (hitBreakpoints.length > 0 || level < depth) return false;
    const isThere = method === 'Debugger.stepOver' && top.location.lineNumber !== line;
    if (level === depth && isThere) return false;
    if (level > depth) this.leave();
    else this.goOn(method);
    return true;
  }

  /** Writes the text of a log breakpoint at a pause. */
  async write(id, frame) {
    const { expressions, isMoving, lineNumber } = this.logs[id];
    if (isMoving && this.stale.isElsewhere(frame.location, lineNumber)) return;
    const { result } = await this.evaluate(frame, conditionAtPause(this.key, id, this.logs[id]));
    if (result?.result?.value !== true) return;
    const compiled = await this.names.renamed(frame.location, expressions);
    await this.evaluate(frame, resumption(this.key, id, expressions, compiled));
  }

  /** Values that are texts, or texts of values in lists. */
  onValues({ name, payload }) {
    if (name !== bindingOf(this.key)) return undefined;
    const [id, values, isRecorded] = JSON.parse(payload);
    const texts = values.map((one) => {
      if (typeof one === 'string') return quoted(one);
      const [text, kind] = one;
      return FAILED.includes(kind) ? failed(kind, firstLine(text)) : text;
    });
    this.addHit(id, values.at(-1)?.[1], texts, isRecorded);
    return TAKEN;
  }

  /** Values of any kind. */
  onPrinted({ args: [key, head, ...values] }) {
    if (key?.value !== this.key) return undefined;
    const [id, kinds, isRecorded] = JSON.parse(head.value);
    const texts = kinds.map((kind, at) => this.text(kind, values[at]));
    this.addHit(id, kinds.at(-1), texts, isRecorded);
    this.printed += 1;
    if (this.printed >= RELEASED && this.pause === undefined) {
      this.printed = 0;
      this.target.call('Runtime.releaseObjectGroup', { objectGroup: CONSOLE });
    }
    return TAKEN;
  }

  text(kind, value) {
    if (FAILED.includes(kind)) return failed(kind, thrown(value));
    if (kind === '' || value.preview === undefined) return textOf(value);
    const preview = { ...value.preview, description: kind, overflow: true };
    return textOf({ ...value, description: kind, preview });
  }

  /** A hit with the texts of its values; the last is that of its condition if that failed. */
  addHit(id, lastKind, texts, isRecorded) {
    if (lastKind === 'condition') this.fail(id, texts.pop());
    const { number, pieces } = this.logs[id];
    const whole = pieces.map((one) => (Array.isArray(one) ? texts.shift() : one)).join('');
    const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
    this.output({ breakpoint: number, thread: threadOf(this.target), text }, isRecorded);
  }

  /** Says once between two stops why a condition failed. */
  fail(id, why) {
    if (this.failed.has(id)) return;
    this.failed.add(id);
    this.note(`the condition failed: ${why.replace(/^\w+: /, '')}`);
  }
}

module.exports = { Logs };
