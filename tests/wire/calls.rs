//! Calls that last: progress for those who asked, and cancellation that touches nothing but the
//! call.

use serde_json::{Value, json};

use crate::caller::Asked;
use crate::real::{Language, Stage, on_stage};

/// A call with a progress token.
async fn with_token(stage: &mut Stage, tool: &str, arguments: Value, token: &str) -> Asked {
    let call = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}});
    stage.caller.send("tools/call", call).await
}

fn is_progress(note: &Value) -> bool {
    note["method"] == "notifications/progress"
}

#[tokio::test]
async fn progress_is_told_to_those_who_asked() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        stage.start_sleeper().await;
        assert!(!stage.caller.notes.iter().any(is_progress), "{:?}", stage.caller.notes);
        let asked = with_token(stage, "debug_wait", json!({"timeout_s": 50}), "mine").await;
        let note = stage.caller.note(is_progress).await;
        assert_eq!(note["params"]["progressToken"], "mine");
        assert!(note["params"]["message"].as_str().unwrap().starts_with("running"), "{note}");
        stage.call("debug_pause", json!({})).await.good();
        stage.caller.answer(asked).await.good().line("■ stopped by pause");
    })
    .await;
}

/// A start tells what it does.
#[tokio::test]
async fn progress_of_a_start_names_its_steps() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        let program = Language::Python.program("cart");
        let asked = with_token(
            stage,
            "debug_launch",
            json!({"program": program, "timeout_s": 50}),
            "start",
        )
        .await;
        stage.caller.answer(asked).await.good().line("□ exited with code 0");
        let told: Vec<_> = stage.caller.notes.iter().filter(|note| is_progress(note)).collect();
        assert!(
            !told.is_empty() && told.iter().all(|note| note["params"]["progressToken"] == "start"),
            "{told:?}"
        );
        let times: Vec<_> =
            told.iter().map(|note| note["params"]["progress"].as_f64().unwrap()).collect();
        assert!(times.is_sorted(), "{times:?}");
    })
    .await;
}

/// Says that a call is not wanted any more, once it tells that it waits.
async fn give_up(stage: &mut Stage, asked: Asked) {
    stage.caller.note(is_progress).await;
    let cancel = json!({"requestId": asked.0, "reason": "the user changed their mind"});
    stage.caller.tell("notifications/cancelled", cancel).await;
}

/// Nothing of the debuggee has changed by that: it runs, and the next calls work.
async fn runs_on(stage: &mut Stage) {
    stage.call("debug_status", json!({})).await.good().says(" · running");
    stage.call("debug_pause", json!({})).await.good().line("■ stopped by pause");
    // The program has gone on meanwhile.
    let place = stage.at("sleeper", "loop");
    stage.call("debug_breakpoints", json!({"set": [place]})).await.good();
    let next = stage.resume().await.good();
    stage.stands(&next, "sleeper", "main", "loop");
}

/// Cancels `tool` while it waits.
async fn cancelled(tool: &'static str) {
    on_stage(Language::Python, async |stage: &mut Stage| {
        let place = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [place]})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        if tool == "debug_wait" {
            stage.call("debug_continue", json!({"wait": false})).await.good();
        }
        let asked = with_token(stage, tool, json!({"timeout_s": 50}), "wait").await;
        give_up(stage, asked).await;
        runs_on(stage).await;
    })
    .await;
}

#[tokio::test]
async fn cancelled_continue_leaves_the_debuggee_running() {
    cancelled("debug_continue").await;
}

#[tokio::test]
async fn cancelled_wait_leaves_the_debuggee_running() {
    cancelled("debug_wait").await;
}

/// The program that it started stays in debug, as the session that it named.
#[tokio::test]
async fn cancelled_launch_leaves_the_debuggee_running() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        let program = Language::Python.program("sleeper");
        let asked = with_token(
            stage,
            "debug_launch",
            json!({"program": program, "timeout_s": 50}),
            "start",
        )
        .await;
        let runs = |note: &Value| {
            is_progress(note)
                && note["params"]["message"]
                    .as_str()
                    .is_some_and(|message| message.starts_with("running"))
        };
        stage.caller.note(runs).await;
        give_up(stage, asked).await;
        runs_on(stage).await;
    })
    .await;
}

/// A step that lasts goes on, and ends where it would have.
#[tokio::test]
async fn cancelled_step_leaves_the_step_to_its_end() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        let place = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [place]})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let asked =
            with_token(stage, "debug_step", json!({"kind": "out", "timeout_s": 50}), "step").await;
        give_up(stage, asked).await;
        runs_on(stage).await;
    })
    .await;
}
