//! Log breakpoints of JavaScript, which do not stop the program: every hit is counted, and the
//! texts are those of a stop.

use serde_json::json;

use crate::real::stage::{Stage, marked};

const ROUNDS: &str = "function work(rounds) {
  let total = 0;
  for (let n = 0; n < rounds; n += 1) {
    total += n; // [stop: log]
  }
  return total;
}
const total = work(10000);
if (process.argv[2] === 'now') process.exit(3);
console.log(total); // [stop: after]
";

/// Those before a stop come before it, and those before an exit are not lost.
pub async fn every_hit_is_counted(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rounds.js"), ROUNDS).unwrap();
    let at = |name: &str| format!("rounds.js:{}", marked(&dir.path().join("rounds.js"), name));
    stage.start_in(dir.path()).await;
    for (log, last) in
        [("n={n} total={total}", ": n=9999 total=49985001"), ("{[n]}", ": (1) [9999]")]
    {
        let log = json!({"at": at("log"), "log": log});
        let launch = json!({
            "program": "rounds.js", "breakpoints": [log, at("after")], "timeout_s": 50,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), format!("<anonymous>  {}", at("after")), "{}", stop.text);
        stop.says("log breakpoints +10000 hits");
        stage.call("debug_breakpoints", json!({})).await.good().says(" · 10000 hits");
        let text = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
        text.says(last);
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().line("□ exited with code 0");
    }
    let log = json!({"at": at("log"), "log": "n={n}"});
    let launch = json!({
        "program": "rounds.js", "args": ["now"], "breakpoints": [log], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good().line("□ exited with code 3");
    let text = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
    text.says(".10000 rounds.js: n=9999");
}

const ENDLESS: &str = "let total = 0;
for (let n = 0; ; n += 1) {
  total += n; // [stop: log]
  if (n === 2000) {
    total -= 1; // [stop: middle]
  }
}
";

/// The debugger ends the program while hits arrive.
pub async fn a_program_that_logs_is_stopped(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("endless.js"), ENDLESS).unwrap();
    let at = |name: &str| format!("endless.js:{}", marked(&dir.path().join("endless.js"), name));
    stage.start_in(dir.path()).await;
    let breakpoints = json!([{"at": at("log"), "log": "n={n}"}, at("middle")]);
    let launch = json!({"program": "endless.js", "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    stop.says("log breakpoints +2001 hits");
    let resume = json!({"timeout_s": 1});
    stage.call("debug_continue", resume).await.good().line("▶ running");
    // V8 has one breakpoint at a place: the next one there stops.
    stage.call("debug_breakpoints", json!({"set": [at("log")]})).await.good();
    let stop = stage.call("debug_wait", json!({"timeout_s": 20})).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ ended; no process is left");
    assert!(!end.text.contains("dropped") && !end.text.contains("note:"), "{}", end.text);
}

const VALUES: &str = "class Point {
  #secret = 1;
  x = 3;
  get twice() { throw new Error('ran'); }
  toString() { throw new Error('ran'); }
}
class Own extends Error { code = 42; }
function main() {
  const text = `it's \"x\"`, minus = -0, big = 12n, none = undefined, symbol = Symbol('s');
  const object = { a: 1, b: 'two', c: {}, d: [1, 2], f() {} }, list = [1, , { c: 3 }];
  const map = new Map([['k', 1], [{ a: 1 }, { b: 2 }]]), set = new Set([1, 'x']);
  const point = new Point(), own = new Own('mine'), date = new Date(0), regexp = /a+b/gi;
  const outer = new Error('outer', { cause: own }), all = new AggregateError([own], 'all');
  const arrow = (x) => x + 1, boxed = new Number(4);
  const proxy = new Proxy({ a: 1 }, { get() { throw new Error('ran'); } });
  return point; // [stop: log]
}
main();
";

const NAMES: &str = "text, minus, big, none, symbol, object, list, map, set, point, own, date, \
    regexp, outer, all, arrow, boxed, proxy, object.c.d.e, point.nowhere, list +";

/// Neither getters nor `toString` of the program run.
pub async fn texts_are_those_of_a_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("values.js"), VALUES).unwrap();
    let at = format!("values.js:{}", marked(&dir.path().join("values.js"), "log"));
    let names: Vec<&str> = NAMES.split(", ").collect();
    stage.start_in(dir.path()).await;
    let log: String = names.iter().map(|name| format!("{{{name}}}\n")).collect();
    let log = json!([{"at": at, "log": log}]);
    let launch = json!({"program": "values.js", "breakpoints": log, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let launch = json!({"program": "values.js", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (name, line) in names.iter().zip(output.text.lines()) {
        let evaluate = json!({"expressions": [name]});
        let answer = stage.call("debug_evaluate", evaluate).await;
        let (_, value) = answer.text.lines().next().unwrap().split_once(" = ").unwrap();
        // The type follows.
        let value = value.rsplit_once("  (").map_or(value, |(value, _)| value);
        let text = line.strip_prefix("log| #1.1 values.js: ").or(line.strip_prefix("log| "));
        assert_eq!(text, Some(value), "{name}: {}", output.text);
    }
}

/// One that fails does not change the others, nor does a condition that fails.
pub async fn an_expression_that_fails_leaves_the_rest(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rounds.js"), ROUNDS.replace("10000", "3")).unwrap();
    stage.start_in(dir.path()).await;
    let log = "{{n}} {n.a.b} {n} {nowhere} {total} {n = 5}";
    let breakpoint = json!({"at": "rounds.js:4", "log": log, "condition": "n < 2 || nowhere"});
    let launch = json!({"program": "rounds.js", "breakpoints": [breakpoint], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.says("the condition failed: nowhere is not defined");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let lines: Vec<&str> = output.text.lines().filter(|line| line.starts_with("log| ")).collect();
    let totals = [0, 0, 1];
    let want: Vec<String> = (0..3)
        .map(|n| {
            let errors = [
                "<error: TypeError: Cannot read properties of undefined (reading 'b')>",
                "<error: ReferenceError: nowhere is not defined>",
                "<error: it changes the program>",
            ];
            let [first, second, third] = if n == 0 { errors } else { ["<error>"; 3] };
            let (number, total) = (n + 1, totals[n]);
            format!("log| #1.{number} rounds.js: {{n}} {first} {n} {second} {total} {third}")
        })
        .collect();
    assert_eq!(lines, want, "{}", output.text);
}

/// Nobody sees the pause in which such an expression is looked up, nor does a step end there.
pub async fn a_step_passes_over_an_expression_that_fails(stage: &mut Stage) {
    let log = json!({"at": stage.at("cart", "tax"), "log": "{rate} {nowhere}"});
    let breakpoints = json!([stage.at("cart", "add"), log]);
    stage.launch("cart", json!({"breakpoints": breakpoints})).await.good();
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "print");
    assert_eq!((stop.reason(), stop.local("total")), ("after step", "1070"));
    stop.says("log breakpoints +1 hit");
}

const SOURCE: &str = "export function totalOf(items: number[]): number {
  let total = 0;
  for (const item of items) {
    total += item;
  }
  return total;
}
console.log(totalOf([3, 5]));
";
const MINIFIED: &str = "function n(t){let o=0;for(const e of t){o+=e}return o}\
    console.log(n([3,5]));export{n as totalOf};\n//# sourceMappingURL=shop.mjs.map\n";
const MAPPINGS: &str = "AAAO,SAASA,EAAQC,EAAyB,CAC/C,IAAIC,EAAQ,EACZ,UAAWC,KAAQF,EAAO,CACxBC,\
    GAASC,CACX,CACA,OAAOD,CACT,CACA,QAAQ,IAAIF,EAAQ,CAAC,EAAG,CAAC,CAAC,CAAC";

/// The names of the source, which the compiled code does not have.
pub async fn names_are_those_of_the_source(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let map = json!({
        "version": 3, "sources": ["shop.ts"], "mappings": MAPPINGS,
        "names": ["totalOf", "items", "total", "item"],
    });
    for (name, text) in
        [("shop.ts", SOURCE), ("shop.mjs", MINIFIED), ("shop.mjs.map", &map.to_string())]
    {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    stage.start_in(dir.path()).await;
    let log = json!({"at": "shop.ts:4", "log": "{item} of {items.length}: {total} {nowhere}"});
    let launch = json!({"program": "shop.mjs", "breakpoints": [log], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let error = "<error: ReferenceError: nowhere is not defined>";
    output.says(&format!("log| #1.1 shop.mjs: 3 of 2: 0 {error}\n"));
    output.says("log| #1.2 shop.mjs: 5 of 2: 3 <error>");
}

const SPREAD: &str = "const { Worker, isMainThread } = require('worker_threads');
const { fork } = require('child_process');
const vm = require('vm');
function hit(n) {
  return n + 1; // [stop: log]
}
const isChild = process.argv[2] === 'child';
if (isMainThread && !isChild) {
  hit(0);
  const worker = new Worker(__filename);
  worker.on('exit', () => {
    const child = fork(__filename, ['child']);
    child.on('exit', () => {
      const context = vm.createContext({});
      vm.runInContext(`(${hit})({ a: 1 })`, context, {
        filename: __filename, lineOffset: 3, columnOffset: 0,
      });
      console.log('names', Object.getOwnPropertyNames(context));
    });
  });
} else {
  hit(isChild ? 2 : 1);
}
";

/// In worker threads, child processes and contexts of `vm`, whose objects get no properties.
pub async fn hits_are_logged_in_every_context(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("spread.js"), SPREAD).unwrap();
    stage.start_in(dir.path()).await;
    let log = json!({"at": "spread.js:5", "log": "n={n}"});
    let launch = json!({"program": "spread.js", "breakpoints": [log], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let texts: Vec<&str> =
        output.text.lines().filter_map(|line| line.strip_prefix("log| #1.")).collect();
    assert_eq!(
        texts,
        ["1 spread.js: n=0", "2 [worker 1]: n=1", "3 spread.js: n=2", "4 spread.js: n={a: 1}"],
        "{}",
        output.text
    );
    stage.call("debug_output", json!({})).await.good().says("names []");
}
