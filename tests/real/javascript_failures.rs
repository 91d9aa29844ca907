//! Which exceptions of JavaScript are failures, and stop: what Node or a framework reports, at the
//! throw, and nothing that somebody handles.

use serde_json::json;

use crate::real::runners::javascript::install;
use crate::real::stage::{Stage, marked};

/// Writes the file of a program, and launches it or a command.
async fn launch(
    stage: &mut Stage,
    dir: &std::path::Path,
    files: &[(&str, &str)],
    command: &str,
) -> crate::caller::Answer {
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    stage.start_in(dir).await;
    stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good()
}

const HANDLED: &str = "async function load(name) {
  const size = name.length;
  if (size > 3) throw new RangeError('too long: ' + name); // [stop: throw]
  return size;
}
function fail() {
  return new Promise(() => { throw new Error('in the executor'); });
}
const texts = [await Promise.reject(new Error('at once')).catch((e) => e.message)];
texts.push(await load('later').catch((e) => e.message));
texts.push(await fail().then(null, (e) => e.message));
const all = await Promise.allSettled(['first', 'other'].map(load));
texts.push(...all.map((one) => one.reason.message));
const early = load('early');
const late = new Promise((done) => queueMicrotask(() => early.catch(done)));
texts.push((await late).message);
try {
  await load('again');
} catch (e) {
  texts.push(e.message);
}
setTimeout(() => Promise.reject(new Error('in a timer')).catch(() => {}), 1);
await new Promise((done) => setTimeout(done, 20));
console.log(texts.length);
async function main(word) {
  const length = await load('abc');
  return load(word + length);
}
main('word');
";

/// Only the last rejection is not handled: it stops with the variables of the throw.
pub async fn handled_rejections_do_not_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path(), &[("all.mjs", HANDLED)], "node all.mjs").await;
    assert_eq!(stop.reason(), "exception RangeError: too long: word3", "{}", stop.text);
    let line = marked(&dir.path().join("all.mjs"), "throw");
    assert_eq!(stop.place(), format!("load  all.mjs:{line}"), "{}", stop.text);
    assert_eq!((stop.local("name"), stop.local("size")), ("'word3'", "5"), "{}", stop.text);
    stop.says("! nothing handled this rejection; the values are those at the throw");
    let values = json!({"expressions": ["name.length + size", "missing"]});
    let answer = stage.call("debug_evaluate", values).await.good();
    answer.says("name.length + size = 10  (number)");
    answer.says("missing = <error: ReferenceError: missing is not defined");
    stage.call("debug_output", json!({"grep": "^7$"})).await.good().says("7");
    let end = stage.resume().await.good();
    end.line("□ exited with code 1");
    end.says("RangeError: too long: word3");
}

const VALUES: [(&str, &str); 3] = [
    (
        "async function main(id) {
  throw 'boom ' + id; // [stop: throw]
}
async function other(id) { throw 'handled'; }
other(1).catch(() => {});
main(3);
",
        "boom 3",
    ),
    ("async function main(id) {\n  throw { code: 404 }; // [stop: throw]\n}\nmain(3);\n", ""),
    (
        "function main(id) {
  return new Promise((done, no) => {
    setTimeout(() => {
      no('late ' + id); // [stop: throw]
    }, 5);
  });
}
main(3);
",
        "late 3",
    ),
];

/// Node has an error of its own in place of a reason that is none.
pub async fn rejection_without_an_error_stops(stage: &mut Stage) {
    for (text, reason) in VALUES {
        let dir = tempfile::tempdir().unwrap();
        let stop = launch(stage, dir.path(), &[("value.js", text)], "node value.js").await;
        assert!(stop.reason().contains(reason), "{}", stop.text);
        let line = marked(&dir.path().join("value.js"), "throw");
        assert!(stop.place().ends_with(&format!("  value.js:{line}")), "{}", stop.text);
        let values = json!({"expressions": ["id"]});
        stage.call("debug_evaluate", values).await.good().says("id = 3");
        stage.resume().await.good().line("□ exited with code 1");
    }
}

const ROWS: &str = "async function* rows(count) {
  for (let n = 0; n < count; n += 1) {
    await null;
    yield n;
  }
  throw new RangeError('no row ' + count); // [stop: throw]
}
async function sum(count) {
  let total = 0;
  try {
    for await (const n of rows(count)) total += n;
  } catch {}
  return total;
}
let total = await sum(2);
for await (const n of rows(3)) total += n;
";

