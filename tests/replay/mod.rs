//! Recordings of real adapters, reduced to the asserted parts: their messages go through the
//! shipped codec into a session's stop.

use dapdock::model::{FrameKind, Stop};
use serde_json::{Value, json};

use crate::session::{Run, Stage};

/// A fake that answers with the recorded bodies, and stops as recorded.
fn stage(recording: &str, profile: Value) -> Stage {
    let messages: Vec<Value> =
        recording.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut faults = Vec::new();
    for message in messages {
        let body = message.get("body").cloned().unwrap_or_default();
        faults.push(match message["event"].as_str() {
            Some(event) => json!({"on": "configurationDone", "emit": [event, body]}),
            None => json!({"on": message["command"], "answer": body}),
        });
    }
    Stage::new(json!({"program": [{"line": 1, "hangs": true}], "faults": faults}))
        .with("profile", profile)
        .at(&[40])
}

fn frames(stop: &Stop) -> Vec<String> {
    let mut texts = Vec::new();
    for frame in &stop.frames {
        let path = frame.path.as_ref().map_or("-".into(), |path| path.display().to_string());
        let mark = if frame.kind == FrameKind::User { "" } else { " (library)" };
        texts.push(format!("{} {path}:{}{mark}", frame.name, frame.line));
    }
    texts
}

fn locals(stop: &Stop) -> Vec<String> {
    stop.locals
        .iter()
        .map(|one| format!("{}: {} = {}", one.name, one.ty.as_deref().unwrap_or(""), one.value))
        .collect()
}

async fn replay(recording: &str, profile: Value) -> (Run, std::sync::Arc<Stop>) {
    let mut run = stage(recording, profile).launch().await;
    let stop = run.stop().await;
    (run, stop)
}

#[tokio::test]
async fn debugpy_at_a_breakpoint() {
    let profile = json!({
        "breakpoints": {"verification": "always"},
        "leave": {"exit_code": "negative-signal"},
    });
    let (run, stop) = replay(include_str!("debugpy.jsonl"), profile).await;
    assert_eq!(run.word(&stop).await, "Breakpoint make_order:51 #1");
    assert_eq!(run.bindings().await, ["bound 51"]);
    assert_eq!(
        frames(&stop),
        [
            "make_order /project/shop.py:51",
            "main /project/shop.py:93",
            "<module> /project/shop.py:104"
        ]
    );
    assert_eq!(
        (stop.thread.name.as_str(), stop.threads, stop.total_frames),
        ("MainThread", 2, Some(3))
    );
    let printed = locals(&stop);
    assert_eq!(printed[0], "oid: int = 7");
    assert!(
        printed[1]
            .starts_with("order: Order = Order(id=7, items=[Item(name='item-0', qty=1, price=1.5"),
        "{printed:?}"
    );
    assert!(printed[1].contains("note='handle with care ☃', parent=None"), "{printed:?}");
    assert_eq!(printed.len(), 2);
}

#[tokio::test]
async fn codelldb_at_a_breakpoint() {
    let profile = json!({
        "breakpoints": {"verification": "when-running", "unbound": "Resolved locations: 0"},
        "values": {"locals": ["Local"]},
    });
    let (run, stop) = replay(include_str!("codelldb.jsonl"), profile).await;
    assert_eq!(run.word(&stop).await, "Breakpoint shop::make_order:71 #1");
    assert_eq!(run.bindings().await, ["bound 40"], "a hit proves it, though no event did");
    let library = [
        "<fn() as core::ops::function::FnOnce<()>>::call_once -:6 (library)",
        "std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()> -:6 (library)",
        "std::rt::lang_start::<()>::{closure#0} -:7 (library)",
    ];
    let own = ["shop::make_order /project/src/lib.rs:71", "shop::main /project/src/main.rs:40"];
    assert_eq!(frames(&stop), [&own[..], &library[..]].concat());
    assert_eq!(
        (stop.thread.name.as_str(), stop.threads, stop.total_frames),
        ("1: tid=1541 \"shop\"", 2, None)
    );
    let map = "std::collections::hash::map::HashMap<alloc::string::String, long, \
        std::hash::random::RandomState, \
               alloc::alloc::Global>";
    let printed = locals(&stop);
    assert_eq!(printed[..2], ["id: unsigned long = 7".to_owned(), format!("meta: {map} = size=2")]);
    assert!(printed[2].starts_with("items: ") && printed[2].ends_with(" = size=5"), "{printed:?}");
}

