// Frames of functions that have ended, with the variables they had at a pause.
//
// V8 copies the variables of a frame into objects when it pauses (debug-scopes.cc, `ScopeObject`).
// One command puts the objects of all frames into an array, which keeps them alive after the pause.
// A later pause has the frames under ids of their own, and expressions are evaluated with these
// objects in place of the scopes. Does not know why a pause is captured.
'use strict';
const { TAKEN } = require('./cdp.js');
const { contextOf } = require('./live.js');
const { isExpression } = require('./sources.js');

/** The groups of objects of captured pauses, each with a number behind it. */
const GROUP = 'dapdock.frames.';
/** How many captured pauses are alive, and how many frames of each have variables. */
const MOST_PAUSES = 8;
const MOST_FRAMES = 20;
const ID = 'dapdock.frame.';
const ENDED = 'this function has ended: its variables cannot change';

/** The names that parameters of a function can have. */
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const RESERVED = ['this', 'arguments', 'eval', 'await', 'yield', 'new', 'super'];

/** Makes an array of the arguments. */
const COLLECT = 'function (...all) { return all; }';
/** The index of the array whose first element is `this`. */
const FIND = `function () {
  'use strict';
  return [...arguments].findIndex((one) => one[0] === this);
}`;

/**
 * The own property of an error while it is looked for: this symbol is the same in every context, and
 * an object of one is no argument of a call in another.
 */
const MARK = "Symbol.for('dapdock.error')";
const PUT_MARK = `function (value) {
  Reflect.defineProperty(this[0], ${MARK}, { value, configurable: true });
}`;
const READ_MARK = `function () {
  return Reflect.getOwnPropertyDescriptor(this, ${MARK})?.value;
}`;
const REMOVE_MARK = `function () {
  Reflect.deleteProperty(this[0], ${MARK});
}`;

/** The objects of a pause: the error first. */
function objectsOf({ data, callFrames }) {
  const objects = [data];
  for (const frame of callFrames.slice(0, MOST_FRAMES)) {
    objects.push(frame.this, ...frame.scopeChain.map((scope) => scope.object));
  }
  return objects.flatMap((object) => (object?.objectId === undefined ? [] : [object.objectId]));
}

/** Whether two values that are no objects are equal. */
function equal(one, other) {
  return ['type', 'value', 'unserializableValue', 'description'].every(
    (key) => one[key] === other[key],
  );
}

/**
 * Whether Node's error for a rejection names this value as the reason. It has values that are no
 * objects as texts, and objects by their class.
 */
function isReason({ objectId, subtype, type, value, unserializableValue, description }, text) {
  if (subtype === 'error') return false;
  if (type === 'bigint') return text.includes(`"${unserializableValue.slice(0, -1)}"`);
  if (objectId === undefined || type === 'symbol') {
    return text.includes(`"${unserializableValue ?? description ?? value}"`);
  }
  return /reason "(#<|\[object |function|class|\()/.test(text);
}

class Frames {
  constructor(target, live) {
    this.target = target;
    this.live = live;
    this.pauses = [];
    this.open = new Map();
    /** The number of the last group, and the captured pause of the open frames. */
    this.last = 0;
    this.openPause = undefined;
  }

  /** Captures the error and the frames of a pause. The debuggee may be resumed at once. */
  capture(params) {
    this.pauses.push(this.holder(params, objectsOf(params)));
    if (this.pauses.length > MOST_PAUSES) this.release(this.pauses.shift());
  }

  /** A pause with objects that stay alive until it is released. */
  holder(params, objectIds) {
    this.last += 1;
    const group = GROUP + this.last;
    return { params, group, arrays: this.collect(objectIds, group) };
  }

  /** Arrays of the objects, one for each context, as the promise of a list. */
  collect(objectIds, group) {
    const lists = new Map();
    for (const objectId of new Set(objectIds)) {
      const list = lists.get(contextOf(objectId)) ?? [];
      lists.set(contextOf(objectId), [...list, objectId]);
    }
    return Promise.all([...lists.values()].map((list) => this.array(list, group)));
  }

