// What js-debug sees of an error: its class, its fields and its cause, in the description. Of a
// thrown object that is no error: class, message and fields, in one line.
//
// V8's description of an error is its stack, whose first line has the name at the time of the
// construction: `Error` for an own class. Fields are read as V8 lists them, without running code.
'use strict';

/** The names of the language's own classes. */
const NATIVE = /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error(?=[:\n]|$)/;
/** A name that tells a class apart; a minifier leaves one or two letters. */
const CLASS = /^[A-Za-z_$][\w$]{2,}$/;
/** Begins the line with the fields and the cause as JSON. */
const MARK = '\u001e';
/** Properties that the description has, and those that repeat the compared values. */
const HIDDEN = ['name', 'message', 'stack', 'cause', 'errors', 'matcherResult'];
const COMPARED = ['actual', 'expected'];
const MOST_FIELDS = 6;
const LONGEST = 60;
const LONGEST_TITLE = 200;
const LONGEST_STACK = 2000;
/** A frame in a stack that has a path. */
const FRAME = /^\s+at (?:(.*?) \()?(file:\/\/)?(\/.*?):(\d+):(\d+)\)?$/;
const LONGEST_MESSAGE = 600;

/** The description of an error that begins with its class. */
function withClass({ className, description }) {
  const isOwn = CLASS.test(className ?? '') && !NATIVE.test(className);
  return isOwn ? description.replace(NATIVE, className) : description;
}

/**
 * The object as an error if it has the stack of one: V8 has only objects that the constructor
 * `Error` has made for errors, and those of older classes are not.
 */
function asError(object, properties) {
  if (object.subtype === 'error') return object;
  const stack = properties.find(({ name }) => name === 'stack')?.value;
  if (stack?.type !== 'string' || !/\n\s+at /.test(stack.value)) return object;
  return { ...object, subtype: 'error', description: stack.value };
}

/** A value in a few words. */
function short({ type, subtype, value, description, className }) {
  if (type === 'string') return JSON.stringify(value.slice(0, LONGEST));
  if (type === 'function') return 'ƒ';
  if (type === 'undefined' || subtype === 'null') return subtype ?? type;
  if (type === 'object') return subtype === 'array' ? description : className;
  return description ?? String(value);
}

/** The first frame of the user's in a stack, as DAP describes frames. */
function frameOf(stack) {
  for (const line of stack.split('\n')) {
    const [, name, scheme, path, row, column] = FRAME.exec(line) ?? [];
    if (path === undefined || path.includes('/node_modules/')) continue;
    const source = { path: scheme === undefined ? path : decoded(path) };
    // V8's text of a stack names the code of a module as a method.
    const isNamed = ![undefined, 'Object.<anonymous>'].includes(name);
    return { id: 0, name: isNamed ? name : '<anonymous>', source, line: +row, column: +column };
  }
  return undefined;
}

function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A cause, as DAP describes exceptions. */
function causeOf(value) {
  if (value === undefined) return undefined;
  const { type, className, subtype } = value;
  if (type === 'string') return { typeName: type, message: value.value.slice(0, LONGEST_TITLE) };
  if (subtype !== 'error') return { typeName: className ?? type, message: short(value) };
  const [own] = withClass(value).slice(0, LONGEST_MESSAGE).split(/\n\s+at /);
  const [typeName, ...message] = own.split(': ');
  const frame = frameOf(value.description.slice(0, LONGEST_STACK));
  return { typeName, message: message.join(': '), frames: frame === undefined ? [] : [frame] };
}

/** Fields and cause in the own properties of an error. */
function more(properties) {
  const values = new Map();
  for (const { name, value, enumerable } of properties) {
    if (value !== undefined) values.set(name, { ...value, enumerable });
  }
  const isField = ([name, { enumerable }]) => enumerable && !HIDDEN.includes(name);
  let fields = [...values].filter(isField);
  if (COMPARED.every((name) => values.has(name))) {
    fields = fields.filter(([name]) => COMPARED.includes(name));
  }
  const texts = fields.map(([name, value]) => `${name.slice(0, LONGEST)}: ${short(value)}`);
  return {
    fields: texts.slice(0, MOST_FIELDS).join(', '),
    cause: causeOf(values.get('cause')),
  };
}

/** An object that is no error, in a line. */
function line({ className, description }, properties) {
  const { fields } = more(properties);
  const message = properties.find(({ name }) => name === 'message')?.value;
  const isText = message?.type === 'string' && message.value !== '';
  const parts = [
    CLASS.test(className ?? '') ? className : description,
    isText ? `: ${message.value.slice(0, LONGEST_MESSAGE)}` : '',
    fields === '' ? '' : ` {${fields}}`,
  ];
  return parts.join('').replace(/\s+/g, ' ');
}

/**
 * The error with its class in the description, and a line behind it: fields and cause, and a text
 * for the user.
 */
async function describe(target, thrown, remark) {
  if (thrown?.type !== 'object' || thrown.objectId === undefined) return thrown;
  if (![undefined, 'error'].includes(thrown.subtype)) return thrown;
  const read = await target.call('Runtime.getProperties', {
    objectId: thrown.objectId,
    ownProperties: true,
  });
  const properties = read.result?.result ?? [];
  const error = asError(thrown, properties);
  if (error.subtype !== 'error') return { ...error, description: line(error, properties) };
  const description = withClass(error);
  const found = { ...more(properties), remark };
  const hasMore = found.fields !== '' || (found.cause ?? remark) !== undefined;
  if (!hasMore || !/\n\s+at /.test(description)) return { ...error, description };
  return { ...error, description: `${description}\n${MARK}${JSON.stringify(found)}` };
}

module.exports = { describe, more, withClass };
