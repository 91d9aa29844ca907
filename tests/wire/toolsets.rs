//! The tools of a host by flags and configuration: what is listed, and what a call of the others
//! says.

use std::path::Path;

use serde_json::{Value, json};

use super::protocol::TOOLS;
use crate::caller::{Caller, Start};

const READS: [&str; 7] = [
    "debug_exception",
    "debug_output",
    "debug_stack",
    "debug_status",
    "debug_targets",
    "debug_variables",
    "debug_wait",
];

const CONTINUE: &str = "debug_continue";

/// The toolset `compat:rust`.
const RUST: [&str; 6] = [
    CONTINUE,
    "debug_get_variables",
    "debug_launch",
    "debug_set_breakpoint",
    "debug_step_over",
    "debug_terminate",
];

/// The toolset `compat:gdb`.
const GDB: [&str; 4] = ["call", "close", "list_sessions", "open"];

async fn start(flags: &[&'static str]) -> Caller {
    Caller::start(Start { flags: flags.to_vec(), ..Start::usual() }).await
}

async fn listed(caller: &mut Caller) -> Vec<Value> {
    let request = caller.send("tools/list", json!({})).await;
    caller.reply(request).await["result"]["tools"].as_array().unwrap().clone()
}

async fn names(caller: &mut Caller) -> Vec<String> {
    let tools = listed(caller).await;
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn without<'a>(names: &[&'a str], name: &str) -> Vec<&'a str> {
    names.iter().copied().filter(|other| *other != name).collect()
}

#[track_caller]
fn with<'a>(names: &[&'a str], name: &'a str) -> Vec<&'a str> {
    let mut all = [names, &[name]].concat();
    all.sort_unstable();
    all
}

#[tokio::test]
async fn flags_choose_the_tools() {
    let rows: [(&[&str], &[&str]); 17] = [
        (&[], &TOOLS),
        (&["--toolsets", "default"], &TOOLS),
        (&["--tools", "debug_status,debug_launch"], &["debug_launch", "debug_status"]),
        (&["--tools", "debug_set", "--tools", "debug_set"], &["debug_set"]),
        (&["--toolsets=default", "--tools=debug_set"], &TOOLS),
        (&["--toolsets=raw"], &["dap_request", "debug_command"]),
        (&["--exclude-tools", "debug_set"], &without(&TOOLS, "debug_set")),
        (&["--read-only"], &READS),
        (&["--read-only=false"], &TOOLS),
        (&["--toolsets=compat:rust"], &RUST),
        (
            &["--toolsets=compat:rust", "--tools=debug_continue,debug_set"],
            &with(&RUST, "debug_set"),
        ),
        (&["--toolsets=compat:rust", "--exclude-tools=debug_continue"], &without(&RUST, CONTINUE)),
        (&["--toolsets=compat:rust", "--read-only"], &["debug_get_variables"]),
        (&["--toolsets=compat:gdb"], &GDB),
        (&["--toolsets=compat:gdb", "--read-only"], &["list_sessions"]),
        (&["--tools=debug_step_over"], &["debug_step_over"]),
        (
            &[
                "--read-only",
                "--slim",
                "--tools=debug_stack,debug_wait,debug_set",
                "--exclude-tools=debug_wait",
            ],
            &["debug_stack"],
        ),
    ];
    for (flags, expect) in rows {
        assert_eq!(names(&mut start(flags).await).await, expect, "{flags:?}");
    }
}

