// Tests of find_tool.js.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const SCRIPT = readFileSync(new URL('../find_tool.js', import.meta.url), 'utf8');

test('a tool is found in the nearest directory above', () => {
  const root = mkdtempSync(join(tmpdir(), 'find-'));
  const package_ = join(root, 'packages', 'web');
  const bin = join('node_modules', '.bin');
  mkdirSync(join(root, bin), { recursive: true });
  mkdirSync(join(package_, bin), { recursive: true });
  for (const name of ['one', 'both']) writeFileSync(join(root, bin, name), '');
  writeFileSync(join(package_, bin, 'both'), '');
  const find = (name) => execFileSync('node', ['-e', SCRIPT, package_, name], { encoding: 'utf8' });
  assert.equal(find('one'), join(root, bin, 'one'));
  assert.equal(find('both'), join(package_, bin, 'both'));
  assert.equal(find('none'), '');
  rmSync(root, { recursive: true });
});