  async array(list, objectGroup) {
    const { result } = await this.target.call('Runtime.callFunctionOn', {
      functionDeclaration: COLLECT,
      objectId: list[0],
      arguments: list.map((objectId) => ({ objectId })),
      objectGroup,
      silent: true,
    });
    return { list, objectId: result?.result?.objectId };
  }

  release({ group }) {
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: group });
  }

  /** The captured pause with this error, with objects that are alive; none if there is none. */
  async take(error) {
    return this.remove(await this.find(error, [...this.pauses].reverse()));
  }

  /** The captured pause with the reason that Node's error names, as `take` does. */
  takeReason(text) {
    const others = this.pauses.filter(({ params }) => params.data?.subtype !== 'error').reverse();
    return this.remove(others.find(({ params }) => isReason(params.data, text)) ?? others[0]);
  }

  async remove(pause) {
    if (pause === undefined) return undefined;
    this.pauses = this.pauses.filter((one) => one !== pause);
    this.openPause = pause;
    const alive = new Map();
    for (const { list, objectId } of await pause.arrays) {
      for (const [at, object] of await this.elements(objectId)) alive.set(list[at], object);
    }
    return this.opened(pause.params, alive);
  }

  /** The first of the pauses that has this error. */
  async find(error, pauses) {
    if (error.objectId === undefined) {
      return pauses.find(({ params }) => equal(params.data, error));
    }
    const near = [];
    const far = [];
    for (const pause of pauses) {
      const first = pause.params.data.objectId;
      if (first === undefined) continue;
      const array = (await pause.arrays).find(({ list }) => list[0] === first);
      if (array?.objectId === undefined) continue;
      const isNear = contextOf(first) === contextOf(error.objectId);
      (isNear ? near : far).push({ pause, objectId: array.objectId });
    }
    const list = near.map(({ objectId }) => ({ objectId }));
    const at = near.length > 0 ? await this.value(error, FIND, list) : -1;
    return near[at]?.pause ?? this.findFar(error, far);
  }

  /**
   * The first pause whose error is this one, though V8 has it as an object of another context, as
   * errors of `vm` are. The program does not run until the marks are removed. A proxy would run its
   * handler, and a frozen error is not found.
   */
  async findFar(error, pauses) {
    const marked = pauses.filter(({ pause }) => pause.params.data.subtype !== 'proxy');
    if (marked.length === 0 || error.subtype === 'proxy') return undefined;
    // Last to first: of marks on one error, the first pause's stays.
    for (const [at, array] of [...marked.entries()].reverse()) {
      this.value(array, PUT_MARK, [{ value: at }]);
    }
    const found = this.value(error, READ_MARK);
    for (const array of marked) this.value(array, REMOVE_MARK);
    return marked[await found]?.pause;
  }

  /** What a function returns for an object, if it is no object itself. */
  async value({ objectId }, functionDeclaration, list = []) {
    const { result } = await this.target.call('Runtime.callFunctionOn', {
      functionDeclaration,
      objectId,
      arguments: list,
      returnByValue: true,
      silent: true,
    });
    return result?.result?.value;
  }

  /** The elements of an array by their index. */
  async elements(objectId) {
    if (objectId === undefined) return [];
    const { result } = await this.target.call('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
    return (result?.result ?? []).filter(({ name }) => /^\d+$/.test(name)).map(
      ({ name, value }) => [+name, value],
    );
  }

  /** The frames with ids of their own, until the next pause. */
  add(callFrames) {
    return callFrames.map((frame) => {
      const own = { ...frame, callFrameId: ID + this.open.size };
      this.open.set(own.callFrameId, own);
      return own;
    });
  }

  /** The pause with frames whose objects are alive. */
  opened(params, alive) {
    const live = (object) => (object?.objectId === undefined ? object : alive.get(object.objectId));
    const callFrames = params.callFrames.map((frame) => {
      const scopeChain = frame.scopeChain.flatMap((scope) => {
        const object = live(scope.object);
        return object === undefined ? [] : [{ ...scope, object }];
      });
      return { ...frame, this: live(frame.this) ?? { type: 'undefined' }, scopeChain };
    });
    const data = live(params.data) ?? params.data;
    return { ...params, data, callFrames: this.add(callFrames) };
  }

  /** A pause with the frames of an error's stack, without variables. */
  async ofStack(error) {
    if (error.objectId === undefined) return undefined;
    const { result } = await this.target.call('Runtime.getExceptionDetails', {
      errorObjectId: error.objectId,
    });
    const stack = result?.exceptionDetails?.stackTrace?.callFrames ?? [];
    const callFrames = stack.map(({ functionName, scriptId, url, lineNumber, columnNumber }) => ({
      functionName,
      url,
      location: { scriptId, lineNumber, columnNumber },
      this: { type: 'undefined' },
      scopeChain: [],
    }));
    return this.opened({ data: { ...error, uncaught: true }, callFrames }, new Map());
  }

  /** No frame of an ended function is visible any more. */
  close() {
    this.open.clear();
    if (this.openPause !== undefined) this.release(this.openPause);
    this.openPause = undefined;
  }

  /** Answers an evaluation in such a frame. */
  evaluates(message) {
    if (!this.open.has(message.params.callFrameId)) return undefined;
    this.run(message.params)
      .catch((error) => ({ error: { code: -32000, message: error.message } }))
      .then((outcome) => this.target.answer(message, outcome));
    return TAKEN;
  }

  /** The outcome of an evaluation, in such a frame or in one that runs. */
  async run(params) {
    const frame = this.open.get(params.callFrameId);
    if (frame !== undefined) return this.evaluate(frame, params);
    return this.target.call('Debugger.evaluateOnCallFrame', params);
  }

  async evaluate(frame, { callFrameId, expression, ...options }) {
    const scopes = frame.scopeChain.filter(({ type }) => type !== 'global');
    const objectId = frame.this.objectId ?? scopes[0]?.object.objectId;
    if (objectId === undefined) return this.live.evaluateGlobally({ ...options, expression });
    const variables = await this.variables(scopes);
    const names = [...variables.keys()];
    return this.live.call({
      ...options,
      objectId,
      functionDeclaration: evaluator(names, expression, frame.this.objectId !== undefined),
      arguments: names.map((name) => toArgument(variables.get(name))),
    });
  }

  /** The variables of scopes by their names, the innermost of each. */
  async variables(scopes) {
    const read = ({ object: { objectId } }) =>
      this.target.call('Runtime.getProperties', { objectId, ownProperties: true });
    const variables = new Map();
    for (const { result } of await Promise.all(scopes.map(read))) {
      for (const { name, value } of result?.result ?? []) {
        const isOwn = value !== undefined && IDENTIFIER.test(name) && !RESERVED.includes(name);
        if (isOwn && !variables.has(name)) variables.set(name, value);
      }
    }
    return variables;
  }

  /** Refuses a command that would change such a frame. */
  refuses(message) {
    if (!this.open.has(message.params.callFrameId)) return undefined;
    this.target.answer(message, { error: { code: -32000, message: ENDED } });
    return TAKEN;
  }
}

/** A value as an argument. */
function toArgument({ objectId, unserializableValue, value }) {
  if (objectId !== undefined) return { objectId };
  return unserializableValue === undefined ? { value } : { unserializableValue };
}

/** A function that evaluates a text with these variables: what it assigns is lost. */
function evaluator(names, text, hasThis) {
  const body = isExpression(text) ? `return (${text}\n);` : `return eval(${JSON.stringify(text)});`;
  const inner = hasThis ? body : `return (function () { ${body} }).call(undefined);`;
  return `function (${names.join(', ')}) { ${inner} }`;
}

module.exports = { Frames, isReason };
