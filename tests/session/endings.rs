//! Every way a session ends, in every phase: the reported exit, the last rung of the ladder that
//! was needed, and that no process is left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dapdock::limits::Limits;
use dapdock::model::{Cursor, Exit, ExitStatus, Happening, Note, OutputQuery, Resume, Rung};
use dapdock::session::{EndMode, Error};
use serde_json::{Value, json};

use super::{Run, Stage, lines, processes, soon};

/// Polls until the condition holds.
async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let mut tick = tokio::time::interval(Duration::from_millis(5));
    let poll = async {
        while !condition() {
            tick.tick().await;
        }
    };
    assert!(tokio::time::timeout(super::SOON, poll).await.is_ok(), "{what}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Preparing,
    Starting,
    Running,
    Stopped,
}

const PHASES: [At; 4] = [At::Preparing, At::Starting, At::Running, At::Stopped];

/// A fake with a debuggee process that only the host can end.
fn stage(at: At, mut script: Value) -> Stage {
    script["program"] = json!([{"line": 1}, {"line": 2, "hangs": true}]);
    if at == At::Starting {
        script["faults"] = json!([{"on": "initialize", "silent": null}]);
    }
    let stage = Stage::new(script).with("debuggee", json!("echo up; exec sleep 1000"));
    match at {
        At::Preparing => stage.with("ready", json!("never")),
        At::Stopped => stage.at(&[1]),
        _ => stage,
    }
}

async fn arrive(at: At, stage: Stage) -> Run {
    let mut run = stage.launch().await;
    let root = run.stage.root();
    match at {
        At::Preparing => until("the debuggee", || processes(&root) == ["sleep"]).await,
        At::Starting => until("initialize", || run.stage.commands() == ["initialize"]).await,
        At::Running => run.until("running").await,
        At::Stopped => drop(run.stop().await),
    }
    let phase = soon(run.handle.status()).await.unwrap().phase;
    assert_eq!(phase, format!("{at:?}").to_lowercase());
    run
}

fn status_and_rung(exit: &Arc<Exit>) -> (ExitStatus, Rung) {
    (exit.status, exit.rung)
}

#[tokio::test]
async fn close_leaves_nothing_at_any_phase() {
    for (at, requested) in [
        (At::Preparing, vec![]),
        (At::Starting, vec!["initialize", "disconnect"]),
        (At::Running, vec!["terminate", "disconnect"]),
        (At::Stopped, vec!["continue", "disconnect"]),
    ] {
        let run = arrive(at, stage(at, json!({}))).await;
        let waiting = run.handle.wait(run.cursor);
        let (exit, waited) = match at {
            At::Stopped => (soon(run.handle.close(EndMode::Auto)).await.unwrap(), None),
            _ => {
                let (waited, exit) =
                    tokio::join!(soon(waiting), soon(run.handle.close(EndMode::Auto)));
                (exit.unwrap(), Some(waited))
            }
        };
        assert_eq!(status_and_rung(&exit), (ExitStatus::Requested, Rung::Term), "{at:?}");
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
        if let Some(waited) = waited {
            let Happening::Ended(ended) = waited.unwrap().0 else { panic!("{at:?}") };
            assert_eq!(ended, exit);
        }
        let commands = run.stage.commands();
        let last =
            commands.iter().filter(|name| requested.contains(&name.as_str())).collect::<Vec<_>>();
        let requested: Vec<_> = requested.into_iter().filter(|name| *name != "continue").collect();
        assert_eq!(last, requested, "{at:?}");
        assert_eq!(soon(run.handle.close(EndMode::Auto)).await.unwrap(), exit, "closed twice");
        let error = soon(run.handle.resume(Resume::Continue, None)).await.unwrap_err();
        assert!(matches!(error, Error::Ended { .. }), "{error}");
    }
}

/// Kills the process that a failed test would leave behind: it carries no mark to find it by.
struct Orphan(std::path::PathBuf);

impl Drop for Orphan {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(self.0.join("pid"))
            .ok()
            .and_then(|pid| pid.trim().parse().ok());
        let is_ours = |pid: &i32| {
            std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == self.0)
        };
        if let Some(pid) = pid.filter(is_ours).and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

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
async fn a_session_without_handles_ends() {
    for at in PHASES {
        let run = arrive(at, stage(at, json!({}))).await;
        let (root, handle) = (run.stage.root(), run.handle);
        assert_ne!(processes(&root), [""; 0], "{at:?}");
        drop(handle);
        until("processes are left", || processes(&root).is_empty()).await;
    }
}

