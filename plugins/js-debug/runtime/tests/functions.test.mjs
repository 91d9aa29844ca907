// Tests of functions.js, which searches a directory for functions by name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../functions.js', import.meta.url));
const roots = [];
after(() => roots.forEach((root) => rmSync(root, { recursive: true })));

/** A directory with these files. */
function project(files) {
  const root = mkdtempSync(join(tmpdir(), 'functions-'));
  roots.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** Places of a function as FILE:LINE:COLUMN, or the near names. */
function search(root, name) {
  const answer = JSON.parse(execFileSync('node', [script], { input: `${root}\n${name}` }));
  const place = ({ path, line, column }) => `${path.slice(root.length + 1)}:${line}:${column}`;
  return answer.found.length ? answer.found.map(place) : answer.near;
}

test('place of a function is the first code of its body', () => {
  const root = project({
    'a.js': [
      'function plain(n) {',
      '  return n;',
      '}',
      'const arrow = (n) => n + 1;',
      'const value = function (n) { return n; };',
      'class Cart {',
      '  async total(items = []) {',
      '    return items;',
      '  }',
      '}',
      'async function* later() { yield 1; }',
    ].join('\n'),
  });
  for (const [name, place] of [
    ['plain', 'a.js:2:3'],
    ['arrow', 'a.js:4:22'],
    ['value', 'a.js:5:30'],
    ['total', 'a.js:8:5'],
    ['Cart.total', 'a.js:8:5'],
    ['later', 'a.js:11:27'],
  ]) {
    assert.deepEqual(search(root, name), [place], name);
  }
});

test('comments, strings and keywords are no functions', () => {
  const root = project({
    'a.js': "// function no(n) { }\nconst text = 'function no() {}';\nif (text) { no(1); }\n",
  });
  assert.deepEqual(search(root, 'no'), []);
});

test('owner selects among functions of one name', () => {
  const text = (name) => `class ${name} {\n  run() {\n    return 1;\n  }\n}\n`;
  const root = project({ 'a.js': text('One') + text('Two') });
  assert.deepEqual(search(root, 'Two.run'), ['a.js:8:5']);
  assert.deepEqual(search(root, 'run'), ['a.js:3:5', 'a.js:8:5']);
});

test('own sources come before built and installed ones', () => {
  const text = 'function f() {\n  return 1;\n}\n';
  const all = { 'src/f.js': text, 'dist/f.js': text, 'node_modules/x/f.js': text };
  assert.deepEqual(search(project(all), 'f'), ['src/f.js:2:3']);
  assert.deepEqual(search(project({ 'dist/f.js': text }), 'f'), ['dist/f.js:2:3']);
  assert.deepEqual(search(project({ 'node_modules/x/f.js': text }), 'f'), []);
  const typed = { 'f.ts': text, 'f.js': `${text}//# sourceMappingURL=data:x`, 'f.d.ts': text };
  assert.deepEqual(search(project(typed), 'f'), ['f.ts:2:3']);
});

test('similar names are offered', () => {
  const root = project({ 'a.js': 'function checkout() {\n  return 1;\n}\n' });
  assert.deepEqual(search(root, 'chekout'), ['checkout']);
  assert.deepEqual(search(root, 'entirely'), []);
});
