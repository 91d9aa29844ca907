//! Pauses: which member gets them, and when.

use serde_json::{Value, json};

use super::{Talk, child, parent};
use crate::fake::{Fault, FaultKind, Place, Script};

/// An adapter may report the attach before its first child connects.
#[tokio::test]
async fn pause_before_any_thread_waits_for_one() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults = vec![Fault::on("configurationDone", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    let kid = Script { program, faults, ..child(5) };
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![kid]);
    talk.start().await;
    talk.ask("pause", json!({"threadId": 0})).await.unwrap();
    assert_eq!(talk.child(0).arguments("pause"), [json!({"threadId": 0})]);
    assert!(!talk.root.commands().contains(&"pause".to_owned()));
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &json!(1)));
}

/// A child lists its thread before the thread runs.
#[tokio::test]
async fn pause_of_a_listed_thread_waits_until_it_runs() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults =
        vec![Fault::on("setFunctionBreakpoints", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    let root = Script { threads: Vec::new(), ..parent(&["kid"], vec![]) };
    let mut talk = Talk::with(root, vec![Script { program, faults, ..child(5) }]);
    talk.start().await;
    while talk.ask("threads", Value::Null).await.unwrap()["threads"] == json!([]) {}
    drop(talk.client.request_raw("pause", json!({"threadId": 1})));
    talk.ask("threads", Value::Null).await.unwrap();
    assert!(!talk.child(0).commands().contains(&"pause".to_owned()));
    talk.ask("setFunctionBreakpoints", json!({"breakpoints": []})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &json!(1)));
}

#[tokio::test]
async fn pause_of_a_listed_thread_pauses_no_other() {
    let at = |command| {
        let thread = json!({"reason": "started", "threadId": 0});
        let faults = vec![Fault::on(command, FaultKind::Emit("thread".into(), thread))];
        Script { program: vec![Place { hangs: true, ..Place::at(1) }], faults, ..child(5) }
    };
    let root = Script { threads: Vec::new(), ..parent(&["one", "two"], vec![]) };
    let mut talk = Talk::with(root, vec![at("configurationDone"), at("setFunctionBreakpoints")]);
    talk.start().await;
    let listed =
        async |talk: &mut Talk| talk.ask("threads", Value::Null).await.unwrap()["threads"].clone();
    let second = loop {
        let threads = listed(&mut talk).await;
        if let Some(thread) =
            threads.as_array().unwrap().iter().find(|thread| thread["name"] == "two: main")
        {
            break thread["id"].clone();
        }
    };
    drop(talk.client.request_raw("pause", json!({"threadId": second})));
    listed(&mut talk).await;
    talk.ask("setFunctionBreakpoints", json!({"breakpoints": []})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &second));
    assert!(!talk.child(0).commands().contains(&"pause".to_owned()));
}

#[tokio::test]
async fn pause_of_an_ended_thread_pauses_another() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("thread").await, json!({"reason": "exited", "threadId": 1}));
    let refused = talk.ask("pause", json!({"threadId": 1})).await.unwrap_err();
    assert!(refused.ends_with("thread 1 is gone"), "{refused}");
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    talk.ask("pause", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("stopped").await["threadId"], threads["threads"][0]["id"]);
}
