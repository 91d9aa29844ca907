//! Conditions: checked before they are sent, sent only to adapters that evaluate them. What a stop
//! at a condition counts is in `hits`.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{BreakpointEdit, BreakpointSpec};
use dapdock::session::{BreakpointError, Error};
use serde_json::json;

use crate::session::{Run, Stage, lines, lines_sent, soon};

#[tokio::test]
async fn condition_is_checked_before_it_is_sent() {
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": [{"line": 3, "locals": {"ok": true}}]});
    let mut run =
        Stage::new(script.clone()).at(&[3]).with("profile", profile.clone()).launch().await;
    run.stop().await;
    let with =
        |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..run.stage.line(5) };
    run.edit(BreakpointEdit { set: vec![with("ok")], ..Default::default() }).await.unwrap();
    let both = BreakpointEdit {
        set: vec![run.stage.line(7), with("bad(")],
        clear: true,
        ..Default::default()
    };
    let error = run.edit(both).await.unwrap_err();
    let Error::Breakpoints(BreakpointError::BadCondition { text, why }) = error else {
        panic!("{error}")
    };
    assert_eq!((text.as_str(), why.as_str()), ("bad(", "name 'bad(' is not defined"));
    assert_eq!(run.bindings().await, ["bound 3", "bound 5"]);
    let function = run.stage.arguments("evaluate");
    let function: Vec<_> =
        function.iter().map(|one| (&one["expression"], &one["context"])).collect();
    assert_eq!(function, [(&json!("ok"), &json!("repl")), (&json!("bad("), &json!("repl"))]);

    let mut stage = Stage::new(script).with("profile", profile);
    stage.breakpoints.push(BreakpointSpec { condition: Some("bad(".into()), ..stage.line(3) });
    let error = stage.launch().await.next().await.unwrap_err();
    assert_eq!(error.to_string(), "condition `bad(` does not parse: name 'bad(' is not defined");
}

/// Such an adapter ignores a condition and stops at each hit.
#[tokio::test]
async fn condition_is_not_sent_to_an_adapter_without_conditional_breakpoints() {
    let mut script = json!({"program": lines(&[3, 5])});
    script["capabilities"] = json!({"supportsConfigurationDoneRequest": true});
    let mut stage = Stage::new(script).at(&[5]);
    stage.breakpoints.push(BreakpointSpec { condition: Some("ok".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:5 #1");
    let refused = "bad condition the adapter lacks supportsConditionalBreakpoints";
    assert_eq!(run.bindings().await, ["bound 5", refused]);
    let with = BreakpointSpec { condition: Some("ok".into()), ..run.stage.line(7) };
    run.set(vec![with]).await;
    assert_eq!(run.bindings().await, ["bound 5", refused, refused]);
    run.set(vec![run.stage.line(7)]).await;
    assert_eq!(run.bindings().await, ["bound 5", refused, "bound 7"]);
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["5", "5", "5 7"]);
}

/// The condition was set earlier, so the launch does not fail for it; it is reported where
/// breakpoints are listed.
#[tokio::test]
async fn earlier_bad_condition_does_not_fail_the_launch() {
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": lines(&[3, 5, 7])});
    let stage = Stage::new(script).at(&[5]).with("profile", profile);
    let sessions = stage.sessions();
    let with =
        |line, text: &str| BreakpointSpec { condition: Some(text.into()), ..stage.line(line) };
    let set = vec![with(3, "bad("), stage.line(7), with(9, "worse(")];
    soon(sessions.breakpoints(None, BreakpointEdit { set, ..Default::default() })).await.unwrap();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    let mut run = Run { handle, cursor: Default::default(), stage };
    assert_eq!(run.outcome().await, "Breakpoint main:5 #4");
    let bad = |text: &str| format!("bad condition name '{text}' is not defined");
    assert_eq!(
        run.bindings().await,
        [bad("bad("), "bound 7".into(), bad("worse("), "bound 5".into()]
    );
    // It is not sent with the other breakpoints of its file until it is set again.
    run.set(vec![run.stage.line(11)]).await;
    run.set(vec![run.stage.line(3)]).await;
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["7 5", "7 5 11", "3 7 5 11"]);
    assert_eq!(run.bindings().await[0], "bound 3");
    soon(sessions.close_all()).await;
}

/// A check without a response decides nothing.
#[tokio::test]
async fn a_silent_check_lets_the_condition_pass() {
    let limits = Limits { request: Duration::from_millis(200), ..Limits::default() };
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": lines(&[3]), "faults": [{"on": "evaluate", "silent": null}]});
    let mut stage = Stage { limits, ..Stage::new(script) }.with("profile", profile);
    stage.breakpoints.push(BreakpointSpec { condition: Some("x".into()), ..stage.line(3) });
    assert_eq!(stage.launch().await.outcome().await, "Breakpoint main:3 #1");
}
