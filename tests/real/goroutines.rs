//! Goroutines: why each one waits, and pages of them.

use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::{Stage, marked, workspace_with};

/// The stacks of all goroutines of `waits`, started with so many more.
async fn stacks(stage: &mut Stage, more: u32) -> Answer {
    let place = stage.at("waits", "settled");
    let stop = stage
        .launch("waits", json!({"args": [more.to_string()], "breakpoints": [place]}))
        .await
        .good();
    stage.assert_stop(&stop, "waits", "main", "settled");
    stage.call("debug_stack", json!({"all_threads": true})).await.good()
}

/// The reason is the runtime's; a running goroutine has none.
pub async fn each_goroutine_shows_why_it_waits(stage: &mut Stage) {
    let older = stage.language == crate::real::Language::OldGo;
    let reply = stacks(stage, 0).await;
    for (function, why) in [
        ("receive", "chan receive"),
        ("send", "chan send"),
        ("choose", "select"),
        ("sleep", "sleep"),
        ("take", "sync.Mutex.Lock"),
        ("await", if older { "semacquire" } else { "sync.WaitGroup.Wait" }),
        ("read", "IO wait"),
    ] {
        let place = format!(" main.{function}  ");
        let waiting = reply.text.split("\nthread ").find(|block| block.contains(&place));
        let head = waiting.and_then(|block| block.lines().next()).unwrap_or_default();
        assert!(
            head.contains(&format!(") · waits: {why} · ")),
            "{function}: {head}\n{}",
            reply.text
        );
    }
    let head = reply.line("thread main.main (1) · stopped here · ");
    assert!(!head.contains("waits"), "{}", reply.text);
    // A single goroutine's stack names it too.
    let sleeper = reply.text.lines().find(|line| line.contains("waits: sleep")).unwrap_or_default();
    let number = sleeper.split(['(', ')']).nth(1).unwrap_or_default();
    let one = stage.call("debug_stack", json!({"thread": number, "count": 1})).await.good();
    assert!(
        one.text.starts_with(&format!("thread time.Sleep ({number}) · waits: sleep · ")),
        "{}",
        one.text
    );
}

/// Delve makes no other step until the one interrupted by a breakpoint is done.
pub async fn refused_step_is_reported(stage: &mut Stage) {
    let [pass, work] = [stage.at("gate", "pass"), stage.at("gate", "work")];
    stage.launch("gate", json!({"breakpoints": [pass, work]})).await.good();
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!(stop.reason(), "breakpoint #2");
    let refused = stage.call("debug_step", json!({})).await.good();
    assert_eq!(refused.reason(), "no step was made");
    refused.line(
        "! a breakpoint of another goroutine interrupted the previous step: debug_continue \
            ends that step first",
    );
    stage.assert_stop(&refused, "gate", "work", "work");
    let done = stage.call("debug_continue", json!({})).await.good();
    assert_eq!(done.reason(), "after step");
    done.says("number=42");
}

/// The goroutine that stopped is first, and the page says how many more there are.
pub async fn many_goroutines_are_paged(stage: &mut Stage) {
    let first = stacks(stage, 350).await;
    assert!(first.text.starts_with("thread main.main (1) · stopped here · "), "{}", first.text);
    first.says(" threads: main.receive (");
    assert!(
        first.text.ends_with("\n+158 threads more: debug_stack all_threads=true start=200"),
        "{}",
        first.text
    );
    let rest = stage.call("debug_stack", json!({"all_threads": true, "start": 200})).await.good();
    assert!(
        !rest.text.contains("stopped here") && !rest.text.contains("threads more"),
        "{}",
        rest.text
    );
    let of = |answer: &Answer| -> usize {
        let heads = answer.text.lines().filter(|line| !line.starts_with(['#', ' ']));
        heads
            .map(|head| {
                head.split_once(" threads: ")
                    .map_or(1, |(count, _)| count.parse::<usize>().unwrap())
            })
            .sum()
    };
    assert_eq!((of(&first) - 1, of(&rest)), (200, 158), "{}\n{}", first.text, rest.text);
    let beyond = stage.call("debug_stack", json!({"all_threads": true, "start": 400})).await.good();
    assert_eq!(beyond.text, "no thread after the first 400: there are 358");
}

