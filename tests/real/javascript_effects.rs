//! What looking at a JavaScript program may run: nothing that changes it. And what waits in one
//! that runs nothing.

use serde_json::json;

use crate::real::stage::{Stage, marked};

const LOOKS: &str = "const util = require('node:util');
let looks = 0;
class Order {
  constructor(id) { this.id = id; this.lines = [3, 4]; }
  get danger() { looks += 1; return looks; }
  get size() { return this.lines.length; }
  get endless() { for (;;); }
  total() { return this.lines.reduce((sum, one) => sum + one, 0); }
  toString() { looks += 1; return 'printed'; }
  [util.inspect.custom]() { looks += 1; return 'inspected'; }
}
const order = new Order(7);
const orders = [order];
const map = new Map([['first', order]]);
console.log(looks); // [stop: look]
console.log(looks);
";

const LISTS: &str = "let ran = 0;
class List {
  #items = [1];
  size = 1;
  get length() { ran += 1; return this.#items.length; }
  splice() {}
}
const list = new List();
const own = { a: 1, get length() { ran += 1; return 3; }, splice() {} };
const inner = { own, list };
const all = [own];
const map = new Map([['first', own]]);
console.log(ran); // [stop: look]
console.log('ran', ran);
";

/// V8 takes an object with a method `splice` and a `length` for a list, and reads the length.
pub async fn length_with_splice_does_not_run(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("lists.js"), LISTS).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("lists.js:{}", marked(&dir.path().join("lists.js"), "look"));
    let launch = json!({"program": "lists.js", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    stop.line("■ stopped breakpoint");
    for path in ["list", "own", "inner", "all", "map"] {
        let reply = stage.call("debug_variables", json!({"path": path, "depth": 2})).await.good();
        let is_cut = reply.text.contains("private fields are not listed");
        assert_eq!(is_cut, ["list", "inner"].contains(&path), "{}", reply.text);
    }
    let read = json!({"expressions": ["own", "inner", "own.a", "ran"]});
    let answer = stage.call("debug_evaluate", read).await.good();
    answer.says("own.a = 1  (number)");
    answer.says("ran = 0  (number)");
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_output", json!({"tail": 1})).await.good().says("ran 0");
}

/// Neither a stop, a listing nor an expression without permission runs code that changes it.
pub async fn looking_changes_nothing(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("looks.js"), LOOKS).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("looks.js:{}", marked(&dir.path().join("looks.js"), "look"));
    let launch = json!({"program": "looks.js", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("order"), "Order {id: 7, lines: Array(2)}", "{}", stop.text);
    for path in ["order", "orders", "map"] {
        stage.call("debug_variables", json!({"path": path, "depth": 2})).await.good();
    }
    let refused = "<error: V8 cannot tell that this changes nothing; repeat with effects=allow>";
    let reply = stage.call("debug_variables", json!({"path": "order.danger"})).await.good();
    reply.says("<the getter may change the program; debug_evaluate with effects=allow calls it>");
    let reply = stage.call("debug_variables", json!({"path": "order.size"})).await.good();
    assert_eq!(reply.text, "order.size: number · frame #0 <anonymous>\n2");
    let reply = stage.call("debug_variables", json!({"path": "order.endless"})).await.good();
    reply.says("<the getter takes longer than 500 ms>");
    let read = ["order.total()", "orders.map(o => o.id).join()", "[...map.keys()][0]", "looks"];
    let answer = stage.call("debug_evaluate", json!({"expressions": read})).await.good();
    for line in [
        "order.total() = 7  (number)",
        "orders.map(o => o.id).join() = '7'  (string)",
        "[...map.keys()][0] = 'first'  (string)",
        "looks = 0  (number)",
    ] {
        answer.says(line);
    }
    let read = ["'a,b'.split(',')", "({...{id: order.id}}).id", "'n7'.replace(/\\d/g, d => d + 1)"];
    let answer = stage.call("debug_evaluate", json!({"expressions": read})).await.good();
    for line in [
        "'a,b'.split(',') = (2) ['a', 'b']  (Array)",
        "({...{id: order.id}}).id = 7  (number)",
        "'n7'.replace(/\\d/g, d => d + 1) = 'n71'  (string)",
    ] {
        answer.says(line);
    }
    for text in ["order.danger", "orders.push(1)", "map.clear()", "`${order}`"] {
        let answer = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
        assert_eq!(answer.text, format!("{text} = {refused}"));
    }
    let allowed = json!({"expressions": ["`${order}`"], "effects": "allow"});
    stage.call("debug_evaluate", allowed).await.good().says("= 'printed'");
    stage.resume().await.good().line("□ exited with code 0");
    let printed = stage.call("debug_output", json!({"tail": 2})).await.good();
    printed.says("1\n");
}

const THREAD: &str = "const { Worker, isMainThread } = require('node:worker_threads');
let looks = 0;
function work(one) {
  return one.n; // [stop: work]
}
if (isMainThread) {
  new Worker(__filename);
} else {
  work({ n: 4, get danger() { looks += 1; return looks; }, get endless() { for (;;); } });
  console.log('looks', looks);
}
";

/// In a worker thread too, expressions change nothing without permission, and end in time.
pub async fn looking_at_a_thread_changes_nothing(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("thread.js"), THREAD).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("thread.js:{}", marked(&dir.path().join("thread.js"), "work"));
    let launch = json!({"program": "thread.js", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let answer = stage.call("debug_evaluate", json!({"expressions": ["one.danger"]})).await.good();
    answer.says("one.danger = <error: V8 cannot tell");
    let endless = json!({"expressions": ["one.endless"], "timeout_s": 1});
    stage.call("debug_evaluate", endless).await.good().says("<timed out after 1 s>");
    let answer = stage.call("debug_evaluate", json!({"expressions": ["one.n"]})).await.good();
    assert_eq!(answer.text, "one.n = 4  (number)");
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_output", json!({"tail": 2})).await.good().says("looks 0\n");
}

const ENDED: &str = "async function load(id) {
  const order = { id, get endless() { for (;;); }, get twice() { return 2 * this.id; } };
  throw new Error('no order ' + id);
}
load(3);
";

/// In a function that has ended, whose rejection nothing handles, expressions end in time.
pub async fn expressions_in_an_ended_function_end_in_time(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ended.js"), ENDED).unwrap();
    stage.start_in(dir.path()).await;
    stage.call("debug_launch", json!({"program": "ended.js", "timeout_s": 50})).await.good();
    for (expression, effects) in [("order.endless", "none"), ("for (;;);", "allow")] {
        let endless = json!({"expressions": [expression], "effects": effects, "timeout_s": 1});
        stage.call("debug_evaluate", endless).await.good().says("<timed out after 1 s>");
        let next = json!({"expressions": ["order.twice + id"]});
        let answer = stage.call("debug_evaluate", next).await.good();
        assert_eq!(answer.text, "order.twice + id = 9  (number)");
    }
    let reply = stage.call("debug_variables", json!({"path": "order.endless"})).await.good();
    reply.says("<the getter takes longer than 500 ms>");
    stage.resume().await.good().line("□ exited with code 1");
}

const CONTEXT: &str = "const vm = require('node:vm');
const context = vm.createContext({ console });
vm.runInContext(`async function load(id) {
  const order = { id };
  throw new Error('no order ' + id);
}
load(4);`, context, { filename: __filename });
";

/// An error of another `vm` context stops with the variables of its throw.
pub async fn failure_of_another_context_has_its_variables(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("context.js"), CONTEXT).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "context.js", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "exception Error: no order 4", "{}", stop.text);
    assert_eq!((stop.local("id"), stop.local("order")), ("4", "{id: 4}"), "{}", stop.text);
    let answer =
        stage.call("debug_evaluate", json!({"expressions": ["order.id + 1"]})).await.good();
    assert_eq!(answer.text, "order.id + 1 = 5  (number)");
    stage.resume().await.good().line("□ exited with code 1");
}

