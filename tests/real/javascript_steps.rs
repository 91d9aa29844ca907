//! Steps of JavaScript that leave a function, and where a program begins.

use serde_json::json;

use crate::real::stage::{Stage, marked};

const ASYNC: &str = "async function* numbers() {
  const one = 1; // [stop: yields]
  yield one;
  yield 2;
}
async function leaf(n) {
  await null;
  return n + 1; // [stop: leaf]
}
async function middle(n) { return leaf(n); }
async function main() {
  let sum = 0;
  for await (const n of numbers()) {
    sum += n; // [stop: sums]
  }
  const other = await middle(sum);
  return sum + other; // [stop: end]
}
console.log(await main());
";

/// A step out of a generator, and of a function that another returns without `await`, ends in the
/// function that waits.
pub async fn step_out_ends_in_the_function_that_awaits(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("waits.mjs"), ASYNC).unwrap();
    let line = |name: &str| marked(&dir.path().join("waits.mjs"), name);
    stage.start_in(dir.path()).await;
    let breakpoints = ["yields", "leaf"].map(|name| format!("waits.mjs:{}", line(name)));
    let launch = json!({"program": "waits.mjs", "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (name, local, value) in [("sums", "n", "1"), ("end", "other", "4")] {
        let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        assert_eq!(stop.place(), format!("main  waits.mjs:{}", line(name)), "{}", stop.text);
        assert_eq!(stop.local(local), value, "{}", stop.text);
        if name == "sums" {
            stage.resume_to(2).await;
        }
    }
    stage.resume().await.good().line("□ exited with code 0");
}

const PLACES: &str = "const inc = (x) =>
x + 1; // [stop: inc]
function one(x) { return x; } // [stop: one]
let sum = 0; // [stop: begin]
for (let i = 0; i < 4; i += 1) {
sum += inc(i);
sum += one(i);
}
console.log(sum);
";

/// js-debug takes one breakpoint at a place: that of a run replaces the others there, whose hits
/// count if their conditions hold.
pub async fn run_to_a_place_counts_hits_of_the_breakpoints_there(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("places.js");
    std::fs::write(&file, PLACES).unwrap();
    let at = |name: &str| format!("places.js:{}", marked(&file, name));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "places.js", "breakpoints": [at("begin")], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let set =
        json!({"set": [format!("{} if x == 1", at("inc")), format!("{} if x > 2", at("one"))]});
    stage.call("debug_breakpoints", set).await.good();
    for (until, x, reason) in [
        ("inc".to_owned(), "0", "at the `until` location"),
        (at("inc"), "1", "breakpoint #2 at the `until` location"),
        (at("one"), "1", "at the `until` location"),
        ("inc".to_owned(), "2", "at the `until` location"),
        ("one".to_owned(), "2", "at the `until` location"),
        (at("one"), "3", "breakpoint #3 at the `until` location"),
    ] {
        let stop = stage.call("debug_continue", json!({"until": until})).await.good();
        assert_eq!((stop.reason(), stop.local("x")), (reason, x), "{}", stop.text);
    }
    let listed = stage.call("debug_breakpoints", json!({})).await.good();
    for number in ["#2", "#3"] {
        let line = listed.line(&format!(" {number} "));
        assert!(line.ends_with(" · 1 hit"), "{}", listed.text);
    }
    stage.resume().await.good().line("□ exited with code 0");
}

