// The scopes of the user's modules, when no function of theirs is on the stack.
//
// V8 shows a scope only with a function in it. It has a list of all functions of a context, and
// one whose text is in the source of a script is probably of that script: its location says so.
'use strict';

const GROUP = 'dapdock.modules';
const FUNCTIONS = '(function () {}).constructor.prototype';
/** The largest heap whose functions are listed, in bytes: the list needs a garbage collection. */
const LARGEST = 256 << 20;
/** How many scripts have their scope, and the characters of their texts. */
const MOST_SCRIPTS = 4;
const MOST_TEXT = 1 << 20;
/** How many functions of a script are tried, and the milliseconds of the search. */
const MOST_TRIED = 5;
const PATIENCE = 1000;
const MODULE = /^(Module|Closure)\b/;

/** Of a list of functions, some in each of these texts. */
const FIND = `function (most, ...texts) {
  const found = texts.map(() => []);
  for (const one of this) {
    const text = typeof one === 'function' ? Function.prototype.toString.call(one) : '';
    if (text.length < 10 || text.endsWith('{ [native code] }')) continue;
    for (let at = 0; at < texts.length; at += 1) {
      if (found[at].length < most && texts[at].includes(text)) found[at].push(one);
    }
  }
  return found.flat();
}`;

class Modules {
  constructor(target, live, sources) {
    this.target = target;
    this.live = live;
    this.sources = sources;
  }

  release() {
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  }

  /** A frame for each of the first modules of the user's, with the variables of the module. */
  async frames(usedSize) {
    if (!(usedSize <= LARGEST)) return [];
    const texts = await this.texts();
    if (texts.size === 0) return [];
    const frames = new Map();
    for (const objectId of await this.functions([...texts.values()])) {
      const frame = await this.frame(objectId);
      const scriptId = frame?.location.scriptId;
      if (texts.has(scriptId) && !frames.has(scriptId)) frames.set(scriptId, frame);
    }
    return [...frames.values()];
  }

  /** The sources of the user's scripts by their ids. */
  async texts() {
    const texts = new Map();
    let left = MOST_TEXT;
    for (const scriptId of this.sources.ofUser()) {
      const { result } = await this.target.call('Debugger.getScriptSource', { scriptId });
      const text = result?.scriptSource ?? '';
      left -= text.length;
      if (left > 0) texts.set(scriptId, text);
      if (left < 0 || texts.size === MOST_SCRIPTS) break;
    }
    return texts;
  }

  /** The ids of functions that are probably in these texts. */
  async functions(texts) {
    const { target } = this;
    const options = { objectGroup: GROUP, silent: true };
    const made = await target.call('Runtime.evaluate', { ...options, expression: FUNCTIONS });
    const prototypeObjectId = made.result?.result.objectId;
    const params = { prototypeObjectId, objectGroup: GROUP };
    const listed = await target.call('Runtime.queryObjects', params);
    const objectId = listed.result?.objects.objectId;
    if (objectId === undefined) return [];
    const found = await this.live.call({
      objectId,
      functionDeclaration: FIND,
      arguments: [MOST_TRIED, ...texts].map((value) => ({ value })),
      objectGroup: GROUP,
      timeout: PATIENCE,
    });
    const elements = await this.properties(found.result?.result.objectId);
    const isElement = ({ name, value }) => /^\d+$/.test(name) && value?.objectId !== undefined;
    return elements.result.filter(isElement).map(({ value }) => value.objectId);
  }

  /** The scope of a function's module as a frame at its beginning. */
  async frame(objectId) {
    const { internalProperties } = await this.properties(objectId);
    const internal = new Map(internalProperties.map(({ name, value }) => [name, value]));
    const scriptId = internal.get('[[FunctionLocation]]')?.value?.scriptId;
    const scopes = await this.properties(internal.get('[[Scopes]]')?.objectId);
    const own = scopes.result.filter(({ value }) => MODULE.test(value?.description ?? '')).pop();
    if (scriptId === undefined || own === undefined) return undefined;
    const location = { scriptId, lineNumber: 0, columnNumber: 0 };
    return {
      functionName: '(module)',
      url: this.sources.url({ location }),
      location,
      this: { type: 'undefined' },
      scopeChain: [{ type: 'module', object: own.value }],
    };
  }

  async properties(objectId) {
    if (objectId === undefined) return { result: [], internalProperties: [] };
    const params = { objectId, ownProperties: true };
    const { result } = await this.target.call('Runtime.getProperties', params);
    return { result: result?.result ?? [], internalProperties: result?.internalProperties ?? [] };
  }
}

module.exports = { Modules };
