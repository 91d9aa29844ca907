//! Moves that are refused, come at the wrong time or are not answered, and the phase afterwards.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{BreakpointSpec, Resume, StepKind};
use dapdock::session::Error;
use serde_json::json;

use crate::session::{Stage, soon, step};

#[tokio::test]
async fn core_file_is_not_resumed() {
    let script = json!({"program": [{"line": 1, "stop": "exception"}]});
    let profile = json!({"start": {"debuggee": "core"}});
    let mut run = Stage::new(script).with("profile", profile).launch().await;
    run.stop().await;
    for how in [step(StepKind::Over), step(StepKind::Out), Resume::Continue] {
        assert!(matches!(run.resume(how).await, Err(Error::PostMortem)));
    }
}

#[tokio::test]
async fn refused_move_leaves_the_debuggee_stopped() {
    for (how, command) in [(Resume::Continue, "continue"), (step(StepKind::Over), "next")] {
        let refuse = json!([{"on": command, "refuse": "thread is busy"}]);
        let script = json!({"program": [{"line": 1, "locals": {"x": 1}}], "faults": refuse});
        let mut run = Stage::new(script).at(&[1]).launch().await;
        let stop = run.stop().await;
        assert_eq!(run.go(how).await, "error thread is busy");
        assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
        assert_eq!(soon(run.handle.current()).await.unwrap(), Some(stop));
        assert!(matches!(soon(run.handle.wait(run.cursor)).await, Err(Error::NotRunning)));
        let stack =
            soon(run.handle.stack(dapdock::model::StackQuery { count: 5, ..Default::default() }))
                .await
                .unwrap();
        assert_eq!(stack.threads[0].frames.as_ref().unwrap()[0].line, 1);
    }
}

#[tokio::test]
async fn calls_at_the_wrong_time_say_so() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "initialize", "late": 200}],
    });
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.until("starting the program").await;
    let error = run.resume(Resume::Continue).await.unwrap_err();
    assert_eq!(error.to_string(), "the session is still starting the program");
    let error = soon(run.handle.pause(None)).await.unwrap_err();
    assert_eq!(error.to_string(), "the session is still starting the program");
    run.stop().await;
    assert!(matches!(soon(run.handle.pause(None)).await, Err(Error::NotRunning)));
    run.resume(Resume::Continue).await.unwrap();
    assert!(matches!(run.resume(Resume::Continue).await, Err(Error::NotStopped)));
    let query = dapdock::model::StackQuery { count: 1, ..Default::default() };
    assert!(matches!(soon(run.handle.stack(query)).await, Err(Error::NotStopped)));
}

/// The result is unknown: the debuggee counts as running until the adapter reports something else.
#[tokio::test]
async fn unanswered_move_counts_as_running() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let silent = json!([{"on": "continue", "silent": null}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": silent});
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[1]).launch().await;
    run.stop().await;
    assert_eq!(
        run.go(Resume::Continue).await,
        "error the adapter did not answer continue within 0.3 s"
    );
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    assert_eq!(soon(run.handle.current()).await.unwrap(), None);
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
}

#[tokio::test]
async fn unanswered_internal_resume_shows_no_stop() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let silent = json!([{"on": "continue", "silent": null}]);
    let script = json!({"program": [{"line": 3}, {"line": 5, "hangs": true}], "faults": silent});
    let mut stage = Stage { limits, ..Stage::new(script) }
        .with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    while !run.log().await.contains("may or may not go on") {
        assert_eq!(soon(run.handle.current()).await.unwrap(), None);
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:5");
}
