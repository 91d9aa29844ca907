//! Waits without waiting time, through the shipped binary and the fake adapter.

use serde_json::{Value, json};

use crate::caller::{Caller, Start};

/// A host that debugs programs of the fake, in a directory with one.
async fn start() -> (Caller, tempfile::TempDir, Value) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (source, config) = (root.join("shop.fake"), root.join("dapdock.toml"));
    std::fs::write(&source, "code\n".repeat(9)).unwrap();
    let (plugin, adapter) = (crate::plugin::component("fake"), crate::fake::executable());
    let text = format!(
        "[adapters.fake]\nplugin = {plugin:?}\n[tools.fake-adapter]\npath = \
        {adapter:?}\n[tools.sh]\npath = \"/bin/sh\"\n"
    );
    std::fs::write(&config, text).unwrap();
    let caller =
        Caller::start(Start { cwd: root, config, flags: vec!["--trust"], ..Start::usual() }).await;
    (caller, dir, json!({"source": source, "program": [{"line": 1}, {"line": 3}]}))
}

#[tokio::test]
async fn wait_without_time_returns_an_existing_stop() {
    let (mut caller, _dir, script) = start().await;
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:1", "shop.fake:3"],
        "options": {"script": script},
    });
    caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint");
    caller.call("debug_continue", json!({"wait": false})).await.good();
    loop {
        let status = caller.call("debug_status", json!({})).await.good();
        if status.text.contains(" · stopped") {
            break;
        }
    }
    let reply = caller.call("debug_wait", json!({"since": 1, "timeout_s": 0})).await.good();
    reply.line("■ stopped breakpoint");
    reply.says("shop.fake:3");
}

#[tokio::test]
async fn move_from_a_stop_that_no_call_has_returned_says_so() {
    for (tool, arguments) in [("debug_continue", json!({})), ("debug_step", json!({"count": 2}))] {
        let (mut caller, _dir, script) = start().await;
        let launch = json!({
            "program": "shop.fake", "breakpoints": ["shop.fake:1", "shop.fake:3"],
            "options": {"script": script},
        });
        caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint");
        caller.call("debug_continue", json!({"wait": false})).await.good();
        let reply = loop {
            let reply = caller.call(tool, arguments.clone()).await;
            // Until the program has stopped there is nothing to resume.
            if !reply.is_error {
                break reply;
            }
        };
        reply.says("shop.fake:3");
        reply.says("note: no call had returned this stop yet, so the program was not resumed");
        caller.call(tool, arguments).await.good().line("□ exited");
    }
}

#[tokio::test]
async fn wait_without_time_reports_a_stop_being_read() {
    let (mut caller, _dir, mut script) = start().await;
    script["faults"] = json!([{"on": "stackTrace", "late": 6000}]);
    let options = json!({"script": script});
    let launch = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"], "options": options, "timeout_s": 0,
    });
    caller.call("debug_launch", launch).await.good();
    let reply = loop {
        let reply = caller.call("debug_wait", json!({"timeout_s": 0})).await.good();
        if reply.text.starts_with("■") || reply.text.starts_with("▶ reading a stop") {
            break reply;
        }
    };
    reply.line("▶ reading a stop");
    caller.call("debug_wait", json!({"timeout_s": 20})).await.good().line("■ stopped breakpoint");
}
