//! Moves of one thread alone.

use dapdock::model::{BreakpointSpec, Resume, ThreadId};
use dapdock::session::{AdapterError, Error};
use serde_json::json;

use crate::session::{Stage, lines, soon};

#[tokio::test]
async fn single_stopped_thread_is_resumed_alone() {
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3]), "threads": threads, "stops_one": true});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    let other = soon(run.handle.resume(Resume::Continue, Some(ThreadId(2)))).await;
    assert!(
        matches!(other, Err(Error::Adapter(AdapterError::NoThreadAlone { thread: 2 }))),
        "{other:?}"
    );
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    assert_eq!(run.stage.arguments("continue"), [json!({"threadId": 1})]);
}

/// Stops that the caller does not see keep the selection of the single thread.
#[tokio::test]
async fn thread_runs_alone_until_the_next_reported_stop() {
    let on = json!({
        "supportsConfigurationDoneRequest": true, "supportsSingleThreadExecutionRequests": true,
    });
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3, 5, 7]), "threads": threads, "capabilities": on});
    let mut stage = Stage::new(script)
        .at(&[1, 5])
        .with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    run.stop().await;
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.outcome().await, "Breakpoint main:5 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    let alone = json!({"threadId": 1, "singleThread": true});
    assert_eq!(run.stage.arguments("continue"), [alone.clone(), alone, json!({"threadId": 1})]);
}
