//! Waits without patience, through the shipped binary and the fake adapter.

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
        "[adapters.fake]\nplugin = {plugin:?}\n[tools.fake-adapter]\npath = {adapter:?}\n[tools.sh]\npath = \"/bin/sh\"\n"
    );
    std::fs::write(&config, text).unwrap();
    let caller =
        Caller::start(Start { cwd: root, config, flags: vec!["--trust"], ..Start::usual() }).await;
    (caller, dir, json!({"source": source, "program": [{"line": 1}, {"line": 3}]}))
}

#[tokio::test]
async fn no_time_to_wait_still_tells_a_stop_that_is_there() {
    let (mut caller, _dir, script) = start().await;
    let launch = json!({"program": "shop.fake", "breakpoints": ["shop.fake:1", "shop.fake:3"], "options": {"script": script}});
    caller.call("debug_launch", launch).await.good().line("■ stopped breakpoint");
    caller.call("debug_continue", json!({"wait": false})).await.good();
    loop {
        let status = caller.call("debug_status", json!({})).await.good();
        if status.text.contains(" · stopped") {
            break;
        }
    }
    let told = caller.call("debug_wait", json!({"since": 1, "timeout_s": 0})).await.good();
    told.line("■ stopped breakpoint");
    told.says("shop.fake:3");
}

#[tokio::test]
async fn a_stop_that_takes_long_to_read_costs_no_wait_its_time() {
    let (mut caller, _dir, mut script) = start().await;
    script["faults"] = json!([{"on": "stackTrace", "late": 6000}]);
    let options = json!({"script": script});
    let launch = json!({"program": "shop.fake", "breakpoints": ["shop.fake:3"], "options": options, "timeout_s": 0});
    caller.call("debug_launch", launch).await.good();
    let told = loop {
        let told = caller.call("debug_wait", json!({"timeout_s": 0})).await.good();
        if told.text.starts_with("■") || told.text.starts_with("▶ reading a stop") {
            break told;
        }
    };
    told.line("▶ reading a stop");
    caller.call("debug_wait", json!({"timeout_s": 20})).await.good().line("■ stopped breakpoint");
}
