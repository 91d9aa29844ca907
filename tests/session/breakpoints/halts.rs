//! The pause by the host that lets breakpoints of a running program change. Pauses of a caller are
//! in `session::moves::pauses`.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{BreakpointEdit, Resume};
use serde_json::json;

use crate::session::{Stage, soon};

/// The caller sees no stop; a pause of the caller still arrives.
#[tokio::test]
async fn debuggee_is_halted_to_set_breakpoints_and_resumed() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let mut run = Stage::new(script).at(&[1]).with("profile", profile).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let before = run.stage.commands().len();
    run.set(vec![run.stage.line(7)]).await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let commands = run.stage.commands();
    let moves = ["pause", "setBreakpoints", "continue"];
    let moves_sent: Vec<&str> =
        commands[before..].iter().map(String::as_str).filter(|one| moves.contains(one)).collect();
    assert_eq!(moves_sent[..2], ["pause", "setBreakpoints"]);
    // Depending on timing the program was resumed before the pause, or was still stopped.
    assert!(
        [["continue", "pause"].as_slice(), &["pause"]].contains(&&moves_sent[2..]),
        "{moves_sent:?}"
    );
}

/// The debuggee stops at a breakpoint before the adapter refuses to halt it: the caller's stop
/// stays.
#[tokio::test]
async fn refused_halt_resumes_no_stop_of_the_caller() {
    let event = json!({"seq": 900, "type": "event", "event": "stopped",
        "body": {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": true}})
    .to_string();
    let stop = format!("Content-Length: {}\r\n\r\n{event}", event.len());
    let faults =
        json!([{"on": "pause", "refuse": "not running"}, {"on": "pause", "garbage": stop}]);
    let script = json!({"program": [{"line": 1, "hangs": true}], "faults": faults});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let mut run = Stage::new(script).with("profile", profile).launch().await;
    run.until("running").await;
    run.set(vec![run.stage.line(5)]).await;
    run.stop().await;
    while !run.log().await.contains("does not stop it to set breakpoints") {}
    run.set(vec![run.stage.line(6)]).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert!(!run.stage.commands().contains(&"continue".to_owned()));
}

/// The adapter does not answer the halt while a pause of the caller is under way: the debuggee runs
/// on, and no stop is published.
#[tokio::test]
async fn halt_without_a_stop_does_not_end_a_pause() {
    let limits = Limits { request: Duration::from_millis(200), ..Limits::default() };
    let faults = json!([{"on": "pause", "silent": null}]);
    let program = json!([{"line": 1, "hangs": true}]);
    let script = json!({"program": program, "forgets_pauses": 3, "faults": faults});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let stage = Stage { limits, ..Stage::new(script) }.with("profile", profile);
    let run = stage.launch().await;
    run.until("running").await;
    let edit = BreakpointEdit { set: vec![run.stage.line(5)], ..BreakpointEdit::default() };
    soon(run.handle.breakpoints(edit)).await.unwrap_err();
    // Sent before the halt's time is over, without an answer after it.
    soon(run.handle.pause(None)).await.unwrap_err();
    assert!(run.log().await.contains("does not stop it to set breakpoints"));
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    let commands = run.stage.commands();
    assert_eq!(commands.iter().filter(|command| *command == "pause").count(), 2);
    assert!(!commands.contains(&"continue".to_owned()), "{commands:?}");
}

#[tokio::test]
async fn edit_fails_when_the_halt_never_comes() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    // The pause is answered without effect.
    let deaf = json!([{"on": "pause", "refuse": ""}, {"on": "pause", "answer": {}}]);
    let script = json!({"program": [{"line": 1, "hangs": true}], "faults": deaf});
    let stage = Stage { limits, ..Stage::new(script) };
    let run = stage
        .with("profile", json!({"breakpoints": {"while_running": "halt-first"}}))
        .launch()
        .await;
    run.until("running").await;
    for _ in 0..2 {
        let edit = BreakpointEdit { set: vec![run.stage.line(5)], ..BreakpointEdit::default() };
        let error = run.edit(edit).await.unwrap_err();
        assert_eq!(error.to_string(), "the adapter did not answer pause within 0.3 s");
    }
    assert_eq!(run.bindings().await, [""; 0]);
}
