// Whether an exception that somebody will catch is a failure for the user: the first to catch it is
// a framework, as a test runner, the handler of a request, or Node's loader of modules.
//
// Follows the error from its throw outwards, through functions and the promises that they return.
// An error is no failure if the user's code catches it, or a library that the user's code has
// called, as `assert.throws` does. Where a promise goes to is read from the source text; of what
// cannot be read it is assumed that somebody handles it.
'use strict';
const { UNKNOWN, lastIndex } = require('./sources.js');

/** Packages that call the user's code and report what it throws. */
const FRAMEWORKS = [
  'express', 'router', 'koa', 'koa-compose', 'fastify', '@nestjs/core',
  'mocha', 'jest', 'jest-circus', 'jest-jasmine2', 'vitest', '@vitest/runner',
];
const FRAMEWORK = new RegExp(
  '^node:internal/(test_runner/|modules/esm/module_job$)|' +
    `/node_modules/(${FRAMEWORKS.join('|')})/`,
);
/** Loaders of modules: one that they do not find or cannot read has run no code of the user's. */
const LOADER = /^node:internal\/modules\/|\/node_modules\/(jest-runtime|jest-resolve|vite-node)\//;
/**
 * Routers, which catch what a handler throws and go on with it as an error of the request: the
 * user's handler before it, whose call of `next` they are in, does not see it.
 */
const ROUTER = /\/node_modules\/(express|router)\//;
/** The frameworks that are in every process. */
const ALWAYS = /^node:internal\/modules\//;
/** The names of V8 for tasks in which an error rejects a promise. */
const IN_PROMISE = /^(await|async function|Promise\.)/;

/** Whether a script is one of a framework that the program has chosen. */
function isFramework(url) {
  return FRAMEWORK.test(url) && !ALWAYS.test(url);
}

/** The way of an error through frames. */
class Way {
  constructor(sources) {
    this.sources = sources;
    /** Whether it is the reason of a rejected promise, and is thrown no more. */
    this.isPromise = false;
  }

  /** Where it ends in the function of a frame: `caught` there or `unknown`; else nothing. */
  async end(location) {
    const place = await this.sources.at(location);
    if (this.isPromise && place.promise === 'unknown') return 'unknown';
    const isThrown = !this.isPromise || place.promise === 'awaited';
    if (isThrown && place.catches) return place === UNKNOWN ? 'unknown' : 'caught';
    this.isPromise ||= place.rejects;
    return undefined;
  }

  /**
   * Where it ends: in one of the frames, as `end` says, in a `framework` or `further` out. Behind
   * the last frame of the user's the error is the framework's. Before it come libraries.
   */
  async through(frames, isBeforeUsers) {
    const own = lastIndex(frames, (frame) => this.sources.isUsers(frame)) + 1;
    const hasFramework = frames.slice(own).some((frame) => FRAMEWORK.test(this.sources.url(frame)));
    const isOfLibrary = own === 0 && isBeforeUsers;
    if (isOfLibrary && hasFramework) return 'unknown';
    for (const frame of isOfLibrary ? frames : frames.slice(0, own)) {
      const end = await this.end(frame.location ?? frame);
      if (end === 'caught' && ROUTER.test(this.sources.url(frame))) return 'framework';
      if (end !== undefined) return end;
    }
    return hasFramework ? 'framework' : 'further';
  }
}

/** The frames of a pause, and of the functions that get the promise that its error rejects. */
function chain({ callFrames, asyncStackTrace }) {
  const all = [callFrames];
  let trace = asyncStackTrace;
  for (; IN_PROMISE.test(trace?.description ?? ''); trace = trace.parent) {
    all.push(trace.callFrames);
  }
  return all;
}

/** Whether an error comes out of a function of the user's, or of one that it awaits. */
function isOfUsers(sources, pause) {
  return chain(pause).flat().some((frame) => sources.isUsers(frame));
}

/**
 * Whether an error is thrown at the place of a frame, and no call there rejects a promise with it:
 * V8 has the same reason for both in an async function. Where a compiler at load maps the places of
 * the stack, V8 knows the place of a failed access to a property.
 */
