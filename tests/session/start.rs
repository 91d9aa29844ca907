//! One start sequence for every order in which adapters answer.

use dapdock::limits::Limits;
use dapdock::model::{OutputQuery, Resume};
use dapdock::session::{EndMode, Error};
use serde_json::{Value, json};

use super::{Stage, lines, soon};

const FIRST: [&str; 5] =
    ["initialize", "launch", "setBreakpoints", "setExceptionBreakpoints", "configurationDone"];
const LAST: [&str; 5] =
    ["initialize", "setBreakpoints", "setExceptionBreakpoints", "configurationDone", "launch"];

async fn check(initialized: Value, launch: &str, profile: Value, faults: Value, want: [&str; 5]) {
    let case = format!("{initialized} {launch} {profile} {faults}");
    let script = json!({
        "initialized": initialized, "launch": launch, "faults": faults,
        "program": lines(&[1, 3, 5]),
    });
    let mut run = Stage::new(script).at(&[3]).with("profile", profile).launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:3 #1", "{case}");
    assert_eq!(run.stage.commands()[..5], want, "{case}");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural", "{case}");
}

#[tokio::test]
async fn every_order_of_initialized_and_launch_arrives() {
    for (initialized, launch) in [
        (json!(["before_initialize"]), "configured"),
        (json!(["before_initialize"]), "at_once"),
        (json!(["after_initialize"]), "configured"),
        (json!(["after_initialize"]), "at_once"),
        (json!(["on_launch"]), "configured"),
        (json!(["on_launch"]), "at_once"),
        (json!(["after_launch"]), "at_once"),
        (json!(["after_initialize", "after_initialize"]), "configured"),
        (json!(["after_initialize", "after_configuration"]), "configured"),
        (json!(["before_initialize", "on_launch", "after_launch"]), "at_once"),
    ] {
        check(initialized, launch, json!({}), json!([]), FIRST).await;
    }
}

#[tokio::test]
async fn profile_sends_launch_after_the_configuration() {
    let last = json!({"start": {"order": "after-configuration"}});
    for initialized in [json!(["before_initialize"]), json!(["after_initialize"])] {
        for launch in ["at_once", "configured"] {
            check(initialized.clone(), launch, last.clone(), json!([]), LAST).await;
        }
    }
}

/// The program stops before the responses that say it started.
#[tokio::test]
async fn stop_may_come_before_the_configuration_answers() {
    let early = json!([{"on": "configurationDone", "events_first": null}]);
    check(json!(["after_initialize"]), "configured", json!({}), early.clone(), FIRST).await;
    check(json!(["after_initialize"]), "at_once", json!({}), early, FIRST).await;
    let late = json!([{"on": "launch", "late": 200}]);
    check(json!(["after_initialize"]), "at_once", json!({}), late, FIRST).await;
}

#[tokio::test]
async fn every_transport_carries_a_session() {
    for transport in ["stdio", "connect", "listen"] {
        let script = json!({"program": [{"line": 3, "locals": {"total": 7}}]});
        let mut run =
            Stage::new(script).at(&[3]).with("transport", json!(transport)).launch().await;
        let stop = run.stop().await;
        assert_eq!(run.word(&stop).await, "Breakpoint main:3 #1", "{transport}");
        assert_eq!((stop.locals[0].name.as_str(), stop.locals[0].value.as_str()), ("total", "7"));
        assert_eq!(stop.source.lines, ["code 1", "code 2", "code 3", "code 4", "code 5"]);
        assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural", "{transport}");
        assert_eq!(run.stage.processes(), [""; 0], "{transport}");
    }
}

