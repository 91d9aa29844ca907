//! Machine code through gdb: source files, libraries, recordings.

use serde_json::json;

use crate::caller::{Caller, Start, root};
use crate::real::stage::{Language, Stage, compile, marked};

/// A source file that is a whole program is compiled for the caller.
pub async fn source_file_of_c(stage: &mut Stage) {
    let (source, at) = (stage.language.source("cart"), stage.at("cart", "tax"));
    // No adapter is named: only one plugin claims C source files.
    let stop = stage
        .caller
        .call("debug_launch", json!({"program": source, "breakpoints": [at], "timeout_s": 50}))
        .await;
    let stop = stop.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.local("rate"), "7");
    stage.call("debug_stop", json!({})).await.good();
}

pub async fn compile_error_of_c_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("small.c");
    std::fs::write(&source, "int main(void) {\n    return nowhere;\n}\n").unwrap();
    let answer = stage.call("debug_launch", json!({"program": source, "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.says("small.c:2:12: error: ");
    answer.says("nowhere");
}

/// Values as libstdc++'s pretty printers show them.
pub async fn containers_of_cpp(stage: &mut Stage) {
    let source = "tests/fixtures/c/containers.cpp";
    let at = |mark: &str| format!("{source}:{}", marked(&root().join(source), mark));
    let arguments = json!({"program": "target/fixtures/c/containers", "args": ["throw"],
        "timeout_s": 50,
        "breakpoints": [at("data")], "adapter": "gdb"});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("main  {}", at("data")), "{}", stop.text);
    for (path, value) in [
        ("items[1].name", "\"饺子\""),
        ("numbers[7777]", "7777"),
        ("items[0].price", "1990"),
        ("stock[\"Heft\"]", "7"),
        ("codes[5]", "50"),
        ("letters['b']", "2"),
        ("many[599]", "1198"),
    ] {
        let reply = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(reply.text.lines().nth(1), Some(value), "{path}: {}", reply.text);
    }
    stage
        .call("debug_variables", json!({"path": "codes[0]"}))
        .await
        .says("error[no-such-variable] codes has no `0`. ");
    let reply = stage
        .call("debug_evaluate", json!({"expressions": ["stock", "some", "nothing"]}))
        .await
        .good();
    assert!(reply.line("stock = ").starts_with("map(2){[\"Atlas\"] = 3, [\"Heft\"] = 7}"));
    let thrown = stage.resume().await.good();
    let reason = "signal SIGABRT: uncaught std::invalid_argument: bad order zwölf";
    assert_eq!(thrown.reason(), reason, "nobody catches it");
    assert_eq!(thrown.place(), format!("parse  {}", at("throw")), "{}", thrown.text);
    stage.call("debug_output", json!({"grep": "what"})).await.good().says("bad order zwölf");
}

/// Steps back undo what was executed.
pub async fn reverse_execution(stage: &mut Stage) {
    let at = stage.at("cart", "loop");
    let stop = stage
        .launch("cart", json!({"breakpoints": [at], "options": {"record": true}}))
        .await
        .good();
    assert_eq!(stop.local("index"), "0");
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!(stop.local("net"), "1000");
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "print");
    assert_eq!(stop.local("total"), "1070");
    let stop = stage.call("debug_step", json!({"kind": "back"})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!((stop.reason(), stop.local("total")), ("after step", "0"));
    let start = stage.call("debug_continue", json!({"reverse": true})).await.good();
    stage.assert_stop(&start, "cart", "total_of", "loop");
    assert_ne!(start.local("net"), "1000");
    // What was undone is executed again.
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!(stop.local("net"), "1000");
    let both = stage
        .call("debug_continue", json!({"reverse": true, "until": stage.at("cart", "main")}))
        .await;
    both.says("`until` runs forwards only");
    both.says("Try: debug_breakpoints {\"set\": [");
}

/// What ran before the first stop is recorded, too, from the beginning of `main` on.
pub async fn run_to_a_breakpoint_goes_back(stage: &mut Stage) {
    let launch = json!({"breakpoints": [stage.at("cart", "total")], "options": {"record": true}});
    let stop = stage.launch("cart", launch).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "total");
    let back = stage.call("debug_step", json!({"kind": "back"})).await.good();
    assert_eq!(back.reason(), "after step", "{}", back.text);
    let reverse = json!({"reverse": true});
    let begin = stage.call("debug_continue", reverse.clone()).await.good();
    assert_eq!(begin.reason(), "beginning of the recording");
    assert!(begin.place().starts_with("main  "), "{}", begin.text);
    stage.call("debug_continue", reverse).await.says("this is the beginning of the recording");
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "cart", "total_of", "total");
}

