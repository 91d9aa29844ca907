//! Debuggees that were attached to, or are detached from: whether they end with the session, and
//! what the disconnect request says.

use dapdock::model::{ExitStatus, Note, OutputQuery, Resume};
use dapdock::session::EndMode;
use serde_json::json;

use super::{At, Orphan, arrive, stage, until};
use crate::session::{Stage, lines, soon};

/// The debuggee has the session's mark and process group, and must survive a detach.
#[tokio::test]
async fn detached_debuggee_keeps_running() {
    let debuggee = "sleep 90 >/dev/null 2>&1 & echo $! >pid; echo up; exec sleep 1000";
    for (mode, left) in [(EndMode::Detach, vec!["sleep"]), (EndMode::Terminate, vec![])] {
        let mut stage = stage(At::Running, json!({}))
            .with("debuggee", json!(debuggee))
            .with("ready", json!("up"));
        stage.options["script"]["faults"] =
            json!([{"on": "configurationDone", "owns": stage.root().join("pid")}]);
        let run = arrive(At::Running, stage).await;
        let _orphan = Orphan(run.stage.root());
        until("the debuggee", || run.stage.processes() == ["fake-adapter", "sleep", "sleep"]).await;
        soon(run.handle.close(mode)).await.unwrap();
        assert_eq!(run.stage.processes(), left, "{mode:?}");
    }
}

#[tokio::test]
async fn disconnect_says_whether_the_debuggee_ends() {
    for (attach, mode, terminate, status) in [
        (false, EndMode::Auto, true, ExitStatus::Requested),
        (false, EndMode::Terminate, true, ExitStatus::Requested),
        (false, EndMode::Detach, false, ExitStatus::Detached),
        (true, EndMode::Auto, false, ExitStatus::Detached),
        (true, EndMode::Terminate, true, ExitStatus::Requested),
        (true, EndMode::Detach, false, ExitStatus::Detached),
    ] {
        let mut run = Stage::new(json!({"program": lines(&[1])}))
            .at(&[1])
            .with("attach", json!(attach))
            .launch()
            .await;
        run.stop().await;
        let exit = soon(run.handle.close(mode)).await.unwrap();
        assert_eq!(exit.status, status, "{attach} {mode:?}");
        assert_eq!(
            run.stage.arguments("disconnect"),
            [json!({"terminateDebuggee": terminate})],
            "{attach} {mode:?}"
        );
    }
    let profile = json!({"leave": {"termination": "by-host"}});
    let stage = Stage::new(json!({"program": lines(&[1])})).at(&[1]).with("attach", json!(true));
    let mut run = stage.with("profile", profile).launch().await;
    run.stop().await;
    let exit = soon(run.handle.close(EndMode::Terminate)).await.unwrap();
    assert_eq!(exit.status, ExitStatus::Detached);
    assert_eq!(exit.notes, [Note::CannotEnd]);
    assert_eq!(run.stage.arguments("disconnect"), [json!({"terminateDebuggee": false})]);
    let profile = json!({"leave": {"launched": "impossible"}});
    let mut run = Stage::new(json!({"program": lines(&[1])}))
        .at(&[1])
        .with("profile", profile)
        .launch()
        .await;
    run.stop().await;
    let error = soon(run.handle.close(EndMode::Detach)).await.unwrap_err();
    assert_eq!(error.to_string(), "this adapter does not support `detach from a launched program`");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
}

/// This adapter would leave the program stopped, with its breakpoints.
#[tokio::test]
async fn detached_debuggee_runs_without_breakpoints() {
    for (mode, detached) in [(EndMode::Auto, true), (EndMode::Terminate, false)] {
        let stage =
            Stage::new(json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]})).at(&[1]);
        let profile = json!({"leave": {"attached": "stays-stopped"}});
        let mut run = stage.with("attach", json!(true)).with("profile", profile).launch().await;
        run.stop().await;
        let before = run.stage.commands().len();
        soon(run.handle.close(mode)).await.unwrap();
        let last = run.stage.arguments("setBreakpoints").pop().unwrap();
        assert_eq!(last["breakpoints"] == json!([]), detached, "{mode:?}: {last}");
        let requests: &[&str] =
            if detached { &["setBreakpoints", "continue", "disconnect"] } else { &["disconnect"] };
        assert_eq!(run.stage.commands()[before..], *requests, "{mode:?}");
    }
}

