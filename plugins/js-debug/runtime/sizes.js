// Values so large that reading all of them stops the debugger for seconds: they are read in part.
//
// V8 sends a string in full, lists all keys of an array and makes an object of every entry of a map
// before it sends a few of them. Of an error it runs getters for the text, and of an object with a
// method `splice` that for `length`. A function in the debuggee looks for such values among the
// properties of an object (parts.js). What it finds has the preview of its first elements, and
// entries of a map are read when js-debug reads a page of them.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');
const { isTerminated } = require('./live.js');
const { entries, listed, look, names, page, probe, survey } = require('./parts.js');
const { NODES_OWN, tidy } = require('./previews.js');
const { isExpression } = require('./sources.js');

/**
 * The milliseconds of a look at an object, of one at a single property, and of one that leaves out
 * the properties whose own code does not end, as that of a `Proxy`.
 */
const LOOK = 500;
const LOOK_AT_ONE = 100;
const LOOK_AT_OTHERS = 5000;
/** The property of an object at which the look took longer. */
const NOT_LISTED = {
  name: '…',
  value: { type: 'string', value: 'its properties were not listed in time' },
  configurable: true,
  enumerable: true,
  isOwn: true,
};
/**
 * The beginning of js-debug's function that makes a text of a value, up to the value and behind it
 * (templates/serializeForClipboard.ts).
 */
