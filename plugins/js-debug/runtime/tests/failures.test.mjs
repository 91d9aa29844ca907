// Tests of failures.js, with texts in place of a debuggee's scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  handler, isFramework, isOfTodo, isRejection, reachesUsers,
} from '../failures.js';
import { Source, Sources } from '../sources.js';

const RUNNER = 'node:internal/test_runner/test';
const LIBRARY = 'file:///w/node_modules/chai/index.js';

/** A pause in these scripts, innermost first: pairs of a text with a mark `@` and a URL. */
function pause(frames, asyncStackTrace) {
  const [texts, urls] = [[], []];
  const frame = ([marked, url = 'file:///w/a.js']) => {
    const before = marked.slice(0, marked.indexOf('@')).split('\n');
    texts.push(marked.replace('@', ''));
    urls.push(url);
    return {
      location: {
        scriptId: String(texts.length - 1),
        lineNumber: before.length - 1,
        columnNumber: before.at(-1).length,
      },
    };
  };
  const callFrames = frames.map(frame);
  const trace = asyncStackTrace && { ...asyncStackTrace };
  if (trace) trace.callFrames = trace.callFrames.map((one) => frame(one).location);
  const sources = new Sources();
  urls.forEach((url, at) => sources.add({ scriptId: String(at), url }));
  sources.at = async (place) => new Source(texts[+place.scriptId]).at(place);
  return [sources, { reason: 'exception', callFrames, asyncStackTrace: trace }];
}

const isFailure = async (...args) => (await handler(...args)) === 'framework';
const runs = ['function run(fn) { try { @fn(); } catch (e) { report(e); } }', RUNNER];

test('what reaches a framework is a failure', async () => {
  const own = ['function t() { @g(); }'];
  assert.equal(await isFailure(...pause([['function g() { @throw 1; }'], own, runs])), true);
  const library = ['function equal() { @throw 1; }', LIBRARY];
  assert.equal(await isFailure(...pause([library, own, runs])), true);
});

test('what somebody catches before is none', async () => {
  const thrown = ['function g() { @throw 1; }'];
  const own = ['function t() { try { @g(); } catch {} }'];
  assert.equal(await isFailure(...pause([thrown, own, runs])), false);
  const throws = ['function throws(f) { try { @f(); } catch (e) { return e; } }', LIBRARY];
  const test = ['function t() { @throws(g); }'];
  assert.equal(await isFailure(...pause([thrown, throws, test, runs])), false);
  assert.equal(await isFailure(...pause([thrown, throws])), false);
  assert.equal(await isFailure(...pause([throws, runs])), false);
});

test('what a router catches is a failure, also below a handler of the user', async () => {
  const thrown = ['function get() { @throw 1; }'];
  const handle = (url) => ['function handle(fn) { try { @fn(); } catch (e) { next(e); } }', url];
  const first = ['function log(req, res, next) { @next(); }'];
  for (const [name, expected] of [['express', true], ['router', true], ['chai', false]]) {
    const router = handle(`/w/node_modules/${name}/lib/layer.js`);
    assert.equal(await isFailure(...pause([thrown, router, first, router])), expected, name);
  }
});

test('a catch around the place differs from a promise that somebody may handle', async () => {
  const thrown = ['function g() { @throw 1; }'];
  const own = ['function t() { try { @g(); } catch {} }'];
  assert.equal(await handler(...pause([thrown, own, runs])), 'caught');
  const rejects = ['async function g() { @throw 1; }'];
  assert.equal(await handler(...pause([rejects, own, runs])), 'unknown');
  assert.equal(await handler(...pause([thrown])), 'unknown');
});

test('a module that a loader does not find is none', async () => {
  const requires = ["@require('./gone');"];
  for (const url of ['node:internal/modules/cjs/loader', '/w/node_modules/jest-runtime/index.js']) {
    const load = ['function load() { @throw 1; }', url];
    assert.equal(await isFailure(...pause([load, requires, runs])), false);
    assert.equal(await isFailure(...pause([requires, load, runs])), true);
  }
});

test('a promise is followed while it is awaited or returned', async () => {
  const thrown = ['async function g() { @throw 1; }'];
  const test = (text) => pause([thrown, [text], runs]);
  assert.equal(await isFailure(...test('async function t() { await @g(); }')), true);
  assert.equal(await isFailure(...test('function t() { return @g(); }')), true);
  assert.equal(await isFailure(...test('async function t() { try { await @g(); } catch {} }')), false);
  assert.equal(await isFailure(...test('async function t() { @g().catch(h); }')), false);
  assert.equal(await isFailure(...test('function t() { try { return @g(); } catch {} }')), true);
});

test('a function that waited is followed through the asynchronous stack', async () => {
  const thrown = ['async function g() { await null; @throw 1; }'];
  const trace = (text, description = 'await') => ({
    description,
    callFrames: [[text], runs],
  });
  const failure = (...args) => isFailure(...pause([thrown], trace(...args)));
  assert.equal(await failure('async function t() { await @g(); }'), true);
  assert.equal(await failure('async function t() { try { await @g(); } catch {} }'), false);
  assert.equal(await failure('async function t() { await @g(); }', 'Timeout'), false);
});

