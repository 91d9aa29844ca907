// Previews of values, as a reader sees them.
//
// V8 has texts among the entries of a map without quotes, accessors of the prototype among the
// elements of a typed array, and what Node stores in a promise.
'use strict';

/** Properties that Node adds to promises and other objects (lib/internal/async_hooks.js). */
const NODES_OWN = ['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore'].map(
  (name) => `Symbol(${name})`,
);
/** Accessors of typed arrays. */
const OF_TYPED_ARRAYS = [
  'buffer', 'byteLength', 'byteOffset', 'length', 'offset', 'parent', 'Symbol(Symbol.toStringTag)',
];

/** A text in quotes that it does not contain, if there are such. */
function quoted(text) {
  const quote = ["'", '"', '`'].find((one) => !text.includes(one)) ?? "'";
  return quote + text.replace(quote === "'" ? /['\\]/g : /\\/g, '\\$&') + quote;
}

/** Changes a preview, if there is one. */
function tidy(preview) {
  if (preview === undefined) return;
  const hidden = preview.subtype === 'typedarray' ? OF_TYPED_ARRAYS : NODES_OWN;
  preview.properties = preview.properties?.filter(({ name }) => !hidden.includes(name));
  for (const { key, value } of preview.entries ?? []) {
    for (const one of [key, value]) {
      if (one?.type === 'string') one.description = quoted(one.description);
      else tidy(one);
    }
  }
}

module.exports = { NODES_OWN, quoted, tidy };
