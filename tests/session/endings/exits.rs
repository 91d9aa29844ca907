//! The reported exit: its status, its cause and its notes. Which processes are left is in
//! `phases` and `ladder`.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{ExitStatus, Note, Resume};
use dapdock::session::EndMode;
use serde_json::{Value, json};

use super::kill;
use crate::session::{Run, SOON, Stage, lines, soon};

/// A lost connection reports no exit, whether or not an end was requested.
#[tokio::test]
async fn lost_connection_reports_no_exit() {
    for requested in [false, true] {
        let fault = json!({"on": "continue", "emit": ["terminated", {"lost": true}]});
        let stage = Stage::new(
            json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": [fault]}),
        );
        // A detach resumes the program first.
        let stage = stage.at(&[1]).with("profile", json!({"leave": {"attached": "stays-stopped"}}));
        let mut run = stage.with("attach", json!(true)).launch().await;
        run.stop().await;
        if !requested {
            run.go(Resume::Continue).await;
        }
        let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
        let lost = "the connection to the program is lost; the state of the program is unknown";
        assert_eq!(exit.cause.as_deref(), Some(lost), "{requested}");
        let status = if requested { ExitStatus::Requested } else { ExitStatus::Unknown };
        assert_eq!(exit.status, status);
    }
}

#[tokio::test]
async fn exit_events_are_read_in_any_order() {
    let limits = Limits { exit_settle: Duration::from_millis(100), ..Limits::default() };
    let exited =
        |code: i64| json!({"on": "setBreakpoints", "emit": ["exited", {"exitCode": code}]});
    let over = || json!({"on": "setBreakpoints", "emit": ["terminated", null]});
    let negative = json!({"leave": {"exit_code": "negative-signal"}});
    for (faults, profile, want) in [
        (json!([exited(3)]), json!({}), ExitStatus::Code(3)),
        (json!([over()]), json!({}), ExitStatus::Unknown),
        (json!([exited(3), over()]), json!({}), ExitStatus::Code(3)),
        (json!([over(), exited(3)]), json!({}), ExitStatus::Code(3)),
        (json!([exited(3), exited(4), over()]), json!({}), ExitStatus::Code(3)),
        (json!([exited(247), over()]), json!({}), ExitStatus::Code(247)),
        (json!([exited(247), over()]), negative.clone(), ExitStatus::Signal(9)),
        (json!([exited(-11), over()]), negative, ExitStatus::Signal(11)),
    ] {
        let case = faults.to_string();
        let script = json!({"program": [{"line": 1, "hangs": true}], "faults": faults});
        let mut run = Stage { limits: limits.clone(), ..Stage::new(script) }
            .with("profile", profile)
            .launch()
            .await;
        run.until("running").await;
        drop(
            run.edit(dapdock::model::BreakpointEdit {
                set: vec![run.stage.line(5)],
                ..Default::default()
            })
            .await,
        );
        let exit = run.exit().await;
        assert_eq!((exit.status, exit.cause.as_deref()), (want, None), "{case}");
    }
}

/// A program that hangs, and an adapter that does not answer `disconnect`: the end takes a while.
async fn ending_slowly(options: Value, faults: Value) -> Run {
    let limits = Limits { detach: Duration::from_secs(1), exit_settle: SOON, ..Limits::default() };
    let mut faults = faults;
    faults.as_array_mut().unwrap().push(json!({"on": "disconnect", "silent": null}));
    let script = json!({"program": [{"line": 1, "hangs": true}], "faults": faults});
    let mut stage = Stage { limits, ..Stage::new(script) }.with("attach", json!(true));
    for (key, value) in options.as_object().unwrap() {
        stage = stage.with(key, value.clone());
    }
    let run = stage.launch().await;
    run.until("running").await;
    run
}

#[tokio::test]
async fn close_reports_an_earlier_exit() {
    let exited = json!({"on": "setBreakpoints", "emit": ["exited", {"exitCode": 3}]});
    let over = json!({"on": "setBreakpoints", "emit": ["terminated", null]});
    for (faults, phase) in [(json!([exited]), "running"), (json!([exited, over]), "ending")] {
        let run = ending_slowly(json!({}), faults).await;
        let set = vec![run.stage.line(5)];
        drop(run.edit(dapdock::model::BreakpointEdit { set, ..Default::default() }).await);
        while !run.log().await.contains("exited Some(3)")
            || soon(run.handle.status()).await.unwrap().phase != phase
        {
            tokio::task::yield_now().await;
        }
        let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
        assert_eq!(exit.status, ExitStatus::Code(3), "{phase}");
    }
}

#[tokio::test]
async fn second_close_reports_the_same_end() {
    let run = ending_slowly(json!({}), json!([])).await;
    let (first, second) = tokio::join!(
        soon(run.handle.close(EndMode::Auto)),
        soon(run.handle.close(EndMode::Terminate))
    );
    assert_eq!(first.unwrap().status, ExitStatus::Detached);
    assert_eq!(second.unwrap().status, ExitStatus::Detached);
    assert_eq!(run.stage.arguments("disconnect"), [json!({"terminateDebuggee": false})]);
}

/// The pause is pending until the adapter reports that the program runs, and then the adapter ends.
#[tokio::test]
async fn pending_pause_returns_when_the_session_ends() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let stage = Stage::new(script)
        .at(&[1])
        .with("profile", json!({"pause": {"delivery": "after-continued"}}));
    let mut run = stage.launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let handle = run.handle.clone();
    let pause = handle.pause(None);
    tokio::pin!(pause);
    tokio::select! { biased; _ = &mut pause => panic!("it was sent"),
    _ = soon(run.handle.status()) => {} }
    kill("fake-adapter", &run.stage);
    run.cursor = soon(pause).await.unwrap();
    assert_eq!(
        run.exit().await.cause.as_deref(),
        Some("the adapter ended during the run: signal 9")
    );
}

/// `closing` is for an adapter inside the debuggee: one in a process of its own has failed.
#[tokio::test]
async fn adapter_that_dies_in_its_own_process_is_no_normal_end() {
    let script = json!({
        "program": [{"line": 1, "hangs": true}],
        "faults": [{"on": "pause", "die": null}],
    });
    let profile = json!({"leave": {"end": "closing"}});
    let mut run = Stage::new(script).with("profile", profile).launch().await;
    run.until("running").await;
    soon(run.handle.pause(None)).await.unwrap();
    let exit = run.exit().await;
    let cause = "the adapter ended during the run: exit code 3";
    assert_eq!((exit.status, exit.cause.as_deref()), (ExitStatus::Unknown, Some(cause)));
}

#[tokio::test]
async fn ignored_stop_on_entry_is_noted_at_the_end() {
    for (stop_on_entry, want) in [(true, &[Note::NoEntryStop][..]), (false, &[])] {
        let stage = Stage::new(json!({"program": lines(&[1, 2])}));
        let mut run = Stage { stop_on_entry, ..stage }.launch().await;
        assert_eq!(run.exit().await.notes, want);
    }
}
