// Tests of compiled.js.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const { Compiled } = createRequire(import.meta.url)('../compiled.js');

const SCRIPT = `const { basename } = require('path');
exports.own = require('./own.js');
exports.place = [basename(__filename), basename(__dirname), require('module') === module];
exports.load = () => import('./loaded.mjs');
exports.twice = (n) => 2 * n;
`;

/** A directory with a script and an empty cache. */
function directory(context) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'compiled-')));
  context.after(() => fs.rmSync(root, { recursive: true }));
  fs.writeFileSync(join(root, 'own.js'), 'module.exports = 7;\n');
  fs.writeFileSync(join(root, 'loaded.mjs'), 'export const name = "loaded";\n');
  fs.writeFileSync(join(root, 'main.cjs'), SCRIPT);
  return root;
}

function compiled(root, file = join(root, 'main.cjs')) {
  return new Compiled(file, join(root, 'cache'));
}

function codes(root) {
  return fs.readdirSync(join(root, 'cache')).map((name) => join(root, 'cache', name));
}

test('script runs as a module, with its code compiled and stored', (context) => {
  const root = directory(context);
  for (const isStored of [false, true]) {
    const one = compiled(root);
    assert.equal(one.isStored, isStored);
    const exported = one.run();
    assert.equal(exported.own, 7);
    assert.deepEqual(exported.place, ['main.cjs', basename(root), false]);
    assert.equal(exported.twice(3), 6);
    one.store();
  }
  assert.equal(codes(root).length, 1);
});

test('code that others can write is not run', (context) => {
  const root = directory(context);
  const one = compiled(root);
  one.run();
  one.store();
  const [code] = codes(root);
  for (const path of [code, join(root, 'cache')]) {
    const { mode } = fs.statSync(path);
    fs.chmodSync(path, mode | 0o020);
    assert.equal(compiled(root).isStored, false, path);
    fs.chmodSync(path, mode);
    assert.equal(compiled(root).isStored, true, path);
  }
});

test('a link is resolved, as require does', (context) => {
  const root = directory(context);
  fs.mkdirSync(join(root, 'bin'));
  const link = join(root, 'bin', 'server');
  fs.symlinkSync(join(root, 'main.cjs'), link);
  const exported = compiled(root, link).run();
  assert.equal(exported.own, 7);
  assert.deepEqual(exported.place, ['main.cjs', basename(root), false]);
});

test('modules are loaded by import()', async (context) => {
  const root = directory(context);
  for (const _ of [1, 2]) {
    const one = compiled(root);
    assert.equal((await one.run().load()).name, 'loaded');
    one.store();
  }
});

test('another text has other code', (context) => {
  const root = directory(context);
  const first = compiled(root);
  first.run();
  first.store();
  fs.writeFileSync(join(root, 'main.cjs'), SCRIPT.replace('2 * n', '3 * n'));
  const second = compiled(root);
  assert.equal(second.isStored, false);
  assert.equal(second.run().twice(3), 9);
});

/** What a new process finds: V8 keeps the code of a text that it has compiled. */
function start(root) {
  const source = `const { Compiled } = require(process.argv[1]);
    const one = new Compiled(process.argv[2], process.argv[3]);
    const found = [one.isStored, one.run().twice(3)];
    one.store();
    console.log(JSON.stringify(found));`;
  const script = new URL('../compiled.js', import.meta.url).pathname;
  const words = ['-e', source, script, join(root, 'main.cjs'), join(root, 'cache')];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

test('damaged code is replaced', (context) => {
  const root = directory(context);
  assert.deepEqual(start(root), [false, 6]);
  assert.deepEqual(start(root), [true, 6]);
  const [stored] = codes(root);
  const code = fs.readFileSync(stored);
  for (const damaged of ['damaged', code.subarray(0, code.length / 2), code.fill(7, 99, 200)]) {
    fs.writeFileSync(stored, damaged);
    assert.deepEqual(start(root), [false, 6]);
    assert.deepEqual(start(root), [true, 6]);
  }
});

test('code that cannot be stored prevents nothing and leaves nothing', (context) => {
  const root = directory(context);
  fs.writeFileSync(join(root, 'cache'), '');
  const one = compiled(root);
  one.store();
  assert.equal(one.run().own, 7);
  assert.equal(fs.readFileSync(join(root, 'cache'), 'utf8'), '');
});

test('old code is removed', (context) => {
  const root = directory(context);
  fs.mkdirSync(join(root, 'cache'));
  for (const [name, days] of [
    ['old.code', 31],
    ['new.code', 29],
  ]) {
    fs.writeFileSync(join(root, 'cache', name), '');
    const used = new Date(Date.now() - days * 24 * 3600 * 1000);
    fs.utimesSync(join(root, 'cache', name), used, used);
  }
  compiled(root).store();
  const names = codes(root).map((file) => basename(file));
  assert.equal(names.includes('old.code'), false);
  assert.equal(names.includes('new.code'), true);
  assert.equal(names.length, 2);
});
