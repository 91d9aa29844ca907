(raised, most) => {
  // Describes an error with at most `most` causes, none of them twice, as JSON in the form of DAP's
  // ExceptionDetails. Reads data properties: of the getters only the engine's own for the stack is
  // called. A Proxy may fail, or go on for ever.
  const seen = new Set();
  let left = most;
  const property = (object, name) => {
    try {
      let at = object;
      for (let n = 0; n < 20 && at !== null && at !== undefined; n++) {
        const found = Object.getOwnPropertyDescriptor(at, name);
        if (found !== undefined) return found;
        at = Object.getPrototypeOf(at);
      }
    } catch {}
  };
  const own = (object, name) => property(object, name)?.value;
  const text = (value) => (typeof value === 'string' ? value.slice(0, 600) : undefined);
  const isObject = (value) => Object(value) === value;
  const stackOf = (error) => {
    const { value, get } = property(error, 'stack') || {};
    let stack = value;
    try {
      const text = Function.prototype.toString.call(get);
      if (text.endsWith('{ [native code] }')) stack = get.call(error);
    } catch {}
    return typeof stack === 'string' ? stack.slice(0, 8000) : undefined;
  };
  const pathOf = (scheme, path) => {
    try {
      return scheme === undefined ? path : decodeURIComponent(path);
    } catch {
      return path;
    }
  };
  const madeBy = (object) => text(own(own(object, 'constructor'), 'name'));
  const typeOf = (error) => {
    const name = text(own(error, 'name'));
    const made = madeBy(error);
    return name && name !== 'Error' ? name : made || name;
  };
  const basesOf = (error) => {
    const bases = [typeOf(error)];
    try {
      let at = Object.getPrototypeOf(error);
      for (let n = 0; n < 20 && at !== null; n++, at = Object.getPrototypeOf(at)) {
        const name = madeBy(at);
        if (name && !bases.includes(name)) bases.push(name);
      }
    } catch {}
    return bases.slice(1);
  };
  const valueOf = (value) => {
    try {
      return shortOf(value);
    } catch {
      return 'Object';
    }
  };
  const shortOf = (value) => {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
    if (typeof value === 'function') return 'ƒ';
    if (typeof value === 'symbol') return Symbol.prototype.toString.call(value);
    if (!isObject(value)) return String(value);
    return Array.isArray(value) ? `Array(${own(value, 'length')})` : madeBy(value) || 'Object';
  };
  // The content of an object without a message, as in the text of its stop (errors.js). An array or
  // the like may have millions of keys, and they cannot be listed in part.
  const fieldsOf = (object) => {
    if (ArrayBuffer.isView(object)) return undefined;
    if (Array.isArray(object)) return valueOf(object);
    const fields = [];
    for (const key of Object.keys(object)) {
      const found = property(object, key);
      if (!found || !('value' in found)) continue;
      if (['stack', 'cause', 'errors'].includes(key)) continue;
      if (key === 'name' && found.value === typeOf(object)) continue;
      fields.push(`${key.slice(0, 60)}: ${valueOf(found.value)}`);
      if (fields.length === 6) break;
    }
    return fields.length > 0 ? text(`{${fields.join(', ')}}`) : undefined;
  };
  // The text in front of the frames; the program may compute a message.
  const computed = (error, stack) => {
    const found = property(error, 'message');
    if (found === undefined || 'value' in found || stack === undefined) return undefined;
    const [, message] = /^[^:\n]*: ([^]*?)(?=\n\s+at |$)/.exec(stack) || [];
    return text(message);
  };
  const messageOf = (error, stack) => {
    const message = text(own(error, 'message'));
    const found = message || computed(error, stack);
    if (found) return found;
    try {
      return fieldsOf(error) || message;
    } catch {
      return message;
    }
  };
  const framesOf = (stack) => {
    const frames = [];
    for (const line of (stack || '').split('\n')) {
      const at = /^\s+at (?:(.*?) \()?(file:\/\/)?(\/.*?|node:.*?):(\d+):(\d+)\)?$/.exec(line);
      if (at === null || frames.length === 6) continue;
      const [, name, scheme, path, row, column] = at;
      // Of the frames below the first, those of the user's.
      if (frames.length > 0 && !(path.startsWith('/') && !path.includes('/node_modules/'))) continue;
      // V8's text of a stack names the code of a module as a method.
      const isNamed = ![undefined, '', 'Object.<anonymous>'].includes(name);
      const own = { name: isNamed ? name : '<anonymous>', line: +row, column: +column };
      // A path of Node's own is none of a file.
      frames.push(path.startsWith('/') ? { ...own, source: { path: pathOf(scheme, path) } } : own);
    }
    return frames;
  };
  const describe = (error, link) => {
    if (!isObject(error)) return { typeName: typeof error, message: String(error), link };
    seen.add(error);
    const inner = [];
    const add = (cause, link) => {
      if (left <= 0 || seen.has(cause)) return;
      left -= 1;
      inner.push(describe(cause, link));
    };
    if (own(error, 'cause') !== undefined) add(own(error, 'cause'), 'cause');
    const errors = own(error, 'errors');
    const count = isObject(errors) ? Math.min(own(errors, 'length') || 0, most) : 0;
    for (let n = 0; n < count && left > 0; n++) {
      const member = Array.isArray(errors) ? property(errors, n) : undefined;
      if (member && 'value' in member) add(member.value, 'member');
    }
    const stack = stackOf(error);
    return {
      typeName: typeOf(error),
      baseTypes: link === undefined ? basesOf(error) : [],
      message: messageOf(error, stack),
      stackTrace: link === undefined ? stack : undefined,
      frames: framesOf(stack),
      innerException: inner,
      link,
    };
  };
  if (raised === undefined) return undefined;
  // Half of a pair of surrogates is no text in JSON for others.
  const whole = (_, value) =>
    typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
  // js-debug chooses the quotes of a text by what it contains, and doubles backslashes.
  const code = (c) => '%' + c.charCodeAt(0).toString(16);
  return JSON.stringify(describe(raised), whole).replace(/[%\\'"`]/g, code);
}