// The text of a value from V8's preview of it, as js-debug has it at a stop: log breakpoints have
// no stop.
//
// Knows the form in which V8 describes values (`Runtime.RemoteObject`, `Runtime.ObjectPreview`),
// and runs nothing in the program.
'use strict';
const { withClass } = require('./errors.js');
const { quoted, tidy } = require('./previews.js');

/** The characters of a property in a preview, and of a key or a value of a map. */
const PROPERTY = 100;
const ENTRY = 20;
/** Properties of an error that its description has. */
const DESCRIBED = ['stack', 'message'];
/** The characters of a whole value. */
const LONGEST = 100_000;

/** A text with its middle cut out. */
function shortened(text, length) {
  if (text.length <= length) return text;
  const half = Math.max(length >> 1, 0);
  return `${text.slice(0, half)}…${text.slice(text.length - Math.max(length - half - 1, 0))}`;
}

/** Parts with a text between them, as many as have room. */
class Parts {
  constructor(separator, room) {
    this.separator = separator;
    this.room = room - 1 - separator.length;
    this.texts = [];
  }

  left() {
    return this.room - (this.texts.length > 0 ? this.separator.length : 0);
  }

  add(text) {
    if (text.length > this.left()) return this.addMore();
    this.room = this.left() - text.length;
    return this.texts.push(text);
  }

  /** There are more. */
  addMore() {
    if (this.texts.at(-1) === '…') return;
    this.room = this.left() - 1;
    this.texts.push('…');
  }

  hasRoom() {
    if (this.room <= 0) this.addMore();
    return this.room > 0;
  }

  toString() {
    return this.texts.join(this.separator);
  }
}

/** A property in a preview, with or without its name. */
function property({ type, value }, room, name) {
  const longest = Math.min(room, PROPERTY);
  const before = name === undefined ? '' : `${name}: `;
  let text = value ?? `<${type}>`;
  if (type === 'function') text = 'ƒ';
  else if (type === 'object' && value === 'Object') text = '{…}';
  else if (type === 'string' && value !== undefined) text = quoted(value);
  return before + shortened(text, longest - before.length);
}

function array({ description, properties, overflow }, room) {
  const [, length] = /[^(]*\((\d+)\)/.exec(description) ?? [];
  if (length === undefined) return description;
  const title = description.replace(/^Array(?=\()/, '');
  const parts = new Parts(', ', room - title.length - 3);
  const elements = properties.filter(({ name }) => /^\d+$/.test(name));
  let next = 0;
  for (const one of elements) {
    if (!parts.hasRoom()) break;
    if (+one.name > next) parts.addMore();
    next = +one.name + 1;
    parts.add(property(one, parts.left()));
  }
  if (+length > next) parts.addMore();
  for (const one of properties) {
    if (elements.includes(one) || !parts.hasRoom()) continue;
    parts.add(property(one, parts.left(), one.name));
  }
  if (overflow) parts.addMore();
  return `${title} [${parts}]`;
}

function object({ subtype, description = '', properties = [], entries = [], overflow }, room) {
  const title = description === 'Object' ? '' : description;
  const space = title === '' ? '' : ' ';
  const left = room - title.length - 3;
  const own = properties.find(({ name }) => name === '[[PrimitiveValue]]');
  if (own !== undefined) return `${title}${space}(${property(own, left)})`;
  const parts = new Parts(', ', left);
  const isList = /^(map|set)$/.test(subtype);
  for (const one of properties) {
    const isListed = !isList || one.name !== 'size';
    if (isListed && parts.hasRoom()) parts.add(property(one, parts.left(), one.name));
  }
  for (const { key, value } of entries) {
    if (!parts.hasRoom()) break;
    const name = key === undefined ? '' : `${previewed(key, Math.min(ENTRY, parts.left()))} => `;
    const rest = Math.min(ENTRY, parts.left() - name.length);
    parts.add(name + previewed(value, rest));
  }
  if (overflow) parts.addMore();
  const inner = String(parts);
  if (inner !== '') return `${title}${space}{${inner}}`;
  return title === '' ? '{}' : title;
}

/** The source text of a function, without what is clear. */
function code(description) {
  const text = description.replace(/^[gs]et /, '').replace(/^function [gs]et(?=[ (])/, 'function');
  const bare = (rest) => rest.trim().replace(/ \{ \[native code\] \}$/, '');
  const [, start] = /^(class(?=[ {])|async\s+function|function\*?|\*)/.exec(text) ?? [];
  if (start === 'class') return `class ${bare(text.slice(start.length))}`;
  if (start?.startsWith('async')) return `async ƒ ${bare(text.slice(start.length))}`;
  if (start?.endsWith('*')) return `ƒ* ${bare(text.slice(start.length))}`;
  if (start !== undefined) return `ƒ ${bare(text.slice(start.length))}`;
  return text.includes('=>') ? text : `ƒ ${bare(text)}`;
}

/** A value without a preview. */
function simple({ type, subtype, value, unserializableValue, description }, isQuoted) {
  if (type === 'undefined' || subtype === 'null') return subtype ?? type;
  const text = unserializableValue ?? value ?? description ?? '';
  return type === 'string' && isQuoted ? quoted(text) : String(text);
}

/** The text of a preview. */
function previewed(preview, room) {
  const { type, subtype, description = '' } = preview;
  if (subtype === 'array' || subtype === 'typedarray') return array(preview, room);
  if (type === 'function') return code(description);
  const isObject = type === 'object' && !['null', 'regexp', 'date'].includes(subtype);
  if (isObject) return object(preview, room);
  return shortened(type === 'string' ? description : simple(preview), room);
}

/** An error: its class, its message and its fields. */
function error(value) {
  const [title] = withClass(value).split(/\n\s+at /);
  const fields = (value.preview?.properties ?? [])
    .filter(({ name }) => !DESCRIBED.includes(name))
    .map((one) => property({ ...one, value: one.value?.split('\n')[0] }, PROPERTY, one.name));
  return fields.length === 0 ? title : `${title} {${fields.join(', ')}}`;
}

/** The text of a value. */
function text(value) {
  tidy(value.preview);
  if (value.subtype === 'error') return error(value);
  if (value.type === 'function') return code(value.description ?? '');
  if (value.preview === undefined) return simple(value, true);
  return previewed(value.preview, LONGEST);
}

/** The text of what an expression has thrown. */
function thrown(value) {
  if (value.type !== 'object' || value.subtype === 'null') return simple(value, false);
  return (value.description ?? value.className ?? 'Error').split('\n')[0];
}

module.exports = { quoted, text, thrown };
