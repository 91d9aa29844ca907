// Tests of entry.js.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Entry } from '../entry.js';

const MARK = '(?:entryBreakpoint){0}';

/** The pattern by which js-debug names a file. */
function pattern(path, mark = MARK) {
  const escaped = path.replace(/[.+/]/g, '\\$&');
  return `file:\\/\\/${escaped}($|\\?)|${escaped}($|\\?)${mark}`;
}

/** The line, from 1, and the column of the breakpoint that js-debug sets at 0:0. */
function begin(text, mark = MARK) {
  const directory = mkdtempSync(join(tmpdir(), 'entry+'));
  const path = join(directory, 'a.js');
  writeFileSync(path, text);
  const params = { urlRegex: pattern(path, mark), lineNumber: 0, columnNumber: 0 };
  new Entry().commands.get('Debugger.setBreakpointByUrl')({ params });
  rmSync(directory, { recursive: true });
  return [params.lineNumber + 1, params.columnNumber];
}

test('the program begins at the first statement outside of functions', () => {
  const func = 'function f() {\n  return 1;\n}\n';
  const statements = ['f();', 'if (1) f();', '/text/;'];
  for (const text of statements) assert.deepEqual(begin(`${func}  ${text}`), [4, 2], text);
  assert.deepEqual(begin(`${func}const { a = () => 1 } = f();`), [4, 21]);
  for (const text of ["'use strict';", '1;', 'var a;', '{ ; }', '{ function g() {} }']) {
    assert.deepEqual(begin(`${text}\n${func}f();`), [5, 0], text);
  }
  for (const text of ['{ function g() {} f(); }', 'do { function g() {} } while (f())']) {
    assert.equal(begin(text)[1], text.indexOf('f()'), text);
  }
  const module = `#!/bin/x\nimport 'fs';\nexport ${func}let a;\nexport let b = 1;`;
  assert.deepEqual(begin(module), [7, 12]);
  assert.deepEqual(begin(`class A extends Error {}\n;export { A };\n${func}f();`), [6, 0]);
  assert.deepEqual(begin(func), [3, 1]);
  assert.deepEqual(begin('\n'), [1, 0]);
});

test('a class begins at the code that makes it', () => {
  const made = [
    'class A extends f() {}',
    'class A { m() {} [f()]() {} }',
    'export class A { m() {} static x = f(); }',
    'class A { static { function g() {} f(); } }',
    'try { class A { static y; static x = f(); } } catch {}',
  ];
  for (const text of made) assert.equal(begin(text)[1], text.indexOf('f()'), text);
  assert.deepEqual(begin('class A { x = f(); m() {} }\nf();'), [2, 0]);
});

test('the program begins once', () => {
  const calls = [];
  const entry = new Entry({ call: (method, params) => calls.push([method, params]) });
  const params = { urlRegex: pattern('/none'), lineNumber: 0, columnNumber: 0 };
  entry.commands.get('Debugger.setBreakpointByUrl')({ params });
  const breakpointId = `2:0:0:${params.urlRegex}`;
  for (const hitBreakpoints of [undefined, ['other'], [breakpointId], [breakpointId]]) {
    entry.events.get('Debugger.paused')({ params: { hitBreakpoints } });
  }
  assert.deepEqual(calls, [['Debugger.removeBreakpoint', { breakpointId }]]);
});

test('other breakpoints, and texts in another language, do not change', () => {
  assert.deepEqual(begin('\n\nf();', ''), [1, 0]);
  assert.deepEqual(begin('\nlet a: number = 1;'), [1, 0]);
});
