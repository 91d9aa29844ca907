// What reading a value may run: nothing of the program.
//
// js-debug describes objects by their `toString` and inspectors, and reads getters while it looks
// for them (templates/getStringyProps.ts): these calls are answered here, with nothing. A getter
// that is read on purpose runs if V8 finds that it changes nothing. So does an expression with the
// mark `pure` before it. Every expression ends after the milliseconds in its mark (live.js).
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');
const { rewritten } = require('./harmless.js');
const { isTerminated } = require('./live.js');
const { isExpression } = require('./sources.js');

/** In the two functions of js-debug that call `toString`. */
const DESCRIBES = '<<default preview>>';
/** In the one of them that describes the properties of an object; older versions return these. */
const LISTS = 'customProps:';
/** js-debug's function that calls a getter (templates/invokeGetter.ts). */
const GETTER = /^\(?function\s*\((\w+)\)\s*\{\s*return \1\.call\(this\)/;
/** In V8's refusal of a call that may change the program (debug-evaluate.cc). */
const REFUSED = 'Possible side-effect in debug-evaluate';
const NOT_CALLED =
  '<the getter may change the program; debug_evaluate with effects=allow calls it>';
/** The milliseconds a getter may take. */
const LONGEST = 500;
const TOO_LONG = `<the getter takes longer than ${LONGEST} ms>`;
const CALL = 'function (getter) { return getter.call(this); }';
/** Before an expression; js-debug may change the quotes. */
const MARK = /^\s*["']dapdock\.(pure|limited):(\d+)["'];\s*/;
/** The milliseconds of an expression without a mark, as js-debug's own. */
const UNMARKED = 30_000;

/** js-debug's group of objects for the values of expressions. */
const VALUES = 'console';

/** Whether V8 has refused a call. */
function isRefused({ result }) {
  const refusal = result?.exceptionDetails?.exception?.description ?? '';
  return refusal.includes(REFUSED);
}

class Effects {
  constructor(target, live, frames) {
    this.target = target;
    this.live = live;
    this.frames = frames;
    this.hasValues = false;
    this.commands = new Map([
      ['Runtime.callFunctionOn', (message) => this.onCall(message)],
      ['Runtime.evaluate', (message) => this.onGlobal(message)],
      ['Debugger.evaluateOnCallFrame', (message) => this.onEvaluate(message)],
    ]);
    this.events = new Map([['Debugger.resumed', () => this.onResumed()]]);
  }

  /** js-debug never releases the values of its evaluations. */
  onResumed() {
    if (!this.hasValues) return;
    this.hasValues = false;
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: VALUES });
  }

  onCall(message) {
    const text = message.params.functionDeclaration ?? '';
    if (GETTER.test(text)) {
      this.get(message);
      return TAKEN;
    }
    if (!text.includes(DESCRIBES)) return undefined;
    const value = text.includes(LISTS) ? { out: {}, customProps: false } : undefined;
    const result = { type: value === undefined ? 'undefined' : 'object', value };
    this.target.answer(message, { result: { result } });
    return TAKEN;
  }

  /** Calls a getter that changes nothing. */
  async get(message) {
    const options = { functionDeclaration: CALL, throwOnSideEffect: true, timeout: LONGEST };
    const outcome = await this.live.call({ ...message.params, ...options });
    let value;
    if (isRefused(outcome)) value = NOT_CALLED;
    if (isTerminated(outcome)) value = TOO_LONG;
    const answer = value && { result: { result: { type: 'string', value } } };
    this.target.answer(message, answer ?? outcome);
  }

  onEvaluate({ params }) {
    this.hasValues ||= params.objectGroup === VALUES;
    const [mark, effects, milliseconds] = MARK.exec(params.expression) ?? [];
    params.timeout ??= +(milliseconds ?? UNMARKED);
    if (mark === undefined) return CHANGED;
    const text = params.expression.slice(mark.length);
    // V8 reads an object at the beginning as a block.
    params.expression = text.startsWith('{') && isExpression(text) ? `(${text}\n)` : text;
    if (effects === 'pure') params.throwOnSideEffect = true;
    return CHANGED;
  }

  /** The outcome of an expression in a frame; one that V8 refuses is tried with other calls. */
  async run(params) {
    const outcome = await this.frames.run(params);
    if (!params.throwOnSideEffect || !isRefused(outcome)) return outcome;
    const expression = rewritten(params.expression);
    if (expression === undefined) return outcome;
    const other = await this.frames.run({ ...params, expression });
    return isRefused(other) ? outcome : other;
  }

  /** An expression without a frame: at a pause V8 would not end it in time. */
  onGlobal(message) {
    if (!MARK.test(message.params.expression)) return undefined;
    this.onEvaluate(message);
    if (!this.live.isPaused()) return CHANGED;
    const { contextId, ...params } = message.params;
    this.live.evaluateGlobally(params).then((outcome) => this.target.answer(message, outcome));
    return TAKEN;
  }
}

module.exports = { Effects };
