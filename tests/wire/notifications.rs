//! Notifications of the debugger, with the fake adapter: their fields, and what a caller that does
//! not read misses.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::faked::{start, write};
use crate::caller::Caller;

const HIT: &str = "debugger/breakpointHit";
const STATE: &str = "debugger/sessionStateChanged";

/// A host in a directory with `shop.fake`.
async fn shop(dir: &Path) -> (Caller, PathBuf) {
    let root = dir.canonicalize().unwrap();
    let source = root.join("shop.fake");
    write(&source);
    (start(&root, &[]).await, source)
}

fn launch(source: &Path, breakpoints: &Value, script: Value) -> Value {
    let mut script = script;
    script["source"] = source.display().to_string().into();
    let options = json!({"script": script});
    json!({
        "program": "shop.fake", "breakpoints": breakpoints, "options": options, "timeout_s": 50,
    })
}

fn is(note: &Value, method: &str) -> bool {
    note["method"] == method
}

/// The parameters of all notifications of a method so far.
fn all(caller: &Caller, method: &str) -> Vec<Value> {
    let notes = caller.notes.iter().filter(|note| is(note, method));
    notes.map(|note| note["params"].clone()).collect()
}

#[track_caller]
fn keys(params: &Value, expected: &[&str]) {
    let keys: Vec<&str> = params.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, expected, "{params}");
    let at = params["timestamp"].as_str().unwrap();
    assert!(at.len() == 24 && at.ends_with('Z') && at.starts_with("20"), "{at}");
}

const HIT_KEYS: [&str; 9] = [
    "sessionId",
    "breakpointId",
    "type",
    "location",
    "threadId",
    "timestamp",
    "hitCount",
    "logMessage",
    "exceptionInfo",
];
const STATE_KEYS: [&str; 7] =
    ["sessionId", "oldState", "newState", "pauseReason", "location", "activeThreadId", "timestamp"];

#[tokio::test]
async fn each_state_and_each_hit_is_a_notification() {
    let dir = tempfile::tempdir().unwrap();
    let (mut caller, source) = shop(dir.path()).await;
    let script = json!({"program": [{"line": 3}, {"line": 5}, {"line": 3}]});
    let breakpoints = json!(["shop.fake:3", {"at": "shop.fake:5", "log": "five"}]);
    let stop = caller.call("debug_launch", launch(&source, &breakpoints, script)).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    let place = json!({
        "file": source, "line": 3, "column": 1, "functionName": "main", "moduleName": null,
    });
    let first = caller.note(|note| is(note, HIT)).await["params"].clone();
    keys(&first, &HIT_KEYS);
    let expected = json!({
        "sessionId": "fake-1", "breakpointId": 1, "type": "blocking", "location": place,
        "threadId": 1, "timestamp": first["timestamp"], "hitCount": 1, "logMessage": null,
        "exceptionInfo": null,
    });
    assert_eq!(first, expected);
    let paused = |note: &Value| is(note, STATE) && note["params"]["newState"] == "paused";
    let state = caller.note(paused).await["params"].clone();
    keys(&state, &STATE_KEYS);
    let expected = json!({
        "sessionId": "fake-1", "oldState": state["oldState"], "newState": "paused",
        "pauseReason": "breakpoint", "location": place, "activeThreadId": 1,
        "timestamp": state["timestamp"],
    });
    assert_eq!(state, expected);
    caller.call("debug_continue", json!({})).await;
    let traced = |note: &Value| is(note, HIT) && note["params"]["type"] == "tracepoint";
    let traced = caller.note(traced).await["params"].clone();
    keys(&traced, &HIT_KEYS);
    let values = (&traced["breakpointId"], &traced["logMessage"], &traced["hitCount"]);
    assert_eq!(values, (&json!(2), &json!("five"), &json!(1)));
    let location = (&traced["location"]["file"], &traced["location"]["line"]);
    assert_eq!(location, (&json!(source), &json!(5)));
    let again = |note: &Value| is(note, HIT) && note["params"]["hitCount"] == 2;
    assert_eq!(caller.note(again).await["params"]["breakpointId"], 1);
    caller.call("debug_continue", json!({})).await;
    let ended = |note: &Value| is(note, STATE) && note["params"]["newState"] == "disconnected";
    caller.note(ended).await;
    let states: Vec<String> = all(&caller, STATE)
        .iter()
        .map(|state| format!("{}>{}", state["oldState"], state["newState"]).replace('"', ""))
        .collect();
    // A stop may come before the answers that end the start.
    let starts = [&["starting>paused"][..], &["starting>running", "running>paused"]];
    let rest = ["paused>running", "running>paused", "paused>running", "running>disconnected"];
    assert!(starts.iter().any(|start| states == [*start, &rest].concat()), "{states:?}");
    assert!(all(&caller, HIT).iter().all(|hit| hit.get("dropped").is_none()));
}

