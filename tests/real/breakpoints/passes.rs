//! Lines whose code is at several addresses: each pass stops, counts and logs once, and none is
//! missed.

use serde_json::{Value, json};

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked};

/// Runs to the end and returns the stops as `MARK VALUE`, with `-` for a local that is not shown.
async fn stops(stage: &mut Stage, source: &str, launch: Value, local: &str) -> Vec<String> {
    let mut answer = stage.call("debug_launch", launch).await.good();
    let text = std::fs::read_to_string(root().join(source)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    while answer.text.starts_with('■') {
        let line: usize = answer.place().rsplit_once(':').unwrap().1.parse().unwrap();
        let mark = lines[line - 1].split_once("[stop: ").and_then(|(_, rest)| rest.split_once(']'));
        let mark = mark.unwrap_or_else(|| panic!("no mark at {}", answer.place())).0;
        let wanted = format!("{local}=");
        let known =
            answer.text.lines().find_map(|line| line.strip_prefix("locals: ")).unwrap_or_default();
        let value = known.split("  ").find_map(|one| one.strip_prefix(&wanted)).unwrap_or("-");
        found.push(format!("{mark} {value}"));
        answer = stage.resume().await.good();
    }
    answer.line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    found
}

const MEETING: &str = r#"use std::sync::{Arc, Barrier};
use std::thread;

fn meet(k: u32) -> u32 {
    k + 1 // [stop: meet]
}

fn main() {
    let barrier = Arc::new(Barrier::new(3));
    let start = |id: u32| {
        let barrier = barrier.clone();
        thread::spawn(move || (0..12).map(|round| {
            barrier.wait();
            meet(round * 10 + id)
        }).sum::<u32>())
    };
    let threads: Vec<_> = (0..3).map(start).collect();
    println!("{}", threads.into_iter().map(|one| one.join().unwrap()).sum::<u32>());
}
"#;

const REPORT: &str = r#"fn total(items: &[u32]) -> u32 {
    items.iter().sum() // [stop: total]
}

fn main() {
    let items = vec![3, 2];
    for round in 0..3 {
        println!("{round}: {} of {}", total(&items), items.len()); // [stop: report]
    }
}
"#;

