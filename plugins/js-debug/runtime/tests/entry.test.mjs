// Tests of entry.js.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Entry } from '../entry.js';

/** The line, from 1, and the column of the breakpoint that js-debug sets at 0:0. */
function begin(text, mark = '(?:entryBreakpoint){0}') {
  const directory = mkdtempSync(join(tmpdir(), 'entry+'));
  const path = join(directory, 'a.js');
  writeFileSync(path, text);
  const escaped = path.replace(/[.+/]/g, '\\$&');
  const urlRegex = `file:\\/\\/${escaped}($|\\?)|${escaped}($|\\?)${mark}`;
  const params = { urlRegex, lineNumber: 0, columnNumber: 0 };
  new Entry().commands.get('Debugger.setBreakpointByUrl')({ params });
  rmSync(directory, { recursive: true });
  return [params.lineNumber + 1, params.columnNumber];
}

test('the program begins at the first statement outside of functions', () => {
  const func = 'function f() {\n  return 1;\n}\n';
  const statements = ['f();', 'const a = f();', 'if (1) f();', '"text";'];
  for (const text of statements) assert.deepEqual(begin(`${func}  ${text}`), [4, 2], text);
  const module = `#!/bin/x\nimport 'fs';\nexport ${func}let a;\nexport let b = 1;`;
  assert.deepEqual(begin(module), [7, 0]);
  assert.deepEqual(begin(`class A extends Error {}\n;export { A };\n${func}f();`), [6, 0]);
  assert.deepEqual(begin(func), [3, 1]);
  assert.deepEqual(begin('\n'), [1, 0]);
});

test('other breakpoints, and texts in another language, do not change', () => {
  assert.deepEqual(begin('\n\nf();', ''), [1, 0]);
  assert.deepEqual(begin('\nlet a: number = 1;'), [1, 0]);
});
