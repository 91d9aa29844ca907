//! Long calls as tasks, for requests that declare the extension.

use serde_json::{Value, json};

use super::faked;
use crate::caller::{Caller, Start};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// The capabilities in `_meta` of a request.
fn declared() -> Value {
    json!({"io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {}}}})
}

/// A client that knows tasks, and the task of its launch: the program does not end.
async fn launched(dir: &std::path::Path) -> (Caller, String) {
    faked::write(&dir.join("shop.fake"));
    let (cwd, config) = (dir.to_owned(), faked::configure(dir));
    let mut caller = Caller::start(Start { cwd, config, ..Start::usual() }).await;
    let options = json!({"script": {"program": [{"line": 1, "hangs": true}]}});
    let arguments = json!({"program": "shop.fake", "options": options, "timeout_s": 600});
    let call = json!({"name": "debug_launch", "arguments": arguments, "_meta": declared()});
    let request = caller.send("tools/call", call).await;
    let created = caller.reply(request).await["result"].take();
    assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")));
    let task = created["taskId"].as_str().unwrap().to_owned();
    let is_running = |note: &Value| {
        note["method"] == "debugger/sessionStateChanged" && note["params"]["newState"] == "running"
    };
    caller.note(is_running).await;
    (caller, task)
}

async fn request(caller: &mut Caller, method: &str, task: &str) -> Value {
    let request = caller.send(method, json!({"taskId": task, "_meta": declared()})).await;
    caller.reply(request).await
}

/// The task when it is done: the extension has no other way than to ask again.
async fn done(caller: &mut Caller, task: &str) -> Value {
    loop {
        let state = request(caller, "tasks/get", task).await["result"].take();
        if state["status"] != "working" {
            break state;
        }
    }
}

#[tokio::test]
async fn long_launch_is_a_task_that_has_the_stop() {
    let dir = tempfile::tempdir().unwrap();
    let (mut caller, task) = launched(dir.path()).await;
    let state = request(&mut caller, "tasks/get", &task).await;
    assert_eq!(state["result"]["status"], "working", "{state}");
    // Other calls are answered meanwhile.
    let pause = caller.call("debug_pause", json!({})).await;
    assert!(pause.text.starts_with("■ stopped by pause"), "{}", pause.text);
    let state = done(&mut caller, &task).await;
    assert_eq!(state["status"], "completed", "{state}");
    let text = state["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("■ stopped by pause"), "{text}");
}

#[tokio::test]
async fn cancelled_task_leaves_the_program_running() {
    let dir = tempfile::tempdir().unwrap();
    let (mut caller, task) = launched(dir.path()).await;
    let answer = request(&mut caller, "tasks/cancel", &task).await;
    assert!(answer["error"].is_null(), "{answer}");
    assert_eq!(done(&mut caller, &task).await["status"], "cancelled");
    let status = caller.call("debug_status", json!({})).await;
    assert!(status.text.contains(" · running"), "{}", status.text);
    let unknown = request(&mut caller, "tasks/get", "none").await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[tokio::test]
async fn client_without_the_extension_has_no_tasks() {
    let mut caller = Caller::start(Start::usual()).await;
    let refused = caller.send("tasks/get", json!({"taskId": "none"})).await;
    let refused = caller.reply(refused).await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
}