pub async fn unlisted_goroutines_are_mentioned(stage: &mut Stage) {
    let reply = stacks(stage, 5000).await;
    reply.says(" threads more: debug_stack all_threads=true start=200");
    reply.says("\nthere may be others: the debugger lists no more than about 1000 threads");
    // A goroutine that is not listed can be named.
    let one = stage.call("debug_stack", json!({"thread": "4000", "count": 1})).await.good();
    assert!(
        one.text.starts_with("thread thread 4000 (4000) · waits: chan receive · "),
        "{}",
        one.text
    );
}

const DEADLOCK: &str = r#"package main

import "sync"

func receive(in chan int) {
	<-in // [stop: receive]
}

func lock(mutex *sync.Mutex) {
	mutex.Lock() // [stop: lock]
}

func main() {
	var mutex sync.Mutex
	var group sync.WaitGroup
	mutex.Lock()
	group.Add(1)
	go receive(make(chan int))
	go lock(&mutex)
	group.Wait() // [stop: wait]
}
"#;

/// The stop's headline says why its goroutine waits, and the answer where each other one does.
pub async fn deadlock_stop_names_what_it_waits_for(stage: &mut Stage) {
    let module = ("go.mod", "module deadlock\n\ngo 1.20\n");
    let (dir, _) = workspace_with(&[module, ("main.go", DEADLOCK)]).await;
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "main.go", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let reason = "on panic: fatal error: all goroutines are asleep - deadlock!";
    assert_eq!(stop.reason(), reason, "{}", stop.text);
    stop.says(" · waits: ");
    let at = |mark: &str| format!("main.go:{}", marked(&dir.path().join("main.go"), mark));
    stop.says(&format!("main.main  {}", at("wait")));
    stop.line("other threads:");
    for (function, mark, why) in
        [("receive", "receive", "chan receive"), ("lock", "lock", "sync.Mutex.Lock")]
    {
        let places: Vec<&str> = stop.text.lines().filter(|line| line.contains(&at(mark))).collect();
        assert_eq!(places.len(), 1, "{}", stop.text);
        assert!(places[0].contains(&format!("main.{function}  ")), "{}", stop.text);
        assert!(places[0].ends_with(&format!(" · waits: {why}")), "{}", stop.text);
    }
}

/// The same with a goroutine that runs: the runtime sees no deadlock.
pub async fn pause_names_what_each_goroutine_waits_for(stage: &mut Stage) {
    let older = stage.language == crate::real::Language::OldGo;
    let module = ("go.mod", "module hang\n\ngo 1.20\n");
    let ticks = "\tgo func() {\n\t\tfor range time.Tick(time.Millisecond) {\n\t\t}\n\t}()\n";
    let text = DEADLOCK
        .replace("import \"sync\"", "import (\n\t\"sync\"\n\t\"time\"\n)")
        .replace("\tgo receive(", &format!("{ticks}\tprintln(\"ready\")\n\tgo receive("));
    let (dir, _) = workspace_with(&[module, ("main.go", text.as_str())]).await;
    stage.start_in(dir.path()).await;
    let at = |mark: &str| format!("main.go:{}", marked(&dir.path().join("main.go"), mark));
    let wait = at("wait");
    let launch = json!({"program": "main.go", "breakpoints": [wait], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let running = json!({"timeout_s": 0.5});
    stage.call("debug_continue", running).await.good().line("▶ running");
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    stop.says(&format!("main.main  {wait}"));
    let group = if older { "semacquire" } else { "sync.WaitGroup.Wait" };
    stop.says(&format!(" · waits: {group}"));
    for (function, mark, why) in
        [("receive", "receive", "chan receive"), ("lock", "lock", "sync.Mutex.Lock")]
    {
        let places: Vec<&str> = stop.text.lines().filter(|line| line.contains(&at(mark))).collect();
        assert_eq!(places.len(), 1, "{}", stop.text);
        assert!(places[0].contains(&format!("main.{function}  ")), "{}", stop.text);
        assert!(places[0].ends_with(&format!(" · waits: {why}")), "{}", stop.text);
    }
}
