// What reading a value may run: nothing of the program.
//
// js-debug describes objects by their `toString` and inspectors, and reads getters while it looks
// for them (templates/getStringyProps.ts): these calls are answered here, with nothing. A getter
// that is read on purpose runs if V8 finds that it changes nothing. So does an expression with
// `PURE` before it, for at most the milliseconds in it: V8 ends what takes longer.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');

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
    this.events = new Map();
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
    const params = { ...message.params, throwOnSideEffect: true };
    const outcome = await this.target.call('Runtime.callFunctionOn', params);
    const refusal = outcome.result?.exceptionDetails?.exception?.description ?? '';
    if (refusal.includes(REFUSED)) {
      outcome.result = { result: { type: 'string', value: NOT_CALLED } };
    }
    this.target.answer(message, outcome);
  }

  onEvaluate({ params }) {
    const [prefix, milliseconds] = PURE.exec(params.expression) ?? [];
    if (prefix === undefined) return undefined;
    params.expression = params.expression.slice(prefix.length);
    params.throwOnSideEffect = true;
    params.timeout = +milliseconds;
    return CHANGED;
  }
}

module.exports = { Effects };
