//! What differs in JavaScript: module scopes, getters, Node's own code on the stack.

use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::real::stage::Stage;

const MODULE: &str = "import { basename } from 'node:path';
class Item {
  constructor(price, qty) { this.price = price; this.qty = qty; }
  get total() { return this.price * this.qty; }
  get box() { return { depth: this.qty }; }
}
const item = new Item(12, 2);
const bytes = Buffer.from('hey');
console.error('item', item.qty);
{
  const inner = 1;
  console.error(inner);
}
function last(n) {
  console.error(basename('/a/b'), n);
}
last(3);
last(4);
throw new Error('bad total\\nof 24');
";

/// Writes the module and launches it with these breakpoints.
async fn launch(stage: &mut Stage, dir: &Path, breakpoints: &[&str]) -> crate::caller::Answer {
    std::fs::write(dir.join("shop.mjs"), MODULE).unwrap();
    stage.start_in(dir).await;
    let launch = json!({"program": "shop.mjs", "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good()
}

pub async fn locals_of_a_module_are_its_variables(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path(), &["shop.mjs:9", "shop.mjs:12", "shop.mjs:15"]).await;
    assert_eq!(stop.local("item"), "Item {price: 12, qty: 2}");
    let reply = stage.call("debug_variables", json!({})).await.good();
    assert_eq!(reply.text.lines().next(), Some("Module · frame #0 <anonymous>"));
    reply.says("\n  item: Item = Item {price: 12, qty: 2}\n");
    assert_eq!(reply.line("other scopes: "), "Global");
    // The variables of a block come first.
    let stop = stage.resume_to(2).await;
    assert_eq!((stop.local("inner"), stop.local("item")), ("1", "Item {price: 12, qty: 2}"));
    // A function has its own locals.
    let stop = stage.resume_to(3).await;
    assert_eq!(stop.line("locals: "), "n=3");
}

pub async fn getter_is_called_on_request_only(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9"]).await;
    let reply = stage.call("debug_variables", json!({"path": "item", "depth": 2})).await.good();
    let rows = "  box = (getter)\n  price: number = 12\n  qty: number = 2\n  total = (getter)";
    assert_eq!(reply.text, format!("item: Item · frame #0 <anonymous>\n{rows}"));
    for (path, text) in [
        ("item.total", "item.total: number · frame #0 <anonymous>\n24"),
        ("item.box.depth", "item.box.depth: number · frame #0 <anonymous>\n2"),
        // For built-in types js-debug lists the getter's function.
        ("bytes.byteLength", "bytes.byteLength: number · frame #0 <anonymous>\n3"),
    ] {
        assert_eq!(stage.call("debug_variables", json!({"path": path})).await.good().text, text);
    }
}

pub async fn step_skips_node_internals(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9", "shop.mjs:15 if n == 3"]).await;
    let step = json!({"kind": "in"});
    let stop = stage.call("debug_step", step.clone()).await.good();
    assert_eq!(
        (stop.place(), stop.reason()),
        ("<anonymous>  shop.mjs:11", "after step"),
        "{}",
        stop.text
    );
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.place(), "last  shop.mjs:15", "{}", stop.text);
    // Neither call of the line is user code.
    let mut stop = stage.call("debug_step", step.clone()).await.good();
    while stop.place() == "last  shop.mjs:15" {
        stop = stage.call("debug_step", step.clone()).await.good();
    }
    assert_eq!((stop.place(), stop.reason()), ("last  shop.mjs:16", "after step"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(stop.place(), "<anonymous>  shop.mjs:18", "{}", stop.text);
}

pub async fn expression_with_side_effects_needs_permission(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9"]).await;
    let refused = "<error: this changes the program; repeat with effects=allow>";
    for text in ["item.qty = 3", "item.qty++", "delete item.qty", "let q = 1"] {
        let answer = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
        assert_eq!(answer.text, format!("{text} = {refused}"));
    }
    let reads = json!({"expressions": ["item.qty", "[1, 2].map((x = 0) => x * 2).join()",
        "item.qty == 2", "'a = b'"]});
    let answer = stage.call("debug_evaluate", reads).await.good();
    let expected_lines = [
        "item.qty = 2  (number)",
        "[1, 2].map((x = 0) => x * 2).join() = '2,4'  (string)",
        "item.qty == 2 = true  (boolean)",
        "'a = b' = 'a = b'  (string)",
    ];
    assert_eq!(answer.text.lines().collect::<Vec<_>>(), expected_lines);
    let allowed = json!({"expressions": ["item.qty = 3"], "effects": "allow"});
    stage.call("debug_evaluate", allowed).await.good().says("item.qty = 3 = 3");
    stage
        .call("debug_evaluate", json!({"expressions": ["item.qty"]}))
        .await
        .good()
        .says("item.qty = 3");
}

/// The program's own `debugger` statements stop. js-debug reports its internal stops at script
/// starts the same way at times.
pub async fn debugger_statement_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "const all = 42;\ndebugger;\nfunction half(n) {\n  debugger;\n  return n / \
        2;\n}\nconsole.log(half(all));\n";
    std::fs::write(dir.path().join("asks.js"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "asks.js", "breakpoints": ["asks.js:5"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.reason(), stop.place()), ("breakpoint", "<anonymous>  asks.js:2"));
    let stop = stage.resume().await.good();
    assert_eq!((stop.reason(), stop.place()), ("breakpoint", "half  asks.js:4"));
    let stop = stage.resume_to(1).await;
    assert_eq!(stop.local("n"), "42");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Node prints the error's message above its stack.
pub async fn exit_shows_the_error_above_the_stack(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:18"]).await;
    stage.call("debug_breakpoints", json!({"clear": true, "exceptions": []})).await.good();
    let exit = stage.resume().await.good();
    exit.line("□ exited with code 1");
    exit.says("\n  stderr| Error: bad total\n  stderr| of 24\n");
}

/// A module's own code and the functions that it calls, with Node's loader around them.
pub async fn failed_module_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let called = "import { sum } from './sum.mjs';\nsum(0);\n";
    let sum = "export function sum(n) {\n  if (n > 2) throw new RangeError('over ' + n);\n  return \
        sum(n + 1);\n}\n";
    let awaits =
        "await new Promise((ready) => setTimeout(ready, 5));\nthrow new RangeError('late');\n";
    let timer = "setTimeout(() => { throw new RangeError('timer'); }, 5);\n";
    let then = "Promise.resolve().then(() => { throw new RangeError('then'); });\n";
    let files = [
        ("main.mjs", called),
        ("sum.mjs", sum),
        ("awaits.mjs", awaits),
        ("timer.mjs", timer),
        ("then.mjs", then),
    ];
    for (file, text) in files {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    stage.start_in(dir.path()).await;
    for (program, place) in
        [("main.mjs", "sum  sum.mjs:2"), ("awaits.mjs", "<anonymous>  awaits.mjs:2")]
    {
        for words in ["uncaught", "all"] {
            stage.call("debug_breakpoints", json!({"exceptions": [words]})).await.good();
            let launch = json!({"program": program, "timeout_s": 50});
            let stop = stage.call("debug_launch", launch).await.good();
            assert!(stop.place().starts_with(place), "{}", stop.text);
            assert_no_hint(&stage.resume().await.good());
        }
        // No filter requested it.
        stage.call("debug_breakpoints", json!({"exceptions": ["none"]})).await.good();
        assert_no_hint(&stage.call("debug_restart", json!({"timeout_s": 50})).await.good());
        stage.call("debug_breakpoints", json!({"exceptions": ["uncaught"]})).await.good();
    }
    // Errors thrown elsewhere look the same at the end, but do stop.
    for (program, stopped) in [
        ("timer.mjs", "■ stopped exception RangeError: timer"),
        ("then.mjs", "■ stopped exception RangeError: then"),
    ] {
        let stop =
            stage.call("debug_launch", json!({"program": program, "timeout_s": 50})).await.good();
        stop.line(stopped);
        assert_no_hint(&stage.resume().await.good());
    }
}

#[track_caller]
fn assert_no_hint(end: &crate::caller::Answer) {
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

/// An attach by pid opens the inspector, and only the program itself can close it.
pub async fn inspector_left_open_is_reported(stage: &mut Stage) {
    let beat = "setInterval(() => {}, 50); console.log('ready')";
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut command = tokio::process::Command::new("node");
    command.args(["--inspect-port=0", "-e", beat]).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    let attach = json!({"pid": child.id().unwrap(), "adapter": "js-debug"});
    stage.call("debug_attach", attach).await.good().line("▶ running");
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ detached; the process keeps running");
    let note = "after the detach its inspector keeps listening, until `inspector.close()` runs in \
        the process";
    assert_eq!(end.line("note: "), note);
}

/// V8 knows no function before it runs, so the name is searched in the program's sources: one match
/// binds, several are an error with a proposed call. A function breakpoint set earlier for another
/// program neither stops nor fails.
pub async fn function_breakpoint_is_found_in_the_sources(stage: &mut Stage) {
    let main = "const lib = require(\"./lib\"); class Line { at(n) { this.m = { n }; return n; } \
        end() { return 1; } }\nfunction twice(n) { return 2 * n; }\nconst thrice = async (n) => n \
        * 3;\n\
                // function remark() {}\nconst cart = new lib.Cart();\nconsole.log(twice(2), \
                cart.add({ n: 4 }));\n\
                thrice(3);\nlib.shared();\nnew Line().at(3);\n";
    let lib = "exports.Cart = class Cart {\n  add({ n } = {}) {\n    // first\n    return n;\n  \
        }\n};\n\
               exports.shared = function () {\n  return 1;\n};\n";
    let other = "exports.shared = () => 2;\n";
    let files = [("main.js", main), ("lib.js", lib), ("other.js", other), ("package.json", "{}")];
    let (dir, _) = crate::real::stage::workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let refused = [
        (
            "twce",
            "no function in the program's own files is named `twce`; there are twice",
            "[\"twice\"]",
        ),
        ("shared", "2 functions are named `shared`: lib.js:8, other.js:1", "[\"lib.js:8\"]"),
    ];
    let adapter = stage.language.adapter();
    for (name, why, instead) in refused {
        let launch = json!({"program": "main.js", "adapter": adapter, "breakpoints": [name]});
        let call = format!(
            "debug_launch {{\"program\": \"main.js\", \"adapter\": \"{adapter}\", \"breakpoints\": \
            {instead}}}"
        );
        stage
            .call("debug_launch", launch)
            .await
            .fails(&format!("error[refused] {why}. Try: {call}"));
    }
    let set = json!({"set": ["twice", "Cart.add", "thrice if n == 3", "Line.at", "nowhere"]});
    stage.call("debug_breakpoints", set).await.good();
    let launch = json!({"program": "main.js", "adapter": adapter});
    let mut stop = stage.call("debug_launch", launch).await.good();
    for place in ["twice  main.js:2", "add  lib.js:4", "thrice  main.js:3", "at  main.js:1"] {
        assert_eq!(stop.place().replace("Cart.", "").replace("Line.", ""), place, "{}", stop.text);
        stop = stage.call("debug_continue", json!({})).await.good();
    }
    stop.line("□ exited with code 0");
    stop.says("nowhere · UNVERIFIED: no function in the program's own files is named `nowhere`\n");
    let launch = json!({"program": "main.js", "adapter": adapter, "stop_on_entry": true});
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.call("debug_launch", launch).await.good();
    let refused = stage.call("debug_continue", json!({"until": "twce"})).await;
    refused.fails(&format!(
        "error[refused] {}. Try: debug_continue {{\"until\": \"twice\"}}",
        "no function in the program's own files is named `twce`; there are twice"
    ));
    let stop = stage.call("debug_continue", json!({"until": "twice"})).await.good();
    assert_eq!(stop.place(), "twice  main.js:2", "{}", stop.text);
}

/// Node's `assert` throws in Node's own code: the stop is at the user's line that asserts.
pub async fn failed_assertion_stops_at_the_users_line(stage: &mut Stage) {
    let text = "const test = require(\"node:test\");\nconst assert = \
        require(\"assert\");\n\ntest(\"fails\", () => {\n  \
                const size = 1;\n  assert.strictEqual(size, 2);\n});\n";
    let (dir, _) =
        crate::real::stage::workspace_with(&[("size.test.js", text), ("package.json", "{}")]).await;
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    for target in [json!({"test": "fails"}), json!({"command": "node --test size.test.js"})] {
        let mut launch = target;
        launch["adapter"] = json!(stage.language.adapter());
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.reason(), "exception AssertionError [ERR_ASSERTION]", "{}", stop.text);
        stop.says("\n! Expected values to be strictly equal:\n\n  1 !== 2\n");
        assert_eq!(stop.place(), "<anonymous>  size.test.js:6", "{}", stop.text);
        assert_eq!(stop.local("size"), "1");
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// A child process without the environment of its parent runs undisturbed, and the ending says why
/// its breakpoint was not set.
pub async fn unfollowed_child_is_explained(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let top = "const { execFileSync } = require('child_process');\n\
        const stdio = 'inherit';\n\
        execFileSync('env', ['-i', process.execPath, 'leaf.js'], { stdio });\n";
    for (name, text) in [("top.js", top), ("leaf.js", "const word = 'hi';\nconsole.log(word);\n")] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "top.js", "breakpoints": ["leaf.js:2"], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.says("\n  hi\n");
    end.says("\nnever bound:\n  #1 leaf.js:2 · UNVERIFIED: its file was never loaded");
    end.says("; child processes that do not inherit NODE_OPTIONS are not followed\n");
}

/// Ways to start a Node program that is not a direct child.
const SHELLS: [&str; 4] = [
    "execFileSync('bash', ['run.sh'], { stdio })",
    "execSync('node leaf.js x', { stdio })",
    "spawnSync('node leaf.js x', { shell: true, stdio })",
    "execFileSync('env', ['A=1', 'node', 'leaf.js', 'x'], { stdio })",
];

pub async fn node_behind_a_shell_is_followed(stage: &mut Stage) {
    let leaf = "const word = 'hi ' + process.argv[2];\nconsole.log(word);\n";
    for call in SHELLS {
        let dir = tempfile::tempdir().unwrap();
        let top = format!(
            "const {{ execFileSync, execSync, spawnSync }} = require('child_process');\n\
             const stdio = 'inherit';\n{call};\n"
        );
        for (file, text) in [("leaf.js", leaf), ("run.sh", "node leaf.js x\n"), ("top.js", &top)] {
            std::fs::write(dir.path().join(file), text).unwrap();
        }
        stage.start_in(dir.path()).await;
        let launch = json!({"program": "top.js", "breakpoints": ["leaf.js:2"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), "<anonymous>  leaf.js:2", "{call}: {}", stop.text);
        assert_eq!(stop.local("word"), "'hi x'", "{call}: {}", stop.text);
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        stage.printed("hi x").await;
    }
}