/// A loop that awaits throws what the generator throws: the first one is caught.
pub async fn loop_that_awaits_is_followed(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path(), &[("rows.mjs", ROWS)], "node rows.mjs").await;
    assert_eq!(stop.reason(), "exception RangeError: no row 3", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}

/// A handler of the process with `ACTION` as its end.
fn handler(action: &str) -> String {
    format!(
        "process.on('unhandledRejection', (error) => {{
  console.error('handler:', error.message);
  {action}
}});
async function load(id) {{
  throw new RangeError('no order ' + id); // [stop: throw]
}}
load(3);
"
    )
}

/// A handler of the process that ends it reports a failure. One that does not has handled it.
pub async fn handler_that_ends_the_program_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = handler("process.exit(3);");
    let stop = launch(stage, dir.path(), &[("exits.js", &text)], "node exits.js").await;
    assert_eq!(stop.reason(), "exception RangeError: no order 3", "{}", stop.text);
    let line = marked(&dir.path().join("exits.js"), "throw");
    assert_eq!(stop.place().lines().next(), Some(format!("load  exits.js:{line}").as_str()));
    assert_eq!(stop.local("id"), "3", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 3");
    let text = handler("");
    let end = launch(stage, dir.path(), &[("goes_on.js", &text)], "node goes_on.js").await;
    end.line("□ exited with code 0");
}

const MODULE: &str = "class HttpError extends Error {
  constructor(message, status, cause) {
    super(message, { cause });
    this.status = status;
  }
}
async function user(id) {
  try {
    JSON.parse('{bad');
  } catch (cause) {
    throw new HttpError(`no user ${id}`, 404, cause); // [stop: throw]
  }
}
async function main() {
  try {
    await user(1);
  } catch {}
  const who = await user(3);
  console.log(who);
}
await main();
";

/// Node's loader catches the error of a module. The stop has class, fields and cause of the error.
pub async fn failure_of_a_module_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path(), &[("main.mjs", MODULE)], "node main.mjs").await;
    assert_eq!(stop.reason(), "exception HttpError: no user 3", "{}", stop.text);
    let line = marked(&dir.path().join("main.mjs"), "throw");
    assert_eq!(stop.place(), format!("user  main.mjs:{line}"), "{}", stop.text);
    assert_eq!(stop.local("id"), "3", "{}", stop.text);
    stop.line("! {status: 404}");
    let cause = stop.line("  caused by SyntaxError: ");
    assert!(cause.ends_with("  main.mjs:9 user"), "{}", stop.text);
    let exception = stage.call("debug_exception", json!({})).await.good();
    assert_eq!(exception.text.matches("caused by").count(), 1, "{}", exception.text);
    stage.resume().await.good().line("□ exited with code 1");
    // A plain error in the module's own code.
    let plain = "const size = 3;\nconst { length } = size.missing; // [stop: read]\n";
    let stop = launch(stage, dir.path(), &[("plain.mjs", plain)], "node plain.mjs").await;
    assert!(stop.reason().starts_with("exception TypeError: "), "{}", stop.text);
    assert_eq!(stop.place(), "<anonymous>  plain.mjs:2", "{}", stop.text);
    assert_eq!(stop.local("size"), "3", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}

const REFUSED: &str = "class Refused {
  constructor(code) {
    this.code = code;
    this.reason = 'late';
  }
}
function fail(value) {
  throw value; // [stop: throw]
}
try { fail({ code: 5 }); } catch {}
try { fail({ message: 'no', code: 6 }); } catch {}
try { fail(new Error('x', { cause: 'why' })); } catch {}
fail(new Refused(7));
";

