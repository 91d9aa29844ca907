//! Long calls: progress for calls with a progress token, and cancellation that ends only the call.

use serde_json::{Value, json};

use crate::caller::RequestId;
use crate::real::{Language, Stage, run_scenario};

/// Sends a call with a progress token.
async fn with_token(stage: &mut Stage, tool: &str, arguments: Value, token: &str) -> RequestId {
    let call = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}});
    stage.caller.send("tools/call", call).await
}

fn is_progress(note: &Value) -> bool {
    note["method"] == "notifications/progress"
}

#[tokio::test]
async fn progress_is_sent_to_calls_with_a_token() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        stage.start_sleeper().await;
        assert!(!stage.caller.notes.iter().any(is_progress), "{:?}", stage.caller.notes);
        let request = with_token(stage, "debug_wait", json!({"timeout_s": 50}), "mine").await;
        let note = stage.caller.note(is_progress).await;
        assert_eq!(note["params"]["progressToken"], "mine");
        assert!(note["params"]["message"].as_str().unwrap().starts_with("running"), "{note}");
        stage.call("debug_pause", json!({})).await.good();
        stage.caller.answer(request).await.good().line("■ stopped by pause");
    })
    .await;
}

/// A launch reports its steps.
#[tokio::test]
async fn progress_of_a_start_names_its_steps() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let program = Language::Python.program("cart");
        let request = with_token(
            stage,
            "debug_launch",
            json!({"program": program, "timeout_s": 50}),
            "start",
        )
        .await;
        stage.caller.answer(request).await.good().line("□ exited with code 0");
        let progress: Vec<_> = stage.caller.notes.iter().filter(|note| is_progress(note)).collect();
        assert!(
            !progress.is_empty()
                && progress.iter().all(|note| note["params"]["progressToken"] == "start"),
            "{progress:?}"
        );
        let times: Vec<_> =
            progress.iter().map(|note| note["params"]["progress"].as_f64().unwrap()).collect();
        assert!(times.is_sorted(), "{times:?}");
    })
    .await;
}

/// Cancels a call once its progress says that it waits.
async fn cancel_while_waiting(stage: &mut Stage, request: RequestId) {
    stage.caller.note(is_progress).await;
    let cancel = json!({"requestId": request.0, "reason": "the user changed their mind"});
    stage.caller.notify("notifications/cancelled", cancel).await;
}

/// The debuggee is unaffected by the cancellation: it runs, and the next calls work.
async fn assert_runs_on(stage: &mut Stage) {
    stage.call("debug_status", json!({})).await.good().says(" · running");
    stage.call("debug_pause", json!({})).await.good().line("■ stopped by pause");
    // The program ran in the meantime.
    let place = stage.at("sleeper", "loop");
    stage.call("debug_breakpoints", json!({"set": [place]})).await.good();
    let next = stage.resume().await.good();
    stage.assert_stop(&next, "sleeper", "main", "loop");
}

/// Cancels `tool` while it waits.
async fn check_cancelled(tool: &'static str) {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let place = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [place]})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        if tool == "debug_wait" {
            stage.call("debug_continue", json!({"wait": false})).await.good();
        }
        let request = with_token(stage, tool, json!({"timeout_s": 50}), "wait").await;
        cancel_while_waiting(stage, request).await;
        assert_runs_on(stage).await;
    })
    .await;
}

#[tokio::test]
async fn cancelled_continue_leaves_debuggee_running() {
    check_cancelled("debug_continue").await;
}

#[tokio::test]
async fn cancelled_wait_leaves_debuggee_running() {
    check_cancelled("debug_wait").await;
}

/// The program started by the launch stays in its session.
#[tokio::test]
async fn cancelled_launch_leaves_debuggee_running() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let program = Language::Python.program("sleeper");
        let request = with_token(
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
        cancel_while_waiting(stage, request).await;
        assert_runs_on(stage).await;
    })
    .await;
}

/// The step continues, and ends as it would have.
#[tokio::test]
async fn cancelled_step_runs_to_its_end() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let place = stage.at("sleeper", "loop");
        stage.launch("sleeper", json!({"breakpoints": [place]})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let request =
            with_token(stage, "debug_step", json!({"kind": "out", "timeout_s": 50}), "step").await;
        cancel_while_waiting(stage, request).await;
        assert_runs_on(stage).await;
    })
    .await;
}
