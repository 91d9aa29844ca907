//! `compat:go`: JSON with the documented keys. The harness checks each answer against its schema.

use serde_json::{Value, json};

use super::{has, place, start};
use crate::caller::Answer;
use crate::real::Stage;

/// Calls a tool whose text is its data, and returns the data.
async fn call(stage: &mut Stage, tool: &str, arguments: Value) -> Value {
    let answer = stage.call(tool, arguments).await.good();
    let whole = whole(&answer);
    assert_eq!(whole["status"], "success");
    whole["data"].clone()
}

fn whole(answer: &Answer) -> Value {
    let whole: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(whole, answer.data);
    has(&whole, "status string, data any, context object");
    has(
        &whole["context"],
        "debuggerState any, currentPosition any, localContext any, timestamp string",
    );
    whole
}

fn has_breakpoint(breakpoint: &Value) {
    let keys = "id number, name string, file string, line number, functionName string, \
        condition string, hitCount number";
    has(breakpoint, keys);
}

fn has_start(data: &Value) {
    has(data, "pid number, programName string, commandLine string, buildInfo any");
    assert_eq!(data["stop"]["reason"], "entry", "{data:#}");
}

pub async fn go_names_answer_as_documented(stage: &mut Stage) {
    start(stage, "compat:go").await;
    let program = stage.language.program("cart");
    let data = call(stage, "launch", json!({"program": program, "args": ["two words"]})).await;
    has_start(&data);
    assert_eq!(data["programName"], "cart");
    assert!(data["commandLine"].as_str().unwrap().ends_with(" 'two words'"), "{data:#}");

    let (file, line) = place(stage, "cart", "loop");
    let data = call(stage, "set_breakpoint", json!({"file": file, "line": line})).await;
    has(&data, "breakpoint object, allBreakpoints array");
    has_breakpoint(&data["breakpoint"]);
    assert_eq!(data["breakpoint"]["name"], json!(stage.at("cart", "loop")));
    // Before a stop there, too.
    for function in ["main.totalOf", "totalOf"] {
        let data = call(stage, "list_breakpoints", json!({"function": function})).await;
        assert_eq!(data["allBreakpoints"][0]["id"], 1, "{data:#}");
    }

    let data = call(stage, "continue", json!({})).await;
    assert_eq!((&data["event"], &data["stop"]["breakpoints"]), (&json!("stopped"), &json!([1])));

    let data = call(stage, "list_breakpoints", json!({"file": "main.go", "enabled": true})).await;
    has_breakpoint(&data["allBreakpoints"][0]);
    assert_eq!(data["allBreakpoints"][0]["functionName"], "main.totalOf");
    for none in [json!({"file": "n.go"}), json!({"enabled": false}), json!({"function": "f"})] {
        let data = call(stage, "list_breakpoints", none).await;
        assert_eq!(data["allBreakpoints"], json!([]));
    }
    variables(stage).await;
    steps(stage).await;

    let data = call(stage, "remove_breakpoint", json!({"id": 1})).await;
    has_breakpoint(&data["breakpoint"]);
    assert_eq!((&data["breakpoint"]["id"], &data["allBreakpoints"]), (&json!(1), &json!([])));
    let refused = stage.call("set_breakpoint", json!({"file": file, "line": 1})).await;
    assert_eq!((&whole(&refused)["status"], refused.is_error), (&json!("error"), true));
    has_breakpoint(&refused.data["data"]["breakpoint"]);
    assert_eq!(refused.data["data"]["allBreakpoints"], json!([]));
    let next = refused.data["error"]["next"].as_str().unwrap();
    assert!(next.starts_with("set_breakpoint {") || next == "list_breakpoints", "{next}");
    let list = call(stage, "list_breakpoints", json!({})).await;
    assert_eq!(list["allBreakpoints"], json!([]), "it is not set");

    let data = call(stage, "continue", json!({})).await;
    assert_eq!((&data["event"], &data["exit"]["code"]), (&json!("exited"), &json!(0)));
    let data = call(stage, "get_debugger_output", json!({})).await;
    has(&data, "stdout string, stderr string, outputSummary string");
    assert!(data["stdout"].as_str().unwrap().ends_with("\ntotal 10136\n"), "{data:#}");
    assert_eq!(data["outputSummary"], "6 lines on stdout, 0 on stderr");
    let data = call(stage, "close", json!({})).await;
    has(&data, "exitCode number, summary string");
    assert_eq!(data["exitCode"], 0);
    // A start that fails has no output, nor has it that of the session before.
    let test = json!({"testfile": file.replace("main.go", "main_test.go"), "testname": "TestNone"});
    let failed = whole(&stage.call("debug_test", test).await);
    let output = whole(&stage.call("get_debugger_output", json!({})).await);
    assert_eq!(
        (&output["status"], &output["error"]["code"]),
        (&json!("error"), &failed["error"]["code"])
    );
    let message = output["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the last start failed and printed nothing: no test"), "{message}");
}

