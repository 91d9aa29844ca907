(raised, most) => {
  // Describes an error with at most `most` causes, none of them twice, as JSON in the form of DAP's
  // ExceptionDetails. Reads data properties: a getter is not called. The stack of an error may be
  // an accessor of the engine itself, which is read as js-debug reads it.
  const seen = new Set();
  let left = most;
  const own = (object, name) => {
    for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
      const found = Object.getOwnPropertyDescriptor(at, name);
      if (found !== undefined) return found.value;
    }
  };
  const text = (value) => (typeof value === 'string' ? value.slice(0, 600) : undefined);
  const isObject = (value) => Object(value) === value;
  const stackOf = (error) => {
    const stack = own(error, 'stack');
    const read = stack === undefined && error instanceof Error ? error.stack : stack;
    return typeof read === 'string' ? read.slice(0, 8000) : undefined;
  };
  const typeOf = (error) => {
    const name = text(own(error, 'name'));
    const made = text(own(own(error, 'constructor'), 'name'));
    return name && name !== 'Error' ? name : made || name;
  };
  const basesOf = (error) => {
    const bases = [typeOf(error)];
    for (let at = Object.getPrototypeOf(error); at !== null; at = Object.getPrototypeOf(at)) {
      const name = text(own(own(at, 'constructor'), 'name'));
      if (name && !bases.includes(name)) bases.push(name);
    }
    return bases.slice(1);
  };
  const framesOf = (stack) => {
    const frames = [];
    for (const line of (stack || '').split('\n')) {
      const at = /^\s+at (?:(.*?) \()?(?:file:\/\/)?(\/.*?|node:.*?):(\d+):(\d+)\)?$/.exec(line);
      if (at === null || frames.length === 6) continue;
      const [, name, path, row, column] = at;
      // Of the frames below the first, those of the user's.
      if (frames.length > 0 && !(path.startsWith('/') && !path.includes('/node_modules/'))) continue;
      const own = { name: name || '<anonymous>', line: +row, column: +column };
      // A path of Node's own is none of a file.
      frames.push(path.startsWith('/') ? { ...own, source: { path: decodeURI(path) } } : own);
    }
    return frames;
  };
  const describe = (error, link) => {
    if (!isObject(error)) return { typeName: typeof error, message: String(error), link };
    seen.add(error);
    const inner = [];
    const add = (cause, link) => {
      if (left <= 0 || cause === undefined || seen.has(cause)) return;
      left -= 1;
      inner.push(describe(cause, link));
    };
    add(own(error, 'cause'), 'cause');
    const errors = own(error, 'errors');
    if (Array.isArray(errors)) errors.slice(0, most).forEach((one) => add(one, 'member'));
    const stack = stackOf(error);
    return {
      typeName: typeOf(error),
      baseTypes: link === undefined ? basesOf(error) : [],
      message: text(own(error, 'message')),
      stackTrace: link === undefined ? stack : undefined,
      frames: framesOf(stack),
      innerException: inner,
      link,
    };
  };
  return raised === undefined ? undefined : JSON.stringify(describe(raised));
}