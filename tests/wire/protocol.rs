//! The handshake, the list of tools, and input that is no valid call.

use std::time::Duration;

use serde_json::{Value, json};

use crate::caller::{Caller, Start};

pub const TOOLS: [&str; 17] = [
    "debug_attach",
    "debug_breakpoints",
    "debug_continue",
    "debug_evaluate",
    "debug_exception",
    "debug_launch",
    "debug_output",
    "debug_pause",
    "debug_restart",
    "debug_set",
    "debug_stack",
    "debug_status",
    "debug_step",
    "debug_stop",
    "debug_targets",
    "debug_variables",
    "debug_wait",
];

async fn list(caller: &mut Caller) -> Vec<Value> {
    let request = caller.send("tools/list", json!({})).await;
    caller.reply(request).await["result"]["tools"].as_array().unwrap().clone()
}

async fn works(caller: &mut Caller) {
    let status = caller.call("debug_status", json!({})).await;
    assert!(!status.is_error && status.text.starts_with("no session is open\n"), "{}", status.text);
}

#[tokio::test]
async fn host_introduces_itself_and_lists_its_tools() {
    let mut caller = Caller::spawn(Start::usual());
    let about = caller.initialize().await;
    assert_eq!(about["protocolVersion"], "2025-06-18");
    assert_eq!(about["serverInfo"]["name"], "dapdock");
    assert_eq!(about["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(about["capabilities"]["tools"].is_object());
    assert!(about["instructions"].as_str().unwrap().contains("debug_launch"));
    let tools = list(&mut caller).await;
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), TOOLS);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint}: {tool}");
        }
    }
    works(&mut caller).await;
}

/// No other process runs before a launch, and the host exits on its own.
#[tokio::test]
async fn idle_host_is_one_process_and_leaves_with_its_caller() {
    let mut caller = Caller::start(Start::usual()).await;
    assert_eq!(caller.mark.alive().len(), 1);
    caller.hang_up();
    assert_eq!(caller.wait_for_exit().await, Some(0));
    caller.mark.wait_until_gone(Duration::from_secs(2), "idle").await;
}

#[tokio::test]
async fn host_without_any_message_exits_cleanly() {
    let mut caller = Caller::spawn(Start::usual());
    caller.hang_up();
    assert_eq!(caller.wait_for_exit().await, Some(0));
}

#[tokio::test]
async fn unknown_tools_and_methods_are_refused_and_the_next_call_works() {
    let mut caller = Caller::start(Start::usual()).await;
    let request = caller.send("tools/call", json!({"name": "debug_lanch", "arguments": {}})).await;
    let error = caller.reply(request).await["error"].clone();
    assert_eq!(error["code"], -32602);
    assert_eq!(error["message"], "there is no tool `debug_lanch`; did you mean `debug_launch`?");
    let request = caller.send("tools/hammer", json!({})).await;
    assert_eq!(caller.reply(request).await["error"]["code"], -32601);
    works(&mut caller).await;
}

#[tokio::test]
async fn breakpoint_written_twice_is_set_once() {
    let mut caller = Caller::start(Start::usual()).await;
    let twice = json!({"set": ["f if x", {"function": "f", "condition": "x"}, "g"]});
    let set = caller.call("debug_breakpoints", twice).await;
    assert_eq!(set.text.lines().next(), Some("2 breakpoints"), "{}", set.text);
}

/// Logs go to standard error, at every level.
#[tokio::test]
async fn loud_logs_stay_off_standard_output() {
    let start = Start { env: vec![("DAPDOCK_LOG", "trace".into())], ..Start::usual() };
    let mut caller = Caller::start(start).await;
    caller.call("debug_launch", json!({"program": "/no/such/program"})).await;
    works(&mut caller).await;
    caller.hang_up();
    assert_eq!(caller.wait_for_exit().await, Some(0));
    assert!(caller.notes.is_empty(), "{:?}", caller.notes);
}
