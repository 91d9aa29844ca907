//! Log records as MCP notifications, with the fake adapter.

use std::path::Path;

use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

async fn shop(dir: &Path) -> Caller {
    let root = dir.canonicalize().unwrap();
    write(&root.join("shop.fake"));
    start(&root, &[]).await
}

async fn set(caller: &mut Caller, level: &str) -> Value {
    let request = caller.send("logging/setLevel", json!({"level": level})).await;
    caller.reply(request).await
}

async fn launch(caller: &mut Caller, program: &str) -> String {
    let options = json!({"script": {"program": [{"line": 3}]}});
    let launch = json!({"program": program, "options": options, "timeout_s": 50});
    caller.call("debug_launch", launch).await.text
}

fn is_record(note: &Value) -> bool {
    note["method"] == "notifications/message"
}

/// The records so far as `level logger`.
fn records(caller: &Caller) -> Vec<String> {
    let records = caller.notes.iter().filter(|note| is_record(note));
    let name = |note: &Value| format!("{} {}", note["params"]["level"], note["params"]["logger"]);
    records.map(|note| name(note).replace('"', "")).collect()
}

#[tokio::test]
async fn session_log_is_sent_from_the_level_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = shop(dir.path()).await;
    let exit = launch(&mut caller, "shop.fake").await;
    assert!(exit.starts_with("□ exited"), "{exit}");
    assert_eq!(set(&mut caller, "error").await["result"], json!({}));
    launch(&mut caller, "shop.fake").await;
    assert_eq!(set(&mut caller, "info").await["result"], json!({}));
    assert!(records(&caller).is_empty(), "{:?}", records(&caller));
    launch(&mut caller, "shop.fake").await;
    let ended = |note: &Value| {
        let text = note["params"]["data"].as_str();
        is_record(note)
            && note["params"]["logger"] == "fake-3"
            && text.is_some_and(|text| text.contains("ending -> ended"))
    };
    let record = caller.note(ended).await["params"].clone();
    assert_eq!(record["level"], "info");
    let log = caller.call("debug_status", json!({"session": "fake-3", "detail": "log"})).await;
    assert!(log.text.contains(record["data"].as_str().unwrap()), "{}", log.text);
    // The session before may have ended after its answer, at the new level.
    let expected = ["info fake-2", "info fake-3"];
    assert!(records(&caller).iter().all(|record| expected.contains(&record.as_str())));
}

#[tokio::test]
async fn failure_of_a_session_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = shop(dir.path()).await;
    set(&mut caller, "error").await;
    let options = json!({"script": {"faults": [{"on": "initialize", "refuse": "out of order"}]}});
    let launch = json!({"program": "shop.fake", "options": options, "timeout_s": 50});
    caller.call("debug_launch", launch).await;
    let record = caller.note(is_record).await["params"].clone();
    assert_eq!((&record["level"], &record["logger"]), (&json!("error"), &json!("fake-1")));
    assert!(record["data"].as_str().unwrap().contains("out of order"), "{record}");
    assert_eq!(records(&caller).len(), 1);
}

/// The phases of a session are debug records of the host.
#[tokio::test]
async fn records_of_the_host_are_sent_at_their_level() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = shop(dir.path()).await;
    set(&mut caller, "debug").await;
    launch(&mut caller, "shop.fake").await;
    let phase = |note: &Value| {
        let text = note["params"]["data"].as_str();
        is_record(note) && text.is_some_and(|text| text.starts_with("phase "))
    };
    let record = caller.note(phase).await["params"].clone();
    assert_eq!((&record["level"], &record["logger"]), (&json!("debug"), &json!("dapdock")));
    let refused = set(&mut caller, "loud").await["error"].clone();
    assert_eq!(refused["code"], -32602);
    assert!(refused["message"].as_str().unwrap().contains("\"warning\""), "{refused}");
}
