// Expressions that V8 refuses where nothing may change, though they change nothing: some methods of
// the language, as `split`, are not on its list, nor is a spread into an object (debug-evaluate.cc,
// `BuiltinGetSideEffectState`). Such a call is replaced by one of a function with the same result
// that V8 permits. V8 checks the new expression too: nothing depends on these functions being right
// about effects. They are only for values and methods of the language itself; what they do not
// know, they call as it is.
'use strict';
const acorn = require('internal/deps/acorn/acorn/dist/acorn');
const { OPTIONS } = require('./sources.js');

const OWN = 'dapdock_own';
/** The methods that are replaced. */
const METHODS = [
  'split', 'replace', 'replaceAll', 'match', 'search', 'test', 'exec', 'toUpperCase', 'toLowerCase',
  'localeCompare', 'from', 'of', 'assign', 'fromEntries', 'get',
];
/** The result of a function that does not know the method's. */
const UNKNOWN = {};

/** A regular expression with its flags, which V8 does not let one read. */
function pattern(regexp, flags) {
  return { regexp, flags };
}

function isPattern(value) {
  return typeof value === 'object' && value !== null && typeof value.flags === 'string';
}

/** The matches of a pattern in a text, whatever the pattern says: all, or the first. */
function matches(text, { regexp, flags }, isAll) {
  const found = [];
  const copy = new RegExp(regexp, flags.includes('g') ? flags : flags + 'g');
  for (let match = copy.exec(text); match !== null; match = copy.exec(text)) {
    found[found.length] = match;
    if (!isAll) return found;
    if (match[0] === '') copy.lastIndex = match.index + 1;
  }
  return found;
}

/** The occurrences of a text in another, as matches. */
function occurrences(text, part, isAll) {
  const found = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    const match = [part];
    match.index = at;
    found[found.length] = match;
    if (!isAll) return found;
  }
  return found;
}

/** Whether a pattern is matched here as the language does: flags that change that are not. */
function isPlain(what) {
  return isPattern(what) && !['d', 'y', 'u', 'v'].some((flag) => what.flags.includes(flag));
}

function split(text, separator, limit) {
  if (limit !== undefined) return UNKNOWN;
  const found = [];
  if (separator === '') {
    for (let at = 0; at < text.length; at += 1) found[at] = text[at];
    return found;
  }
  const isText = typeof separator === 'string';
  if (!isText && (!isPlain(separator) || text === '')) return UNKNOWN;
  const all = isText ? occurrences(text, separator, true) : matches(text, separator, true);
  let from = 0;
  for (const match of all) {
    const end = match.index + match[0].length;
    // The language does not split at an end, nor twice at one place.
    if (match[0] === '' && (end === from || end === text.length)) continue;
    found[found.length] = text.slice(from, match.index);
    for (let at = 1; at < match.length; at += 1) found[found.length] = match[at];
    from = end;
  }
  found[found.length] = text.slice(from);
  return found;
}

function replace(text, what, by, isAll = false) {
  const isText = typeof what === 'string';
  if (isText ? what === '' : !isPlain(what)) return UNKNOWN;
  if (typeof by === 'string' ? by.includes('$') : typeof by !== 'function') return UNKNOWN;
  const isMany = isText ? isAll : what.flags.includes('g');
  let result = '';
  let from = 0;
  for (const match of isText ? occurrences(text, what, isMany) : matches(text, what, isMany)) {
    if (match.groups !== undefined) return UNKNOWN;
    const put = typeof by === 'string' ? by : String(by(...match, match.index, text));
    result += text.slice(from, match.index) + put;
    from = match.index + match[0].length;
  }
  return result + text.slice(from);
}

function replaceAll(text, what, by) {
  if (isPattern(what) && !what.flags.includes('g')) return UNKNOWN;
  return replace(text, what, by, true);
}

function match(text, what) {
  if (!isPlain(what)) return UNKNOWN;
  if (!what.flags.includes('g')) return new RegExp(what.regexp).exec(text);
  const all = matches(text, what, true);
  return all.length === 0 ? null : all.map((one) => one[0]);
}

function search(text, what) {
  if (!isPlain(what)) return UNKNOWN;
  const [first] = matches(text, what, false);
  return first === undefined ? -1 : first.index;
}

/** A text in letters of the other case; only those of ASCII are known. */
function inCase(text, first, last, change) {
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return UNKNOWN;
    result += String.fromCharCode(code >= first && code <= last ? code + change : code);
  }
  return result;
}

function toUpperCase(text) {
  return inCase(text, 97, 122, -32);
}

function toLowerCase(text) {
  return inCase(text, 65, 90, 32);
}

function localeCompare(text, other, ...more) {
  return more.length === 0 ? new Intl.Collator().compare(text, other) : UNKNOWN;
}

/** A regular expression that is not changed by a match: its copy is used. */
function exec(regexp, text) {
  return new RegExp(regexp).exec(text);
}

function test(regexp, text) {
  return exec(regexp, text) !== null;
}

