//! The rungs of ending a session: processes that ignore a request or a signal, or that only the
//! adapter knows.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{ExitStatus, Rung};
use dapdock::session::EndMode;
use serde_json::json;

use super::{At, Orphan, arrive, stage, status_and_rung, until};
use crate::session::{Stage, soon};

/// The process has neither mark nor parent nor group of the session: only the adapter names it.
#[tokio::test]
async fn debuggee_known_only_to_the_adapter_is_ended() {
    let orphan = "(env -i setsid sleep 90 & echo $! >pid); echo up; exec sleep 1000";
    let mut stage =
        stage(At::Running, json!({})).with("debuggee", json!(orphan)).with("ready", json!("up"));
    stage.options["script"]["faults"] =
        json!([{"on": "configurationDone", "owns": stage.root().join("pid")}]);
    let run = arrive(At::Running, stage).await;
    let _orphan = Orphan(run.stage.root());
    until("the orphan", || run.stage.processes() == ["fake-adapter", "sleep", "sleep"]).await;
    let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
    assert_eq!(status_and_rung(&exit), (ExitStatus::Requested, Rung::Term));
    assert_eq!(run.stage.processes(), [""; 0]);
}

/// The debuggee ended, and its children keep its streams open: the adapter waits for them, the
/// session does not wait for the adapter.
#[tokio::test]
async fn adapter_waiting_for_inherited_streams_does_not_delay_the_end() {
    let long = Duration::from_secs(600);
    let limits = Limits { disconnect: long, terminate: long, ..Limits::default() };
    let debuggee = "sleep 90 >/dev/null 2>&1 & echo $! >pid; echo up; exec sleep 1000";
    let stage = Stage { limits, ..stage(At::Running, json!({})) };
    let mut stage = stage.with("debuggee", json!(debuggee)).with("ready", json!("up"));
    stage.options["script"]["faults"] = json!([
        {"on": "configurationDone", "owns": stage.root().join("pid")},
        {"on": "disconnect", "silent": null},
        {"on": "terminate", "silent": null},
    ]);
    let run = arrive(At::Running, stage).await;
    until("the debuggee", || run.stage.processes() == ["fake-adapter", "sleep", "sleep"]).await;
    drop(Orphan(run.stage.root()));
    let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
    assert_eq!(exit.status, ExitStatus::Requested);
    assert_eq!(run.stage.processes(), [""; 0]);
}

#[tokio::test]
async fn process_ignoring_sigterm_is_killed() {
    let limits = Limits { term_grace: Duration::from_millis(50), ..Limits::default() };
    let deaf = "trap '' TERM; echo up; while :; do sleep 1000; done";
    let stage = Stage { limits, ..stage(At::Running, json!({})) }
        .with("debuggee", json!(deaf))
        .with("ready", json!("up"));
    let run = arrive(At::Running, stage).await;
    let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
    assert_eq!(status_and_rung(&exit), (ExitStatus::Requested, Rung::Kill));
    assert_eq!(run.stage.processes(), [""; 0]);
}

#[tokio::test]
async fn missing_disconnect_answer_does_not_delay_the_end() {
    let limits = Limits { disconnect: Duration::from_millis(100), ..Limits::default() };
    let script = json!({
        "program": [{"line": 1}],
        "faults": [{"on": "disconnect", "silent": null}, {"on": "terminate", "silent": null}],
    });
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[1]).launch().await;
    run.stop().await;
    let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
    assert_eq!(status_and_rung(&exit), (ExitStatus::Requested, Rung::Disconnect));
    assert_eq!(run.stage.processes(), [""; 0]);
}
