// Tests of programs.js.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';

import { PROCESS, isSelecting } from '../programs.js';

test('modules, tests and users of frameworks are selected', () => {
  const root = mkdtempSync(join(tmpdir(), 'dapdock-'));
  const write = (directory, content) => {
    mkdirSync(join(root, directory, 'src'), { recursive: true });
    writeFileSync(join(root, directory, 'package.json'), JSON.stringify(content));
  };
  write('plain', {});
  write('module', { type: 'module' });
  write('server', { dependencies: { express: '*' } });
  const selects = (file, more) => isSelecting({ program: join(root, file), ...more }, ['express']);
  assert.equal(selects('plain/src/a.js'), false);
  assert.equal(selects('plain/src/a.mjs'), true);
  assert.equal(selects('plain/src/a.js', { test: 'child-v8' }), true);
  assert.equal(selects('plain/src/a.js', { options: ['--test'] }), true);
  assert.equal(selects('plain/src/a.js', { options: ['--inspect'] }), false);
  assert.equal(selects('module/src/a.js'), true);
  assert.equal(selects('module/src/a.cjs'), false);
  assert.equal(selects('server/src/a.js'), true);
  assert.equal(selects('plain/node_modules/.bin/jest'), true);
  assert.equal(isSelecting({}, []), true);
});

test('a process describes itself', () => {
  const process = JSON.parse(vm.runInThisContext(PROCESS));
  assert.equal(typeof process.program, 'string');
  assert.ok(Array.isArray(process.options));
});
