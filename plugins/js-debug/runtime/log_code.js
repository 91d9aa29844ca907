// The conditions of log breakpoints, and what they call in the program.
//
// A condition of V8 runs in the frame that reaches the breakpoint, without a stop. That of a log
// breakpoint evaluates the expressions of the text, sends their values and is false. Values that
// are texts or numbers go through a binding, which costs little; other values go through V8's own
// console, which previews them as at a stop and runs no code of the program. A context whose global
// object has no writer yet stops there (logs.js).
'use strict';
const { Script } = require('vm');

/** The channel of Node whose subscriber records a hit among the program's output (output.js). */
const RECORDS = 'dapdock.hits';
/** The most characters of a text among the values. */
const LONGEST = 2000;
/** How many elements of an array and entries of a map V8 previews in time. */
const MOST_ELEMENTS = 100_000;
const MOST_ENTRIES = 10_000;
/** How many of them, and one more, a preview has. */
const PREVIEW_ELEMENTS = 101;
const PREVIEW_ENTRIES = 6;

/**
 * Sends the values of expressions, each with its kind: empty, or for an error what has failed. Runs
 * in the program.
 */
class Writer {
  constructor(key, call, print, types, records) {
    Object.assign(this, { key, call, print, types, records });
    /** Whether the breakpoint's own condition holds, and its error. */
    this.holds = true;
    this.failure = undefined;
    /** The values so far. */
    this.values = [];
    /** What the compiled code has for expressions that fail, by the number of the breakpoint. */
    this.others = {};
    /** Hits that wait for that. */
    this.waiting = {};
    /** Log breakpoints that may move, where it is known that they are at their lines. */
    this.found = {};
  }

  begin() {
    this.holds = true;
    this.failure = undefined;
    this.values = [];
  }

  /** The breakpoint's own condition. */
  test(value) {
    this.holds = Boolean(value);
  }

  fail(error) {
    this.failure = ['condition', error];
  }

  add(value) {
    this.values.push(['', value]);
  }

  addError(error) {
    this.values.push(['error', error]);
  }

  /** Sends the values. True if the compiled code may have others for those that failed. */
  end(id, run) {
    const others = this.others[id];
    if (others === undefined && this.values.some(([kind]) => kind === 'error')) {
      this.waiting[id] = [this.values, this.failure];
      return true;
    }
    this.values = this.values.map((one, at) =>
      (one[0] === 'error' && others[at] !== null ? read(run, others[at]) : one));
    this.send(id);
    return false;
  }

  /** Ends a hit that waits. */
  resume(id, run) {
    [this.values, this.failure] = this.waiting[id];
    delete this.waiting[id];
    return this.end(id, run);
  }

  send(id) {
    const all = this.failure === undefined ? this.values : [...this.values, this.failure];
    const texts = all.map((one) => shortText(one, this.types));
    const hit = { isRecorded: false };
    this.records?.publish(hit);
    if (!texts.includes(undefined)) {
      this.call(JSON.stringify([id, texts, hit.isRecorded]));
      return;
    }
    const parts = all.map((one) => part(one, this.types));
    const kinds = parts.map(([kind]) => kind);
    const objects = parts.map(([, value]) => value);
    this.print(this.key, JSON.stringify([id, kinds, hit.isRecorded]), ...objects);
  }
}

function read(run, text) {
  try {
    return ['', run(text)];
  } catch (error) {
    return ['error', error];
  }
}

/**
 * A text as it is; the text of another value in a list, with the kind of an error. Nothing for what
 * V8 has to preview.
 */
function shortText([kind, value], types) {
  if (kind !== '') {
    const title = titleOf(value, types);
    return title === undefined ? undefined : [cut(title), kind];
  }
  if (typeof value === 'string') return cut(value);
  return isPrimitive(value) ? [named(value)] : undefined;
}

/** How V8 describes what was thrown; nothing if it takes more than names and messages. */
function titleOf(error, { isNativeError, isProxy }) {
  if (isPrimitive(error)) return typeof error === 'string' ? error : named(error);
  if (!isNativeError(error)) return undefined;
  // An error of Node has it behind the name.
  if (Object.getOwnPropertyDescriptor(error, 'code') !== undefined) return undefined;
  const [name, message] = ['name', 'message'].map((key) => inherited(error, key, isProxy));
  if (typeof name !== 'string' || typeof message !== 'string' || name === '') return undefined;
  return message === '' ? name : `${name}: ${message}`;
}