#[tokio::test]
async fn stop_by_an_exception_says_which_and_whether_it_is_caught() {
    for (mode, first_chance) in
        [("always", json!(true)), ("unhandled", json!(false)), ("never", json!(null))]
    {
        let dir = tempfile::tempdir().unwrap();
        let (mut caller, source) = shop(dir.path()).await;
        let info = json!({"exceptionId": "NoStock", "description": "none left", "breakMode": mode});
        let script = json!({
            "program": [{"line": 7, "callers": [["outer", 9]], "stop": "exception"}],
            "faults": [{"on": "exceptionInfo", "answer": info}],
        });
        caller.call("debug_launch", launch(&source, &json!([]), script)).await;
        let hit = caller.note(|note| is(note, HIT)).await["params"].clone();
        keys(&hit, &HIT_KEYS);
        assert_eq!((&hit["breakpointId"], &hit["type"]), (&json!(null), &json!("blocking")));
        let stack = format!("main at {0}:7\nouter at {0}:9", source.display());
        let expected = json!({
            "type": "NoStock", "message": "none left", "isFirstChance": first_chance,
            "stackTrace": stack,
        });
        assert_eq!(hit["exceptionInfo"], expected);
    }
}

/// Hits that fill the pipe and the queue.
const MANY: usize = 2_000;

/// The session goes on, and the notifications say how many events are missing.
#[tokio::test]
async fn caller_that_does_not_read_slows_no_session() {
    let dir = tempfile::tempdir().unwrap();
    let (mut caller, source) = shop(dir.path()).await;
    let mut places: Vec<Value> = (0..MANY).map(|_| json!({"line": 3})).collect();
    places.insert(0, json!({"line": 2}));
    let breakpoints = json!(["shop.fake:2", {"at": "shop.fake:3", "log": "three"}]);
    caller.call("debug_launch", launch(&source, &breakpoints, json!({"program": places}))).await;
    // A program that ends while the session starts never counts as running.
    caller.note(|note| is(note, STATE) && note["params"]["newState"] == "paused").await;
    caller.notes.clear();
    let call = caller.begin("debug_continue", json!({})).await;
    // The adapter is gone once the program has passed all places.
    caller.mark.only_host(Duration::from_secs(50)).await;
    let exit = caller.answer(call).await;
    assert!(exit.text.starts_with("□ exited with code 0"), "{}", exit.text);
    let ended = |note: &Value| is(note, STATE) && note["params"]["newState"] == "disconnected";
    caller.note(ended).await;
    let received = [all(&caller, HIT), all(&caller, STATE)].concat();
    let dropped: u64 = received.iter().filter_map(|note| note["dropped"].as_u64()).sum();
    assert!(dropped > 0, "{} were received", received.len());
    // All hits, and the states running and disconnected.
    assert_eq!(received.len() as u64 + dropped, MANY as u64 + 2);
}
