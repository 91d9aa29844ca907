// Whether a program may fail where V8 expects somebody to catch the error: an ES module, a test, a
// program of a package that uses a framework. A program in `node_modules`, as a test runner, may
// load any.
'use strict';
const { readFileSync } = require('fs');
const { dirname, extname, join } = require('path');

/** An expression with what this file has to know of a process. */
const PROCESS = `globalThis.process === undefined ? '{}' : JSON.stringify({
  program: process.argv[1], options: process.execArgv, test: process.env.NODE_TEST_CONTEXT })`;

/** The nearest package.json above a directory. */
function packageOf(directory) {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  } catch {
    const parent = dirname(directory);
    return parent === directory ? {} : packageOf(parent);
  }
}

/** Whether the errors of a process have to be selected from all; `frameworks` are package names. */
function isSelecting({ program, options = [], test }, frameworks) {
  if (program === undefined || test !== undefined) return true;
  if (options.some((option) => /^--(test|import|loader|experimental-loader)\b/.test(option))) {
    return true;
  }
  const ending = extname(program);
  if (['.mjs', '.mts'].includes(ending) || program.includes('/node_modules/')) return true;
  const { type, dependencies, devDependencies } = packageOf(dirname(program)) ?? {};
  if (type === 'module' && !['.cjs', '.cts'].includes(ending)) return true;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.some((name) => frameworks.includes(name));
}

module.exports = { PROCESS, isSelecting };
