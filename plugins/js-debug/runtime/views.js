// What a pause says of its frames: the content of `this`, and which variables are not yet set.
//
// V8 has no preview of `this`, and lists a `let`, `const` or `class` before its declaration as
// undefined, or with the value that it had in the last pass of a loop (debug-scopes.cc). A scope
// with such variables is replaced by a copy, in which they have a value of their own. A pause that
// another filter reports comes here too.
'use strict';
const { TAKEN } = require('./cdp.js');

/** How many frames of the user's are read. */
const MOST_FRAMES = 5;
const GROUP = 'dapdock.views';
const LOCAL = ['block', 'catch', 'local', 'module', 'script', 'with'];
/** Stands for the value of a variable that is not yet set. */
const UNSET = 'dapdock.unset';

const SELF = 'function () { return this; }';
/** Copies of scopes, innermost first, with the mark; null for a scope without such variables. */
const COPY = `function (unset, ...scopes) {
  return scopes.map((scope) => {
    const has = (name) => Object.getOwnPropertyDescriptor(scope, name) !== undefined;
    const own = Object.keys(unset).filter((name) => has(name) && unset[name].shift());
    if (own.length === 0) return null;
    const copy = Object.create(null, Object.getOwnPropertyDescriptors(scope));
    const value = Symbol('${UNSET}');
    for (const name of own) Object.defineProperty(copy, name, { value, enumerable: true });
    return copy;
  });
}`;

class Views {
  constructor(target, sources) {
    this.target = target;
    this.sources = sources;
    this.commands = new Map();
    this.events = new Map([['Debugger.paused', ({ params }) => this.onPaused(params)]]);
    const emit = target.emit.bind(target);
    this.emit = (params) => emit('Debugger.paused', params);
    target.emit = (method, params) =>
      method === 'Debugger.paused' ? this.onPaused(params) : emit(method, params);
  }

  onPaused(params) {
    // Other filters may have the frames as they are.
    const callFrames = params.callFrames.map((frame) => ({
      ...frame,
      this: { ...frame.this },
      scopeChain: frame.scopeChain.map((scope) => ({ ...scope })),
    }));
    this.read(callFrames)
      .catch(() => {})
      .then(() => this.emit({ ...params, callFrames }));
    return TAKEN;
  }

  /** Adds to the frames of a pause what V8 leaves out. */
  async read(callFrames) {
    const own = callFrames.filter((frame) => this.sources.isUsers(frame)).slice(0, MOST_FRAMES);
    await Promise.all(own.flatMap((frame) => [this.preview(frame.this), this.mark(frame)]));
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  }

  async preview(object) {
    const isPlain = object?.objectId !== undefined && object.subtype === undefined;
    if (!isPlain || object.type !== 'object' || object.className === 'global') return;
    const { result } = await this.target.call('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: SELF,
      generatePreview: true,
      objectGroup: GROUP,
      silent: true,
    });
    if (result?.result?.preview !== undefined) object.preview = result.result.preview;
  }

  /** Marks the variables of a frame that are not yet set. */
  async mark({ location, scopeChain }) {
    const unset = await this.sources.unset(location);
    const scopes = scopeChain.filter(({ type, object }) => LOCAL.includes(type) && object.objectId);
    if (Object.keys(unset).length === 0 || scopes.length === 0) return;
    const { result } = await this.target.call('Runtime.callFunctionOn', {
      objectId: scopes[0].object.objectId,
      functionDeclaration: COPY,
      arguments: [{ value: unset }, ...scopes.map(({ object: { objectId } }) => ({ objectId }))],
      silent: true,
    });
    const objectId = result?.result?.objectId;
    if (objectId === undefined || result.exceptionDetails !== undefined) return;
    const list = await this.target.call('Runtime.getProperties', { objectId, ownProperties: true });
    for (const { name, value } of list.result?.result ?? []) {
      const scope = scopes[+name];
      if (scope !== undefined && value?.objectId !== undefined) {
        scope.object = { ...scope.object, objectId: value.objectId };
      }
    }
  }
}

module.exports = { Views };