#[tokio::test]
async fn initialize_and_launch_arguments_are_as_expected() {
    let mut run = Stage::new(json!({"program": lines(&[3])})).at(&[3]).launch().await;
    run.stop().await;
    let hello = run.stage.arguments("initialize")[0].clone();
    assert_eq!(hello["adapterID"], "fake");
    assert_eq!(hello["linesStartAt1"], true);
    assert_eq!(hello["supportsRunInTerminalRequest"], false);
    assert_eq!(run.stage.arguments("launch"), [json!({"stopOnEntry": false})]);
    assert_eq!(run.stage.arguments("setExceptionBreakpoints"), [json!({"filters": ["uncaught"]})]);
}

#[tokio::test]
async fn an_attach_sends_attach() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let mut run = Stage::new(script).at(&[1]).with("attach", json!(true)).launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:1 #1");
    assert_eq!(run.stage.commands()[1], "attach");
}

/// Launches at the same time, and the restart of a session that has ended.
#[tokio::test]
async fn open_sessions_never_exceed_the_limit() {
    let mut stage = Stage::new(json!({"program": lines(&[1])})).at(&[1]);
    stage.limits.sessions = 2;
    let sessions = stage.sessions();
    let launches = (0..6).map(|_| sessions.launch(stage.request()));
    let opened = soon(futures_util::future::join_all(launches)).await;
    let (opened, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert_eq!((opened.len(), refused.len()), (2, 4));
    let first = opened[0].as_ref().unwrap();
    soon(first.close(EndMode::Auto)).await.unwrap();
    // Its own room, then that of another one.
    let first = soon(sessions.restart(Some(&first.id().0))).await.unwrap();
    let first = soon(sessions.restart(Some(&first.id().0))).await.unwrap();
    soon(first.close(EndMode::Auto)).await.unwrap();
    soon(sessions.launch(stage.request())).await.unwrap();
    let full = soon(sessions.restart(Some(&first.id().0))).await;
    assert!(matches!(full, Err(Error::Limit { .. })), "there is no room for it");
}

/// The error of its launch says all, so that the session goes once a caller has it.
#[tokio::test]
async fn refused_launch_leaves_no_session() {
    let stage = Stage::new(json!({"program": lines(&[1])}));
    let sessions = stage.sessions();
    let mut refused = stage.request();
    refused.options = json!({"script": {}, "nosuch": 1}).to_string();
    let handle = soon(sessions.launch(refused.clone())).await.unwrap();
    let error = soon(handle.first()).await.unwrap_err();
    assert!(error.to_string().contains("nosuch"), "{error}");
    assert_eq!(sessions.all().len(), 0);
    // No caller has the reason before the end.
    let handle = soon(sessions.launch(refused)).await.unwrap();
    soon(handle.over()).await;
    assert_eq!(sessions.all().len(), 1);
    soon(handle.first()).await.unwrap_err();
    assert_eq!(sessions.all().len(), 0);
}

/// Its output stays readable; what goes first beyond the limit are the starts that failed.
#[tokio::test]
async fn failed_start_removes_no_finished_session() {
    let limits = Limits { remembered: 2, ..Limits::default() };
    let program = json!({"program": [{"line": 1, "output": [["stdout", "total 42\n"]]}]});
    let stage = Stage { limits, ..Stage::new(program) };
    let sessions = stage.sessions();
    let finished = soon(sessions.launch(stage.request())).await.unwrap();
    soon(finished.over()).await;
    let mut failing = stage.request();
    failing.options = json!({"script": {"program": [], "faults": [
        {"on": "launch", "refuse": "no such program"},
    ]}})
    .to_string();
    for _ in 0..3 {
        let failed = soon(sessions.launch(failing.clone())).await.unwrap();
        soon(failed.over()).await;
        assert!(failed.has_failed());
    }
    let last = soon(sessions.launch(stage.request())).await.unwrap();
    soon(last.over()).await;
    let found = sessions.get(Some(&finished.id().0)).unwrap();
    assert_eq!(found.id(), finished.id());
    let output = soon(found.output(OutputQuery { limit: 9, ..Default::default() })).await.unwrap();
    let texts: Vec<&str> = output.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["total 42"]);
}