const WAITS: &str = "const waiting = new Map();
function lock(name) {
  return new Promise((resolve) => waiting.set(name, resolve));
}
async function job(name) {
  await lock(name); // [stop: lock]
  return name;
}
setInterval(() => {}, 200);
console.log('ready');
const jobs = ['a', 'b'].map(job);
console.log(await Promise.all(jobs)); // [stop: all]
";

/// A pause names the functions that wait, each place once, with their variables.
pub async fn pause_names_the_functions_that_wait(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("waits.mjs");
    std::fs::write(&file, WAITS).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "waits.mjs", "timeout_s": 0.1});
    stage.call("debug_launch", launch).await.good();
    stage.printed("ready").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    let [lock, all] = ["lock", "all"].map(|mark| format!("waits.mjs:{}", marked(&file, mark)));
    stop.says(&format!(" (waits)  {all}"));
    stop.says(&format!("job (waits ×2)  {lock}"));
    let answer = stage.call("debug_evaluate", json!({"expressions": ["waiting.size"]})).await;
    answer.good().says("waiting.size = 2  (number)");
}

const SERVES: &str = "const { Worker, isMainThread } = require('worker_threads');
const orders = new Map([[1, 'a']]);
if (isMainThread) {
  const server = require('http').createServer(() => orders.clear());
  const listen = () => server.listen(0, () => console.log('ready'));
  new Worker(__filename).once('message', listen);
} else {
  const bed = new Int32Array(new SharedArrayBuffer(4));
  require('worker_threads').parentPort.postMessage('started');
  for (;;) Atomics.wait(bed, 0, 0, 5);
}
";

/// A thread that waits for events runs no code where V8 could stop.
pub async fn pause_stops_a_thread_that_waits_for_events(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("serves.js"), SERVES).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "serves.js", "timeout_s": 0.1});
    stage.call("debug_launch", launch).await.good();
    stage.printed("ready").await;
    for _ in 0..2 {
        let stop = stage.call("debug_pause", json!({})).await.good();
        assert_eq!(stop.reason(), "by pause", "{}", stop.text);
        stop.says("event loop (waits)  <node_internals>/internal/dapdock/idle:1");
        stop.says("(module)  serves.js:1");
        let size = stage.call("debug_evaluate", json!({"expressions": ["orders.size"]})).await;
        size.good().says("orders.size = 1  (number)");
        stage.call("debug_continue", json!({"timeout_s": 0.1})).await.good().line("▶ running");
    }
}

const LOOPS: &str = "const orders = new Map([[1, 'a']]);
let ticks = 0;
const rows = Array.from({ length: 3e5 }, (_, n) => ({ n }));
function tick() {
  ticks += orders.size + rows.length;
}
setInterval(tick, 50);
console.log('ready');
";

/// In a heap too large to be searched the functions that wait are not listed, which a note says.
/// The variables of the module are there.
pub async fn pause_in_the_event_loop_has_the_module(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("loops.js"), LOOPS).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "loops.js", "timeout_s": 0.1});
    stage.call("debug_launch", launch).await.good();
    stage.printed("ready").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    stop.says("(module)  loops.js:1");
    stop.says("the async functions that wait are not listed: ");
    let answer = stage.call("debug_evaluate", json!({"expressions": ["orders.size"]})).await;
    answer.good().says("orders.size = 1  (number)");
}