/** A property, without running code: nothing for a getter. */
function inherited(object, key, isProxy) {
  for (let at = object; at !== null && !isProxy(at); at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** A value, or a smaller one with the description of the larger one as its kind. */
function part([kind, value], { isProxy, isMap, isSet }) {
  if (kind !== '') return [kind, value];
  if (typeof value === 'string') return ['', cut(value)];
  if (isPrimitive(value) || isProxy(value)) return ['', value];
  if (Array.isArray(value) && value.length > MOST_ELEMENTS) {
    const element = (_, at) => Object.getOwnPropertyDescriptor(value, at)?.value;
    return [`Array(${value.length})`, Array(PREVIEW_ELEMENTS).fill(0).map(element)];
  }
  for (const [is, type] of [[isMap, Map], [isSet, Set]]) {
    const size = is(value) ? sizeOf(value, type) : 0;
    if (size > MOST_ENTRIES) return [`${type.name}(${size})`, new type(first(value, type))];
  }
  return ['', value];
}

/** The size of a map or a set. */
function sizeOf(value, type) {
  return Object.getOwnPropertyDescriptor(type.prototype, 'size').get.call(value);
}

/** The first entries of a map, or values of a set. */
function first(value, type) {
  const some = [];
  for (const entry of type.prototype[Symbol.iterator].call(value)) {
    if (some.push(entry) === PREVIEW_ENTRIES) break;
  }
  return some;
}

function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function cut(text) {
  return text.length <= LONGEST ? text : text.slice(0, LONGEST) + '…';
}

/** The text of a value that is no text and no object. */
function named(value) {
  if (typeof value === 'bigint') return String(value) + 'n';
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * Makes a writer a property of the global object, in place of the binding: an inherited one, since
 * a debugger lists its own, and a context of `vm` is an object of the program.
 */
function install(key, binding) {
  const call = globalThis[binding];
  delete globalThis[binding];
  const load = globalThis.require ?? globalThis.process?.getBuiltinModule;
  const find = (name) => {
    try {
      return load(name);
    } catch {
      return undefined;
    }
  };
  const { log } = find('inspector')?.console ?? {};
  const print = log ?? ((_, head, ...values) => {
    const [id, kinds, isRecorded] = JSON.parse(head);
    const text = (value, at) => [Object.prototype.toString.call(value), kinds[at] || undefined];
    call(JSON.stringify([id, values.map(text), isRecorded]));
  });
  const no = () => false;
  const unknown = { isProxy: no, isNativeError: no, isMap: no, isSet: no };
  const records = find('diagnostics_channel')?.channel(RECORDS);
  const value = new Writer(key, call, print, find('util')?.types ?? unknown, records);
  const above = Object.getPrototypeOf(globalThis);
  const isApart = above !== null && above !== Object.prototype && Object.isExtensible(above);
  const property = { value, enumerable: false, configurable: true };
  Object.defineProperty(isApart ? above : globalThis, key, property);
}

const CONSTANTS = {
  RECORDS, LONGEST, MOST_ELEMENTS, MOST_ENTRIES, PREVIEW_ELEMENTS, PREVIEW_ENTRIES,
};

/** The name of the binding that a writer with this key calls. */
function bindingOf(key) {
  return `${key}.send`;
}

/** An expression that installs a writer under this key, where its binding is. */
function installation(key) {
  const constants = Object.entries(CONSTANTS).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  const used = [
    Writer, read, shortText, titleOf, inherited, part, sizeOf, first, isPrimitive, cut, named,
    install,
  ];
  const parts = [...constants, ...used].join('\n');
  const names = [key, bindingOf(key)].map((name) => JSON.stringify(name)).join(', ');
  const text = `(() => {\n${parts}\ninstall(${names});\n})()`;
  return `(0, eval)(${JSON.stringify(text)})`;
}

/** Whether V8 reads the text as one expression in any code. */
function isReadable(text) {
  try {
    return new Script(`'use strict';read((${text}\n))`) !== undefined;
  } catch {
    return false;
  }
}

/** The URL of conditions: each pass is a script of its own for V8. */
const URL = 'dapdock.log';
const NAMED = `//# sourceURL=${URL}`;
/** Evaluates a text in the frame. */
const RUN = 'dapdock_text=>eval(dapdock_text)';

function writerOf(key) {
  return `globalThis[${JSON.stringify(key)}]`;
}

/**
 * The condition of a log breakpoint, as short as it can be: V8 compiles it at each pass. True where
 * the context has no writer, where it is not known whether the breakpoint is at its line, or where
 * an expression fails for which the compiled code may have another.
 */
function condition(key, id, { expressions, own, isMoving }) {
  const caught = (text, call) => `try{${text}}catch(dapdock_error){${call}(dapdock_error)}`;
  const added = expressions.map((text) => (isReadable(text)
    ? caught(`dapdock_log.add((${text}\n))`, 'dapdock_log.addError')
    : 'dapdock_log.addError();'));
  const values = `${added.join('')}dapdock_log.end(${id},${RUN})`;
  const test = own && caught(`dapdock_log.test((${own}\n))`, 'dapdock_log.fail');
  const inner = own === null ? values : `${test}if(dapdock_log.holds){${values}}else false`;
  const isUnknown = isMoving ? `||!dapdock_log.found[${id}]` : '';
  return `{let dapdock_log=${writerOf(key)};if(!dapdock_log${isUnknown})true;` +
    `else{dapdock_log.begin();${inner}}}${NAMED}`;
}

/** The same at a pause, where it is known that the breakpoint is at its line. True if it waits. */
function conditionAtPause(key, id, log) {
  const text = condition(key, id, { ...log, isMoving: false });
  const found = log.isMoving ? `${writerOf(key)}.found[${id}]=true;` : '';
  return `${found}if(${writerOf(key)}.waiting[${id}])true;else${text}`;
}

/** Ends a hit that waits, where these are the expressions in the compiled code. */
function resumption(key, id, expressions, compiled) {
  const others = compiled.map((text, at) => {
    const isReadAgain = text !== expressions[at] || !isReadable(text);
    return isReadAgain ? `${isReadable(text) ? `(${text}\n)` : text}\n${NAMED}` : null;
  });
  return `${writerOf(key)}.others[${id}]=${JSON.stringify(others)};` +
    `${writerOf(key)}.resume(${id},${RUN})${NAMED}`;
}

module.exports = {
  RECORDS, URL, bindingOf, condition, conditionAtPause, installation, resumption,
};
