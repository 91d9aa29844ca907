//! The toolset `raw` with the fake adapter: what is sent, what comes back, and what the host sees
//! of the effects.

use std::path::Path;

use serde_json::{Value, json};

use super::faked;
use crate::caller::Caller;

const RAW: [&str; 2] = ["--toolsets", "default,raw"];

/// Launches a script of the fake adapter up to its first place.
async fn launch(caller: &mut Caller, root: &Path, script: Value) {
    launch_with(caller, root, script, json!({})).await;
}

/// The same with a profile.
async fn launch_with(caller: &mut Caller, root: &Path, script: Value, profile: Value) {
    let mut script = script;
    script["source"] = root.join("shop.fake").to_str().into();
    let arguments = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"],
        "options": {"script": script, "profile": profile}, "timeout_s": 50,
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
    for (command, arguments, call) in [
        ("initialize", json!({}), "debug_status"),
        ("launch", json!({}), "debug_targets"),
        ("launch", json!({"program": "a.x"}), "debug_launch {\"program\": \"a.x\"}"),
        ("attach", json!({}), "debug_status"),
        ("attach", json!({"pid": 12}), "debug_attach {\"pid\": 12}"),
        ("continue", json!({"threadId": 1}), "debug_continue"),
        ("stepIn", json!({"threadId": 1}), "debug_step {\"kind\": \"in\"}"),
        ("setBreakpoints", json!({}), "debug_breakpoints"),
        (
            "setBreakpoints",
            json!({
                "source": {"path": "a.x"},
                "breakpoints": [{"line": 3}, {"line": 5, "condition": "n < 0"}],
            }),
            "debug_breakpoints {\"set\": [\"a.x:3\", \"a.x:5 if n < 0\"]}",
        ),
        (
            "setFunctionBreakpoints",
            json!({"breakpoints": [{"name": "main"}]}),
            "debug_breakpoints {\"set\": [\"main\"]}",
        ),
        (
            "setExceptionBreakpoints",
            json!({"filters": []}),
            "debug_breakpoints {\"exceptions\": [\"none\"]}",
        ),
        ("disconnect", json!({}), "debug_stop"),
        ("evaluate", json!({}), "debug_variables"),
        (
            "evaluate",
            json!({"expression": "n + 1"}),
            "debug_evaluate {\"expressions\": [\"n + 1\"]}",
        ),
        (
            "evaluate",
            json!({"expression": "bt", "context": "repl"}),
            "debug_command {\"command\": \"bt\"}",
        ),
        (
            "setVariable",
            json!({"variablesReference": 3, "name": "n", "value": "7"}),
            "debug_set {\"target\": \"n\", \"value\": \"7\"}",
        ),
        ("setExpression", json!({"expression": "n"}), "debug_variables"),
    ] {
        let request = json!({"command": command, "arguments": arguments});
        caller.call("dap_request", request).await.fails(&format!(
            "error[owned-request] dap_request: `{command}` changes what dapdock keeps track of. \
            Try: {call}"
        ));
    }
    let request = json!({"command": "next", "session": "fake-1"});
    caller.call("dap_request", request).await.fails(
        "error[owned-request] dap_request: `next` changes what dapdock keeps track of. \
        Try: debug_step {\"session\": \"fake-1\"}",
    );
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

/// A command language: `do` is written before each command, and `sh[ell]` leaves the debugger.
fn language() -> Value {
    json!({"evaluate": {"commands": {
        "context": "repl", "prefix": "do ", "escapes": ["sh[ell]"], "escape_texts": ["$_shell"],
        "delete": "delete {}",
    }}})
}

async fn command(caller: &mut Caller, command: &str) -> crate::caller::Answer {
    caller.call("debug_command", json!({"command": command, "timeout_s": 0.2})).await
}

/// A host whose fake adapter answers each evaluation with these faults.
async fn with_commands(root: &Path, flags: &[&'static str], faults: Value) -> Caller {
    faked::write(&root.join("shop.fake"));
    let mut caller = faked::start(root, flags).await;
    let program = json!([{"line": 3, "locals": {"do p": "1"}}, {"line": 4}]);
    launch_with(&mut caller, root, json!({"program": program, "faults": faults}), language()).await;
    caller
}

#[tokio::test]
async fn output_of_a_command_is_returned_whole() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let output = "one\n\ttwo\n\nthree\n";
    let faults = json!([{"on": "evaluate", "answer": {"result": output, "variablesReference": 0}}]);
    let mut caller = with_commands(&root, &RAW, faults).await;
    assert_eq!(command(&mut caller, "print x").await.text, "one\n\ttwo\n\nthree");
    let log = caller.call("debug_status", json!({"detail": "log"})).await.text;
    assert!(log.contains("command: do print x"), "{log}");
    // The program did not move.
    let status = caller.call("debug_status", json!({})).await.text;
    assert!(status.contains("shop.fake:3"), "{status}");
}

#[tokio::test]
async fn command_that_leaves_the_debugger_needs_the_flag() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let faults = json!([{"on": "evaluate", "answer": {"result": "ran", "variablesReference": 0}}]);
    let mut caller = with_commands(&root, &RAW, faults.clone()).await;
    let refusal = |word: &str| {
        format!(
            "error[leaves-debugger] `{word}` leaves the debugger, which is not allowed. Try: start \
            dapdock mcp with --allow-shell (`allow_shell = true` below `[mcp]` in dapdock.toml)"
        )
    };
    command(&mut caller, "shel ls").await.fails(&refusal("shel"));
    command(&mut caller, "do sh ls").await.fails(&refusal("sh"));
    let condition = json!({"command": "modules", "arguments": {"x": ["$_shell(\"ls\")"]}});
    caller.call("dap_request", condition).await.fails(&refusal("$_shell"));
    command(&mut caller, "p 1\nshell ls").await.fails(
        "error[bad-argument] a command is one line. Try: debug_command {\"command\": \"help\", \
        \"timeout_s\": 0.2}",
    );
    let log = caller.call("debug_status", json!({"detail": "log"})).await.text;
    assert!(!log.contains(" ls"), "{log}");

    let flags = ["--toolsets", "default,raw", "--allow-shell"];
    let mut caller = with_commands(&root, &flags, faults).await;
    assert_eq!(command(&mut caller, "shell ls").await.text, "ran");
    assert!(command(&mut caller, "p 1\nshell ls").await.is_error, "never several lines");
}

