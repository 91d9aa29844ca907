//! Stacks: of all threads, in pages, and the variables of their frames.

use serde_json::json;

use crate::real::stage::{Language, Stage, marked};

pub async fn variables_of_another_frame(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let outer = stage.call("debug_variables", json!({"frame": 1})).await.good();
    outer.says(&format!("frame #1 {}", stage.function("cart", "total_of")));
    let kind = stage.pick("int", "u64", "int", "number", "int");
    outer.says(&format!("  index: {kind} = 0"));
    assert!(!outer.text.contains("\n  rate: "), "{}", outer.text);
    stage
        .call("debug_variables", json!({"frame": 99}))
        .await
        .says("error[no-such-frame] there is no frame 99");
}

pub async fn stacks_of_all_threads(stage: &mut Stage) {
    stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    for name in ["worker-1", "worker-2"] {
        stacks.says(name);
    }
    let works = stage.function("threads", "work");
    stacks.says(&format!("{works}  {}", stage.at("threads", "work")));
    stacks.says("stopped here");
    // A worker of JavaScript runs on, and LLDB does not unwind `pthread_barrier_wait`.
    if stage.language.newest() != Language::JavaScript && stage.language != Language::LldbC {
        values_of_each_thread_are_set(stage, &stacks.text).await;
    }
}

/// Two threads in one function: `thread` names one, and the other's value stays.
async fn values_of_each_thread_are_set(stage: &mut Stage, stacks: &str) {
    let ids = ["worker-1 (", "worker-2 ("].map(|name| {
        let (_, rest) = stacks.split_once(name).unwrap();
        rest.split(')').next().unwrap().to_owned()
    });
    for (set, values) in
        [(None, ["1", "2"]), (Some((0, "7")), ["7", "2"]), (Some((1, "8")), ["7", "8"])]
    {
        if let Some((thread, value)) = set {
            let set = json!({"thread": ids[thread], "target": "number", "value": value});
            stage.call("debug_set", set).await.good().says(&format!("number = {value}  (was "));
        }
        for (id, value) in ids.iter().zip(values) {
            let read = json!({"thread": id, "path": "number"});
            let read = stage.call("debug_variables", read).await.good();
            assert_eq!(read.text.lines().nth(1), Some(value), "{}", read.text);
        }
    }
    // In Python the number is a key that main reads, too; rustc's code does not read the variable.
    if matches!(stage.language.newest(), Language::Go | Language::C | Language::LldbC) {
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().says("squares 49 64");
    }
}

/// Delve 1.20 reports no labels of goroutines: each is named by its function.
pub async fn threads_without_labels_are_named_by_function(stage: &mut Stage) {
    stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    let works = stage.at("threads", "work");
    let stopped = stacks.line("thread main.work (");
    assert!(
        stopped.contains(") · stopped here · ")
            && stacks.text.contains(&format!("#0 main.work  {works}")),
        "{}",
        stacks.text
    );
    assert!(!stacks.text.contains("worker-"), "{}", stacks.text);
}

/// A stack longer than the answer says so, with and without a frame count of the adapter.
pub async fn deep_stack_is_paged(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "bottom")]})).await.good();
    let part = stage.call("debug_stack", json!({"count": 2})).await.good();
    part.says("start=2");
    let rest = stage.call("debug_stack", json!({"start": 2, "count": 500})).await.good();
    rest.says("main");
    assert!(!rest.text.contains("start="), "{}", rest.text);
}

/// Neither thread is inside of a library: LLDB reads the variables of both.
const SPINNING: &str = "#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
static atomic_int ready;
static void *work(void *argument) {
    intptr_t number = (intptr_t)argument;
    char name[16];
    snprintf(name, sizeof name, \"worker-%d\", (int)number);
    pthread_setname_np(pthread_self(), name);
    ready++;
    while (ready < 2) {}
    return (void *)(number * number); // [stop: work]
}
int main(void) {
    pthread_t one, two;
    void *first, *second;
    pthread_create(&one, 0, work, (void *)1);
    pthread_create(&two, 0, work, (void *)2);
    pthread_join(one, &first);
    pthread_join(two, &second);
    printf(\"squares %d %d\\n\", (int)(intptr_t)first, (int)(intptr_t)second);
}
";

/// Values of the thread that is named, read and set.
pub async fn values_of_another_thread_are_read_and_set(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("spinning.c");
    std::fs::write(&file, SPINNING).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("spinning.c:{}", marked(&file, "work"));
    let launch = json!({"program": "spinning.c", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    values_of_each_thread_are_set(stage, &stacks.text).await;
}
