//! A session's messages through a guest: which hooks are called, the state they store, and the
//! effect of a failing one.

use std::sync::Arc;

use dapdock::model::answer::{
    DapEvent, DapResponse, EventAction, RequestAction, ResponseAction, SessionView, Thread,
};
use serde_json::{Value, json};

use super::{Stage, script};

fn session() -> SessionView {
    SessionView {
        id: 7,
        arguments: Arc::new(json!({"a": 1})),
        state: Some(json!("old")),
        ..SessionView::default()
    }
}

fn event(name: &str, body: Value) -> DapEvent {
    DapEvent { event: name.to_owned(), body }
}

#[tokio::test]
async fn only_hooks_in_the_manifest_are_called() {
    let plugin = Stage::new().plugin("hostile").await.unwrap();
    let (view, empty) = (session(), json!({}));
    // The guest panics in every `on_request`.
    assert_eq!(
        plugin.on_request(&view, "next", &empty).await.unwrap(),
        (RequestAction::Unchanged, None)
    );
    assert_eq!(
        plugin.on_events(&view, &[event("output", empty)]).await.unwrap(),
        (vec![EventAction::Unchanged], None)
    );
    assert_eq!(
        plugin.threads(&view, &[Thread { id: 1, name: "x".into() }]).await.unwrap(),
        (vec![], None)
    );
    assert!(plugin.wants_event("stopped") && !plugin.wants_event("output"));
}

#[tokio::test]
async fn hook_returns_an_effect_and_the_new_state() {
    let plugin = Stage::new().plugin("hostile").await.unwrap();
    let events = vec![DapEvent { event: "mine".into(), body: json!({"a": 1}) }];
    let effect = EventAction::Effect { events, requests: vec![] };
    let state = json!({"seen": "stopped", "before": "\"old\""});
    assert_eq!(
        plugin.on_events(&session(), &[event("stopped", json!({}))]).await.unwrap(),
        (vec![effect.clone()], Some(state.clone()))
    );
    // Each event sees the state that the one before has left.
    let stops = [event("stopped", json!({})), event("stopped", json!({}))];
    let state = json!({"seen": "stopped", "before": state.to_string()});
    assert_eq!(
        plugin.on_events(&session(), &stops).await.unwrap(),
        (vec![effect.clone(), effect], Some(state))
    );
}

#[tokio::test]
async fn failing_hook_fails_its_call_only() {
    let plugin = Stage::new().plugin("hostile").await.unwrap();
    let error =
        plugin.on_request(&session(), "boom", &json!({"b": 2})).await.unwrap_err().to_string();
    let expect = "plugin bad: on-request trapped: panicked at tests/guests/examples/hostile.rs:";
    assert!(error.starts_with(expect) && error.contains(": boom {\"b\":2} (in "), "{error}");
    let error =
        plugin.on_events(&session(), &[event("stopped", json!({"x": 1}))]).await.unwrap_err();
    let expect = "plugin bad: on-event answered what does not fit: effect.requests[0].arguments: \
        not a JSON object";
    assert_eq!(error.to_string(), expect);
    assert!(plugin.on_events(&session(), &[event("stopped", json!({}))]).await.is_ok());
}

#[tokio::test]
async fn session_probes_the_tool_of_its_plan_once() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let tool = stage.root().join("shell");
    script(&tool, "#!/bin/sh\necho run >> \"$0.log\"\ncat\n");
    let probe = async |view: &SessionView, input: &str| {
        let failed = DapResponse { success: false, message: Some("no".into()), body: json!({}) };
        plugin.on_response(view, "evaluate", &json!(input), &failed).await.unwrap().0
    };
    let answer = |text: &str| ResponseAction::Replace(json!({"probe": text, "was": "no"}));
    let without = session();
    assert_eq!(probe(&without, "x").await, answer("this session's plan did not use shell"));
    let view =
        SessionView { tools: Arc::new([("shell".to_owned(), tool.clone())].into()), ..session() };
    for input in ["x", "x", "y"] {
        assert_eq!(probe(&view, input).await, answer(&format!("\"{input}\"")));
    }
    assert_eq!(std::fs::read_to_string(tool.with_extension("log")).unwrap(), "run\nrun\n");
}