async fn variables(stage: &mut Stage) {
    for (tool, arguments) in [
        ("eval_variable", json!({"name": "cart"})),
        ("examine_variable", json!({"name": "cart", "depth": 2, "scope": "local"})),
    ] {
        let data = call(stage, tool, arguments).await;
        has(&data, "variable object, scope object");
        let keys = "name string, type string, value string, children array, location any, \
            flags array";
        has(&data["variable"], keys);
        has(&data["scope"], "function string, file string, line number");
        assert_eq!(data["scope"]["function"], "main.totalOf");
        let items = &data["variable"]["children"][1];
        assert_eq!((&items["name"], &items["type"]), (&json!("items"), &json!("[]main.Item")));
        // One level by default.
        let opened = items["children"].as_array().unwrap().len();
        assert_eq!(opened, if tool == "eval_variable" { 0 } else { 4 }, "{items:#}");
    }
    for arguments in [json!({"name": "main.taxes"}), json!({"name": "taxes", "scope": "package"})] {
        let data = call(stage, "examine_variable", arguments).await;
        assert_eq!(data["variable"]["type"], "map[main.Kind]uint64");
    }
    let absent = json!({"name": "taxes", "scope": "local"});
    stage.call("eval_variable", absent).await.says("`taxes` is not local");
}

async fn steps(stage: &mut Stage) {
    for (tool, kind, function) in [
        ("step_over", "over", "main.totalOf"),
        ("step", "into", "main.tax"),
        ("step_out", "out", "main.totalOf"),
    ] {
        let data = call(stage, tool, json!({})).await;
        has(&data, "stepType string, from object, to object, changedVariables array");
        assert_eq!((&data["stepType"], &data["to"]["function"]), (&json!(kind), &json!(function)));
        has(&data["to"], "file string, line number, function string");
    }
}

/// Builds leave the sources as they are.
pub async fn go_names_build_and_attach(stage: &mut Stage) {
    start(stage, "compat:go").await;
    let source = stage.language.source("cart");
    let directory = crate::caller::root().join(&source).parent().unwrap().to_owned();
    let files = || {
        let all = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name());
        all.collect::<std::collections::BTreeSet<_>>()
    };
    let before = files();
    let data = call(stage, "debug", json!({"file": source, "args": ["x"]})).await;
    has_start(&data);
    let commands = data["buildInfo"]["commands"].to_string();
    assert!(commands.contains("-gcflags=all=-N -l"), "{commands}");
    assert_eq!(call(stage, "close", json!({})).await["exitCode"], -1);

    let test = json!({
        "testfile": source.replace("main.go", "main_test.go"), "testname": "TestTotal",
        "testflags": "-v -count=1",
    });
    let data = call(stage, "debug_test", test).await;
    has_start(&data);
    has(&data, "testFile string, testName string, buildCommand string, buildOutput string");
    assert!(data["buildCommand"].as_str().unwrap().contains(" test -c "), "{data:#}");
    assert_eq!(call(stage, "continue", json!({})).await["exit"]["code"], 0);
    let printed = call(stage, "get_debugger_output", json!({})).await;
    assert!(printed["stdout"].as_str().unwrap().contains("--- PASS: TestTotal"), "{printed:#}");
    call(stage, "close", json!({})).await;
    assert_eq!(files(), before);

    let mut sleeper = super::sleeper(stage).await;
    let data = call(stage, "attach", json!({"pid": sleeper.id()})).await;
    has(&data, "pid number, programName string, commandLine string, buildInfo any");
    let (file, line) = place(stage, "sleeper", "nap");
    call(stage, "set_breakpoint", json!({"file": file, "line": line})).await;
    let data = call(stage, "continue", json!({})).await;
    assert_eq!(data["stop"]["reason"], "breakpoint", "{data:#}");
    assert_eq!(call(stage, "close", json!({})).await["exitCode"], -1);
    assert_eq!(sleeper.try_wait().unwrap(), None, "the process lives on");
    sleeper.kill().await.unwrap();
}

