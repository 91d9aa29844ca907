// What the source text says about the place of a frame: whether its function catches what is thrown
// there, whether that rejects a promise, and what becomes of a promise that a call there returns.
//
// Reads the text that V8 runs with the parser that Node has for itself (`--expose-internals`).
'use strict';
const acorn = require('internal/deps/acorn/acorn/dist/acorn');

/** Longer scripts are not read: they are bundles, and the parser needs a second for 5 MB. */
const LONGEST = 5 << 20;
/** Of how many places it is known what their functions do. */
const MOST_PLACES = 2000;
const OPTIONS = {
  ecmaVersion: 'latest',
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
  allowImportExportEverywhere: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
};
/** The URLs of js-debug's expressions. */
const EVALUATED = /^eval-\w+\.cdp$/;
const FUNCTION = /^(Arrow)?Function(Declaration|Expression)?$/;
/** Expressions with the value, or with the promise, of one of their parts. */
const PASSES = ['ArrayExpression', 'SpreadElement', 'ConditionalExpression', 'LogicalExpression'];

/** `findLastIndex` of arrays, which Node has since version 18. */
function lastIndex(list, fits) {
  let at = list.length - 1;
  while (at >= 0 && !fits(list[at])) at -= 1;
  return at;
}

/** Whether a script is a file of the user's. */
function isUsers(url) {
  return (url.startsWith('file:') || url.startsWith('/')) && !url.includes('/node_modules/');
}

/** Whether a text is one expression. */
function isExpression(text) {
  try {
    const { body } = acorn.parse(`(${text}\n)`, { ...OPTIONS, sourceType: 'script' });
    return body.length === 1 && body[0].type === 'ExpressionStatement';
  } catch {
    return false;
  }
}

/** A parsed script. */
class Source {
  constructor(text) {
    this.length = text.length;
    this.starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.starts.push(at + 1);
    }
    try {
      this.tree = acorn.parse(text, { ...OPTIONS, sourceType: 'module' });
    } catch {
      this.tree = acorn.parse(text, { ...OPTIONS, sourceType: 'script' });
    }
  }

  /** The nodes around a place, outermost first, and its offset. */
  path({ lineNumber, columnNumber = 0 }) {
    const offset = (this.starts[lineNumber] ?? 0) + columnNumber;
    const path = [];
    for (let node = this.tree; node !== undefined; node = child(node, offset)) path.push(node);
    return { path, offset };
  }

  /**
   * Names that are declared later in the function at a place, or now: of each, whether it is not
   * yet set in the scopes around the place that have the name, innermost first.
   */
  unset(place) {
    const { path, offset } = this.path(place);
    // What is at the first character of a function is the function.
    const isInside = ({ type, start }) => FUNCTION.test(type) && start < offset;
    const from = Math.max(lastIndex(path, isInside), 0);
    const names = new Map();
    for (let at = path.length - 1; at >= from; at -= 1) {
      const [scope, outer] = [path[at], path[at - 1]];
      // V8 has one scope for the parameters and the body of a function.
      if (FUNCTION.test(outer?.type) && outer.body === scope) continue;
      const own = new Map(declared(scope).map(({ name, end }) => [name, end > offset]));
      for (const [name, isUnset] of own) names.set(name, [...(names.get(name) ?? []), isUnset]);
    }
    return Object.fromEntries([...names].filter(([, all]) => all.includes(true)));
  }

  /** The place of the first code that runs, or of the end. */
  begin() {
    const { body } = this.tree;
    return this.point(firstOf(body, begin) ?? body.at(-1)?.end ?? 0);
  }

  /** The line and the column of an offset, from 0. */
  point(offset) {
    const lineNumber = lastIndex(this.starts, (start) => start <= offset);
    return { lineNumber, columnNumber: offset - this.starts[lineNumber] };
  }

  /** The function around a place, or the whole script: its kind and its range. */
  body(place) {
    const { path } = this.path(place);
    const node = path[lastIndex(path, ({ type }) => FUNCTION.test(type))] ?? this.tree;
    return {
      isAsync: node === this.tree || node.async === true,
      isGenerator: node.generator === true,
      start: this.point((node.body.start === undefined ? node : node.body).start),
      end: this.point(node.end),
    };
  }

  /** The places of the bodies of functions with these names, and what their first argument is. */
  taking(names) {
    const found = [];
    const add = (name, { params: [first], body }) => {
      const isRest = first?.type === 'RestElement';
      const argument = isRest ? `${first.argument.name}[0]` : first?.name;
      if (!names.includes(name) || argument === undefined) return;
      const isBlock = body.type === 'BlockStatement';
      found.push({ argument, ...this.point(body.start + (isBlock ? 1 : 0)) });
    };
    walk(this.tree, (node) => {
      if (node.type === 'FunctionDeclaration') add(node.id?.name, node);
      if (node.type !== 'VariableDeclarator' || !FUNCTION.test(node.init?.type)) return;
      add(node.id.name, node.init);
    });
    return found;
  }

  /** What the function at a place does with an error and with a promise there. */
  at(place) {
    const { path, offset } = this.path(place);
    const from = lastIndex(path, (node) => FUNCTION.test(node.type));
    const inner = path.slice(from + 1);
    const catches = (node, next) =>
      node.type === 'TryStatement' && node.handler !== null && next === node.block;
    return {
      catches: inner.some((node, at) => catches(node, inner[at + 1])),
      rejects: path[from]?.async === true || isExecutor(path[from], path[from - 1]),
      throws: path.some(({ type, start }) => type === 'ThrowStatement' && start === offset),
      promise: fate(inner, offset),
    };
  }
}