/// A breakpoint set on the calling line is hit after the call returns, and in later rounds at the
/// start of the line.
pub async fn breakpoint_on_a_calling_line_stops_after_the_call(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("report.rs");
    std::fs::write(&source, REPORT).unwrap();
    let [total, report] = ["total", "report"].map(|mark| marked(&source, mark));
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "report.rs", "breakpoints": [format!("report.rs:{total}")], "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    let change = json!({"remove": [1], "set": [format!("report.rs:{report}")]});
    stage.call("debug_breakpoints", change).await.good();
    for round in 0..3 {
        let stop = stage.resume_to(2).await;
        assert!(stop.place().ends_with(&format!("report.rs:{report}")), "{}", stop.text);
        stop.says(&format!("round={round}"));
    }
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 3 hits");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Three threads reach the line at once and the condition holds for one: that one is reported.
pub async fn thread_whose_condition_holds_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("meeting.rs"), MEETING).unwrap();
    let at =
        format!("meeting.rs:{} if k % 10 == 2", marked(&dir.path().join("meeting.rs"), "meet"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "meeting.rs", "breakpoints": [at], "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch).await.good();
    let mut seen = Vec::new();
    while stop.text.starts_with('■') {
        seen.push(stop.local("k").to_owned());
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
    assert_eq!(seen, (0..12).map(|round| (round * 10 + 2).to_string()).collect::<Vec<_>>());
}

fn rust(breakpoints: Value) -> Value {
    json!({"program": Language::Rust.program("lines"), "breakpoints": breakpoints, "timeout_s": 50})
}

pub async fn line_of_rust_stops_once_a_pass(stage: &mut Stage) {
    let source = stage.language.source("lines");
    for (mark, expected) in [
        ("print", &["print 0", "print 1", "print 2"][..]),
        ("assert", &["assert 0", "assert 1", "assert 2"]),
        ("calls", &["calls 0", "calls 1", "calls 2"]),
        ("arms", &["arms 0", "arms 1", "arms 2"]),
        (
            "inlined",
            &["inlined 0", "inlined 10", "inlined 1", "inlined 11", "inlined 2", "inlined 12"],
        ),
        ("generic", &["generic -", "generic -"]),
        ("generics", &["generics -"]),
        // Where the arm binds its name.
        ("bound", &["bound 7"]),
        ("moved", &["moved \"no\""]),
    ] {
        let found = stops(stage, &source, rust(json!([stage.at("lines", mark)])), "n").await;
        assert_eq!(found, expected, "{mark}");
    }
    // Where the closure is created, and each call.
    let found = stops(stage, &source, rust(json!([stage.at("lines", "closure")])), "m").await;
    assert_eq!(found, ["closure -", "closure 1", "closure 2"]);
}

/// All in one run: narrowing the locations of one breakpoint leaves the others unchanged.
pub async fn breakpoints_on_several_lines_stop_in_order(stage: &mut Stage) {
    let source = stage.language.source("lines");
    let all = ["print", "assert", "calls"].map(|mark| stage.at("lines", mark));
    let found = stops(stage, &source, rust(json!(all)), "n").await;
    let pass = |n: u32| ["print", "assert", "calls"].map(|mark| format!("{mark} {n}"));
    assert_eq!(found, [pass(0), pass(1), pass(2)].concat());
}

pub async fn passes_of_a_line_are_counted_and_logged_once(stage: &mut Stage) {
    let (source, at) = (stage.language.source("lines"), stage.at("lines", "print"));
    let third = rust(json!([{"at": at, "hit_condition": "3"}]));
    assert_eq!(stops(stage, &source, third, "n").await, ["print 2"]);
    let condition = rust(json!([{"at": at, "condition": "n != 1", "hit_condition": "2"}]));
    assert_eq!(stops(stage, &source, condition, "n").await, ["print 2"]);
    let conditions = rust(json!([format!("{at} if n > 0")]));
    assert_eq!(stops(stage, &source, conditions, "n").await, ["print 1", "print 2"]);
    stage
        .call("debug_launch", rust(json!([{"at": at, "log": "pass {n}"}])))
        .await
        .good()
        .line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let logged: Vec<_> = output
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("log| #")?.split_once(".")?.1.rsplit_once(": "))
        .collect();
    let counted: Vec<_> = logged.iter().map(|(number, text)| (&number[..1], *text)).collect();
    assert_eq!(counted, [("1", "pass 0"), ("2", "pass 1"), ("3", "pass 2")]);
}

/// The names are unknown at the start of the line: that neither fails the condition nor makes it
/// false.
pub async fn condition_is_evaluated_where_the_line_declares_its_names(stage: &mut Stage) {
    let (source, at) = (stage.language.source("lines"), stage.at("lines", "declared"));
    for (condition, local, expected) in [
        ("y == 2", "y", &["declared 2"][..]),
        ("k > 0 && y > 0", "y", &["declared 2", "declared 4"]),
        ("k == 2", "k", &["declared 2"]),
    ] {
        let found =
            stops(stage, &source, rust(json!([format!("{at} if {condition}")])), local).await;
        assert_eq!(found, expected, "{condition}");
    }
}

/// Arms on one line are separate paths; a loop on one line passes again.
pub async fn line_of_cpp_stops_once_a_pass(stage: &mut Stage) {
    let source = "tests/fixtures/c/lines.cpp";
    for (mark, expected) in [
        ("macro", &["macro 0", "macro 1", "macro 2"][..]),
        ("arms", &["arms 0", "arms 1", "arms 2"]),
        ("calls", &["calls 0", "calls 1", "calls 2"]),
        (
            "template",
            &["template 0", "template 0", "template 1", "template 1", "template 2", "template 2"],
        ),
        // The loop's head once, its body each time.
        (
            "loop",
            &[
                "loop 0", "loop 0", "loop 0", "loop 1", "loop 1", "loop 1", "loop 2", "loop 2",
                "loop 2",
            ],
        ),
    ] {
        let at = format!("{source}:{}", marked(&root().join(source), mark));
        let launch = json!({
            "adapter": "codelldb", "program": "target/fixtures/c/lines", "breakpoints": [at],
        });
        assert_eq!(stops(stage, source, launch, "n").await, expected, "{mark}");
    }
}
