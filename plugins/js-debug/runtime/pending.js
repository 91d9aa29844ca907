// Functions that wait, when the caller pauses a program in which only Node runs.
//
// V8 has no list of them. A snapshot of the heap has an object for each async function that waits,
// and V8's view of the object has its place and its scopes. They follow the frames of the pause,
// named as what they wait in, each place once, and the scopes of modules (modules.js). Large heaps
// are not searched: a snapshot and reading it take some 60 ms for each MB.
//
// V8 stops at the next code that runs. A thread that waits for events runs none, so it gets some.
'use strict';
const { CHANGED, TAKEN } = require('./cdp.js');

const GROUP = 'dapdock.pending';
/**
 * A script for V8 to stop in if no other code runs, its URL, and the one that js-debug gets: V8
 * ignores a pause in Node's own code.
 */
const IDLE_URL = 'dapdock:idle';
const IDLE = `0\n//# sourceURL=${IDLE_URL}`;
const NODE_URL = 'node:internal/dapdock/idle';
const WAITS = 'event loop (waits)';
/** The largest heap to search, in bytes. */
const LARGEST = 8 << 20;
/** How many functions are read. */
const MOST = 200;
/** The edge of a snapshot that only objects of suspended functions have. */
const SUSPENDED = 'parameters_and_registers';

/** The ids of the objects of suspended functions in a snapshot. */
function suspended({ snapshot, nodes, edges, strings }) {
  const { node_fields: fields, edge_fields: edgeFields } = snapshot.meta;
  const [idAt, countAt] = [fields.indexOf('id'), fields.indexOf('edge_count')];
  const nameAt = edgeFields.indexOf('name_or_index');
  const wanted = strings.indexOf(SUSPENDED);
  const types = snapshot.meta.edge_types[0];
  const internal = types.indexOf('internal');
  const ids = [];
  let edge = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    const end = edge + nodes[node + countAt] * edgeFields.length;
    let isFound = false;
    for (; edge < end; edge += edgeFields.length) {
      isFound ||= edges[edge] === internal && edges[edge + nameAt] === wanted;
    }
    if (isFound) ids.push(nodes[node + idAt]);
  }
  return wanted < 0 ? [] : ids;
}

/** Why the functions that wait are not listed. */
function notListed(usedSize) {
  const [size, largest] = [usedSize, LARGEST].map((bytes) => Math.round((bytes ?? 0) / (1 << 20)));
  return 'the async functions that wait are not listed: V8 needs a snapshot of the heap for ' +
    `them, and that of ${size} MB takes long (at most ${largest} MB)`;
}

/** Removes the frame of the script for an idle thread, or names it; whether it is there. */
function hideIdle(callFrames, script) {
  const [top, ...others] = callFrames;
  if (script === undefined || top?.location.scriptId !== script) return false;
  // The thread ran code again when it got the script.
  if (others.length > 0) callFrames.shift();
  else top.functionName = WAITS;
  return true;
}

class Pending {
  constructor(target, frames, sources, modules, note) {
    this.target = target;
    this.modules = modules;
    this.note = note;
    this.frames = frames;
    this.sources = sources;
    this.isWanted = false;
    this.hasObjects = false;
    this.idleScript = undefined;
    this.commands = new Map([['Debugger.pause', () => this.onPause()]]);
    this.events = new Map([
      ['Debugger.scriptParsed', ({ params }) => this.onParsed(params)],
      ['Debugger.paused', ({ params }) => this.onPaused(params)],
      ['Debugger.resumed', () => this.onResumed()],
      ['HeapProfiler.addHeapSnapshotChunk', ({ params }) => this.onChunk(params)],
    ]);
  }

  onPause() {
    this.isWanted = true;
    this.runIdle();
  }

  /** Runs code in a thread that has handled the pause and runs none. */
  async runIdle() {
    await this.target.call('Runtime.getHeapUsage');
    if (this.isWanted) this.target.call('Runtime.evaluate', { expression: IDLE, silent: true });
  }

  onParsed(params) {
    if (params.url !== IDLE_URL) return undefined;
    params.url = NODE_URL;
    this.idleScript = params.scriptId;
    return CHANGED;
  }