const COPIES = new RegExp(
  /^(\(\(\)\s*=>\s*\{\s*(?:let|const|var) \w+\s*=)([^]*?)/.source +
    /(;\s*(?:let|const|var) \w+\s*=\s*2;)/.source,
);
/** The most characters of such a text. */
const LONGEST_COPY = 1_000_000;
const CUT = `(value => {
  const owner = { symbol: Symbol, function: Function }[typeof value];
  const text = owner === undefined ? value : owner.prototype.toString.call(value);
  if (typeof text !== 'string' || text.length <= ${LONGEST_COPY}) return value;
  return text.slice(0, ${LONGEST_COPY}) + '… (' + text.length + ' characters)';
})`;
/** js-debug's function that copies a range of elements (templates/getArraySlots.ts). */
const SLOTS =
  /^\(?function\s*\(\w+,\s*\w+\)\s*\{[^]*this\.length[^]*getOwnPropertyDescriptor\(this,/;
/** Its function that copies what is no element (templates/getArrayProperties.ts). */
const NAMES = /^\(?function\s*\(\)\s*\{[^}]*__proto__:\s*this\.__proto__\b[^]*getOwnPropertyNames/;
/** V8's list of the entries of a map or a set. */
const ENTRIES = '[[Entries]]';
/** What V8 alone knows of an object and js-debug displays without a preview. */
const UNSEEN = [ENTRIES, '[[Prototype]]', '[[Scopes]]', '[[FunctionLocation]]'];
const ALL = 'function (...all) { return all; }';

/** Properties as a reader sees them, with V8's previews. */
function tidied(read) {
  const { result: properties, internalProperties = [] } = read.result ?? {};
  if (properties === undefined) return read;
  for (const { value } of [...properties, ...internalProperties]) tidy(value?.preview);
  read.result.result = properties.filter(({ name }) => !NODES_OWN.includes(name));
  return read;
}

/** The preview of a part as that of the whole. */
function asWhole(preview, { description }) {
  const size = /\((\d+)\)$/.exec(description)?.[1];
  const properties = preview.properties.map((one) =>
    one.name === 'size' && size !== undefined ? { ...one, value: size } : one,
  );
  return { ...preview, description, overflow: true, properties };
}

class Sizes {
  constructor(target, live, frames, effects) {
    this.target = target;
    this.live = live;
    this.effects = effects;
    this.frames = frames;
    /** What is read in place of objects, by their ids. */
    this.found = new Map();
    /** The maps and sets of lists of entries, and those of which V8 does not list all. */
    this.owners = new Map();
    this.large = new Set();
    this.commands = new Map([
      ['Runtime.getProperties', (message) => this.onRead(message)],
      ['Runtime.callFunctionOn', (message) => this.onCall(message)],
      ['Debugger.evaluateOnCallFrame', (message) => this.onEvaluate(message)],
    ]);
    this.events = new Map([['Debugger.paused', () => this.onPaused()]]);
  }

  onPaused() {
    this.found.clear();
    this.owners.clear();
    this.large.clear();
  }

  take(message, outcome) {
    outcome
      .catch((error) => ({ error: { code: -32000, message: error.message } }))
      .then((answer) => this.target.answer(message, answer));
    return TAKEN;
  }

  onRead(message) {
    const { ownProperties, accessorPropertiesOnly } = message.params;
    const isRead = this.live.isPaused() && (ownProperties || accessorPropertiesOnly);
    return isRead ? this.take(message, this.read(message.params)) : undefined;
  }

  /** An expression's value is read as the element of an array. */
  onEvaluate(message) {
    const { params } = message;
    if (params.generatePreview && !params.returnByValue && isExpression(params.expression)) {
      return this.take(message, this.evaluate(params));
    }
    const [copies, before, value, after] = COPIES.exec(params.expression) ?? [];
    if (copies === undefined) return this.frames.evaluates(message);
    const rest = params.expression.slice(copies.length);
    params.expression = `${before}${CUT}(${value})${after}${rest}`;
    return this.frames.evaluates(message) ?? CHANGED;
  }

  onCall(message) {
    const { objectId, functionDeclaration = '', arguments: list } = message.params;
    if (NAMES.test(functionDeclaration)) {
      message.params.functionDeclaration = names;
      return CHANGED;
    }
    const owner = this.owners.get(objectId);
    if (owner === undefined || !SLOTS.test(functionDeclaration)) return undefined;
    const [start, count] = list.map(({ value }) => value);
    if (this.large.has(objectId)) return this.take(message, this.page(owner, start, count));
    message.params.functionDeclaration = page;
    message.params.arguments = pageOf(0, start, count, owner);
    return CHANGED;
  }

  async evaluate({ generatePreview, expression, ...params }) {
    const made = { ...params, expression: `[(${expression}\n)]` };
    const outcome = await this.effects.run(made);
    const { objectId } = outcome.result?.result ?? {};
    if (objectId === undefined || outcome.result.exceptionDetails) return outcome;
    const read = await this.read({ objectId, ownProperties: true, generatePreview });
    const element = read.result?.result.find(({ name }) => name === '0');
    return element === undefined ? read : { result: { result: element.value } };
  }

  /** Properties of an object, or of what is read in its place. */
  async read(params) {
    const found = this.found.get(params.objectId) ?? this.look(params.objectId);
    this.found.set(params.objectId, found);
    const { isEndless, copy, previews, parts, size } = await found;
    if (isEndless) return { result: { result: params.ownProperties ? [NOT_LISTED] : [] } };
    const own = { ...params, objectId: copy ?? params.objectId };
    const isOther = params.generatePreview && previews !== undefined && params.ownProperties;
    if (isOther) own.generatePreview = false;
    const read = tidied(await this.target.call('Runtime.getProperties', own));
    await this.addInternal(read.result, params.objectId, size);
    if (isOther) await this.addPreviews(read.result?.result ?? [], previews, parts);
    return read;
  }

  /** Looks for what is too large in an object, without effects; see `survey`. */
  async look(objectId, isProbed) {
    const called = await this.survey(objectId, isProbed);
    if (called === undefined) return { isEndless: true };
    const id = called.result?.exceptionDetails ? undefined : called.result?.result.objectId;
    if (id === undefined) return {};
    const values = new Map();
    for (const { name, value } of await this.properties(id)) values.set(name, value);
    if (values.has('isRisky')) return this.look(objectId, await this.probe(objectId));
    return {
      copy: values.get('copy')?.objectId,
      previews: values.get('previews')?.objectId,
      parts: values.get('parts')?.value.split('\n'),
      size: values.get('size')?.value,
    };
  }

  /** Whether getters that V8 runs for the properties of an object change nothing, and end. */
  async probe(objectId) {
    const limits = { throwOnSideEffect: true, timeout: LOOK };
    const called = await this.live.call({ objectId, functionDeclaration: probe, ...limits });
    return called.error === undefined && called.result?.exceptionDetails === undefined;
  }

  /** The outcome of `survey`; nothing if it does not end. */
  async survey(objectId, isProbed) {
    const call = (functionDeclaration, timeout, list = []) =>
      this.live.call({
        objectId,
        functionDeclaration,
        arguments: list.map((value) => ({ value })),
        throwOnSideEffect: true,
        timeout,
      });
    const called = await call(survey, LOOK, [isProbed]);
    if (!isTerminated(called)) return called;
    const names = await call(listed, LOOK_AT_ONE);
    if (isTerminated(names)) return undefined;
    const hidden = [];
    for (const { name, value } of await this.properties(names.result?.result.objectId)) {
      if (!/^\d+$/.test(name)) continue;
      if (isTerminated(await call(look, LOOK_AT_ONE, [value.value]))) hidden.push(value.value);
    }
    const others = await call(survey, LOOK_AT_OTHERS, [isProbed, ...hidden]);
    return isTerminated(others) ? undefined : others;
  }

  async properties(objectId, generatePreview = false) {
    const params = { objectId, ownProperties: true, generatePreview };
    const { result } = await this.target.call('Runtime.getProperties', params);
    return result?.result ?? [];
  }

  /** Completes what V8 alone knows of an object: the list of entries, and previews. */
  async addInternal(result, objectId, size) {
    const internal = result?.internalProperties ?? [];
    const list = internal.find(({ name }) => name === ENTRIES)?.value;
    if (list?.objectId !== undefined) this.owners.set(list.objectId, objectId);
    if (list?.objectId !== undefined && size !== undefined) {
      // All of them seem to be in it.
      list.description = `Array(${size})`;
      this.large.add(list.objectId);
    }
    const isPlain = ({ name, value }) =>
      !UNSEEN.includes(name) && value?.type === 'object' && value.objectId !== undefined;
    const values = internal.filter(isPlain).map(({ value }) => value);
    if (values.length > 0) await this.preview(values);
  }

  /** Adds their previews to values. */
  async preview(values) {
    const [{ objectId }] = values;
    const list = values.map((value) => ({ objectId: value.objectId }));
    const collect = { objectId, functionDeclaration: ALL, arguments: list, silent: true };
    const { result } = await this.target.call('Runtime.callFunctionOn', collect);
    const all = { objectId: result?.result.objectId, ownProperties: true, generatePreview: true };
    for (const { name, value } of (await this.read(all)).result?.result ?? []) {
      if (/^\d+$/.test(name)) values[name].preview = value?.preview;
    }
  }

  /** The previews of values; those of large ones are previews of their parts. */
  async addPreviews(properties, objectId, parts) {
    const previews = new Map();
    for (const { name, value } of await this.properties(objectId, true)) {
      tidy(value?.preview);
      previews.set(name, value?.preview);
    }
    for (const { name, value } of properties) {
      const preview = previews.get(name);
      if (value === undefined || preview === undefined) continue;
      value.preview = parts.includes(name) ? asWhole(preview, value) : preview;
    }
  }

  /** A range of a map's entries, as V8 has them: in the list of a map with these alone. */
  async page(objectId, start, count) {
    const call = (params) =>
      this.target.call('Runtime.callFunctionOn', { ...params, silent: true });
    const range = [{ value: start }, { value: count }];
    const part = await call({ objectId, functionDeclaration: entries, arguments: range });
    const { result } = await this.target.call('Runtime.getProperties', {
      objectId: part.result?.result.objectId,
      ownProperties: true,
    });
    const list = result?.internalProperties?.find(({ name }) => name === ENTRIES)?.value;
    const all = pageOf(start, 0, -1, objectId);
    return call({ objectId: list?.objectId, functionDeclaration: page, arguments: all });
  }
}

/** The arguments of `page`. */
function pageOf(start, from, count, objectId) {
  return [...[start, from, count].map((value) => ({ value })), { objectId }];
}

module.exports = { Sizes };