async function isThrown(sources, data, { location }) {
  if ((await sources.at(location)).throws) return true;
  const [, line, column] = /\n\s+at .*:(\d+):(\d+)\)?(?:\n|$)/.exec(data?.description ?? '') ?? [];
  if (+line === location.lineNumber + 1 && +column === location.columnNumber + 1) return true;
  const thrown = await sources.thrown(data?.objectId);
  const keys = ['scriptId', 'lineNumber', 'columnNumber'];
  return thrown !== undefined && keys.every((key) => thrown[key] === location[key]);
}

/** Whether an error is thrown below the first frame of the user's, by a loader of modules. */
function isOfLoader(sources, callFrames) {
  const own = callFrames.findIndex((frame) => sources.isUsers(frame));
  const below = own < 0 ? callFrames : callFrames.slice(0, own);
  return below.some((frame) => LOADER.test(sources.url(frame)));
}

/**
 * Who is the first to handle the exception of a pause: `framework`, `caught` by a `try` around the
 * place, or `unknown`.
 */
async function handler(sources, pause) {
  const { reason, data, callFrames } = pause;
  if (!isOfUsers(sources, pause) || isOfLoader(sources, callFrames)) return 'unknown';
  const way = new Way(sources);
  way.isPromise = reason === 'promiseRejection' && !(await isThrown(sources, data, callFrames[0]));
  const all = chain(pause);
  const last = lastIndex(all, (frames) => frames.some((frame) => sources.isUsers(frame)));
  for (const [at, frames] of all.entries()) {
    way.isPromise ||= at > 0;
    const outcome = await way.through(frames, at < last);
    if (outcome !== 'further') return outcome;
  }
  return 'unknown';
}

/**
 * Whether the error of a pause comes to a frame of the user's before anybody catches it. What cannot
 * be read catches no error that is thrown, and handles every rejected promise.
 */
async function reachesUsers(sources, { reason, data, callFrames, asyncStackTrace }) {
  const way = new Way(sources);
  way.isPromise = reason === 'promiseRejection' && !(await isThrown(sources, data, callFrames[0]));
  let frames = callFrames;
  for (let trace = asyncStackTrace; frames !== undefined; trace = trace?.parent) {
    for (const frame of frames) {
      if (sources.isUsers(frame)) return true;
      const end = await way.end(frame.location ?? frame);
      if (end === 'caught' || (end === 'unknown' && way.isPromise)) return false;
    }
    frames = IN_PROMISE.test(trace?.description ?? '') ? trace.callFrames : undefined;
    way.isPromise = true;
  }
  return false;
}

/** Whether the error of a pause rejects a promise, which may get a handler later. */
async function isRejection(sources, { reason, callFrames, asyncStackTrace }) {
  if (reason === 'promiseRejection') return true;
  if (IN_PROMISE.test(asyncStackTrace?.description ?? '')) return true;
  for (const { location } of callFrames) {
    if ((await sources.at(location)).rejects) return true;
  }
  return false;
}

/** Node's method that runs a test, and whether the test is one that may fail. */
const RUNS_TEST = /^node:internal\/test_runner\/test$/;
const IS_TODO = 'this?.isTodo';

/** Whether the innermost test of Node's at a pause may fail: below it are the tests before it. */
async function isOfTodo(target, sources, { callFrames }) {
  for (const frame of callFrames) {
    if (frame.callFrameId === undefined || !RUNS_TEST.test(sources.url(frame))) continue;
    const { result } = await target.call('Debugger.evaluateOnCallFrame', {
      callFrameId: frame.callFrameId,
      expression: IS_TODO,
      throwOnSideEffect: true,
      silent: true,
    });
    const isTodo = result?.result?.value;
    if (typeof isTodo === 'boolean') return isTodo;
  }
  return false;
}

module.exports = {
  FRAMEWORKS, handler, isFramework, isOfTodo, isOfUsers, isRejection, reachesUsers,
};