/** The child node around an offset. A place at the end of a node is that of its last token. */
function child(node, offset) {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'type' || value === null || typeof value !== 'object') continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one?.type === 'string' && one.start <= offset && offset < one.end) return one;
    }
  }
  return undefined;
}

/** Calls a function with a node and all nodes in it. */
function walk(node, each) {
  each(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'type' || value === null || typeof value !== 'object') continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one?.type === 'string') walk(one, each);
    }
  }
}

/** The first value that a function has for one of the nodes. */
function firstOf(nodes, made) {
  for (const node of nodes) {
    const value = made(node);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Where V8 stops first in a statement, with no function between the two places; none in one without
 * code of its own, as a directive, a declaration without a value and a function.
 */
function begin(node) {
  const { type, start, expression, declaration, declarations, body, block, finalizer } = node;
  if (/^(Import|Function)Declaration$|^EmptyStatement$/.test(type)) return undefined;
  if (/^Export/.test(type)) return declaration != null ? begin(declaration) : undefined;
  if (type === 'ClassDeclaration') return beginOfClass(node);
  if (type === 'VariableDeclaration') return declarations.find(({ init }) => init !== null)?.id.end;
  if (type === 'BlockStatement') return firstOf(body, begin);
  if (type === 'LabeledStatement') return begin(body);
  if (type === 'DoWhileStatement') return begin(body) ?? node.test.start;
  if (type === 'TryStatement') return firstOf([block, finalizer].filter(Boolean), begin);
  const isFixed = expression?.type === 'Literal' && expression.regex === undefined;
  return isFixed ? undefined : start;
}

/** Where V8 stops first while it makes a class: not at its methods. */
function beginOfClass({ superClass, body: { body } }) {
  const parts = [superClass, ...body.filter(({ computed }) => computed).map(({ key }) => key)];
  const called = parts.find((part) => /^(Await|Call|New)Expression$/.test(part?.type));
  return called?.start ?? firstOf(body, beginOfMember);
}

function beginOfMember({ type, static: isStatic, value, body }) {
  if (type === 'StaticBlock') return firstOf(body, begin);
  return type === 'PropertyDefinition' && isStatic ? value?.start : undefined;
}

/** The names that a scope declares, each with its end; 0 of one that is set from the beginning. */
function declared({ type, params = [], param, cases, body, init, left, right }) {
  const names = [...params, param].flatMap(bound).map((name) => ({ name, end: 0 }));
  const inner = FUNCTION.test(type) ? body.body : body;
  const parts = [cases?.flatMap(({ consequent }) => consequent), inner, init, left];
  for (const part of parts.flat().filter(Boolean)) {
    const { type: kindOfPart, kind, declarations, id, end } = part.declaration ?? part;
    if (/^(Class|Function)Declaration$/.test(kindOfPart) && id !== null) {
      names.push({ name: id.name, end: kindOfPart === 'ClassDeclaration' ? end : 0 });
    }
    if (kindOfPart !== 'VariableDeclaration') continue;
    for (const one of declarations) {
      // A loop's variable is set behind the values of the loop.
      const endOfOne = kind === 'var' ? 0 : (part === left ? right : one).end;
      names.push(...bound(one.id).map((name) => ({ name, end: endOfOne })));
    }
  }
  return names;
}

/** The names in a pattern. */
function bound(pattern) {
  if (pattern === undefined || pattern === null) return [];
  const { type, name, elements, properties, left, argument, value } = pattern;
  if (type === 'Identifier') return [name];
  const parts = elements ?? properties ?? [left ?? argument ?? value];
  return parts.filter(Boolean).flatMap(bound);
}

/** Whether a function is the argument of `new Promise(…)`. */
function isExecutor(node, parent) {
  return parent?.type === 'NewExpression' && parent.callee.name === 'Promise' &&
    parent.arguments[0] === node;
}

/** Whether a node is a loop that awaits the values of what it iterates. */
function isAwaiting(node) {
  return node.type === 'ForOfStatement' && node.await;
}

/** What becomes of the promise of the call at a path's end: `awaited`, `returned`, `unknown`. */
function fate(path, offset) {
  const called = lastIndex(path, ({ type }) => /^(Call|New)Expression$/.test(type));
  let at = called - 1;
  for (; at >= 0; at -= 1) {
    const { type, callee } = path[at];
    if (type === 'AwaitExpression' || isAwaiting(path[at])) return 'awaited';
    if (type === 'ReturnStatement') return 'returned';
    const joins = type === 'CallExpression' && callee.object?.name === 'Promise' &&
      ['all', 'race'].includes(callee.property.name);
    if (!joins && !PASSES.includes(type)) break;
  }
  // A place is that of the await itself where V8 has the stack of a waiting function.
  const waits = ({ type, start }) => type === 'AwaitExpression' && start === offset;
  if (path.some(waits)) return 'awaited';
  // That of a loop which awaits is its variable.
  const loops = (node, next) => isAwaiting(node) && next !== node.body;
  if (called < 0) return path.some((node, n) => loops(node, path[n + 1])) ? 'awaited' : 'unknown';
  return at < 0 ? 'returned' : 'unknown';
}

const UNKNOWN = { catches: true, rejects: false, throws: false, promise: 'unknown' };
const NO_BODY = { isAsync: false, isGenerator: false };

/** The scripts of a debuggee, read when they are needed. */
class Sources {
  constructor(target) {
    this.target = target;
    /** Parsed scripts by their ids, the last used ones last, and what is known of places. */
    this.scripts = new Map();
    this.places = new Map();
    this.urls = new Map();
  }

  /** Remembers a script by its event. */
  add({ scriptId, url }) {
    if (url !== '' && !EVALUATED.test(url)) this.urls.set(scriptId, url);
  }

  /** The URL of a frame's script. */
  url({ location, scriptId = location.scriptId }) {
    return this.urls.get(scriptId) ?? '';
  }

  /** Whether a frame is in a file of the user's. */
  isUsers(frame) {
    return isUsers(this.url(frame));
  }

  /** The ids of the user's scripts as they were loaded: the program's main one is the first. */
  ofUser() {
    return [...this.urls].filter(([, url]) => isUsers(url)).map(([scriptId]) => scriptId);
  }

  /** What the function at this place of a script does; see `Source.at`. */
  at(location) {
    const { scriptId, lineNumber, columnNumber } = location;
    const place = `${scriptId}:${lineNumber}:${columnNumber}`;
    if (!this.places.has(place)) {
      if (this.places.size === MOST_PLACES) this.places.clear();
      this.places.set(place, this.look(location));
    }
    return this.places.get(place);
  }

  async look(location) {
    return (await this.source(location))?.at(location) ?? UNKNOWN;
  }

  /** The function at this place of a script; see `Source.body`. */
  async body(location) {
    return (await this.source(location))?.body(location) ?? NO_BODY;
  }

  /** The variables at this place of a script that are not yet set; see `Source.unset`. */
  async unset(location) {
    return (await this.source(location))?.unset(location) ?? {};
  }

  async source({ scriptId }) {
    const source = this.scripts.get(scriptId) ?? this.read(scriptId);
    this.scripts.delete(scriptId);
    this.scripts.set(scriptId, source);
    const parsed = await source;
    if (parsed !== undefined) this.forget();
    return parsed;
  }

  /** The place at which V8 threw an error, if it keeps it: else -1 as line and column. */
  async thrown(errorObjectId) {
    if (errorObjectId === undefined) return undefined;
    const made = await this.target.call('Runtime.getExceptionDetails', { errorObjectId });
    return made.result?.exceptionDetails;
  }

  /** Forgets the parsed scripts that were used longest ago: a tree is larger than its text. */
  async forget() {
    let left = LONGEST;
    for (const [scriptId, source] of [...this.scripts].reverse()) {
      left -= (await source)?.length ?? 0;
      if (left < 0) this.scripts.delete(scriptId);
    }
  }

  async read(scriptId) {
    const { result } = await this.target.call('Debugger.getScriptSource', { scriptId });
    const text = result?.scriptSource ?? '';
    if (text === '' || text.length > LONGEST) return undefined;
    try {
      return new Source(text);
    } catch {
      return undefined; // no text that this version of the parser reads
    }
  }
}

module.exports = { OPTIONS, Source, Sources, UNKNOWN, isExpression, isUsers, lastIndex };
