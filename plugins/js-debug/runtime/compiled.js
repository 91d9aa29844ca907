// Runs a script with the code that V8 compiled at an earlier start. Compiling js-debug's server
// takes 0.1 s, a tenth of the time to a first stop. The code is in the user's cache directory,
// under a name with the hash of the script and what the code depends on. V8 refuses the code of
// other flags, but reads damaged code: the file begins with its own hash.
'use strict';
const { createHash, randomUUID } = require('crypto');
const fs = require('fs');
const Module = require('module');
const { homedir } = require('os');
const { dirname, isAbsolute, join } = require('path');
const { cachedDataVersionTag } = require('v8');
const vm = require('vm');

/** Bytes of a SHA-256. */
const HASH = 32;
/** Milliseconds after which stored code is removed; a script in use is compiled again then. */
const AGE = 30 * 24 * 3600 * 1000;

class Compiled {
  /** `file`: a CommonJS script. Throws where `require` must run it. */
  constructor(file, directory = cache()) {
    const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    if (importModuleDynamically === undefined) throw new Error('Node.js before 20.12');
    // `require` resolves links, too: js-debug has files beside its script.
    this.file = fs.realpathSync(file);
    this.directory = directory;
    const text = fs.readFileSync(this.file, 'utf8');
    const fit = [hash(text).toString('hex', 0, 16), process.version, process.arch];
    this.stored = join(directory, `${fit.join('-')}-${cachedDataVersionTag()}.code`);
    const cachedData = read(this.stored);
    this.script = new vm.Script(Module.wrap(text), {
      filename: this.file,
      cachedData,
      importModuleDynamically,
    });
    this.isStored = cachedData !== undefined && !this.script.cachedDataRejected;
  }

  /** Runs the script as `require` does. */
  run() {
    const directory = dirname(this.file);
    const module_ = new Module(this.file, module);
    module_.filename = this.file;
    module_.paths = Module._nodeModulePaths(directory);
    const require_ = Module.createRequire(this.file);
    const main = this.script.runInThisContext();
    main.call(module_.exports, module_.exports, require_, module_, this.file, directory);
    return module_.exports;
  }

  /** Stores the code of the functions that have run; nothing where that is not possible. */
  store() {
    if (this.isStored) return;
    this.isStored = true;
    try {
      fs.mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      fs.accessSync(this.directory, fs.constants.W_OK);
      removeOld(this.directory);
      const code = this.script.createCachedData();
      write(this.stored, Buffer.concat([hash(code), code]));
    } catch {
      // The next start compiles again.
    }
  }
}

/** A directory of this user's cache (XDG Base Directory Specification). */
function cache() {
  const base = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'dapdock', 'js-debug');
}

function hash(data) {
  return createHash('sha256').update(data).digest();
}

/** Can only this user write it? V8 runs stored code as it is. */
function isPrivate(path) {
  const { uid, mode } = fs.statSync(path);
  return uid === process.getuid() && (mode & 0o022) === 0;
}

function read(file) {
  try {
    if (!isPrivate(dirname(file)) || !isPrivate(file)) return undefined;
    const all = fs.readFileSync(file);
    const code = all.subarray(HASH);
    return hash(code).equals(all.subarray(0, HASH)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The file has all of it, or is as before. */
function write(file, all) {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    fs.writeFileSync(unfinished, all, { flag: 'wx', mode: 0o600 });
    fs.renameSync(unfinished, file);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
}

function removeOld(directory) {
  for (const name of fs.readdirSync(directory)) {
    const file = join(directory, name);
    if (Date.now() - fs.statSync(file).mtimeMs > AGE) fs.rmSync(file);
  }
}

module.exports = { Compiled };