  onResumed() {
    if (!this.hasObjects) return;
    this.hasObjects = false;
    this.target.call('Runtime.releaseObjectGroup', { objectGroup: GROUP });
    this.modules.release();
  }

  onChunk({ chunk }) {
    this.chunks?.push(chunk);
    return TAKEN;
  }

  onPaused(params) {
    const isPause = this.isWanted && ['other', 'ambiguous'].includes(params.reason);
    this.isWanted = false;
    const isIdle = hideIdle(params.callFrames, this.idleScript);
    const runsOwn = params.callFrames.some((frame) => this.sources.isUsers(frame));
    if (!isPause || runsOwn) return isIdle ? CHANGED : undefined;
    this.add(params)
      .catch(() => params)
      .then((changed) => this.target.emit('Debugger.paused', changed));
    return TAKEN;
  }

  /** The pause with the functions that wait behind its frames, and the scopes of modules. */
  async add(params) {
    this.hasObjects = true;
    const usage = await this.target.call('Runtime.getHeapUsage');
    const { usedSize } = usage.result ?? {};
    const waiting = await this.waiting(usedSize);
    const modules = await this.modules.frames(usedSize);
    const frames = this.frames.add([...waiting, ...modules]);
    return { ...params, callFrames: [...params.callFrames, ...frames] };
  }

  /** The frames of the functions that wait, one for each place. */
  async waiting(usedSize) {
    if (!(usedSize <= LARGEST)) {
      this.note(notListed(usedSize));
      return [];
    }
    const ids = (await this.ids()).slice(0, MOST);
    const frames = await Promise.all(ids.map((id) => this.frame(id)));
    // This forgets the ids.
    this.target.call('HeapProfiler.disable');
    const places = new Map();
    for (const frame of frames) {
      if (frame === undefined) continue;
      const { scriptId, lineNumber, columnNumber } = frame.location;
      const place = `${scriptId}:${lineNumber}:${columnNumber}`;
      const known = places.get(place) ?? { frame, count: 0 };
      places.set(place, { frame: known.frame, count: known.count + 1 });
    }
    return [...places.values()].map(({ frame, count }) => {
      const times = count > 1 ? ` ×${count}` : '';
      return { ...frame, functionName: `${frame.functionName} (waits${times})` };
    });
  }

  async ids() {
    this.chunks = [];
    await this.target.call('HeapProfiler.enable');
    await this.target.call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    const text = this.chunks.join('');
    this.chunks = undefined;
    return text === '' ? [] : suspended(JSON.parse(text));
  }

  /** The frame of an async function of the user's that waits. */
  async frame(id) {
    const found = await this.target.call('HeapProfiler.getObjectByHeapObjectId', {
      objectId: String(id),
      objectGroup: GROUP,
    });
    const objectId = found.result?.result?.objectId;
    if (objectId === undefined) return undefined;
    const read = await this.target.call('Runtime.getProperties', { objectId, ownProperties: true });
    const internal = new Map();
    for (const { name, value } of read.result?.internalProperties ?? []) internal.set(name, value);
    const location = internal.get('[[GeneratorLocation]]')?.value;
    const made = internal.get('[[GeneratorFunction]]');
    if (!/^Async/.test(made?.className ?? '') || !this.sources.isUsers(location)) return undefined;
    return {
      functionName: /^async function\*?\s*([\w$]+)/.exec(made.description)?.[1] ?? '',
      url: this.sources.url(location),
      location,
      this: internal.get('[[GeneratorReceiver]]') ?? { type: 'undefined' },
      scopeChain: await this.scopes(internal.get('[[Scopes]]')),
    };
  }

  async scopes(list) {
    if (list?.objectId === undefined) return [];
    const { objectId } = list;
    const read = await this.target.call('Runtime.getProperties', { objectId, ownProperties: true });
    const scopes = (read.result?.result ?? []).filter(({ name }) => /^\d+$/.test(name));
    return scopes.map(({ value: object }) => {
      const [, type, name] = /^(\w+)(?: \((.*)\))?/.exec(object.description) ?? [];
      return { type: (type ?? 'closure').toLowerCase(), name, object };
    });
  }
}

module.exports = { Pending, hideIdle, suspended };