/// The first statement that runs, not the first that the text has.
pub async fn entry_is_the_first_statement_that_runs(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let function = "function twice(n) {\n  return 2 * n;\n}\n";
    let class = "class Own extends Error {\n  constructor() { super('own'); }\n}\n";
    let texts = [
        ("calls.js", format!("#!/usr/bin/env node\n{function}twice(1); // [stop: begin]\n")),
        ("throws.js", format!("{class}new Own(); // [stop: begin]\n")),
        (
            "module.mjs",
            format!("import 'node:fs';\nexport {function}const n = twice(1); // [stop: begin]\n"),
        ),
        ("strict.js", format!("'use strict';\n{function}twice(1); // [stop: begin]\ntwice(2);\n")),
        (
            "static.mjs",
            "class Own {\n  m() {}\n  static n = new Own(); // [stop: begin]\n}\n".into(),
        ),
    ];
    stage.start_in(dir.path()).await;
    for (name, text) in texts {
        std::fs::write(dir.path().join(name), text).unwrap();
        let line = marked(&dir.path().join(name), "begin");
        let launch = json!({"program": name, "stop_on_entry": true, "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.reason(), "at entry", "{}", stop.text);
        assert!(stop.place().ends_with(&format!("  {name}:{line}")), "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}

/// A framework of requests, as small as can be.
const ROUTER: &str = "exports.handle = function handle(layers, request) {
  let at = 0;
  function next(err) {
    const layer = layers[at++];
    if (layer === undefined) return;
    if (layer.length !== (err ? 3 : 2)) return next(err);
    try {
      layer(...(err ? [err] : []), request, next);
    } catch (error) {
      next(error);
    }
  }
  next();
};
";
const REQUEST: &str = "const { handle } = require('express/lib/router');
function find(request, next) {
  const error = new RangeError('no order ' + request.id);
  next(error); // [stop: next]
  return request.id; // [stop: after]
}
function report(error, request, next) {
  next(error);
}
function main(id) {
  handle([find, report], { id }); // [stop: handle]
  console.log(id); // [stop: printed]
}
main(7);
";

/// Launches a program, which stops at a mark.
async fn request(stage: &mut Stage, dir: &std::path::Path, text: &str, mark: &str) {
    let router = dir.join("node_modules/express/lib/router");
    std::fs::create_dir_all(&router).unwrap();
    std::fs::write(router.join("index.js"), ROUTER).unwrap();
    std::fs::write(dir.join("app.js"), text).unwrap();
    stage.start_in(dir).await;
    let at = format!("app.js:{}", marked(&dir.join("app.js"), mark));
    let launch = json!({"program": "app.js", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&at), "{}", stop.text);
}

/// The call that hands an error to a framework ends no step, whether such errors stop or not.
pub async fn step_over_an_error_for_a_framework_stops_behind_it(stage: &mut Stage) {
    for exceptions in ["none", "uncaught"] {
        let dir = tempfile::tempdir().unwrap();
        request(stage, dir.path(), REQUEST, "next").await;
        let set = json!({"exceptions": [exceptions]});
        stage.call("debug_breakpoints", set).await.good();
        let stop = stage.call("debug_step", json!({"kind": "over"})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        let line = marked(&dir.path().join("app.js"), "after");
        assert_eq!(stop.place(), format!("find  app.js:{line}"), "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}

/// Out of the function that the stop shows, not only of the framework's below it.
pub async fn step_out_at_an_error_for_a_framework_leaves_the_caller(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    request(stage, dir.path(), REQUEST, "handle").await;
    let at = |mark: &str| format!("app.js:{}", marked(&dir.path().join("app.js"), mark));
    let stop = stage.resume().await.good();
    assert_eq!(stop.reason(), "exception RangeError: no order 7", "{}", stop.text);
    assert_eq!(stop.place(), format!("find  {}", at("next")), "{}", stop.text);
    for (kind, mark) in [("out", "handle"), ("over", "printed")] {
        let stop = stage.call("debug_step", json!({"kind": kind})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        stop.says(&format!(" main  {}", at(mark)));
    }
    stage.resume().await.good().line("□ exited with code 0");
}

/// The framework catches the error of the stop and goes on with it: the step does not end there.
pub async fn step_over_a_framework_that_catches_ends_behind_it(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = REQUEST.replace("next(error); // [stop: next]", "throw error; // [stop: throw]");
    request(stage, dir.path(), &text, "handle").await;
    let at = |mark: &str| format!("app.js:{}", marked(&dir.path().join("app.js"), mark));
    let stop = stage.resume().await.good();
    assert_eq!(stop.reason(), "exception RangeError: no order 7", "{}", stop.text);
    assert_eq!(stop.place(), format!("find  {}", at("throw")), "{}", stop.text);
    for mark in ["handle", "printed"] {
        let stop = stage.call("debug_step", json!({"kind": "over"})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        stop.says(&format!(" main  {}", at(mark)));
    }
    stage.resume().await.good().line("□ exited with code 0");
}