#[tokio::test]
async fn breakpoints_of_commands_are_listed_and_left_to_them() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let breakpoint = json!({
        "id": 77, "verified": true, "line": 4, "source": {"path": root.join("shop.fake")},
    });
    let event = json!({"reason": "new", "breakpoint": breakpoint});
    let faults = json!([
        {"on": "evaluate", "answer": {"result": "", "variablesReference": 0}},
        {"on": "evaluate", "emit": ["breakpoint", event]},
        {"on": "modules", "answer": {}},
        {"on": "modules", "emit": ["breakpoint", {"reason": "removed", "breakpoint": {"id": 77}}]},
    ]);
    let mut caller = with_commands(&root, &RAW, faults).await;
    assert_eq!(command(&mut caller, "break 4").await.text, "done; no output");
    let list = caller.call("debug_breakpoints", json!({})).await.text;
    let wanted = " shop.fake:4 · set by a command, as breakpoint 77 of the debugger";
    let line = list.lines().find(|line| line.ends_with(wanted)).unwrap_or_else(|| panic!("{list}"));
    let number = line.trim().split(' ').next().unwrap().to_owned();
    caller.call("debug_breakpoints", json!({"remove": [number]})).await.fails(&format!(
        "error[set-by-command] {number} was set by a command of the debugger. Try: debug_command \
        {{\"command\": \"delete 77\"}}"
    ));
    caller.call("debug_breakpoints", json!({"clear": true})).await;
    let list = caller.call("debug_breakpoints", json!({})).await.text;
    assert!(list.starts_with("1 breakpoint\n") && list.contains(wanted), "{list}");
    request(&mut caller, "modules").await;
    // The event follows the answer.
    while !caller.call("debug_breakpoints", json!({})).await.text.starts_with("no breakpoints") {}
}

#[tokio::test]
async fn command_that_resumes_shows_the_state() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let faults = json!([
        {"on": "evaluate", "answer": {"result": "Continuing.", "variablesReference": 0}},
        {"on": "evaluate", "emit": ["continued", {"threadId": 1}]},
    ]);
    let mut caller = with_commands(&root, &RAW, faults).await;
    let ran = command(&mut caller, "continue").await.text;
    assert!(ran.starts_with("Continuing.\n▶ running"), "{ran}");
}

#[tokio::test]
async fn command_without_an_answer_still_runs() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = with_commands(&root, &RAW, json!([{"on": "evaluate", "silent": null}])).await;
    let ran = command(&mut caller, "loop").await.text;
    assert!(ran.starts_with("it still runs; debug_status detail=log has its output"), "{ran}");
    let busy = command(&mut caller, "p").await;
    assert!(busy.text.starts_with("error[busy] "), "{}", busy.text);
}

#[tokio::test]
async fn adapter_without_commands_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    faked::write(&root.join("shop.fake"));
    let mut caller = faked::start(&root, &RAW).await;
    let (script, profile) =
        (json!({"program": [{"line": 3}]}), json!({"evaluate": {"commands": null}}));
    launch_with(&mut caller, &root, script, profile).await;
    command(&mut caller, "help").await.fails(
        "error[unsupported] fake has no command language. Try: debug_status {\"detail\": \
        \"capabilities\"}",
    );
}