test('what a library rejects is followed to the function of the user that awaits it', async () => {
  const thrown = ['async function load() { await null; @throw 1; }', LIBRARY];
  const library = (text) => [text, LIBRARY];
  const fails = async (own, ...inner) =>
    isFailure(...pause([thrown], { description: 'await', callFrames: [...inner, own, runs] }));
  const own = ['async function t() { await @load(); }'];
  assert.equal(await fails(own), true);
  assert.equal(await fails(own, library('async function again() { await @load(); }')), true);
  const quiet = library('async function quiet() { try { await @load(); } catch {} }');
  assert.equal(await fails(own, quiet), false);
  assert.equal(await fails(['async function t() { try { await @load(); } catch {} }']), false);
  const [sources, made] = pause([thrown, runs], { description: 'await', callFrames: [own] });
  assert.equal(await handler(sources, made), 'unknown');
  const load = ['function load() { @throw 1; }', 'node:internal/modules/esm/resolve'];
  const parent = { description: 'await', callFrames: [own, runs] };
  assert.equal(await isFailure(...pause([load], parent)), false);
});

test('a call that rejects a promise throws nothing', async () => {
  const [sources, made] = pause([['async function g() { @f(); }'], runs]);
  const reason = 'promiseRejection';
  const failure = (description) => isFailure(sources, { ...made, reason, data: { description } });
  assert.equal(await failure('TypeError: f\n    at g (file:///w/a.js:1:22)\n    at x'), true);
  assert.equal(await failure('Error: f\n    at g (file:///w/a.js:1:9)\n    at x'), false);
});

test('a place that a mapped stack hides is where V8 threw', async () => {
  const [sources, made] = pause([['async function g(x) { @x.f; }'], runs]);
  const [reason, data] = ['promiseRejection', { description: 'TypeError: f\n    at g (b.ts:9:9)' }];
  const failure = (thrown) => {
    sources.thrown = async () => thrown;
    return isFailure(sources, { ...made, reason, data });
  };
  assert.equal(await failure(made.callFrames[0].location), true);
  assert.equal(await failure({ scriptId: '0', lineNumber: -1, columnNumber: -1 }), false);
  assert.equal(await failure(undefined), false);
});

test('rejections are known by their functions and tasks', async () => {
  const thrown = ['function g() { @throw 1; }'];
  assert.equal(await isRejection(...pause([thrown])), false);
  assert.equal(await isRejection(...pause([thrown, ['async function f() { @g(); }']])), true);
  assert.equal(
    await isRejection(...pause([thrown], { description: 'Promise.then', callFrames: [] })),
    true,
  );
});

test('frameworks are known by their scripts', () => {
  assert.equal(isFramework('file:///w/node_modules/jest-circus/build/run.js'), true);
  assert.equal(isFramework('node:internal/test_runner/harness'), true);
  assert.equal(isFramework('node:internal/modules/esm/module_job'), false);
  assert.equal(isFramework('file:///w/node_modules/left-pad/index.js'), false);
});

const reaches = (...args) => reachesUsers(...pause(...args));

test('what a library catches itself does not come to the user', async () => {
  const throws = ['function parse() { @throw 1; }', LIBRARY];
  const catches = ['function quiet() { try { @parse(); } catch {} }', LIBRARY];
  const plain = ['function loud() { @parse(); }', LIBRARY];
  const own = ['function t() { @lib(); }'];
  assert.equal(await reaches([throws, catches, own]), false);
  assert.equal(await reaches([throws, plain, own]), true);
  assert.equal(await reaches([['function t() { @throw 1; }'], catches]), true);
  assert.equal(await reaches([throws, plain]), false);
});

test('what a library awaits is followed to the user', async () => {
  const rejects = ['async function load() { @throw 1; }', LIBRARY];
  const trace = (text, url = LIBRARY) => ({ description: 'await', callFrames: [[text, url]] });
  const caught = trace('async function quiet() { try { await @load(); } catch {} }');
  assert.equal(await reaches([rejects], caught), false);
  const returned = trace('async function loud() { return @load(); }');
  const [sources, params] = pause([rejects], returned);
  assert.equal(await reachesUsers(sources, params), false);
  params.asyncStackTrace.parent = { description: 'await', callFrames: [{ scriptId: '9' }] };
  sources.add({ scriptId: '9', url: 'file:///w/a.js' });
  assert.equal(await reachesUsers(sources, params), true);
});

test('the innermost test decides whether it may fail', async () => {
  const todo = { inner: undefined, first: false, before: true };
  const call = async (_, { callFrameId }) => ({ result: { result: { value: todo[callFrameId] } } });
  const frames = (...ids) => ids.map((callFrameId) => ({ callFrameId }));
  const sources = { url: () => 'node:internal/test_runner/test' };
  const isOf = (...ids) => isOfTodo({ call }, sources, { callFrames: frames(...ids) });
  assert.equal(await isOf('inner', 'first', 'before'), false);
  assert.equal(await isOf('inner', 'before', 'first'), true);
  assert.equal(await isOf('inner'), false);
});
