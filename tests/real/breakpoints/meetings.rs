//! Threads that hit a breakpoint at the same time: each hit stops and counts.

use serde_json::{Value, json};

use crate::real::stage::{Stage, marked};

const CPP: &str = "#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <thread>
static pthread_barrier_t gate;
static std::atomic<int> passes{0};
static void meet(int round) {
    passes += 1 + 0 * round; // [stop: meet]
}
static void run() {
    for (int round = 0; round < 20; ++round) {
        pthread_barrier_wait(&gate);
        meet(round);
    }
}
int main() {
    pthread_barrier_init(&gate, nullptr, 2);
    std::thread one(run), other(run);
    one.join();
    other.join();
    std::printf(\"passes %d\\n\", passes.load());
}
";

const RUST: &str = "use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
static PASSES: AtomicU32 = AtomicU32::new(0);
fn meet(round: u32) {
    PASSES.fetch_add(1 + 0 * round, Ordering::SeqCst); // [stop: meet]
}
fn main() {
    let gate = Arc::new(Barrier::new(2));
    let start = |_| {
        let gate = gate.clone();
        thread::spawn(move || (0..20).for_each(|round| {
            gate.wait();
            meet(round);
        }))
    };
    let threads: Vec<_> = (0..2).map(start).collect();
    for one in threads {
        one.join().unwrap();
    }
    println!(\"passes {}\", PASSES.load(Ordering::SeqCst));
}
";

/// Runs to the end and returns how often the breakpoint stopped. A step after some of the first
/// stops may be interrupted by the other thread.
async fn stops(stage: &mut Stage, file: &str, breakpoint: Value) -> u32 {
    let launch = json!({"program": file, "breakpoints": [breakpoint], "timeout_s": 50});
    let mut answer = stage.call("debug_launch", launch).await.good();
    let (mut stops, mut moves) = (0, 0);
    while answer.text.starts_with('■') {
        stops += u32::from(answer.reason().starts_with("breakpoint #"));
        moves += 1;
        let tool = if moves < 12 && moves % 2 == 0 { "debug_step" } else { "debug_continue" };
        answer = stage.call(tool, json!({})).await.good();
    }
    answer.line("□ exited with code 0");
    answer.says("passes 40");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    list.says(" · 40 hits");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stops
}

/// LLDB stops both threads, and its adapter reports one.
pub async fn each_hit_of_threads_that_meet_is_a_stop(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, source) = if stage.language.is_c() { ("meet.cpp", CPP) } else { ("meet.rs", RUST) };
    std::fs::write(dir.path().join(file), source).unwrap();
    let at = format!("{file}:{}", marked(&dir.path().join(file), "meet"));
    stage.start_in(dir.path()).await;
    assert_eq!(stops(stage, file, json!(at)).await, 40);
    let every = json!({"at": at, "hit_condition": "% 4"});
    assert_eq!(stops(stage, file, every).await, 10);
}
