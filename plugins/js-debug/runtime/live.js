// Calls and evaluations at a pause, for a limited time.
//
// While V8 evaluates it handles no messages, and at a pause it can time out only evaluations in a
// frame that runs: Debugger.evaluateOnCallFrame has the timeout. So a call is made in such a frame,
// by a function that is stored in the global object. For an object of another context, whose global
// object no frame has, V8 has the way of an object that the user inspects in a heap profile: `$0`.
'use strict';

/** Where a call is stored. */
const PLACE = "globalThis['dapdock.call']";
const CALL = `${PLACE}()`;
/** The group of the results, which live until the program runs again. */
const GROUP = 'dapdock.live';
/** The milliseconds of a call that nobody has limited. */
const LONGEST = 5000;
const NO_FRAME = {
  error: { code: -32000, message: 'no function is running: nothing is evaluated' },
};

/** Whether V8 has ended a call. */
function isTerminated({ error }) {
  return /terminated/i.test(error?.message ?? '');
}

/** The part of an object's id that names its context. */
function contextOf(objectId) {
  return objectId.slice(0, objectId.lastIndexOf('.'));
}

/** The context of a frame. */
function contextOfFrame({ scopeChain }) {
  const { objectId } = scopeChain[scopeChain.length - 1]?.object ?? {};
  return objectId && contextOf(objectId);
}

class Live {
  constructor(target) {
    this.target = target;
    this.callFrames = [];
    this.hasResults = false;
    this.commands = new Map();
    this.events = new Map([
      ['Debugger.paused', ({ params }) => this.onPaused(params)],
      ['Debugger.resumed', () => this.onResumed()],
    ]);
  }

  onPaused({ callFrames }) {
    this.callFrames = callFrames;
  }

  onResumed() {
    this.callFrames = [];
    if (!this.hasResults) return;
    this.hasResults = false;
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  }

  isPaused() {
    return this.callFrames.length > 0;
  }

  /** The outcome of a function with `this` and arguments, as `Runtime.callFunctionOn` has it. */
  async call({ objectId, functionDeclaration, arguments: list = [], ...options }) {
    const context = contextOf(objectId);
    const frame = this.callFrames.find((one) => contextOfFrame(one) === context);
    const store = frame === undefined ? 'return call;' : `${PLACE} = call;`;
    const made = `function (...all) {
      const call = () => (${functionDeclaration}\n).apply(this, all);
      ${store}
    }`;
    const put = { objectId, functionDeclaration: made, arguments: list, silent: true };
    const prepared = this.target.call('Runtime.callFunctionOn', put);
    if (frame === undefined) return this.callOther(await prepared, options);
    // Sent together: another call has to wait for all three.
    const called = this.evaluate({ ...options, expression: CALL }, frame);
    const remove = `function () { delete ${PLACE}; }`;
    this.target.call('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: remove,
      silent: true,
    });
    return called;
  }

  /** Calls a function of a context in which no frame runs. */
  async callOther({ error, result }, options) {
    const { objectId } = result?.result ?? {};
    if (objectId === undefined) return error === undefined ? NO_FRAME : { error };
    const { target } = this;
    // Only objects whose addresses V8 follows are found by their ids.
    target.call('HeapProfiler.enable');
    target.call('HeapProfiler.startTrackingHeapObjects');
    const { result: found } = await target.call('HeapProfiler.getHeapObjectId', { objectId });
    const heapObjectId = found?.heapSnapshotObjectId;
    const added = await target.call('HeapProfiler.addInspectedHeapObject', { heapObjectId });
    const outcome = added.error === undefined
      ? await this.evaluate({ ...options, expression: '$0()', includeCommandLineAPI: true })
      : added;
    target.call('HeapProfiler.disable');
    return outcome;
  }

  /** Evaluates a text in the global scope. */
  evaluateGlobally({ expression, ...options }) {
    const text = `(0, eval)(${JSON.stringify(expression)})`;
    return this.evaluate({ ...options, expression: text });
  }

  evaluate({ timeout = LONGEST, ...options }, frame = this.callFrames[0]) {
    if (frame === undefined) return Promise.resolve(NO_FRAME);
    this.hasResults = true;
    const { callFrameId } = frame;
    const params = { objectGroup: GROUP, ...options, callFrameId, silent: true, timeout };
    return this.target.call('Debugger.evaluateOnCallFrame', params);
  }
}

module.exports = { Live, contextOf, isTerminated };
