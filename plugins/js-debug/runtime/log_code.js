// The conditions of log breakpoints, and what they call in the program.
//
// A condition of V8 runs in the frame that reaches the breakpoint, without a stop. That of a log
// breakpoint evaluates the expressions of the text, sends their values and is false. Values that
// are texts or numbers go through a binding, which costs little; other values go through V8's own
// console, which previews them as at a stop and runs no code of the program. A context whose global
// object has no writer yet stops there (logs.js).
'use strict';
const { Script } = require('vm');

/** The most characters of a text among the values. */
const LONGEST = 2000;
/** How many elements of an array and entries of a map V8 previews in time. */
const MOST_ELEMENTS = 100_000;
const MOST_ENTRIES = 10_000;
/** How many of them, and one more, a preview has. */
const PREVIEW_ELEMENTS = 101;
const PREVIEW_ENTRIES = 6;

/** An expression that failed. */
class Failure {
  constructor(error) {
    this.error = error;
  }
}

/** Sends values of expressions; runs in the program. */
class Writer {
  constructor(key, call, print, isProxy) {
    Object.assign(this, { key, call, print, isProxy });
    /** The values so far; none before the breakpoint's own condition holds. */
    this.values = undefined;
    /** The texts of the expressions in the compiled code, by the number of the log breakpoint. */
    this.texts = {};
    /** Log breakpoints that may move, where it is known that they are at their lines. */
    this.found = {};
  }

  /** The breakpoint's own condition is evaluated next. */
  begin() {
    this.values = undefined;
  }

  /** The expressions are evaluated next. */
  hold() {
    this.values = [];
  }

  add(value) {
    this.values.push(value);
  }

  /** Evaluates what an error has left out. True if the texts are not known here. */
  fail(id, error, run) {
    const texts = this.texts[id];
    if (texts === undefined) return true;
    const failure = new Failure(error);
    if (this.values === undefined) {
      this.values = texts.map(([text]) => read(run, text));
      return this.send(id, failure);
    }
    const rest = texts.slice(this.values.length);
    const others = rest.map(([text, isOther], at) =>
      (at === 0 && !isOther ? failure : read(run, text)));
    this.values.push(...others);
    return this.send(id);
  }

  /** Sends the values, and the error of the breakpoint's own condition, if that failed. */
  send(id, failure) {
    const { values } = this;
    if (failure === undefined && values.every(isPrimitive)) {
      const texts = values.map((one) => (typeof one === 'string' ? cut(one) : [named(one)]));
      this.call(JSON.stringify([id, texts]));
      return false;
    }
    const parts = values.map((value) => part(value, this.isProxy));
    const kinds = parts.map(([kind]) => kind);
    const objects = parts.map(([, value]) => value);
    if (failure !== undefined) {
      kinds.push('condition');
      objects.push(failure.error);
    }
    this.print(this.key, JSON.stringify([id, kinds]), ...objects);
    return false;
  }
}

function read(run, text) {
  try {
    return run(text);
  } catch (error) {
    return new Failure(error);
  }
}

/** A value with its kind: `error`, the description of a larger one, or nothing. */
function part(value, isProxy) {
  if (value instanceof Failure) return ['error', value.error];
  if (typeof value === 'string') return ['', cut(value)];
  if (typeof value !== 'object' || value === null || isProxy(value)) return ['', value];
  if (Array.isArray(value) && value.length > MOST_ELEMENTS) {
    const element = (_, at) => Object.getOwnPropertyDescriptor(value, at)?.value;
    return [`Array(${value.length})`, Array(PREVIEW_ELEMENTS).fill(0).map(element)];
  }
  for (const [name, type] of [['Map', Map], ['Set', Set]]) {
    const size = sizeOf(value, type);
    if (size > MOST_ENTRIES) return [`${name}(${size})`, new type(first(value, type))];
  }
  return ['', value];
}

/** The size of a map or a set; 0 of another object. */
function sizeOf(value, type) {
  if (!(value instanceof type)) return 0;
  try {
    return Object.getOwnPropertyDescriptor(type.prototype, 'size').get.call(value);
  } catch {
    return 0; // an object with this prototype alone
  }
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

/** Puts a writer into the global object, in place of the binding. */
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
    const [id] = JSON.parse(head);
    call(JSON.stringify([id, values.map((value) => [Object.prototype.toString.call(value)])]));
  });
  const isProxy = find('util')?.types.isProxy ?? (() => false);
  const value = new Writer(key, call, print, isProxy);
  Object.defineProperty(globalThis, key, { value, enumerable: false, configurable: true });
}

const CONSTANTS = { LONGEST, MOST_ELEMENTS, MOST_ENTRIES, PREVIEW_ELEMENTS, PREVIEW_ENTRIES };

/** The name of the binding that a writer with this key calls. */
function bindingOf(key) {
  return `${key}.send`;
}

/** An expression that installs a writer under this key, where its binding is. */
function installation(key) {
  const constants = Object.entries(CONSTANTS).map(([name, value]) => `const ${name} = ${value};`);
  const used = [
    Failure, Writer, read, part, sizeOf, first, isPrimitive, cut, named, install,
  ];
  const parts = [...constants, ...used].join('\n');
  const names = [key, bindingOf(key)].map((name) => JSON.stringify(name)).join(', ');
  const text = `(() => {\n${parts}\ninstall(${names});\n})()`;
  return `(0, eval)(${JSON.stringify(text)})`;
}

/** Whether V8 reads the text as one expression. */
function isReadable(text) {
  try {
    return new Script(`(${text}\n)`) !== undefined;
  } catch {
    return false;
  }
}

/** The URL of conditions: each pass is a script of its own for V8. */
const URL = 'dapdock.log';

/**
 * The condition of a log breakpoint, as short as it can be: V8 compiles it at each pass. True where
 * the context has no writer, where it is not known whether the breakpoint is at its line, or where
 * an expression fails whose text in the compiled code is not known.
 */
function condition(key, id, { expressions, own, isMoving }) {
  const writer = `globalThis[${JSON.stringify(key)}]`;
  const added = expressions.map((text) =>
    (isReadable(text) ? `${writer}.add((${text}\n));` : `${writer}.unreadable();`));
  const values = `${writer}.hold();${added.join('')}${writer}.send(${id})`;
  const inner = own === null ? values : `${writer}.begin();if(${own}\n){${values}}else false`;
  const moved = isMoving ? `if(!${writer}.found[${id}])true;else{${inner}}` : inner;
  const run = 'dapdock_text=>eval(dapdock_text)';
  return `try{${moved}}catch(dapdock_error){${writer}===undefined||` +
    `${writer}.fail(${id},dapdock_error,${run})}//# sourceURL=${URL}`;
}

/** The texts of expressions for a writer, each with whether the condition has another. */
function texts(expressions, compiled) {
  return compiled.map((text, at) => [text, text !== expressions[at] || !isReadable(text)]);
}

module.exports = { URL, bindingOf, condition, installation, texts };