/// The adapter always ends its program: the first stop has a note, a detach is refused, and the
/// exit has a note.
#[tokio::test]
async fn debuggee_that_cannot_be_detached_ends_with_the_session() {
    for (offers, mode, status) in [
        (false, EndMode::Auto, ExitStatus::Requested),
        (false, EndMode::Terminate, ExitStatus::Requested),
        (true, EndMode::Auto, ExitStatus::Detached),
        (true, EndMode::Detach, ExitStatus::Detached),
    ] {
        let mut script = json!({
            "program": lines(&[1]), "capabilities": {"supportsConfigurationDoneRequest": true},
        });
        script["capabilities"]["supportTerminateDebuggee"] = json!(offers);
        let stage = Stage::new(script).at(&[1]).with("attach", json!(true));
        let mut run = stage
            .with("profile", json!({"leave": {"attached": {"ends": "it serves one"}}}))
            .launch()
            .await;
        let stop = run.stop().await;
        let why = "it serves one".to_owned();
        assert_eq!(stop.notes.contains(&Note::EndsWithSession(why.clone())), !offers);
        if !offers {
            let refused = soon(run.handle.close(EndMode::Detach)).await.unwrap_err();
            assert_eq!(refused.to_string(), "cannot detach from the program: it serves one");
        }
        let exit = soon(run.handle.close(mode)).await.unwrap();
        assert_eq!(exit.status, status, "{offers} {mode:?}");
        let noted = !offers && mode == EndMode::Auto;
        assert_eq!(exit.notes.contains(&Note::EndedOnDetach(why)), noted, "{offers} {mode:?}");
    }
}

#[tokio::test]
async fn process_never_attached_to_is_not_ended() {
    let script = json!({"program": lines(&[1]), "faults": [{"on": "attach", "silent": null}]});
    let run = Stage::new(script).with("attach", json!(true)).launch().await;
    while !run.stage.commands().iter().any(|command| command == "attach") {
        tokio::task::yield_now().await;
    }
    let exit = soon(run.handle.close(EndMode::Terminate)).await.unwrap();
    assert_eq!(exit.status, ExitStatus::NotAttached);
    assert_eq!(run.stage.arguments("disconnect"), [json!({"terminateDebuggee": false})]);
}

/// The process was attached to only once the adapter reports that it has control.
#[tokio::test]
async fn process_is_ended_only_after_the_attach_is_reported() {
    let attached =
        json!({"on": "attach", "emit": ["output", {"category": "stdout", "output": "attached\n"}]});
    let now = json!({"on": "attach", "emit": ["continued", {"threadId": 1}]});
    for (faults, ours) in [(json!([attached]), false), (json!([now, attached]), true)] {
        let script = json!({"program": [{"line": 1, "hangs": true}], "faults": faults});
        let profile = json!({"start": {"attached": "continued"}});
        let run =
            Stage::new(script).with("attach", json!(true)).with("profile", profile).launch().await;
        while soon(run.handle.output(OutputQuery { limit: 9, ..Default::default() }))
            .await
            .unwrap()
            .lines
            .is_empty()
        {
            tokio::task::yield_now().await;
        }
        let progress = run.handle.progress().borrow().clone();
        assert_eq!(progress == "running", ours, "{progress}");
        soon(run.handle.close(EndMode::Terminate)).await.unwrap();
        assert_eq!(run.stage.arguments("disconnect"), [json!({"terminateDebuggee": ours})]);
    }
}
