// Functions that run in the debuggee, with a value of the program as `this`: what of it is too
// large to be read, and a part of that. They call only functions of the language itself. V8 calls
// `survey` without effects and for a limited time, and refuses more than one would expect: a spread
// into an object, `Array.from`, the iteration over a text (harmless.js).
'use strict';

/** The most characters of a text, and of all texts of an object. */
const LONGEST = 100_000;
const MOST_TEXT = 1_000_000;
/** The characters of a text after that, and of one in a preview. */
const SHORT = 1000;
/** The most properties of an object. */
const MOST_NAMES = 2000;
/** How many elements of an array, entries of a map and keys of an object V8 previews in time. */
const MOST_ELEMENTS = 100_000;
const MOST_ENTRIES = 10_000;
const MOST_KEYS = 10_000;
/** A bigint whose text takes long. */
const LARGEST = '1n << 100000n';
/** How many elements, and how many entries and properties, V8 has in a preview, and one more. */
const PREVIEW_ELEMENTS = 101;
const PREVIEW_ENTRIES = 6;
/** The most characters of a key in the name of an entry. */
const SHORT_KEY = 100;
/** How many properties are looked at one by one. */
const MOST_LOOKS = 200;
/**
 * The milliseconds in which keys of properties are counted, and those in which beginnings of texts
 * are read: V8 joins the parts of a text for its beginning.
 */
const PATIENCE = 500;
/** The text of a row for what a copy of an object has not. */
const NO_PRIVATE = 'private fields are not listed';

/** The size of a map or a set; 0 of another object. */
function sizeOf(value) {
  for (const { prototype } of [Map, Set]) {
    try {
      return Object.getOwnPropertyDescriptor(prototype, 'size').get.call(value);
    } catch {}
  }
  return 0;
}

/** The beginning of a text that is longer, with its length; nothing for a shorter one. */
function cut(text, length, beginning) {
  if (text.length <= length) return undefined;
  return text.slice(0, beginning) + '… (' + text.length + ' characters)';
}

/** Whether a property of an object is a getter of the program. */
function isComputed(value, name) {
  for (let owner = value; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (found !== undefined) return found.get !== undefined;
  }
  return false;
}

/**
 * An error as an object that is none: V8 would run getters to describe the error. It lets nobody
 * read the descriptor of `stack` without effects.
 */
function undescribed(value) {
  const descriptors = {};
  for (const name of Reflect.ownKeys(value)) {
    if (name === 'stack') continue;
    descriptors[name] = Object.getOwnPropertyDescriptor(value, name);
  }
  return Object.create(Object.getPrototypeOf(value), descriptors);
}

/**
 * Whether V8 runs a getter of the program to describe an object: it takes one with a method
 * `splice` and an own `length` for a list (value-mirror.cc, `isArrayLike`).
 */
function runsGetter(value) {
  if (value === null || Array.isArray(value)) return false;
  for (let owner = value; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const found = Object.getOwnPropertyDescriptor(owner, 'splice');
    if (found === undefined) continue;
    if (found.get !== undefined) return true;
    const length = Object.getOwnPropertyDescriptor(value, 'length');
    return typeof found.value === 'function' && length?.get !== undefined;
  }
  return false;
}

/** Whether V8 runs one for an object or for its prototype, which it describes with the object. */
function isRisky(value) {
  if (typeof value !== 'object' || value === null) return false;
  return runsGetter(value) || runsGetter(Object.getPrototypeOf(value));
}

/** The first values in an object, which V8 describes in its preview. */
function childrenOf(value) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const children = [];
  if (sizeOf(value) > 0) {
    for (const entry of (value instanceof Map ? Map : Set).prototype.entries.call(value)) {
      if (children.push(...entry) >= 2 * PREVIEW_ENTRIES) break;
    }
    return children;
  }
  // A loop over its names would begin with a list of all of them.
  if (Array.isArray(value) && value.length > MOST_ELEMENTS) {
    for (let at = 0; at < PREVIEW_ELEMENTS; at += 1) {
      children.push(Object.getOwnPropertyDescriptor(value, at)?.value);
    }
    return children;
  }
  for (const name in value) {
    const found = Object.getOwnPropertyDescriptor(value, name);
    if (found !== undefined && children.push(found.value) >= PREVIEW_ELEMENTS) break;
  }
  return children;
}