#[tokio::test]
async fn killed_adapter_leaves_no_process() {
    for (at, during) in
        [(At::Starting, "`initialize`"), (At::Running, "the run"), (At::Stopped, "the stop")]
    {
        let mut run = arrive(at, stage(at, json!({}))).await;
        kill("fake-adapter", &run.stage);
        run.until("ended").await;
        let cause = format!("the adapter ended during {during}: signal 9");
        match run.next().await {
            Ok(Happening::Ended(exit)) => {
                assert_eq!(exit.cause.as_deref(), Some(cause.as_str()));
                assert_eq!(exit.rung, Rung::Term, "{at:?}");
            }
            Ok(other) => panic!("{at:?}: {other:?}"),
            Err(error) => assert_eq!((at, error.to_string()), (At::Starting, cause)),
        }
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
    }
}

#[tokio::test]
async fn ended_debuggee_ends_the_session() {
    let over = json!(["terminated", null]);
    for at in PHASES {
        let mut stage = stage(at, json!({}));
        match at {
            At::Preparing => stage.options["debuggee"] = json!("echo bad interpreter >&2; exit 7"),
            At::Starting => {
                stage.options["script"]["faults"] = json!([
                    {"on": "initialize", "silent": null},
                    {"on": "initialize", "emit": over.clone()},
                ]);
            }
            At::Running => {
                stage.options["script"]["faults"] = json!([
                    {"on": "setBreakpoints", "emit": ["exited", {"exitCode": 4}]},
                    {"on": "setBreakpoints", "emit": over.clone()},
                ]);
            }
            At::Stopped => stage.options["script"]["program"] = lines(&[1]),
        }
        let mut run = match at {
            At::Preparing | At::Starting => stage.launch().await,
            _ => arrive(at, stage).await,
        };
        match at {
            At::Running => drop(run.set(vec![run.stage.line(5)]).await),
            At::Stopped => run.resume(Resume::Continue).await.unwrap(),
            _ => {}
        }
        let want = match at {
            At::Preparing => {
                "error the adapter ended during start: exit code 7, last words: bad interpreter"
            }
            At::Starting => "ended Unknown Term",
            At::Running => "ended Code(4) Term",
            At::Stopped => "ended Code(0) Term",
        };
        assert_eq!(run.outcome().await, want, "{at:?}");
        assert_eq!(run.stage.processes(), [""; 0], "{at:?}");
    }
}

fn kill(name: &str, stage: &Stage) {
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let is_ours =
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == stage.root());
        let comm = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if is_ours && comm.trim() == name {
            let pid = entry.file_name().to_str().unwrap().parse().unwrap();
            rustix::process::kill_process(
                rustix::process::Pid::from_raw(pid).unwrap(),
                rustix::process::Signal::KILL,
            )
            .unwrap();
        }
    }
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
    let limits =
        Limits { detach: Duration::from_secs(1), exit_settle: super::SOON, ..Limits::default() };
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

#[tokio::test]
async fn restart_does_not_take_a_session_from_a_person() {
    let stage = Stage::new(json!({"program": lines(&[1, 2])})).at(&[1]);
    let sessions = stage.sessions();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    soon(handle.wait(Cursor::default())).await.unwrap();
    let person = handle.clone().by_editor();
    let mut restart = std::pin::pin!(sessions.restart(None));
    assert!(futures_util::poll!(&mut restart).is_pending());
    assert!(person.take().unwrap());
    let refused = soon(restart).await.err().unwrap();
    assert!(matches!(refused, Error::Taken { .. }), "{refused}");
    assert!(person.is_taken());
}

/// A restart includes the end of the old session, and the reported time counts it.
#[tokio::test]
async fn restart_time_includes_the_end_of_the_old_session() {
    let limits = Limits { disconnect: Duration::from_millis(700), ..Limits::default() };
    let script = json!({
        "program": lines(&[1, 2]),
        "faults": [{"on": "disconnect", "silent": null}, {"on": "terminate", "silent": null}],
    });
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let sessions = stage.sessions();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    soon(handle.wait(Cursor::default())).await.unwrap();
    let requested = Instant::now();
    let again = soon(sessions.restart(None)).await.unwrap();
    let ended = requested.elapsed();
    let Ok((Happening::Stopped(stop), _)) = soon(again.wait(Cursor::default())).await else {
        panic!("no stop")
    };
    assert!(ended >= Duration::from_millis(700), "{ended:?}");
    assert!(
        stop.elapsed >= ended && stop.elapsed <= requested.elapsed(),
        "{:?} of {ended:?}",
        stop.elapsed
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
