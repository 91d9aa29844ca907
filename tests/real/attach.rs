//! Attached to what runs already: it is debugged, let go, and runs on.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use super::Stage;
use super::stage::Language;
use crate::caller::root;

/// A sleeper of its own, which has said that it is ready.
async fn sleeper(stage: &Stage) -> Child {
    let [program, arguments @ ..] = &stage.language.command("sleeper")[..] else { panic!("a command") };
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut command = tokio::process::Command::new(program);
    let spawned = command.args(arguments).current_dir(root()).stdout(Stdio::piped()).kill_on_drop(true).spawn();
    let mut child = spawned.unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    assert_eq!(line, "ready\n");
    child
}

fn tick(stop: &crate::caller::Answer) -> u32 {
    stop.local("tick").parse().unwrap()
}

pub async fn process_is_debugged_and_let_go(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    let pid = child.id().unwrap();
    let running = stage.call("debug_attach", json!({"pid": pid})).await.good();
    running.line("▶ running");
    let paused = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(paused.reason(), "by pause");
    let first = tick(&paused);
    stage.call("debug_breakpoints", json!({"set": [stage.at("sleeper", "loop")]})).await.good();
    let stop = stage.resume_to(1).await;
    stage.stands(&stop, "sleeper", "main", "loop");
    let second = tick(&stop);
    assert!(second == first || second == first + 1, "{first} {second}");
    stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
    // It runs: it counts on, and nobody traces it.
    let at = json!({"pid": pid, "breakpoints": [stage.at("sleeper", "loop")]});
    let again = stage.call("debug_attach", at).await.good();
    stage.stands(&again, "sleeper", "main", "loop");
    assert!(tick(&again) > second, "{}", again.text);
    stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    // debugpy has the program leave by itself.
    assert_eq!(child.wait().await.unwrap().success(), stage.language == Language::Python);
}

/// The host goes and takes its adapter along; what it was attached to stays.
pub async fn host_that_ends_lets_go(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    stage.call("debug_attach", json!({"pid": child.id().unwrap()})).await.good().line("▶ running");
    stage.caller.hang_up();
    assert_eq!(stage.caller.ended().await, Some(0));
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// What cannot be attached to is told at once, not once the adapter has given up.
pub async fn what_is_not_its_language_is_refused(stage: &mut Stage) {
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut other = tokio::process::Command::new("sleep").arg("60").kill_on_drop(true).spawn().unwrap();
    let pid = other.id().unwrap();
    let refused = stage.call("debug_attach", json!({"pid": pid, "adapter": stage.language.adapter()})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says(&format!("process {pid} is no Python program: sleep"));
    refused.says(". Try: name the process of the interpreter");
    assert_eq!(other.try_wait().unwrap(), None);
    other.kill().await.unwrap();
}