/** The objects among properties of which V8 runs getters, itself or in the preview of another. */
function riskyOf(object, properties) {
  const values = properties.map(([, found]) => found?.value);
  const inner = values.length > MOST_LOOKS ? [] : values.flatMap((one) => attempt(childrenOf, one));
  return [object, ...values, ...inner].filter((one) => attempt(isRisky, one));
}

/** Runs the getters that V8 runs for properties of an object. */
function probe() {
  const names = Reflect.ownKeys(this).slice(0, MOST_NAMES);
  const properties = names.map((name) => [name, Object.getOwnPropertyDescriptor(this, name)]);
  const run = (one) => typeof one.splice === 'function' && one.length;
  for (const value of riskyOf(this, properties)) {
    for (const one of [value, Object.getPrototypeOf(value)]) {
      if (runsGetter(one)) attempt(run, one);
    }
  }
}

/**
 * Whether a class of an object uses private fields, by its source: only V8 knows those of an object,
 * so a copy has none.
 */
function hasPrivate(value) {
  for (let owner = value; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const made = Object.getOwnPropertyDescriptor(owner, 'constructor')?.value;
    if (typeof made !== 'function') continue;
    if (Function.prototype.toString.call(made).includes('.#')) return true;
  }
  return false;
}

/** An object with the properties of another that V8 takes for a list. */
function guarded(object) {
  const own = {};
  const above = { splice: { value: undefined, configurable: true } };
  for (const name of Reflect.ownKeys(object)) {
    const found = Object.getOwnPropertyDescriptor(object, name);
    const isGetter = found.get !== undefined;
    if (name === 'length' && isGetter) above.length = found;
    else if (name !== 'splice' || !isGetter) own[name] = found;
  }
  if (attempt(hasPrivate, object)) own['…'] ??= { value: NO_PRIVATE };
  return Object.create(Object.create(Object.getPrototypeOf(object), above), own);
}

function guardedOr(value) {
  return attempt(isRisky, value) ? guarded(value) : value;
}

/** An object whose preview is that of another, without objects that V8 takes for lists. */
function guardedPart(value) {
  if (childrenOf(value).filter((one) => attempt(isRisky, one)).length === 0) return undefined;
  if (Array.isArray(value)) return value.slice(0, PREVIEW_ELEMENTS).map(guardedOr);
  if (sizeOf(value) > 0) {
    const part = entriesOf(value, 0, PREVIEW_ENTRIES);
    if (part instanceof Set) return new Set([...part.values()].map(guardedOr));
    return new Map([...part.entries()].map((entry) => entry.map(guardedOr)));
  }
  const descriptors = {};
  for (const name of Reflect.ownKeys(value)) {
    const found = Object.getOwnPropertyDescriptor(value, name);
    if ('value' in found) found.value = guardedOr(found.value);
    descriptors[name] = found;
  }
  return guardedOr(Object.create(Object.getPrototypeOf(value), descriptors));
}

/** Replaces objects among properties that V8 takes for lists; whether there were such. */
function guard(properties, parts) {
  let isChanged = false;
  for (const [name, found] of properties) {
    const part = attempt(guardedPart, found?.value);
    if (part !== undefined) parts.set(name, part);
    if (!attempt(isRisky, found?.value)) continue;
    found.value = guarded(found.value);
    isChanged = true;
  }
  return isChanged;
}

/** A value in place of one that V8 would send in full, or run code for; nothing of another. */
function short(value, length, beginning = length) {
  if (typeof value === 'string') return cut(value, length, beginning);
  if (typeof value === 'symbol') {
    return cut(Symbol.prototype.toString.call(value), length, beginning);
  }
  if (typeof value === 'function') {
    return cut(Function.prototype.toString.call(value), length, beginning);
  }
  if (typeof value === 'bigint') {
    const isLong = value > LARGEST || value < -LARGEST;
    return isLong ? 'a bigint of more than 30,000 digits' : undefined;
  }
  if (typeof value !== 'object' || !(value instanceof Error)) return undefined;
  if (isComputed(value, 'message') || isComputed(value, 'name')) return undescribed(value);
  const message = Object.getOwnPropertyDescriptor(value, 'message')?.value;
  return typeof message === 'string' ? cut(message, length, beginning) : undefined;
}

/** A map or a set with a range of the entries of another. */
function entriesOf(value, start, count) {
  const isMap = value instanceof Map;
  const list = (isMap ? Map.prototype.entries : Set.prototype.values).call(value);
  const some = [];
  let at = 0;
  for (const entry of list) {
    if (at >= start) some.push(entry);
    at += 1;
    if (at >= start + count) break;
  }
  return isMap ? new Map(some) : new Set(some);
}