#[tokio::test]
async fn read_only_tools_have_the_hint() {
    for tool in listed(&mut start(&["--read-only"]).await).await {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
}

#[tokio::test]
async fn slim_list_is_small_and_its_tools_work() {
    let mut caller = start(&["--slim"]).await;
    let tools = listed(&mut caller).await;
    let size = json!({"tools": tools}).to_string().len();
    assert!(size <= 2_500, "{size} bytes");
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    for tool in &tools {
        assert_eq!(tool["inputSchema"], json!({"type": "object"}), "{tool}");
    }
    let step = "Step: kind=in|over|out|back, count, granularity=line|statement|instruction, \
        thread, into";
    assert_eq!(tools[12]["description"], step);
    let set = "Set and list breakpoints: set[], remove[], enable[], disable[], exceptions[], clear";
    assert_eq!(tools[1]["description"], set);
    let status = caller.call("debug_status", json!({"detail": "adapters"})).await;
    assert!(!status.is_error && status.text.contains("debugpy"), "{}", status.text);
    caller.call("debug_step", json!({"kind": "ni"})).await.fails(
        "error[bad-argument] debug_step: `kind` must be one of in, over, out, back, got \"ni\". \
        Try: debug_step {\"kind\": \"over\"}",
    );
}

#[tokio::test]
async fn tool_of_another_toolset_names_the_toolset() {
    let mut caller = start(&[]).await;
    caller.call("dap_request", json!({"command": "threads"})).await.fails(
        "error[tool-off] dap_request is off; to have it, start dapdock mcp with --toolsets \
        default,raw (`mcp.toolsets` in dapdock.toml). Try: debug_status",
    );
    let request = caller.send("tools/call", json!({"name": "dap_reqest"})).await;
    assert_eq!(
        caller.reply(request).await["error"]["message"],
        "there is no tool `dap_reqest`; did you mean `dap_request`?"
    );
}

/// The list of a family and ours: a family's tool replaces ours of the same name.
#[tokio::test]
async fn family_replaces_names_of_ours() {
    let mut caller = start(&["--toolsets=default,compat:rust"]).await;
    let mut all = [&TOOLS[..], &RUST].concat();
    all.sort_unstable();
    all.dedup();
    let tools = listed(&mut caller).await;
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, all);
    let launch = tools.iter().find(|tool| tool["name"] == "debug_launch").unwrap();
    let arguments: Vec<_> =
        launch["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(arguments, ["program", "cwd"]);
}

/// The texts of our tools name our tools.
#[tokio::test]
async fn our_tools_are_callable_while_a_family_is_on() {
    let mut caller = start(&["--toolsets=compat:rust"]).await;
    caller.call("debug_status", json!({})).await.says("no session");
    // These arguments are only ours.
    let launch = caller.call("debug_launch", json!({"command": ""})).await;
    launch.fails("error[bad-argument] debug_launch: `command` is empty. Try: debug_targets");
    // These fit neither: the error is of the listed tool.
    let launch = caller.call("debug_launch", json!({"program": "a", "cwdd": "b"})).await;
    launch.fails(
        "error[bad-argument] debug_launch has no argument `cwdd`; did you mean `cwd`? Try: \
        debug_launch {\"program\": \"a\", \"cwd\": \"b\"}",
    );
    let mut caller = start(&["--toolsets=compat:rust", "--exclude-tools=debug_stack"]).await;
    caller.call("debug_stack", json!({})).await.says("without debug_stack in --exclude-tools");
    caller.call("dap_request", json!({"command": "threads"})).await.says("compat:rust,raw");
}

#[tokio::test]
async fn name_of_a_family_that_is_off_leads_to_our_tool() {
    let mut caller = start(&[]).await;
    let set = caller.call("debug_set_breakpoint", json!({"file": "a.x", "line": 3})).await;
    set.fails(
        "error[tool-off] debug_set_breakpoint is off; to have it, start dapdock mcp with \
        --toolsets default,compat:rust (`mcp.toolsets` in dapdock.toml). Try: debug_breakpoints \
        {\"set\": [{\"file\": \"a.x\", \"line\": 3}]}",
    );
    let set = caller.call("set_breakpoint", json!({"file": "a.x", "line": 3})).await;
    set.says("--toolsets default,compat:go (");
    set.says("Try: debug_breakpoints {\"set\": [{\"file\": \"a.x\", \"line\": 3}]}");
    let close = caller.call("close", json!({})).await;
    close.says("with --toolsets default,compat:gdb (`mcp.toolsets` in dapdock.toml) or with ");
    close.says("or with --toolsets default,compat:go (");
    close.says("Try: debug_stop");
    let request = caller.send("tools/call", json!({"name": "get_debuger_output"})).await;
    assert_eq!(
        caller.reply(request).await["error"]["message"],
        "there is no tool `get_debuger_output`; did you mean `get_debugger_output`?"
    );
    // Neither may be called.
    let mut caller = start(&["--tools=debug_wait"]).await;
    caller.call("debug_terminate", json!({})).await.fails(
        "error[tool-off] debug_terminate is off. Try: start dapdock mcp with debug_terminate added \
        to --tools (`mcp.tools` in dapdock.toml)",
    );
}

#[tokio::test]
async fn tool_that_is_off_says_how_it_is_had() {
    let rows: [(&[&str], &str, Option<&str>); 5] = [
        (
            &["--exclude-tools", "debug_set"],
            "without debug_set in --exclude-tools (`mcp.exclude_tools` in dapdock.toml)",
            Some("debug_status"),
        ),
        (
            &["--read-only"],
            "without --read-only (`mcp.read_only` in dapdock.toml)",
            Some("debug_status"),
        ),
        (
            &["--tools", "debug_targets"],
            "with debug_set added to --tools (`mcp.tools` in dapdock.toml)",
            Some("debug_targets"),
        ),
        // No call works without a session.
        (
            &["--tools", "debug_wait"],
            "with debug_set added to --tools (`mcp.tools` in dapdock.toml)",
            None,
        ),
        (
            &["--tools", "debug_wait", "--read-only"],
            "with debug_set added to --tools (`mcp.tools` in dapdock.toml) and without --read-only \
            (`mcp.read_only` in dapdock.toml)",
            None,
        ),
    ];
    for (flags, way_on, next) in rows {
        let set = start(flags).await.call("debug_set", json!({"target": "a", "value": "1"})).await;
        let way_on = format!("start dapdock mcp {way_on}");
        set.fails(&match next {
            Some(next) => {
                format!("error[tool-off] debug_set is off; to have it, {way_on}. Try: {next}")
            }
            None => format!("error[tool-off] debug_set is off. Try: {way_on}"),
        });
    }
}

/// A host whose only configuration is this file.
async fn configured(dir: &Path, text: &str, flags: &[&'static str]) -> Caller {
    let config = dir.join("config.toml");
    std::fs::write(&config, text).unwrap();
    Caller::start(Start { config, flags: flags.to_vec(), ..Start::usual() }).await
}

#[tokio::test]
async fn configuration_chooses_and_flags_are_stronger() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[mcp]\ntools = [\"debug_wait\", \"debug_set\"]\nexclude_tools = []\nslim = true\n\
                read_only = true\n";
    let rows: [(&[&str], &[&str]); 4] = [
        (&[], &["debug_wait"]),
        (&["--tools", "debug_stack"], &["debug_stack"]),
        (&["--read-only=false"], &["debug_set", "debug_wait"]),
        (&["--exclude-tools", "debug_set", "--read-only=false"], &["debug_wait"]),
    ];
    for (flags, expect) in rows {
        let mut caller = configured(dir.path(), text, flags).await;
        let tools = listed(&mut caller).await;
        assert!(tools.iter().all(|tool| tool["inputSchema"] == json!({"type": "object"})));
        assert_eq!(names(&mut caller).await, expect, "{flags:?}");
    }
}

/// A mistake elsewhere hides `[mcp]` at the start. Once it is corrected, no session opens with
/// other tools than `[mcp]` chooses.
#[tokio::test]
async fn choice_that_was_not_read_at_the_start_opens_no_session() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = configured(dir.path(), "limit = 1\n[mcp]\nread_only = true\n", &[]).await;
    assert_eq!(names(&mut caller).await, TOOLS);
    let launch = caller.call("debug_launch", json!({"program": "x.py"})).await;
    assert!(launch.text.contains("unknown key `limit`"), "{}", launch.text);
    std::fs::write(dir.path().join("config.toml"), "[mcp]\nread_only = true\n").unwrap();
    caller.call("debug_launch", json!({"program": "x.py"})).await.fails(
        "error[config] `[mcp]` is not the one that chose the tools at the start of dapdock; start \
        dapdock again. Try: correct the file; the next call reads it again",
    );
}

#[tokio::test]
async fn wrong_choice_ends_the_host() {
    for flags in [["--tools", "debug_sett"], ["--toolsets", "defualt"]] {
        let mut caller = Caller::spawn(Start { flags: flags.to_vec(), ..Start::usual() });
        assert_eq!(caller.wait_for_exit().await, Some(1));
    }
}
