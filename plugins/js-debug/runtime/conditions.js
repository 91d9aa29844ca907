// Conditions of breakpoints that fail.
//
// js-debug has a failing condition write its error with the program's own `console.error` (its
// argument `__breakOnConditionalError`), which a test runner may replace. Here the program writes
// nothing: at the stop the condition is evaluated once more, without effects, and a note says why
// it failed.
'use strict';
const { TAKEN } = require('./cdp.js');

/** What js-debug makes of a condition (breakpoints/conditions/expression.ts). */
const WRAPPED =
  /^(\(\(\)=>\{try\{return ([^]*);\}catch\(e\)\{)console\.error\([^]*\);(return true\}\}\)\(\))$/;
const NO_EFFECTS = 'Possible side-effect in debug-evaluate';

class Conditions {
  constructor(target, note) {
    this.target = target;
    this.note = note;
    /** The conditions by the ids of their breakpoints. */
    this.texts = new Map();
    const set = (message) => this.onSet(message);
    this.commands = new Map([
      ['Debugger.setBreakpoint', set],
      ['Debugger.setBreakpointByUrl', set],
    ]);
    this.events = new Map([['Debugger.paused', ({ params }) => this.onPaused(params)]]);
  }

  onSet(message) {
    const [, before, text, after] = WRAPPED.exec(message.params.condition ?? '') ?? [];
    if (text === undefined) return undefined;
    this.set(message, { ...message.params, condition: before + after }, text);
    return TAKEN;
  }

  async set(message, params, text) {
    const outcome = await this.target.call(message.method, params);
    if (outcome.result !== undefined) this.texts.set(outcome.result.breakpointId, text);
    this.target.answer(message, outcome);
  }

  onPaused({ hitBreakpoints = [], callFrames: [top] }) {
    for (const id of hitBreakpoints) {
      if (this.texts.has(id)) this.explain(this.texts.get(id), top.callFrameId);
    }
  }

  /** Says why a condition failed, if it did. */
  async explain(expression, callFrameId) {
    const { result } = await this.target.call('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression,
      silent: true,
      throwOnSideEffect: true,
    });
    const [error] = result?.exceptionDetails?.exception?.description?.split('\n') ?? [];
    if (error === undefined || error.includes(NO_EFFECTS)) return;
    this.note(`the condition failed: ${error.replace(/^\w+: /, '')}`);
  }
}

module.exports = { Conditions };
