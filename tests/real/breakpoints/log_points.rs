//! Log points that the debugger writes without a stop: every hit counts, and hits come before the
//! stop or the exit that follows them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::caller::Answer;
use crate::real::stage::{Stage, compile, marked};

const C: &str = "#include <stdio.h>
#include <unistd.h>
struct pair { int left; const char *right; };
static int hits;
static void pass(int i) {
    struct pair pair = {i, \"r\"};
    hits += pair.left == i;
}
static int half(int i) { return i / 2; }
int main(int argc, char **argv) {
    for (int i = 0; i < (argc > 1 ? 10000 : 1000); i++) {
        pass(i);
    }
    half(9);
    printf(\"hits %d\\n\", hits);
    fflush(stdout);
    _exit(half(hits) == hits / 2);
}
";
const RUST: &str = "struct Pair { left: i32, right: &'static str }
static HITS: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
fn add(n: i32) { HITS.fetch_add(n, std::sync::atomic::Ordering::Relaxed); }

fn pass(i: i32) {
    let pair = Pair { left: i, right: \"r\" };
    add((pair.left == i && pair.right == \"r\") as i32);
}
fn half(i: i32) -> i32 { i / 2 }
fn main() {
    for i in 0..if std::env::args().len() > 1 { 10000 } else { 1000 } {
        pass(i);
    }
    half(9);
    println!(\"hits {}\", HITS.load(std::sync::atomic::Ordering::Relaxed));

    std::process::exit((half(HITS.load(std::sync::atomic::Ordering::Relaxed)) > 0) as i32);
}
";

/// The name of the source, which has the same code at the same lines in both languages.
fn prepare(stage: &Stage, dir: &std::path::Path) -> &'static str {
    let (file, compiler, source) = stage.pick(
        ("", "", ""),
        ("many.rs", "rustc", RUST),
        ("", "", ""),
        ("", "", ""),
        ("many.c", "gcc", C),
    );
    std::fs::write(dir.join(file), source).unwrap();
    compile(dir, compiler, &["-g", file, "-o", "many"]);
    file
}

/// The loop has 10,000 passes with an argument, else 1,000.
async fn launch(stage: &mut Stage, arguments: &[&str], breakpoints: Value) -> Answer {
    let adapter = stage.language.adapter();
    let launch = json!({
        "program": "many", "args": arguments, "adapter": adapter, "breakpoints": breakpoints,
        "timeout_s": 300,
    });
    stage.call("debug_launch", launch).await.good()
}

/// The texts of the last hits of log points.
async fn logged(stage: &mut Stage, tail: u32) -> Vec<String> {
    let query = json!({"stream": "log", "tail": tail});
    let output = stage.call("debug_output", query).await.good();
    let lines = output.text.lines().filter_map(|line| line.strip_prefix("log| ")?.split_once(": "));
    lines.map(|(_, text)| text.to_owned()).collect()
}

pub async fn every_hit_before_an_exit_is_counted(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = prepare(stage, dir.path());
    stage.start_in(dir.path()).await;
    let all = json!([
        {"at": format!("{file}:7"), "log": "{pair.left} {i * 2} {pair.right} {{}} {nowhere}"},
        {"at": format!("{file}:17"), "log": "the last line"},
    ]);
    launch(stage, &["many"], all).await.line("□ exited with code 1");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(list.line(" #1 ").contains("10000 hits"), "{}", list.text);
    assert!(list.line(" #2 ").contains("1 hit"), "{}", list.text);
    let last = "9999 19998 \"r\" {} <error>";
    assert_eq!(logged(stage, 2).await, [last, "the last line"]);
}

pub async fn hits_come_before_the_stop_that_follows(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = prepare(stage, dir.path());
    stage.start_in(dir.path()).await;
    // Both breakpoints of `pass` are at one address, where the log point comes first.
    let all = json!([
        {"at": format!("{file}:6"), "log": "i={i}", "condition": "i % 10 == 0"},
        "pass if i == 505",
        format!("{file}:14"),
    ]);
    let stop = launch(stage, &[], all).await;
    assert_eq!(stop.reason(), "breakpoint #2", "{}", stop.text);
    stop.says("log breakpoints +51 hits");
    assert_eq!(logged(stage, 2).await, ["i=490", "i=500"]);
    let stop = stage.resume().await.good();
    assert_eq!(stop.reason(), "breakpoint #3", "{}", stop.text);
    stop.says("log breakpoints +49 hits");
    assert_eq!(logged(stage, 1).await, ["i=990"]);
}

pub async fn failing_condition_of_a_log_point_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = prepare(stage, dir.path());
    stage.start_in(dir.path()).await;
    let at = format!("{file}:7");
    let all = json!([{"at": at, "log": "i={i}", "condition": "nowhere > i"}]);
    let stop = launch(stage, &[], all).await;
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    stop.says("the condition `nowhere > i` failed: there is no `nowhere` here");
    assert_eq!(stop.local("i"), "0");
    assert_eq!(logged(stage, 1).await, [""; 0]);
}

pub async fn thinned_log_points_count_every_hit(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = prepare(stage, dir.path());
    stage.start_in(dir.path()).await;
    let all = json!([
        {"at": format!("{file}:7"), "log": "i={i}", "every": 100},
        {"at": format!("{file}:12"), "log": "j={i}", "max_hits": 2},
        {"at": format!("{file}:9"), "log": "half {i}"},
    ]);
    launch(stage, &[], all).await.line("□ exited with code 1");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(list.line(" #1 ").contains("1000 hits"), "{}", list.text);
    let all = logged(stage, 20).await;
    let hundreds = (1..=10).map(|n| format!("i={}", n * 100 - 1));
    let first = ["j=0".to_owned(), "j=1".to_owned()].into_iter();
    let halves = ["half 9".to_owned(), "half 1000".to_owned()].into_iter();
    assert_eq!(all, first.chain(hundreds).chain(halves).collect::<Vec<_>>());
}

const SPIN_PYTHON: &str = "def work(rounds):
    total = 0  # [stop: begin]
    for i in range(rounds):
        total += i  # [stop: hit]
    return total


print(work(300000))
";
const SPIN_JAVASCRIPT: &str = "function work(rounds) {
  let total = 0; // [stop: begin]
  for (let i = 0; i < rounds; i += 1) {
    total += i; // [stop: hit]
  }
  return total;
}
console.log(work(300000));
";
const SPIN_RUST: &str = "fn work(rounds: u64) -> u64 {
    let mut total = 0; // [stop: begin]
    for i in 0..rounds {
        total += i; // [stop: hit]
    }
    total
}
fn main() {
    println!(\"{}\", work(300000));
}
";
const SPIN_C: &str = "#include <stdio.h>
static long work(int rounds) {
    long total = 0; // [stop: begin]
    for (int i = 0; i < rounds; i++) {
        total += i; // [stop: hit]
    }
    return total;
}
int main(void) {
    printf(\"%ld\\n\", work(300000));
}
";

/// It is disabled in the debugger: at each of 300,000 passes a hit would take a minute.
pub async fn finished_log_breakpoint_costs_nothing(stage: &mut Stage) {
    let (file, text) = stage.pick(
        ("spin.py", SPIN_PYTHON),
        ("spin.rs", SPIN_RUST),
        ("", ""),
        ("spin.js", SPIN_JAVASCRIPT),
        ("spin.c", SPIN_C),
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(file);
    std::fs::write(&path, text).unwrap();
    let [begin, hit] = ["begin", "hit"].map(|mark| format!("{file}:{}", marked(&path, mark)));
    stage.start_in(dir.path()).await;
    let log = json!({"at": hit, "log": "i={i}", "max_hits": 2});
    let launch = json!({"program": file, "breakpoints": [begin, log], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let began = Instant::now();
    let end = stage.call("debug_continue", json!({"timeout_s": 50})).await.good();
    let took = began.elapsed();
    end.line("□ exited with code 0");
    end.says("44999850000");
    assert_eq!(logged(stage, 9).await, ["i=0", "i=1"]);
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(list.line(" #2 ").contains(" · at most 2, reached: off · "), "{}", list.text);
    assert!(took < Duration::from_secs(10), "{took:?}");
}
