// Names of variables in sources whose compiled code has other names for them, as a minifier makes.
//
// A source map has the source's name at each place of such a variable. The compiled name is that of
// the innermost scope around the place of a frame that has one, as js-debug reads it at a stop.
'use strict';
const { readFileSync } = require('fs');
const { fileURLToPath } = require('url');
const acorn = require('internal/deps/acorn/acorn/dist/acorn');
const { OPTIONS } = require('./sources.js');
const { numbers } = require('./stale.js');

const SCOPE = /Function|^BlockStatement$|^Program$|^For|^CatchClause$/;
const INLINE = /^data:[^,]*;base64,/;

/** The places of a map's names, each with its name. */
function places({ mappings, names }) {
  const found = [];
  let name = 0;
  for (const [lineNumber, segments] of mappings.split(';').entries()) {
    let columnNumber = 0;
    for (const segment of segments.split(',').filter(Boolean)) {
      const values = numbers(segment);
      columnNumber += values[0];
      if (values.length < 5) continue;
      name += values[4];
      found.push({ lineNumber, columnNumber, name: names[name] });
    }
  }
  return found;
}

/** The variables in an expression, without those that it declares itself. */
function variables(tree) {
  const [found, own] = [[], new Set()];
  const visit = (node, isName) => {
    if (node.type === 'Identifier' && isName) found.push(node);
    for (const [key, value] of Object.entries(node)) {
      const isFixed = !node.computed && (key === 'property' || key === 'key');
      for (const one of [value].flat()) {
        if (typeof one?.type !== 'string' || (node.shorthand && key === 'key')) continue;
        if (key === 'params' && one.type === 'Identifier') own.add(one.name);
        visit(node.shorthand ? Object.assign(one, { isShort: true }) : one, !isFixed);
      }
    }
  };
  visit(tree, true);
  return found.filter(({ name }) => !own.has(name));
}

/** An expression with other names. */
function replaced(expression, nameOf) {
  let tree;
  try {
    tree = acorn.parse(`(${expression}\n)`, { ...OPTIONS, sourceType: 'script' });
  } catch {
    return expression; // no expression
  }
  let text = expression;
  for (const { start, end, name, isShort } of variables(tree).sort((a, b) => b.start - a.start)) {
    const other = nameOf(name);
    if (other === undefined) continue;
    const put = isShort ? `${name}: ${other}` : other;
    text = text.slice(0, start - 1) + put + text.slice(end - 1);
  }
  return text;
}

class Names {
  constructor(target, sources) {
    this.sources = sources;
    this.maps = new Map();
    this.commands = new Map();
    this.events = new Map([['Debugger.scriptParsed', ({ params }) => this.onScript(params)]]);
  }

  onScript({ scriptId, url, sourceMapURL }) {
    if (sourceMapURL) this.maps.set(scriptId, { url, sourceMapURL });
  }

  /** The source map of a script. */
  map(scriptId) {
    const { url, sourceMapURL } = this.maps.get(scriptId) ?? {};
    if (sourceMapURL === undefined) return undefined;
    const [prefix] = INLINE.exec(sourceMapURL) ?? [];
    try {
      const text = prefix === undefined
        ? readFileSync(fileURLToPath(new URL(sourceMapURL, url)), 'utf8')
        : Buffer.from(sourceMapURL.slice(prefix.length), 'base64').toString();
      return JSON.parse(text);
    } catch {
      return undefined; // no source map
    }
  }

  /** Expressions of the source with the names that the compiled code has at a place. */
  async renamed(location, expressions) {
    const map = this.map(location.scriptId);
    if (!map?.names?.length || typeof map.mappings !== 'string') return expressions;
    const source = await this.sources.source(location);
    if (source === undefined) return expressions;
    const scopes = source.path(location).path.filter(({ type }) => SCOPE.test(type)).reverse();
    const around = ({ path }) =>
      path.every((node) => !SCOPE.test(node.type) || scopes.includes(node));
    // A bundle has names at 100,000 places.
    const isUsed = ({ name }) => expressions.some((text) => text.includes(name));
    const used = places(map).filter(isUsed);
    const all = used.map((place) => ({ ...place, ...source.path(place) })).filter(around);
    return expressions.map((text) => replaced(text, (name) => compiled(scopes, all, name)));
  }
}

/** The compiled name of a variable in the innermost scope that has another for it. */
function compiled(scopes, all, wanted) {
  for (const { start, end } of scopes) {
    for (const { name, path, offset } of all) {
      const { type, name: other } = path.at(-1);
      const isHere = name === wanted && start <= offset && offset < end;
      if (isHere && type === 'Identifier' && other !== wanted) return other;
    }
  }
  return undefined;
}

module.exports = { Names, replaced };
