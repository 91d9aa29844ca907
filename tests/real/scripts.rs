//! What scripts are like that other programs are not: modules, getters, Node's own code under them.

use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use super::stage::Stage;

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

/// Writes the module and launches it with these arguments.
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
    let told = stage.call("debug_variables", json!({})).await.good();
    assert_eq!(told.text.lines().next(), Some("Module · frame #0 <anonymous>"));
    told.says("\n  item: Item = Item {price: 12, qty: 2}\n");
    assert_eq!(told.line("other scopes: "), "Global");
    // Those of a block come first.
    let stop = stage.resume_to(2).await;
    assert_eq!((stop.local("inner"), stop.local("item")), ("1", "Item {price: 12, qty: 2}"));
    // A function has its own.
    let stop = stage.resume_to(3).await;
    assert_eq!(stop.line("locals: "), "n=3");
}

pub async fn a_getter_is_called_where_it_is_asked_for(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9"]).await;
    let told = stage.call("debug_variables", json!({"path": "item", "depth": 2})).await.good();
    let rows = "  box = (getter)\n  price: number = 12\n  qty: number = 2\n  total = (getter)";
    assert_eq!(told.text, format!("item: Item · frame #0 <anonymous>\n{rows}"));
    for (path, text) in [
        ("item.total", "item.total: number · frame #0 <anonymous>\n24"),
        ("item.box.depth", "item.box.depth: number · frame #0 <anonymous>\n2"),
        // Of what is built in js-debug lists the function.
        ("bytes.byteLength", "bytes.byteLength: number · frame #0 <anonymous>\n3"),
    ] {
        assert_eq!(stage.call("debug_variables", json!({"path": path})).await.good().text, text);
    }
}

pub async fn a_step_passes_over_what_is_nodes_own(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9", "shop.mjs:15 if n == 3"]).await;
    let step = json!({"kind": "in"});
    let stop = stage.call("debug_step", step.clone()).await.good();
    assert_eq!((stop.place(), stop.reason()), ("<anonymous>  shop.mjs:11", "after step"), "{}", stop.text);
    let stop = stage.resume_to(2).await;
    assert_eq!(stop.place(), "last  shop.mjs:15", "{}", stop.text);
    // The first call of the line is none of the user's either, nor is the second.
    let mut stop = stage.call("debug_step", step.clone()).await.good();
    while stop.place() == "last  shop.mjs:15" {
        stop = stage.call("debug_step", step.clone()).await.good();
    }
    assert_eq!((stop.place(), stop.reason()), ("last  shop.mjs:16", "after step"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(stop.place(), "<anonymous>  shop.mjs:18", "{}", stop.text);
}

pub async fn nothing_is_written_unasked(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:9"]).await;
    let refused = "<error: it would change the program; effects=allow lets it>";
    for text in ["item.qty = 3", "item.qty++", "delete item.qty", "let q = 1"] {
        let answer = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
        assert_eq!(answer.text, format!("{text} = {refused}"));
    }
    let reads = json!({"expressions": ["item.qty", "[1, 2].map((x = 0) => x * 2).join()", "item.qty == 2", "'a = b'"]});
    let answer = stage.call("debug_evaluate", reads).await.good();
    let told = [
        "item.qty = 2  (number)",
        "[1, 2].map((x = 0) => x * 2).join() = '2,4'  (string)",
        "item.qty == 2 = true  (boolean)",
        "'a = b' = 'a = b'  (string)",
    ];
    assert_eq!(answer.text.lines().collect::<Vec<_>>(), told);
    let allowed = json!({"expressions": ["item.qty = 3"], "effects": "allow"});
    stage.call("debug_evaluate", allowed).await.good().says("item.qty = 3 = 3");
    stage.call("debug_evaluate", json!({"expressions": ["item.qty"]})).await.good().says("item.qty = 3");
}

/// Node ends a module with an error whose message stands above its stack.
pub async fn an_exit_reaches_back_to_the_error(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), &["shop.mjs:18"]).await;
    stage.call("debug_breakpoints", json!({"clear": true, "exceptions": []})).await.good();
    let exit = stage.resume().await.good();
    exit.line("□ exited with code 1");
    exit.says("\n  stderr| Error: bad total\n  stderr| of 24\n");
}

/// V8 takes what a module throws at its top level for caught.
pub async fn a_module_that_fails_tells_how_to_stop_there(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let called = "import { sum } from './sum.mjs';\nsum(0);\n";
    let sum = "export function sum(n) {\n  if (n > 2) throw new RangeError('over ' + n);\n  return sum(n + 1);\n}\n";
    let awaits = "await new Promise((ready) => setTimeout(ready, 5));\nthrow new RangeError('late');\n";
    let timer = "setTimeout(() => { throw new RangeError('timer'); }, 5);\n";
    for (file, text) in [("main.mjs", called), ("sum.mjs", sum), ("awaits.mjs", awaits), ("timer.mjs", timer)] {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    stage.start_in(dir.path()).await;
    for (program, place) in [("main.mjs", "sum  sum.mjs:2"), ("awaits.mjs", "<anonymous>  awaits.mjs:2")] {
        let end = stage.call("debug_launch", json!({"program": program, "timeout_s": 50})).await.good();
        end.line("□ exited with code 1");
        end.line("! no stop where a module threw this at its top level");
        let all = json!({"exceptions": ["all"]});
        stage.call("debug_breakpoints", all).await.good();
        let stop = stage.call("debug_restart", json!({"timeout_s": 50})).await.good();
        assert!(stop.place().starts_with(place), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"exceptions": ["uncaught"]})).await.good();
    }
    let stop = stage.call("debug_launch", json!({"program": "timer.mjs", "timeout_s": 50})).await.good();
    stop.line("■ stopped exception RangeError: timer");
    let end = stage.resume().await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

/// Attaching by number wakes the inspector, and nothing but the program itself puts it to sleep.
pub async fn an_inspector_that_stays_open_is_told(stage: &mut Stage) {
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
    end.line("□ let go, it runs on");
    let told = "its inspector listens on after it is let go, until `inspector.close()` runs in it";
    assert_eq!(end.line("note: "), told);
}
