// What reading a value may run: nothing of the program.
//
// js-debug describes objects by their `toString` and inspectors, and reads getters while it looks
// for them (templates/getStringyProps.ts): these calls are answered here, with nothing. A getter
// that is read on purpose runs if V8 finds that it changes nothing. So does an expression with
// `PURE` before it, for at most the milliseconds in it: V8 ends what takes longer.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');
const { isExpression } = require('./sources.js');

/** In the two functions of js-debug that call `toString`. */
const DESCRIBES = '<<default preview>>';
/** In the one of them that describes the properties of an object; older versions return these. */
const LISTS = 'customProps:';
/** js-debug's function that calls a getter (templates/invokeGetter.ts). */
const GETTER = /^\(?function\s*\((\w+)\)\s*\{\s*return \1\.call\(this\)/;
/** In V8's refusal of a call that may change the program (debug-evaluate.cc). */
const REFUSED = 'Possible side-effect in debug-evaluate';
/** V8's error for what it has ended. */
const TERMINATED = /terminated/i;
const NOT_CALLED =
  '<the getter may change the program; debug_evaluate with effects=allow calls it>';
/** The milliseconds a getter may take: at a pause V8 can time out only evaluations in a frame. */
const LONGEST = 500;
const TOO_LONG = `<the getter takes longer than ${LONGEST} ms>`;
/** Where a getter and its object are while it is called. */
const PLACE = "globalThis['dapdock.getter']";
const PUT = `function (getter) { ${PLACE} = { getter, object: this }; }`;
const CALL = `(({ getter, object }) => getter.call(object))(${PLACE})`;
const REMOVE = `delete ${PLACE}`;
/** Before an expression that must not change the program; js-debug may change the quotes. */
const PURE = /^\s*["']dapdock\.pure:(\d+)["'];\s*/;

class Effects {
  constructor(target) {
    this.target = target;
    const evaluate = (message) => this.onEvaluate(message);
    this.commands = new Map([
      ['Runtime.callFunctionOn', (message) => this.onCall(message)],
      ['Runtime.evaluate', evaluate],
      ['Debugger.evaluateOnCallFrame', evaluate],
    ]);
    this.events = new Map([['Debugger.paused', ({ params }) => this.onPaused(params)]]);
  }

  onPaused({ callFrames: [top] }) {
    this.callFrameId = top?.callFrameId;
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
    const { objectId, arguments: getter, ...options } = message.params;
    const put = { objectId, functionDeclaration: PUT, arguments: getter, silent: true };
    const { returnByValue, generatePreview, objectGroup } = options;
    // Sent together: another getter has to wait for all three.
    this.target.call('Runtime.callFunctionOn', put);
    const called = this.target.call('Debugger.evaluateOnCallFrame', {
      callFrameId: this.callFrameId,
      expression: CALL,
      returnByValue,
      generatePreview,
      objectGroup,
      silent: true,
      throwOnSideEffect: true,
      timeout: LONGEST,
    });
    this.target.call('Runtime.evaluate', { expression: REMOVE, silent: true });
    const outcome = await called;
    const refusal = outcome.result?.exceptionDetails?.exception?.description ?? '';
    let value;
    if (refusal.includes(REFUSED)) value = NOT_CALLED;
    if (TERMINATED.test(outcome.error?.message ?? '')) value = TOO_LONG;
    const answer = value && { result: { result: { type: 'string', value } } };
    this.target.answer(message, answer ?? outcome);
  }

  onEvaluate({ params }) {
    const [prefix, milliseconds] = PURE.exec(params.expression) ?? [];
    if (prefix === undefined) return undefined;
    const text = params.expression.slice(prefix.length);
    // V8 reads an object at the beginning as a block.
    params.expression = text.startsWith('{') && isExpression(text) ? `(${text}\n)` : text;
    params.throwOnSideEffect = true;
    params.timeout = +milliseconds;
    return CHANGED;
  }
}

module.exports = { Effects };