/** The first elements of a long array, or of one with long texts: of these the lengths. */
function elementsOf(value) {
  let isChanged = value.length > MOST_ELEMENTS;
  const some = [];
  const count = Math.min(value.length, PREVIEW_ELEMENTS);
  for (let at = 0; at < count; at += 1) {
    const found = Object.getOwnPropertyDescriptor(value, at);
    const text = found && attempt(short, found.value, LONGEST, 0);
    isChanged ||= text !== undefined;
    some.push(text ?? found?.value);
  }
  return isChanged ? some : undefined;
}

/** The first properties of an object with many, or with long texts: of these the lengths. */
function propertiesOf(value) {
  let isChanged = false;
  let count = 0;
  const some = {};
  for (const name in value) {
    count += 1;
    if (count > MOST_KEYS) break;
    if (count > PREVIEW_ENTRIES) continue;
    const found = Object.getOwnPropertyDescriptor(value, name);
    const text = found && attempt(short, found.value, LONGEST, 0);
    isChanged ||= text !== undefined;
    some[name] = text ?? found?.value;
  }
  return isChanged || count > MOST_KEYS ? some : undefined;
}

/** A value with the preview of a large one; nothing if that is not large. */
function partOf(value, isCounting) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) return elementsOf(value);
  const size = sizeOf(value);
  if (size > MOST_ENTRIES) return entriesOf(value, 0, PREVIEW_ENTRIES - 1);
  if (size > 0) return undefined;
  return isCounting ? propertiesOf(value) : {};
}

/** What a function makes of a value; nothing of one whose code fails, as that of a `Proxy`. */
function attempt(make, value, ...all) {
  try {
    return make(value, ...all);
  } catch {
    return undefined;
  }
}

/** The parts of large values among properties, by their names. */
function partsOf(properties) {
  const parts = new Map();
  let spent = 0;
  for (const [name, found] of properties) {
    const began = Date.now();
    const part = attempt(partOf, found?.value, spent < PATIENCE);
    spent += Date.now() - began;
    if (part !== undefined) parts.set(name, part);
  }
  return parts;
}

/** Shortens texts of properties; whether there were such. */
function shorten(properties) {
  let isChanged = false;
  let left = MOST_TEXT;
  let spent = 0;
  for (const [, found] of properties) {
    const value = found?.value;
    const longest = left > 0 ? LONGEST : SHORT;
    const began = Date.now();
    const text = attempt(short, value, longest, spent < PATIENCE ? longest : 0);
    spent += Date.now() - began;
    if (typeof value === 'string') left -= value.length;
    if (text !== undefined) found.value = text;
    isChanged ||= text !== undefined;
  }
  return isChanged;
}

/** The names of the properties of an object that may be looked at. */
function listed() {
  const names = Reflect.ownKeys(this);
  return names.length > MOST_LOOKS ? [] : names.filter((name) => typeof name === 'string');
}

/** Runs the code of the program that a look at a property runs. */
function look(name) {
  const value = Object.getOwnPropertyDescriptor(this, name)?.value;
  attempt(short, value, LONGEST, 0);
  attempt(partOf, value, true);
}

/**
 * What is too large in an object; nothing if nothing is. `isProbed` is undefined at the first look:
 * it finds whether V8 runs getters of the program to describe the properties. If these change the
 * program it is false in the next look, which has other objects in their place. `hidden` are names
 * of properties that are left as they are. `copy` is the object with less: shorter
 * texts, fewer names or entries. `previews` has values with the previews of its properties, the
 * names of those that are parts are in `parts`. `size` is that of a map or a set.
 */