#[tokio::test]
async fn delve_at_a_breakpoint() {
    let (run, stop) = replay(
        include_str!("delve.jsonl"),
        json!({"frames": {"library": {"functions": ["runtime."]}}}),
    )
    .await;
    assert_eq!(run.word(&stop).await, "Breakpoint main.MakeOrder:68 #1");
    assert_eq!(run.bindings().await, ["bound 68"]);
    let library = ["runtime.main -", "runtime.goexit -"];
    let own = ["main.MakeOrder /project/shop.go:68", "main.main /project/shop.go:123"];
    let printed = frames(&stop);
    assert_eq!(printed[..2], own);
    for (frame, name) in printed[2..].iter().zip(library) {
        assert!(
            frame.starts_with(name.trim_end_matches('-')) && frame.ends_with(" (library)"),
            "{frame}"
        );
    }
    assert_eq!((stop.threads, stop.total_frames), (6, Some(4)));
    let printed = locals(&stop);
    assert_eq!(printed[0], "id: uint64 = 7 = 0x7", "without its plugin the adapter's own words");
    assert!(printed[4].starts_with("o: *main.Order = *main.Order {ID: 7, "), "{printed:?}");
}

/// Each frame has a readable source, and no response has a frame count.
#[tokio::test]
async fn gdb_at_a_breakpoint() {
    let (run, stop) =
        replay(include_str!("gdb.jsonl"), json!({"breakpoints": {"verification": "when-running"}}))
            .await;
    assert_eq!(run.word(&stop).await, "Breakpoint make_order:67 #1");
    assert_eq!(run.bindings().await, ["bound 40"], "a hit proves it, though no event did");
    assert_eq!(frames(&stop), ["make_order /project/shop.cpp:67", "main /project/shop.cpp:101"]);
    assert_eq!((stop.thread.name.as_str(), stop.threads, stop.total_frames), ("shop", 2, None));
    assert_eq!(locals(&stop), ["id: unsigned long = 7"]);
}

/// Its thread ids start at 0, and it marks skipped frames itself.
#[tokio::test]
async fn js_debug_at_a_breakpoint() {
    let profile = json!({
        "breakpoints": {"verification": "when-loaded"},
        "frames": {"library": {"paths": ["<node_internals>/"]}},
    });
    let (run, stop) = replay(include_str!("js-debug.jsonl"), profile).await;
    assert_eq!(run.word(&stop).await, "Breakpoint makeOrder:39 #1");
    assert_eq!(run.bindings().await, ["bound 40"], "a hit proves it, though no event did");
    let own = [("makeOrder", 39), ("main", 74), ("<anonymous>", 83)]
        .map(|(name, line)| format!("{name} /project/shop.ts:{line}"));
    let node = "<node_internals>/internal/modules/cjs/loader";
    let library = [("Module._compile", 1521), ("Module._extensions..js", 1623)]
        .map(|(name, line)| format!("{name} {node}:{line} (library)"));
    assert_eq!(frames(&stop), [own.to_vec(), library.to_vec()].concat());
    assert_eq!((stop.thread.name.as_str(), stop.threads), ("shop.js [27283]", 1));
    let printed = locals(&stop);
    assert_eq!(printed[..2], ["id: number = 7", "items: Array = (5) [{…}, {…}, {…}, {…}, {…}]"]);
    assert!(
        printed[2].starts_with(
            "order: Order = Order {id: 7, items: Array(5), note: 'handle with care ☃'"
        ),
        "{printed:?}"
    );
}