/// A thrown object that is no error has its class and its fields in the header.
pub async fn thrown_objects_have_their_fields(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("refused.js"), REFUSED).unwrap();
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let launch = json!({"program": "refused.js", "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch).await.good();
    for reason in ["Object {code: 5}", "Object: no {code: 6}", "Error: x"] {
        assert_eq!(stop.reason(), format!("exception {reason}"), "{}", stop.text);
        let exception = stage.call("debug_exception", json!({})).await.good();
        assert!(!exception.text.contains("\n! "), "{}", exception.text);
        if reason == "Error: x" {
            for answer in [&stop, &exception] {
                assert_eq!(answer.line("  caused by "), "string: why", "{}", answer.text);
            }
        }
        stop = stage.resume().await.good();
    }
    assert_eq!(stop.reason(), "exception Refused {code: 7, reason: \"late\"}", "{}", stop.text);
    let line = marked(&dir.path().join("refused.js"), "throw");
    assert_eq!(stop.place(), format!("fail  refused.js:{line}"), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}

/// A test that fails, between some that handle errors: `ASSERT` is the failing assertion.
fn tests(head: &str, assertion: &str, throws: &str) -> String {
    format!(
        "{head}
function sum(list) {{
  let total = 1;
  for (const n of list) total += n;
  if (list.length === 0) throw new RangeError('empty');
  return total;
}}
async function later(list) {{
  await null;
  return sum(list);
}}
test('throws', async () => {{
  {throws}
  try {{ sum([]); }} catch {{}}
  await later([]).catch(() => {{}});
}});
test('adds', async () => {{
  const got = await later([1, 2, 3]);
  {assertion} // [stop: assert]
}});
"
    )
}

/// At the assertion in every runner.
pub async fn failing_assertion_of_a_runner_stops(stage: &mut Stage) {
    let assert = "assert.equal(got, 6);";
    let expect = "expect(got).toBe(6);";
    let rejects = "expect(() => sum([])).toThrow(); await expect(later([])).rejects.toThrow();";
    let throws = "assert.throws(() => sum([])); await assert.rejects(later([]));";
    // A test that may fail does not stop.
    let node = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n\
        test('later', { todo: true }, () => { assert.equal(1, 2); });";
    let mocha = "const assert = require('node:assert/strict');\nconst test = it;";
    let vitest = "import { expect, test } from 'vitest';";
    for (command, file, text) in [
        ("node --test sum.test.mjs", "sum.test.mjs", tests(node, assert, throws)),
        ("mocha sum.test.cjs", "sum.test.cjs", tests(mocha, assert, throws)),
        ("jest", "sum.test.js", tests("", expect, rejects)),
        ("vitest run", "sum.test.mjs", tests(vitest, expect, rejects)),
    ] {
        let dir = tempfile::tempdir().unwrap();
        install(dir.path());
        let files = [("package.json", "{}"), (file, text.as_str())];
        let stop = launch(stage, dir.path(), &files, command).await;
        let line = marked(&dir.path().join(file), "assert");
        assert_eq!(stop.place(), format!("<anonymous>  {file}:{line}"), "{command} {}", stop.text);
        assert_eq!(stop.local("got"), "7", "{command}: {}", stop.text);
        assert!(stop.reason().starts_with("exception "), "{command}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 1");
    }
}

const CONTEXTS: &str = "import test from 'node:test';
import vm from 'node:vm';
const code = `(function check(name) {
  throw new RangeError('no ' + name);
})`;
for (const name of ['one', 'two', 'three']) {
  const check = vm.runInNewContext(code, {}, { filename: process.argv[1] });
  test(name, () => check(name));
}
";

/// Each test fails in a context of its own, as the files of a jest suite do.
pub async fn failures_in_several_contexts_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let files = [("contexts.test.mjs", CONTEXTS)];
    let mut stop = launch(stage, dir.path(), &files, "node contexts.test.mjs").await;
    for name in ["'one'", "'two'", "'three'"] {
        stop.line("■ stopped exception RangeError: no ");
        assert_eq!(stop.local("name"), name, "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 1");
}

const STOCK: &str = "exports.load = async (id) => {
  await new Promise((done) => setTimeout(done, 2));
  if (id > 2) throw new RangeError('no article ' + id);
  return id;
};
exports.quiet = async (id) => {
  try {
    return await exports.load(id);
  } catch {}
};
";
const AWAITS: &str = "import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import stock from 'stock';
test('handled', async () => {
  await stock.quiet(3);
  await assert.rejects(stock.load(4));
  await stock.load(5).catch(() => {});
  try { await stock.load(6); } catch {}
  try { await readFile('/nowhere'); } catch {}
});
test('awaits', async () => {
  await stock.load(7); // [stop: awaits]
});
test('all', async () => {
  await Promise.all([1, 8].map((id) => stock.load(id))); // [stop: all]
});
test('rejects', async () => {
  await assert.rejects(stock.load(1)); // [stop: rejects]
});
test('reads', async () => {
  await readFile('/nowhere'); // [stop: reads]
});
";

/// At the function of the user's that awaits it. No frame of the user's is on the stack.
pub async fn failure_that_a_library_rejects_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let files = [("node_modules/stock/index.js", STOCK), ("awaits.test.mjs", AWAITS)];
    let mut stop = launch(stage, dir.path(), &files, "node awaits.test.mjs").await;
    for (mark, reason) in [
        ("awaits", "RangeError: no article 7"),
        ("all", "RangeError: no article 8"),
        ("rejects", "AssertionError [ERR_ASSERTION]: Missing expected rejection."),
        ("reads", "Error: ENOENT: no such file or directory, open '/nowhere'"),
    ] {
        assert_eq!(stop.reason(), format!("exception {reason}"), "{}", stop.text);
        let line = marked(&dir.path().join("awaits.test.mjs"), mark);
        stop.says(&format!(" <anonymous>  awaits.test.mjs:{line}"));
        stop.line(&format!("→ {line} "));
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 1");
}

/// Of the error and of its cause, at the stop and in its description.
pub async fn javascript_messages_have_their_lines(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "const cause = new Error('first\\nsecond');\n\
        throw new Error('one\\n  two\\n\\nlast', { cause });\n";
    let stop = launch(stage, dir.path(), &[("lines.js", text)], "node lines.js").await;
    assert_eq!(stop.reason(), "exception Error", "{}", stop.text);
    let lines = "\n! one\n    two\n\n  last\n  caused by Error: first  lines.js:1 <anonymous>\n    \
        second\n";
    stop.says(lines);
    stage.call("debug_exception", json!({})).await.good().says(lines);
    stage.resume().await.good().line("□ exited with code 1");
}

const TASKS: &str = "function again(left) {
  if (left === 0) throw new Error('at the end');
  setImmediate(again, left - 1);
}
again(100);
";