/// A stop that no answer had is the answer of `continue`, once.
pub async fn go_continue_returns_an_undelivered_stop(stage: &mut Stage) {
    start(stage, "compat:go").await;
    call(stage, "launch", json!({"program": stage.language.program("cart")})).await;
    let (file, line) = place(stage, "cart", "loop");
    call(stage, "set_breakpoint", json!({"file": file, "line": line})).await;
    // As a `continue` that answers `running`.
    stage.call("debug_continue", json!({"wait": false})).await.good();
    stage.caller.note(|note| note["method"] == "debugger/breakpointHit").await;
    for hits in [1, 2] {
        let data = call(stage, "continue", json!({})).await;
        assert_eq!(
            (&data["event"], &data["stop"]["breakpoints"]),
            (&json!("stopped"), &json!([1]))
        );
        let list = call(stage, "list_breakpoints", json!({"function": "main.totalOf"})).await;
        assert_eq!(list["allBreakpoints"][0]["hitCount"], hits);
    }
    let data = call(stage, "list_breakpoints", json!({"file": file})).await;
    assert_eq!(data["allBreakpoints"].as_array().unwrap().len(), 1);
    for depth in [1, 3] {
        let data = call(stage, "eval_variable", json!({"name": "cart", "depth": depth})).await;
        let items = data["variable"]["children"][1]["children"].as_array().unwrap();
        assert_eq!(items.is_empty(), depth == 1, "{data:#}");
        let fields = items.first().map(|item| item["children"].as_array().unwrap().is_empty());
        assert_eq!(fields, (depth == 3).then_some(false), "{data:#}");
    }
}

/// Each error says what to call next.
pub async fn go_errors_are_documented(stage: &mut Stage) {
    start(stage, "compat:go").await;
    for (tool, arguments) in [
        ("launch", json!({"program": "nosuch"})),
        ("debug", json!({"file": "nosuch.go"})),
        ("attach", json!({"pid": 4_000_000})),
        ("continue", json!({})),
        ("step", json!({})),
        ("eval_variable", json!({"name": "x"})),
        ("get_debugger_output", json!({})),
        ("close", json!({})),
    ] {
        fails(stage, tool, arguments).await;
    }
    call(stage, "launch", json!({"program": stage.language.program("cart")})).await;
    for (tool, arguments) in [
        ("eval_variable", json!({"name": "nosuch"})),
        ("examine_variable", json!({"name": "taxes", "scope": "local"})),
        ("remove_breakpoint", json!({"id": 7})),
        ("set_breakpoint", json!({"file": "nosuch.go", "line": 1})),
    ] {
        fails(stage, tool, arguments).await;
    }
}

async fn fails(stage: &mut Stage, tool: &str, arguments: Value) {
    let answer = stage.call(tool, arguments).await;
    assert_eq!(whole(&answer)["status"], "error", "{tool}: {}", answer.text);
    let next = answer.data["error"]["next"].as_str().unwrap_or_default();
    assert!(!next.is_empty(), "{tool}: {}", answer.text);
}
