// Tests of is_built.js.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const SCRIPT = readFileSync(new URL('../is_built.js', import.meta.url), 'utf8');

/** What the script prints for files with these times. */
function printed(output, files) {
  const root = mkdtempSync(join(tmpdir(), 'built-'));
  for (const [name, time] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, time, time);
  }
  const text = execFileSync('node', ['-e', SCRIPT, root, output], { encoding: 'utf8' });
  rmSync(root, { recursive: true });
  return text;
}

test('a program is built if no source is newer', () => {
  assert.equal(printed('dist', { 'src/a.ts': 1, 'dist/a.js': 2 }), 'built');
  assert.equal(printed('dist', { 'src/a.ts': 30, 'dist/a.js': 2 }), '');
  assert.equal(printed('dist', { 'src/a.ts': 3, 'dist/a.js': 2 }), 'about');
  assert.equal(printed('dist', { 'src/a.ts': 1, 'dist/a.js': 2, 'tsconfig.json': 30 }), '');
  assert.equal(printed('dist', { 'src/a.ts': 30 }), 'none');
  assert.equal(printed('', { 'a.ts': 1, 'a.js': 2 }), 'built');
});

test('declarations and installed packages are no sources', () => {
  const files = { 'src/a.ts': 1, 'dist/a.js': 2, 'dist/a.d.ts': 30, 'src/b.d.ts': 30 };
  assert.equal(printed('dist', { ...files, 'node_modules/c/c.ts': 30 }), 'built');
});