/// Of a stack through many tasks the adapter has no count until it has read it whole.
pub async fn stack_of_many_tasks_has_no_count(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path(), &[("tasks.js", TASKS)], "node tasks.js").await;
    assert_eq!(stop.reason(), "exception Error: at the end", "{}", stop.text);
    stop.says(" library frames or more)");
    let stack = stage.call("debug_stack", json!({})).await.good();
    stack.says("\n   more frames: debug_stack thread=");
}

/// A framework of requests, as small as can be: it reports what handlers throw.
const EXPRESS: &str = "exports.handle = function handle(fn, request) {
  setImmediate(() => {
    try {
      const result = fn(request);
      Promise.resolve(result).then(() => report({ status: 200 }), report);
    } catch (error) {
      report(error);
    }
  });
};
function report({ status }) {
  console.log(`status ${status ?? 500}`);
}
";
const SERVER: &str = "const { handle } = require('express');
function find(id) {
  const order = { 7: { price: 3 } }[id];
  return order.price; // [stop: read]
}
function known(request) {
  try { find(8); } catch {}
  return find(request.id);
}
async function slow(request) {
  await null;
  return find(request.id);
}
handle(known, { id: 7 });
handle(known, { id: 9 });
handle(slow, { id: 10 });
";

/// Synchronous and asynchronous handlers.
pub async fn failure_in_a_request_handler_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let package = r#"{"dependencies": {"express": "*"}}"#;
    let files =
        [("package.json", package), ("node_modules/express/index.js", EXPRESS), ("app.js", SERVER)];
    let mut stop = launch(stage, dir.path(), &files, "node app.js").await;
    for id in ["9", "10"] {
        assert!(stop.reason().starts_with("exception TypeError: "), "{}", stop.text);
        assert_eq!(stop.place(), "find  app.js:4", "{}", stop.text);
        assert_eq!(stop.local("id"), id, "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
}

const LIBRARY: &str = "exports.quiet = () => {
  try { JSON.parse('{'); } catch {}
};
exports.later = async () => {
  try { await Promise.reject(new Error('awaited')); } catch {}
};
exports.loud = () => { throw new RangeError('out of the library'); };
";
const CALLS: &str = "const lib = require('lib');
lib.quiet();
lib.later();
try {
  lib.loud(); // [stop: loud]
} catch {}
setTimeout(() => {
  lib.quiet();
  try { throw new Error('own'); } catch {} // [stop: own]
}, 1);
";

/// With `all`, an exception stops that comes to the user's code; an option adds the others.
pub async fn all_leaves_what_a_library_catches_itself(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let files = [("node_modules/lib/index.js", LIBRARY), ("app.js", CALLS)];
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let launch = json!({"program": "app.js", "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch).await.good();
    for (mark, reason) in [("loud", "RangeError: out of the library"), ("own", "Error: own")] {
        assert_eq!(stop.reason(), format!("exception {reason}"), "{}", stop.text);
        let line = marked(&dir.path().join("app.js"), mark);
        stop.says(&format!("  app.js:{line}"));
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
    let launch = json!({
        "program": "app.js", "options": {"just_my_code": false}, "timeout_s": 50
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.reason().starts_with("exception SyntaxError: "), "{}", stop.text);
    stop.says("  app.js:2");
}
