//! The toolset `raw` with the fake adapter: what is sent, what comes back, and what the host sees
//! of the effects.

use std::path::Path;

use serde_json::{Value, json};

use super::faked;
use crate::caller::Caller;

const RAW: [&str; 2] = ["--toolsets", "default,raw"];

/// Launches a script of the fake adapter up to its first place.
async fn launch(caller: &mut Caller, root: &Path, script: Value) {
    let mut script = script;
    script["source"] = root.join("shop.fake").to_str().into();
    let arguments = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"],
        "options": {"script": script}, "timeout_s": 50,
    });
    let stop = caller.call("debug_launch", arguments).await;
    assert!(stop.text.contains("\n#0 main  shop.fake:3\n"), "{}", stop.text);
}

async fn request(caller: &mut Caller, command: &str) -> crate::caller::Answer {
    caller.call("dap_request", json!({"command": command, "arguments": {"x": [1]}})).await
}

#[tokio::test]
async fn request_is_sent_as_written_and_logged() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    faked::write(&root.join("shop.fake"));
    let mut caller = faked::start(&root, &RAW).await;
    request(&mut caller, "modules")
        .await
        .fails("error[no-session] no session is open. Try: debug_targets");
    let body = json!({"modules": [{"id": 1, "name": "a\n■ b"}]});
    let script = json!({
        "program": [{"line": 3}, {"line": 4}],
        "faults": [
            {"on": "modules", "answer": body},
            {"on": "goto", "refuse": "no such line"},
            {"on": "restartFrame", "silent": null},
        ],
    });
    launch(&mut caller, &root, script).await;
    let answer = request(&mut caller, "modules").await;
    assert_eq!(
        (answer.is_error, serde_json::from_str::<Value>(&answer.text).unwrap()),
        (false, body)
    );
    let log = caller.call("debug_status", json!({"detail": "log"})).await.text;
    assert!(log.contains("raw request: modules {\"x\":[1]}"), "{log}");
    request(&mut caller, "goto")
        .await
        .fails("error[adapter-refused] no such line. Try: debug_status {\"detail\": \"log\"}");
    let silent = json!({"command": "restartFrame", "timeout_s": 0.1});
    caller.call("dap_request", silent).await.fails(
        "error[adapter-silent] the adapter did not answer restartFrame within 0.1 s. Try: \
        dap_request {\"command\": \"restartFrame\", \"timeout_s\": 3600}",
    );
}

#[tokio::test]
async fn requests_of_the_host_lead_to_their_tools() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = faked::start(dir.path(), &RAW).await;
    for (command, tool) in [
        ("initialize", "debug_launch"),
        ("continue", "debug_continue"),
        ("stepIn", "debug_step {\"kind\": \"in\"}"),
        ("setBreakpoints", "debug_breakpoints"),
        ("disconnect", "debug_stop"),
        ("evaluate", "debug_evaluate"),
    ] {
        request(&mut caller, command).await.fails(&format!(
            "error[owned-request] dap_request: `{command}` changes what dapdock keeps track of. \
            Try: {tool}"
        ));
    }
}

/// The adapter reports that the request has resumed the debuggee, and then a stop.
#[tokio::test]
async fn request_that_resumes_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    faked::write(&root.join("shop.fake"));
    let mut caller = faked::start(&root, &RAW).await;
    let script = json!({
        "program": [{"line": 3}, {"line": 4}],
        "faults": [
            {"on": "goto", "answer": {}},
            {"on": "goto", "emit": ["continued", {"threadId": 1}]},
            {"on": "restartFrame", "answer": {}},
            {"on": "restartFrame", "emit": ["stopped", {"reason": "goto", "threadId": 1}]},
        ],
    });
    launch(&mut caller, &root, script).await;
    request(&mut caller, "goto").await;
    let wait = caller.call("debug_wait", json!({"timeout_s": 0})).await;
    assert!(wait.text.starts_with("▶ running"), "{}", wait.text);
    request(&mut caller, "restartFrame").await;
    let wait = caller.call("debug_wait", json!({"timeout_s": 50})).await;
    assert!(wait.text.starts_with("■ stopped"), "{}", wait.text);
    assert!(wait.text.contains(" · stop 2 · "), "{}", wait.text);
}
