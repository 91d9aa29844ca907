// What js-debug sees of an error: its class, its fields and its cause, in the description.
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
  const cause = values.get('cause');
  const isError = cause?.subtype === 'error';
  return {
    fields: texts.slice(0, MOST_FIELDS).join(', '),
    cause: isError ? withClass(cause).split('\n')[0].slice(0, 200) : cause && short(cause),
    stack: isError ? cause.description.slice(0, 2000) : undefined,
  };
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
  if (error.subtype !== 'error') return error;
  const description = withClass(error);
  const found = { ...more(properties), remark };
  const hasMore = found.fields !== '' || (found.cause ?? remark) !== undefined;
  if (!hasMore || !/\n\s+at /.test(description)) return { ...error, description };
  return { ...error, description: `${description}\n${MARK}${JSON.stringify(found)}` };
}

module.exports = { describe, more, withClass };