/// The beginning is the stop at the entry; `printf` of the C library is recorded, and the end of
/// the program is not.
pub async fn recording_has_a_beginning_and_an_end(stage: &mut Stage) {
    let record = json!({"stop_on_entry": true, "options": {"record": true}});
    let entry = stage.launch("cart", record).await.good();
    let back = json!({"kind": "back"});
    stage.call("debug_step", back).await.says("this is the beginning of the recording");
    let after = json!({"until": stage.at("cart", "after")});
    let stop = stage.call("debug_continue", after).await.good();
    stage.assert_stop(&stop, "cart", "main", "after");
    let begin = stage.call("debug_continue", json!({"reverse": true})).await.good();
    assert_eq!((begin.reason(), begin.place()), ("beginning of the recording", entry.place()));
    for (tool, back) in
        [("debug_step", json!({"kind": "back"})), ("debug_continue", json!({"reverse": true}))]
    {
        stage.call(tool, back).await.says("this is the beginning of the recording");
    }
    let end = stage.resume().await.good();
    assert_eq!((end.reason(), end.place()), ("end of the recording", stop.place()));
    let last = stage.resume().await.good();
    assert_eq!(last.reason(), "an instruction that gdb cannot record", "{}", last.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// CodeLLDB cannot record.
pub async fn recording_is_refused(stage: &mut Stage) {
    let launch = json!({"program": stage.language.program("cart"), "options": {"record": true}});
    stage.call("debug_launch", launch).await.fails(
        "error[bad-argument] plugin codelldb: options: record: unknown key; it has core, program, \
        skip_binaries; a launch also takes config, stdin and stop_on_entry. \
         Try: debug_launch {\"program\": \"target/fixtures/c/cart\", \"adapter\": \"codelldb\"}",
    );
}

pub async fn reverse_execution_needs_a_recording(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    for (tool, arguments, command) in [
        ("debug_step", json!({"kind": "back"}), "stepBack"),
        ("debug_continue", json!({"reverse": true}), "reverseContinue"),
    ] {
        let unless = if stage.language.has_gdb() {
            ", except in a program launched with options {\"record\": true}"
        } else {
            ""
        };
        let wanted = format!(
            "error[unsupported] this adapter does not support `{command}`{unless}. \
             Try: debug_status {{\"detail\": \"capabilities\"}}"
        );
        stage.call(tool, arguments).await.fails(&wanted);
    }
}

/// The caller reads how many of its steps were made.
pub async fn steps_out_end_at_the_outermost_frame(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let stop = stage.call("debug_step", json!({"kind": "out", "count": 9})).await.good();
    assert!(stop.place().starts_with("main  "), "{}", stop.text);
    stop.line("note: stopped after step 2 of 9: this is the outermost frame");
    let out = stage.call("debug_step", json!({"kind": "out"})).await;
    out.says("error[adapter-refused] this is the outermost frame. ");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Programs of other languages, with gdb named as the adapter.
pub async fn gdb_debugs_rust_and_go(stage: &mut Stage) {
    let at = Language::Rust.at("cart", "tax");
    let arguments =
        json!({"program": Language::Rust.program("cart"), "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!((stop.local("net"), stop.local("rate")), ("1000", "7"), "{}", stop.text);
    let name = stage
        .call("debug_evaluate", json!({"expressions": ["item.name", "item.note"]}))
        .await
        .good();
    name.says("item.name = \"Heft\"");
    stage.call("debug_stop", json!({})).await.good();
    let arguments =
        json!({"program": Language::Rust.program("crash"), "args": ["raise"], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert!(stop.reason().starts_with("on panic: bad order 7"), "{}", stop.text);
    assert_eq!(stop.place(), format!("crash::parse  {}", Language::Rust.at("crash", "parse")));
    stage.call("debug_stop", json!({})).await.good();
    let at = Language::Go.at("cart", "tax");
    let arguments =
        json!({"program": Language::Go.program("cart"), "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!((stop.local("net"), stop.local("rate")), ("1000", "7"), "{}", stop.text);
}

const RUST: &str = "use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex, atomic::AtomicU8};
use std::time::Duration;
enum Shape { Circle { radius: f64 }, Square(i32), Empty }
struct Item { name: String, count: u32, note: Option<&'static str>, tags: Vec<String> }
union Bits { word: u32, bytes: [u8; 4] }
fn main() {
    let v = vec![1, 2, 3];
    let map = HashMap::from([(\"one\", 1)]);
    let tree = BTreeMap::from([(1, \"a\"), (2, \"b\")]);
    let deque: VecDeque<i32> = (1..4).collect();
    let (some, none) = (Some(String::from(\"hi\")), None::<i32>);
    let err: Result<i32, String> = Err(\"bad\".into());
    let shapes = [Shape::Circle { radius: 1.5 }, Shape::Square(4), Shape::Empty];
    let tags = vec![\"a\".into()];
    let item = Item { name: \"Heft\".into(), count: 2, note: Some(\"x\"), tags };
    let (rc, borrowed, boxed): (_, _, Box<str>) = (Rc::new(5), &item, \"boxed\".into());
    let (bits, bytes, tuple) = (Bits { word: 0x01020304 }, b\"abc\", (1, \"two\", 3.5));
    let (arc, text): (Arc<[i32]>, Rc<str>) = (Arc::from([1, 2]), \"rc\".into());
    let (cell, locked, owner) = (RefCell::new(4), Mutex::new(7), Rc::new(6));
    let (guard, weak, reference) = (cell.borrow(), Rc::downgrade(&owner), Some(&item));
    let (pause, atomic) = (Duration::from_millis(1500), AtomicU8::new(9));
    let parts = unsafe { bits.bytes[0] } as usize + v.len() + map.len() + tree.len() + deque.len();
    let parts = parts + shapes.len();
    println!(\"{parts} {some:?} {none:?} {err:?} {rc} {boxed} {bytes:?} {tuple:?}\");
    println!(\"{} {} {:?} {:?}\", borrowed.name, item.count, item.note, item.tags);
}
";

/// Each value as its own formatters have it, with short names of the library's variants.
pub async fn values_of_rust_in_gdb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("values.rs"), RUST).unwrap();
    compile(dir.path(), "rustc", &["-g", "-Awarnings", "values.rs", "-o", "values"]);
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "values", "breakpoints": ["values.rs:27"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let item =
        "values::Item {name: \"Heft\", count: 2, note: Some(\"x\"), tags: Vec(size=1) = {\"a\"}}";
    let reference = format!("Some({item})");
    for (name, value) in [
        ("v", "Vec(size=3) = {1, 2, 3}"),
        ("map", "HashMap(size=1) = {[\"one\"] = 1}"),
        ("tree", "BTreeMap(size=2) = {[1] = \"a\", [2] = \"b\"}"),
        ("deque", "VecDeque(size=3) = {1, 2, 3}"),
        ("some", "Some(\"hi\")"),
        ("none", "None"),
        ("err", "Err(\"bad\")"),
        (
            "shapes",
            "[values::Shape::Circle{radius: 1.5}, values::Shape::Square(4), values::Shape::Empty]",
        ),
        ("item", item),
        ("borrowed", item),
        ("rc", "Rc(strong=1, weak=0) = {value = 5, strong = 1, weak = 0}"),
        ("boxed", "\"boxed\""),
        ("bits", "values::Bits {word: 16909060, bytes: [4, 3, 2, 1]}"),
        ("bytes", "[97, 98, 99]"),
        ("tuple", "(1, \"two\", 3.5)"),
        ("arc", "Arc(strong=1, weak=0) = {1, 2}"),
        ("arc[1]", "2"),
        ("text", "Rc(strong=1, weak=0) = {value = \"rc\"}"),
        ("guard", "4"),
        ("locked", "7"),
        ("weak", "(strong=1, weak=1)"),
        ("reference", reference.as_str()),
        ("pause", "1.5s"),
        ("atomic", "9"),
        ("item.count + 1", "3"),
        ("map[\"one\"]", "1"),
    ] {
        let reply = stage.call("debug_evaluate", json!({"expressions": [name]})).await.good();
        let found = reply.line(&format!("{name} = ")).rsplit_once("  (").unwrap().0;
        assert_eq!(found, value, "{}", reply.text);
    }
}

const CALLS: &str = "struct Counter { n: u32 }
impl Counter {
    #[inline(never)] fn next(&mut self) -> u32 { self.n += 1; self.n }
    #[inline(never)] fn first(&self) -> Option<&u32> { Some(&self.n).filter(|n| **n > 0) }
}
#[inline(never)] fn run(counter: &mut Counter, limit: u32, name: &str, letter: char) {
    let (list, other) = (vec![10, 20, 30], String::from(\"bob\"));
    for _round in 0..3 {
        println!(\"{limit} {name} {letter} {}\", list.len() + other.len());
    }
}
fn main() {
    let mut counter = Counter { n: 0 };
    println!(\"{} {:?}\", counter.next(), counter.first());
    counter.n = 0;
    run(&mut counter, 1, \"bob\", 'y');
}
";

/// A chain that is no text, an argument and a condition are each read once.
pub async fn calls_in_rust_are_made_once(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("counter.rs"), CALLS).unwrap();
    compile(dir.path(), "rustc", &["-g", "-Awarnings", "counter.rs", "-o", "counter"]);
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "counter", "breakpoints": ["counter.rs:9"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (expression, value) in [
        ("counter.first().is_some()", "false  (bool)"),
        ("counter.next() == limit", "true  (bool)"),
        ("list[counter.next() as usize]", "30  (i32)"),
        ("list.contains(&counter.next())", "false  (bool)"),
        ("counter.n", "3  (u32)"),
        ("counter.first().is_some()", "true  (bool)"),
        ("*counter.first().unwrap() == counter.n", "true  (bool)"),
        ("list.first().unwrap() == 10 && other == name", "true  (bool)"),
    ] {
        let arguments = json!({"expressions": [expression], "effects": "allow"});
        let reply = stage.call("debug_evaluate", arguments).await.good();
        assert_eq!(reply.line(&format!("{expression} = ")), value, "{}", reply.text);
    }
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    for (condition, hits) in [
        ("letter == 'x' || name == other", "■"),
        ("counter.next() as usize > list.len()", "□ exited with code 0"),
    ] {
        let at = json!({"at": "counter.rs:9", "condition": condition});
        let launch = json!({"program": "counter", "breakpoints": [at], "timeout_s": 50});
        let answer = stage.call("debug_launch", launch).await.good();
        assert!(answer.text.starts_with(hits), "{condition}: {}", answer.text);
        assert!(!answer.text.contains("the debugger says"), "{condition}: {}", answer.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

const FUNCTIONS: &str = "mod billing {
    pub struct Cart(pub Vec<u32>);
    impl Cart { #[inline(never)] pub fn total(&self) -> u32 { self.0.iter().sum() } }
    #[inline(never)] pub fn total(x: u32) -> u32 { x * 2 }
    pub trait Priced { fn price(&self) -> u32; }
    impl Priced for Cart { #[inline(never)] fn price(&self) -> u32 { self.0[0] + 1 } }
    #[inline(never)] pub fn largest<T: PartialOrd + Copy>(one: T, other: T) -> T {
        if one > other { one } else { other }
    }
}
use billing::Priced;
fn main() {
    let cart = billing::Cart(vec![1, 5]);
    let sum = cart.total() + billing::total(4) + cart.price();
    println!(\"{sum} {} {}\", billing::largest(1, 2), billing::largest(1.5, 0.5));
}
";

/// gdb itself knows functions of Rust only by their full names.
pub async fn functions_of_rust_in_gdb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("shop.rs"), FUNCTIONS).unwrap();
    compile(dir.path(), "rustc", &["-g", "-Awarnings", "shop.rs", "-o", "shop"]);
    stage.start_in(dir.path()).await;
    for (breakpoint, stops) in [
        (json!("total"), &["shop.rs:3", "shop.rs:4"][..]),
        (json!({"at": "total", "condition": "self.0.len() == 2"}), &["shop.rs:3", "shop.rs:4"]),
        (json!({"at": "total", "hit_condition": "2"}), &["shop.rs:4"]),
        (json!("Cart::total"), &["shop.rs:3"]),
        (json!("billing::total"), &["shop.rs:4"]),
        (json!("crate::billing::total"), &["shop.rs:4"]),
        (json!("Priced::price"), &["shop.rs:6"]),
        (json!("<Cart as Priced>::price"), &["shop.rs:6"]),
        (json!("largest"), &["shop.rs:8", "shop.rs:8"]),
        (json!("main"), &["shop.rs:13"]),
    ] {
        let launch = json!({"program": "shop", "breakpoints": [breakpoint], "timeout_s": 50});
        let mut answer = stage.call("debug_launch", launch).await.good();
        let mut found = Vec::new();
        while answer.text.starts_with('■') {
            found.push(answer.place().rsplit_once("  ").unwrap().1.to_owned());
            answer = stage.resume().await.good();
        }
        assert_eq!(found, stops, "{breakpoint}: {}", answer.text);
        answer.line("□ exited with code 0");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
    // Its scope is known when it is hit.
    let unknown = json!({"at": "billing::total", "condition": "nowhere.len() == 4"});
    let launch = json!({"program": "shop", "breakpoints": [unknown], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says(
        "note: the debugger says: the condition `nowhere.len() == 4` failed: No symbol 'nowhere' \
         in current context",
    );
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let launch = json!({"program": "shop", "breakpoints": ["totl"], "stop_on_entry": true});
    stage.call("debug_launch", launch).await.good().says(
        "totl · UNVERIFIED: the debugger found no code there; there are shop::billing::total, \
         shop::billing::Cart::total",
    );
}

/// A gdb without a debug adapter is an error that says what to install.
pub async fn too_old_gdb_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let gdb = dir.path().join("gdb");
    crate::plugin::script(&gdb, "#!/bin/sh\necho 'GNU gdb (Debian 13.1-3) 13.1'\n");
    let config = dir.path().join("dapdock.toml");
    std::fs::write(&config, format!("[tools.gdb]\npath = {gdb:?}\n")).unwrap();
    stage.caller = Caller::start(Start { config, ..Start::structured() }).await;
    let refused = stage.launch("cart", json!({})).await;
    assert!(
        refused.text.starts_with("error[tool-too-old] gdb 13.1 has no debug adapter"),
        "{}",
        refused.text
    );
    refused.says("install gdb 16 or newer with Python");
}
