// Handlers of the process for rejections that nothing handles, `process.on('unhandledRejection')`:
// Node reports such a rejection to them alone. Finds them when a rejection is captured, and
// recognizes their calls. Does not know whether one is a failure.
'use strict';
const { isFramework } = require('./failures.js');

const EVENT = "'unhandledRejection'";
const COUNT = `globalThis.process?.listenerCount?.(${EVENT})`;
const LIST = `globalThis.process.listeners(${EVENT})`;
/** Node's method that calls handlers, `emit(type, ...args)`, and the reason in it. */
const EMITS = /^node:events$/;
const REASON = `type === ${EVENT} ? args[0] : undefined`;
const EXIT = 'globalThis.process.exit';
/** Whether a program ends with a failure at a call of `process.exit`. */
const FAILS = '(arguments[0] ?? process.exitCode ?? 0) != 0';

function keyOf({ scriptId, lineNumber, columnNumber }) {
  return `${scriptId}:${lineNumber}:${columnNumber}`;
}

class Handlers {
  constructor(target, sources) {
    this.target = target;
    this.sources = sources;
    this.count = 0;
    /** The breakpoints of handlers, and the places of their functions. */
    this.breakpoints = new Set();
    this.places = new Set();
    this.exit = undefined;
  }

  async evaluate(expression) {
    const { result } = await this.target.call('Runtime.evaluate', { expression, silent: true });
    return result?.result;
  }

  /** Sets breakpoints on handlers that have none. */
  async find() {
    const count = (await this.evaluate(COUNT))?.value ?? 0;
    if (count === this.count) return;
    this.count = count;
    const list = count > 0 ? await this.evaluate(LIST) : undefined;
    for (const { name, value } of (await this.properties(list?.objectId)).result) {
      if (/^\d+$/.test(name) && value?.type === 'function') await this.add(value);
    }
  }

  async add({ objectId }) {
    const { internalProperties } = await this.properties(objectId);
    const place = internalProperties.find(({ name }) => name === '[[FunctionLocation]]');
    if (place === undefined || this.places.has(keyOf(place.value.value))) return;
    this.places.add(keyOf(place.value.value));
    this.breakpoints.add(await this.breakpoint(objectId));
    const { objectId: exit } = (await this.evaluate(EXIT)) ?? {};
    if (exit !== undefined) this.exit ??= await this.breakpoint(exit);
  }

  async breakpoint(objectId) {
    const { result } = await this.target.call('Debugger.setBreakpointOnFunctionCall', { objectId });
    return result?.breakpointId;
  }

  async properties(objectId) {
    if (objectId === undefined) return { result: [], internalProperties: [] };
    const params = { objectId, ownProperties: true };
    const { result } = await this.target.call('Runtime.getProperties', params);
    return { result: result?.result ?? [], internalProperties: result?.internalProperties ?? [] };
  }

  /** Whether a pause is at a call of a handler, or of `process.exit` in one. */
  isHit({ hitBreakpoints }) {
    const isOwn = (id) => this.breakpoints.has(id) || id === this.exit;
    return hitBreakpoints?.some(isOwn) ?? false;
  }

  /**
   * The reason of the rejection whose handler runs at this pause, with whether the handler is a
   * framework's, and whether it ends the program with a failure; nothing if no handler runs.
   */
  async handled({ hitBreakpoints, callFrames }) {
    const at = callFrames.findIndex(
      ({ functionLocation }) => functionLocation && this.places.has(keyOf(functionLocation)),
    );
    const emits = callFrames[at + 1];
    if (at < 0 || !EMITS.test(emits && this.sources.url(emits))) return undefined;
    const reason = await this.inFrame(emits, REASON);
    if (reason === undefined || reason.type === 'undefined') return undefined;
    const isExit = hitBreakpoints.includes(this.exit);
    const fails = isExit && (await this.inFrame(callFrames[0], FAILS))?.value === true;
    return { reason, isOfFramework: isFramework(this.sources.url(callFrames[at])), fails };
  }

  async inFrame({ callFrameId }, expression) {
    const { result } = await this.target.call('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression,
      silent: true,
    });
    return result?.exceptionDetails ? undefined : result?.result;
  }
}

module.exports = { Handlers };
