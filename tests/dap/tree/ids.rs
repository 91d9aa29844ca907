//! Ids of threads and frames: distinct among members, invalid after their stop or their member.

use serde_json::{Value, json};

use super::{Talk, child, parent};
use crate::fake::{Fault, FaultKind, Script};

#[tokio::test]
async fn threads_of_all_members_have_distinct_ids() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    talk.event("stopped").await;
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let names: Vec<_> = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| thread["name"].clone())
        .collect();
    assert_eq!(names, ["main", "two: main"], "{threads}");
}

#[tokio::test]
async fn ids_of_a_stop_are_invalid_after_it() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    let thread = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": thread})).await.unwrap()["stackFrames"]
        [0]["id"]
        .clone();
    talk.ask("next", json!({"threadId": thread})).await.unwrap();
    let stale = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(stale.ends_with(&format!("frame {frame} is gone")), "{stale}");
}

#[tokio::test]
async fn ids_of_a_child_are_invalid_after_its_end() {
    let dying = Script { faults: vec![Fault::on("evaluate", FaultKind::Die)], ..child(5) };
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![dying]);
    talk.start().await;
    let thread = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": thread})).await.unwrap()["stackFrames"]
        [0]["id"]
        .clone();
    talk.ask("evaluate", json!({"expression": "total", "frameId": frame})).await.unwrap_err();
    let gone = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(gone.ends_with(&format!("frame {frame} is gone")), "{gone}");
}

#[tokio::test]
async fn a_request_that_names_two_members_reaches_none() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": first})).await.unwrap()["stackFrames"][0]
        ["id"]
        .clone();
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let other = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .find(|id| **id != first)
        .unwrap();
    let refused = talk.ask("goto", json!({"threadId": other, "frameId": frame})).await.unwrap_err();
    assert!(refused.ends_with("is gone"), "{refused}");
    let received = [talk.root.clone(), talk.child(0), talk.child(1)];
    assert!(received.iter().all(|received| !received.commands().contains(&"goto".to_owned())));
}
