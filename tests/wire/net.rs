//! `compat:net` with the fake adapter: calls at the same time, bounds, errors, prompts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::faked::{start, write};
use super::protocol::TOOLS;
use crate::caller::{Answer, Caller};

/// The JSON of an answer, which succeeded.
fn good(answer: Answer) -> Value {
    let json: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(json["success"], true, "{json:#}");
    json
}

/// The error of an answer, which names a call.
fn error(answer: &Answer) -> Value {
    let json: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(answer.is_error, "{json:#}");
    assert_eq!(json["success"], false, "{json:#}");
    assert!(json["error"]["details"]["next"].is_string(), "{json:#}");
    json["error"].clone()
}

async fn call(caller: &mut Caller, name: &str, arguments: Value) -> Value {
    good(caller.call(name, arguments).await)
}

#[tokio::test]
async fn exception_breakpoints_set_at_the_same_time_all_stay() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let mut caller = start(&root, &["--toolsets=compat:net"]).await;
    let names: Vec<String> = (0..8).map(|n| format!("Error{n}")).collect();
    let mut calls = Vec::new();
    for name in &names {
        calls.push(caller.begin("breakpoint_set_exception", json!({"exception_type": name})).await);
    }
    let mut ids = BTreeSet::new();
    for call in calls {
        let set = good(caller.answer(call).await);
        ids.insert(set["breakpoint"]["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 8, "{ids:?}");
    let list = call(&mut caller, "breakpoint_list", json!({})).await;
    let types = list["breakpoints"].as_array().unwrap().iter();
    let types: BTreeSet<&str> = types.map(|one| one["exception_type"].as_str().unwrap()).collect();
    assert_eq!(types, names.iter().map(String::as_str).collect(), "{list:#}");
    let ours = caller.call("debug_breakpoints", json!({})).await.text;
    assert!(names.iter().all(|name| ours.contains(name)), "{ours}");

    let mut calls = Vec::new();
    for id in ids.iter().take(7) {
        calls.push(caller.begin("breakpoint_remove", json!({"id": id})).await);
    }
    for call in calls {
        good(caller.answer(call).await);
    }
    let list = call(&mut caller, "breakpoint_list", json!({})).await;
    assert_eq!(list["breakpoints"].as_array().unwrap().len(), 1, "{list:#}");
    let left = list["breakpoints"][0]["exception_type"].as_str().unwrap().to_owned();
    let ours = caller.call("debug_breakpoints", json!({})).await.text;
    let named: Vec<&String> = names.iter().filter(|name| ours.contains(name.as_str())).collect();
    assert_eq!(named, [&left], "{ours}");
}

#[tokio::test]
async fn breakpoint_and_tracepoint_do_not_replace_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut caller = start(&root, &["--toolsets=compat:net"]).await;
    let line = json!({"file": "shop.fake", "line": 3});
    let with_column = json!({"file": "shop.fake", "line": 3, "column": 2});
    let stop = call(&mut caller, "breakpoint_set", line.clone()).await["id"].clone();
    for place in [&line, &with_column] {
        let refused = error(&caller.call("tracepoint_set", place.clone()).await);
        assert_eq!(refused["code"], "place-taken", "{refused:#}");
        let existing = json!({"id": stop, "type": "blocking"});
        assert_eq!(refused["details"]["existing"], existing);
        let next = format!("breakpoint_remove {{\"id\":{stop}}}");
        assert_eq!(refused["details"]["next"], next);
    }
    let id = stop.as_str().unwrap();
    let message = format!("shop.fake:3 has breakpoint {id}, and a debugger keeps one at a place");
    let refused = error(&caller.call("tracepoint_set", line.clone()).await);
    assert_eq!(refused["message"], message);
    // The same kind again changes it.
    let changed = json!({"file": "shop.fake", "line": 3, "condition": "total > 1"});
    assert_eq!(call(&mut caller, "breakpoint_set", changed).await["id"], stop);
    call(&mut caller, "breakpoint_remove", json!({"id": stop})).await;
    let trace = call(&mut caller, "tracepoint_set", line.clone()).await["tracepoint"].clone();
    assert_eq!(
        (&trace["state"], &trace["message"]),
        (&json!("pending"), &json!("pending: it is set when a program starts"),)
    );
    let refused = error(&caller.call("breakpoint_set", line).await);
    assert_eq!(refused["details"]["existing"], json!({"id": trace["id"], "type": "tracepoint"}));
    let list = call(&mut caller, "breakpoint_list", json!({})).await;
    assert_eq!(list["breakpoints"].as_array().unwrap().len(), 1, "{list:#}");
    assert_eq!(list["breakpoints"][0]["type"], "tracepoint", "{list:#}");
}

/// A program that prints 1,000 lines of 100 characters and stops.
async fn launch(caller: &mut Caller, root: &std::path::Path) {
    let line = format!("{}\n", "x".repeat(99));
    let script = json!({
        "source": root.join("shop.fake"),
        "program": [
            {"line": 1, "output": [["stdout", line.repeat(1_000)], ["stderr", "warned\n"]]},
            {"line": 3},
        ],
    });
    let options = json!({"script": script});
    let launch =
        json!({"program": "shop.fake", "options": options, "breakpoints": ["shop.fake:3"]});
    let stop = caller.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint"), "{}", stop.text);
}

#[tokio::test]
async fn output_is_read_part_by_part() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut caller = start(&root, &["--toolsets=compat:net"]).await;
    launch(&mut caller, &root).await;
    let all = call(&mut caller, "process_read_output", json!({})).await;
    let first = all["stdout"].as_str().unwrap().lines().count() as u64;
    assert_eq!((all["stdoutBytes"].as_u64().unwrap(), first), (65_500, 655));
    assert_eq!((&all["stderr"], &all["linesLost"]), (&json!("warned\n"), &json!(0)));
    assert_eq!(all["linesLeft"], 1_000 - 655);
    // Ours reads on from there.
    let next = all["next"].as_str().unwrap();
    let (tool, arguments) = next.split_once(' ').unwrap();
    assert_eq!(tool, "debug_output", "{next}");
    let page = caller.call(tool, serde_json::from_str(arguments).unwrap()).await;
    assert!(!page.is_error && page.text.contains("xxx"), "{}", page.text);

    let clear = json!({"stream": "stdout", "clear": true});
    let (mut lines, mut left) = (0, 1_000);
    let mut next = format!("process_read_output {clear}");
    while left > 0 {
        let arguments = next.split_once(' ').unwrap().1;
        let part = serde_json::from_str(arguments).unwrap();
        let part = call(&mut caller, "process_read_output", part).await;
        let count = part["stdout"].as_str().unwrap().lines().count();
        lines += count;
        left -= count;
        assert_eq!(part["linesLeft"], left, "{lines}");
        next = part["next"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!((lines, next.as_str()), (1_000, ""));
    assert_eq!(call(&mut caller, "process_read_output", clear).await["stdout"], "");
}

/// The names that may follow an error.
async fn names(caller: &mut Caller) -> BTreeSet<String> {
    let request = caller.send("tools/list", json!({})).await;
    let list = caller.reply(request).await["result"]["tools"].clone();
    let listed = list.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
    listed.chain(TOOLS).map(str::to_owned).collect()
}

#[tokio::test]
async fn errors_name_a_call_and_are_no_data() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut caller = start(&root, &["--toolsets=compat:net", "--structured"]).await;
    let known = names(&mut caller).await;
    let mut rows = Vec::new();
    for name in [
        "debug_continue",
        "debug_pause",
        "threads_list",
        "stacktrace_get",
        "variables_get",
        "breakpoint_wait",
        "exception_get_context",
        "process_read_output",
        "debug_disconnect",
    ] {
        rows.push((name, json!({})));
    }
    rows.extend([
        ("debug_launch", json!({"program": "nowhere.fake"})),
        ("debug_attach", json!({"pid": -1})),
        ("debug_step", json!({"mode": "up"})),
        ("breakpoint_set", json!({})),
        ("breakpoint_set", json!({"file": "shop.fake", "line": 0})),
        ("breakpoint_set", json!({"file": "shop.fake"})),
        ("breakpoint_set", json!({"file": "nowhere.fake", "line": 1})),
        ("breakpoint_set", json!({"file": "shop.fake", "line": 1, "hit_count": 0})),
        ("breakpoint_list", json!({"all": true})),
        ("breakpoint_remove", json!({"id": "99"})),
        ("breakpoint_remove", json!({"id": "ex-99"})),
        ("breakpoint_enable", json!({"id": "99"})),
        ("breakpoint_set_exception", json!({"exception_type": "a b"})),
        (
            "breakpoint_set_exception",
            json!({
                "exception_type": "A", "break_on_first_chance": false,
                "break_on_second_chance": false,
            }),
        ),
        ("tracepoint_set", json!({"file": "shop.fake", "line": 900})),
        ("tracepoint_set", json!({"file": "shop.fake"})),
        ("evaluate", json!({"expression": "1"})),
        ("evaluate_safe", json!({"expression": "f()"})),
        ("evaluate_safe", json!({"expression": "x"})),
        ("exception_get_context", json!({"max_frames": 0})),
        ("process_write_input", json!({"data": "x"})),
        ("timeline_query", json!({"maxEvents": "many"})),
    ]);
    for (name, arguments) in rows {
        let request = json!({"name": name, "arguments": arguments});
        let request = caller.send("tools/call", request).await;
        let reply = caller.reply(request).await["result"].clone();
        assert_eq!(reply["isError"], true, "{name} {arguments}: {reply:#}");
        assert_eq!(reply["structuredContent"], Value::Null, "{name}: {reply:#}");
        let text = reply["content"][0]["text"].as_str().unwrap();
        let json: Value = serde_json::from_str(text).unwrap();
        let next = json["error"]["details"]["next"].as_str().unwrap_or_default();
        let tool = next.split(' ').next().unwrap();
        assert!(known.contains(tool), "{name} {arguments}: {json:#}");
        if let Some((_, arguments)) = next.split_once(" {") {
            let json = serde_json::from_str::<Value>(&format!("{{{arguments}"));
            assert!(json.is_ok(), "{name}: {next}");
        }
    }
    let fine = caller.send("tools/call", json!({"name": "breakpoint_list"})).await;
    let fine = caller.reply(fine).await["result"].clone();
    assert_eq!(fine["structuredContent"], json!({"success": true, "breakpoints": []}));
}

#[tokio::test]
async fn prompts_of_the_family_are_listed_while_it_is_on() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut caller = start(&root, &["--toolsets=compat:net"]).await;
    let request = caller.send("prompts/list", json!({})).await;
    let list = caller.reply(request).await["result"]["prompts"].clone();
    let names = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap());
    let names: Vec<&str> = names.collect();
    let of_family =
        ["diagnose_exception", "find_bug_source", "inspect_runtime_state", "trace_data_flow"];
    assert_eq!(names[4..], of_family);
    let arguments = json!({"variable": "total", "program": "shop.fake", "location": "shop.fake:3"});
    let get = json!({"name": "trace_data_flow", "arguments": arguments});
    let request = caller.send("prompts/get", get).await;
    let reply = caller.reply(request).await["result"].clone();
    let text = reply["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("\n1. debug_launch {\"program\": \"shop.fake\"}\n"), "{text}");
    let trace = "\n2. tracepoint_set {\"file\": \"shop.fake\", \"line\": 3, \"log_message\": \
                 \"total={total}\"}\n";
    assert!(text.contains(trace), "{text}");

    let mut caller = start(&root, &[]).await;
    let request = caller.send("prompts/get", json!({"name": "inspect_runtime_state"})).await;
    assert_eq!(caller.reply(request).await["error"]["code"], -32602);
}
