//! Programs of several processes and threads: one session, whichever of them stops.

use serde_json::json;

use super::{Language, Stage};

/// Arguments that have the parent start its child, where there are several ways.
fn by<'a>(stage: &Stage, how: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let how = (stage.language == Language::Python).then_some(how);
    how.into_iter().chain(more.iter().copied()).collect()
}

pub async fn child_process_stops_and_all_end(stage: &mut Stage) {
    child_stops(stage, "subprocess").await;
}

pub async fn spawned_child_stops(stage: &mut Stage) {
    child_stops(stage, "spawn").await;
}

pub async fn forked_child_stops(stage: &mut Stage) {
    child_stops(stage, "fork").await;
}

async fn child_stops(stage: &mut Stage, how: &str) {
    let arguments = json!({"args": by(stage, how, &["fail"]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.stands(&stop, "family", "work", "child");
    assert_eq!((stop.reason(), stop.local("n")), ("breakpoint #1", "21"));
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.reason(), stop.local("double")), ("after step", "42"));
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    let threads = stage.pick("MainThread", "", "", "thread family.js", "");
    assert!(stacks.text.matches(threads).count() >= 2, "{}", stacks.text);
    let end = stage.resume().await.good();
    // The parent's code, not the child's.
    end.line("□ exited with code 3");
    // Once each, whoever reads it.
    assert_eq!(end.text.matches("child says 42\n").count(), 1, "{}", end.text);
    end.says("child ended with 4\n");
}

pub async fn breakpoint_in_parent_and_child(stage: &mut Stage) {
    let arguments = json!({"args": by(stage, "spawn", &[]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.stands(&stop, "family", "work", "child");
    // Set while the child stands: the parent, which runs, has it as well.
    let list = stage.call("debug_breakpoints", json!({"set": [stage.at("family", "parent")]})).await.good();
    assert!(!list.text.contains("UNVERIFIED"), "{}", list.text);
    let stop = stage.resume_to(2).await;
    assert!(stop.place().ends_with(&stage.at("family", "parent")), "{}", stop.text);
    assert_eq!(stop.local("code"), "0");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert_eq!(list.text.matches("1 hit").count(), 2, "{}", list.text);
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn worker_threads_stop_one_after_the_other(stage: &mut Stage) {
    let stop = stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    stage.stands(&stop, "threads", "work", "work");
    let mut numbers = vec![stop.local("number").to_owned()];
    let stop = stage.resume_to(1).await;
    stage.stands(&stop, "threads", "work", "work");
    numbers.push(stop.local("number").to_owned());
    numbers.sort();
    assert_eq!(numbers, ["1", "2"]);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("squares 1 4");
}

pub async fn stop_ends_the_child_too(stage: &mut Stage) {
    let arguments = json!({"args": by(stage, "fork", &[]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.stands(&stop, "family", "work", "child");
    let alive = stage.caller.mark.alive();
    let program = stage.pick("family.py", "", "", "family.js", "");
    assert!(alive.iter().filter(|line| line.contains(program)).count() >= 2, "{alive:#?}");
    stage.call("debug_stop", json!({})).await.good().line("□ stopped as asked, nothing left running");
    let left = stage.caller.mark.alive();
    assert!(!left.iter().any(|line| line.contains(program)), "{left:#?}");
}