function from(_, list, change) {
  if (list === null || list === undefined || typeof list === 'string') return UNKNOWN;
  const isIterable = list[Symbol.iterator] !== undefined;
  const all = isIterable ? [...list] : [];
  for (let at = 0; !isIterable && at < list.length; at += 1) all[at] = list[at];
  return change === undefined ? all : all.map((one, at) => change(one, at));
}

function of(_, ...all) {
  return all;
}

function spread(...objects) {
  const result = {};
  for (const object of objects) {
    if (object === null || object === undefined) continue;
    for (const key of Reflect.ownKeys(Object(object))) {
      if (key === '__proto__') return UNKNOWN;
      const isOwn = Object.prototype.propertyIsEnumerable.call(object, key);
      if (isOwn) result[key] = object[key];
    }
  }
  return result;
}

function assign(_, target, ...objects) {
  return Reflect.ownKeys(target).length === 0 ? spread(...objects) : UNKNOWN;
}

function fromEntries(_, list) {
  const result = {};
  for (const [key, value] of [...list]) result[key] = value;
  return result;
}

function get(_, object, key, ...more) {
  return more.length === 0 ? object[key] : UNKNOWN;
}

/** The function for a method of the language, if the program has not changed that. */
function knownOf(object, name) {
  const owners = [
    [typeof object === 'string', String.prototype, TEXTS],
    [object instanceof RegExp, RegExp.prototype, REGEXPS],
    [object === Array, Array, ARRAYS],
    [object === Object, Object, OBJECTS],
    [object === Reflect, Reflect, { get }],
  ];
  const [, owner, functions] = owners.find(([isOwner]) => isOwner) ?? [];
  if (owner === undefined || !Object.hasOwn(functions, name)) return undefined;
  const isOwn = object[name] === owner[name];
  const isNative = /\{ \[native code\] \}$/.test(Function.prototype.toString.call(owner[name]));
  return isOwn && isNative ? functions[name] : undefined;
}

/** The value of a regular expression that is an argument. */
function plain(value) {
  return isPattern(value) && value.regexp instanceof RegExp ? value.regexp : value;
}

/** Calls a method, or the function in its place. */
function call(object, name, ...all) {
  const known = knownOf(object, name);
  const result = known === undefined ? UNKNOWN : known(object, ...all);
  return result === UNKNOWN ? object[name](...all.map(plain)) : result;
}

const FUNCTIONS = [
  pattern, isPattern, matches, occurrences, isPlain, split, replace, replaceAll, match, search,
  inCase, toUpperCase, toLowerCase, localeCompare, exec, test, from, of, spread, assign,
  fromEntries, get, knownOf, plain, call,
];
const PRELUDE = `(() => {
  const UNKNOWN = {};
  ${FUNCTIONS.join('\n')}
  const TEXTS = { split, replace, replaceAll, match, search, toUpperCase, toLowerCase,
    localeCompare };
  const REGEXPS = { exec, test };
  const ARRAYS = { from, of };
  const OBJECTS = { assign, fromEntries };
  return { call, pattern, spread };
})()`;

/** The nodes in a node, in the order of the text. */
function childrenOf(node) {
  const values = Object.values(node).flat();
  return values.filter((one) => typeof one?.type === 'string').sort((a, b) => a.start - b.start);
}

/** Writes an expression with other calls. */
class Writer {
  constructor(text) {
    this.text = text;
    this.isChanged = false;
  }

  write(node) {
    const { type, callee, properties } = node;
    const isMethod = type === 'CallExpression' && callee.type === 'MemberExpression' &&
      !node.optional && !callee.optional && !callee.computed && callee.object.type !== 'Super';
    if (isMethod && METHODS.includes(callee.property.name)) return this.call(node);
    if (type === 'ObjectExpression' && properties.some((one) => one.type === 'SpreadElement')) {
      return this.spread(node);
    }
    if (node.shorthand) return this.text.slice(node.start, node.end);
    let result = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      result += this.text.slice(at, child.start) + this.write(child);
      at = child.end;
    }
    return result + this.text.slice(at, node.end);
  }

  call({ callee, arguments: list }) {
    this.isChanged = true;
    const all = list.map((one) => {
      const text = this.write(one);
      return one.regex ? `${OWN}.pattern(${text}, '${one.regex.flags}')` : text;
    });
    const parts = [`(${this.write(callee.object)})`, `'${callee.property.name}'`, ...all];
    return `${OWN}.call(${parts.join(', ')})`;
  }

  spread({ properties }) {
    this.isChanged = true;
    const parts = properties.map((one) =>
      one.type === 'SpreadElement' ? `(${this.write(one.argument)})` : `{ ${this.write(one)} }`,
    );
    return `${OWN}.spread(${parts.join(', ')})`;
  }
}

/** The expression with other calls; nothing if there are none. */
function rewritten(expression) {
  try {
    const text = `(${expression}\n)`;
    const tree = acorn.parse(text, { ...OPTIONS, sourceType: 'script' });
    const writer = new Writer(text);
    const written = writer.write(tree);
    return writer.isChanged ? `((${OWN}) => ${written})(${PRELUDE})` : undefined;
  } catch {
    return undefined; // no text that this version of the parser reads
  }
}

module.exports = { rewritten };