function survey(isProbed, ...hidden) {
  if (ArrayBuffer.isView(this) || (Array.isArray(this) && this.length > 100)) return undefined;
  const names = Reflect.ownKeys(this);
  const more = names.length - MOST_NAMES;
  const listed = more > 0 ? names.slice(0, MOST_NAMES) : names;
  const properties = listed.map((name) => [name, Object.getOwnPropertyDescriptor(this, name)]);
  const seen = properties.filter(([name]) => !hidden.includes(name));
  if (isProbed === undefined && riskyOf(this, seen).length > 0) return { isRisky: true };
  const parts = partsOf(seen);
  const isGuarded = isProbed === false && (guard(seen, parts) || isRisky(this));
  const isShortened = shorten(seen);
  const size = sizeOf(this);
  const isCut = isShortened || isGuarded || more > 0 || size > MOST_ENTRIES;
  if (!isCut && parts.size === 0) return undefined;
  const [descriptors, previews] = [{}, {}];
  for (const [name, found] of properties) {
    descriptors[name] = found;
    previews[name] = parts.has(name) ? parts.get(name) : found?.value;
  }
  const left = more > 0 ? [more + ' more properties'] : [];
  if (isCut && attempt(hasPrivate, this)) left.push(NO_PRIVATE);
  if (left.length > 0) descriptors['…'] = { value: left.join('; '), enumerable: true };
  const read = { previews, parts: [...parts.keys()].map(String).join('\n') };
  if (size > MOST_ENTRIES) {
    read.copy = entriesOf(this, 0, PREVIEW_ENTRIES - 1);
    read.size = size;
  } else if (isCut) {
    read.copy = Object.create(Object.getPrototypeOf(this), descriptors);
    if (isGuarded) read.copy = guardedOr(read.copy);
  }
  return read;
}

/** A map or a set with a range of the entries of `this`. */
function entries(start, count) {
  return entriesOf(this, start, count);
}

/** The key of an entry as a listing names it: that of a text and a number; else its position. */
function keyOf(key, position) {
  if (typeof key === 'number') return `${key}`;
  const isShort = typeof key === 'string' && key.length <= SHORT_KEY;
  return isShort ? JSON.stringify(key) : `entry@${position}`;
}

/**
 * Elements of a list of entries, from `from` on, by their positions, which begin with `start`:
 * those of a set `owner`, and of a map the values with their keys behind the position. An entry
 * that has no such key is an object with both; so is each of another owner, as V8 has them.
 */
function page(start, from, count, owner) {
  const elements = {};
  const end = count < 0 ? this.length : Math.min(from + count, this.length);
  const isListed = sizeOf(owner) > 0;
  for (let at = Math.max(from, 0); at < end; at += 1) {
    const [entry, position] = [this[at], start + at];
    if (!isListed) elements[position] = entry;
    else if (!('key' in entry)) elements[position] = entry.value;
    else {
      const key = keyOf(entry.key, position);
      elements[`${position}`.padStart(10, '0') + ` ${key}`] =
        key.startsWith('entry') ? { key: entry.key, value: entry.value } : entry.value;
    }
  }
  return elements;
}

/** A copy of an array without its elements; V8 cannot list other names alone. */
function names() {
  // The getters of a typed array repeat what its text says.
  const copy = { __proto__: ArrayBuffer.isView(this) ? null : Object.getPrototypeOf(this) };
  const isLong = this.length > MOST_ELEMENTS;
  const found = isLong ? ['length'] : Object.getOwnPropertyNames(this);
  let count = 0;
  for (const name of found) {
    if (String(name >>> 0) === name) continue;
    if (count === MOST_NAMES) {
      copy['…'] = found.length - count + ' more properties';
      break;
    }
    count += 1;
    Object.defineProperty(copy, name, Object.getOwnPropertyDescriptor(this, name));
  }
  return copy;
}

const CONSTANTS = {
  LONGEST, MOST_TEXT, SHORT, MOST_NAMES, MOST_ELEMENTS, MOST_ENTRIES, MOST_KEYS, LARGEST,
  PREVIEW_ELEMENTS, PREVIEW_ENTRIES, SHORT_KEY, MOST_LOOKS, PATIENCE,
  NO_PRIVATE: JSON.stringify(NO_PRIVATE),
};

/** The text of a function with all that it uses. */
function whole(called) {
  const constants = Object.entries(CONSTANTS).map(([name, value]) => `const ${name} = ${value};`);
  const used = [
    sizeOf, cut, isComputed, undescribed, short, attempt, entriesOf, elementsOf, propertiesOf,
    partOf, partsOf, shorten, keyOf, runsGetter, isRisky, childrenOf, riskyOf, guarded, guardedOr,
    guardedPart, guard, hasPrivate,
  ];
  const parts = [...constants, ...used].join('\n');
  return `function (...all) {\n${parts}\nreturn (${called}).apply(this, all);\n}`;
}

module.exports = {
  survey: whole(survey),
  listed: whole(listed),
  look: whole(look),
  probe: whole(probe),
  entries: whole(entries),
  names: whole(names),
  page: whole(page),
};
