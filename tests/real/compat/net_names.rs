//! `compat:net`: every name with its documented arguments, and its answer key by key.

use serde_json::{Value, json};

use super::shape::fits;
use super::{place, start};
use crate::real::Stage;

/// Calls a name; its answer has `success` and this form.
pub(super) async fn call(stage: &mut Stage, name: &str, arguments: Value, form: Value) -> Value {
    let answer = stage.call(name, arguments).await.good();
    let answer: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(answer["success"], true, "{answer:#}");
    fits(&answer, &form);
    answer
}

/// Calls a name; returns its documented error, which names a call.
pub(super) async fn fails(stage: &mut Stage, name: &str, arguments: Value) -> Value {
    let answer = stage.call(name, arguments).await;
    assert!(answer.is_error, "{}", answer.text);
    let answer: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(answer["success"], false, "{answer:#}");
    let details = json!({"next": "string"});
    fits(&answer["error"], &json!({"code": "string", "message": "string", "details": details}));
    answer["error"].clone()
}

pub(super) fn location() -> Value {
    json!({
        "file": "string", "line": "integer", "column": "integer?", "functionName": "string",
        "moduleName": "string?",
    })
}

/// The documented session, paused or not.
pub(super) fn session(state: &str) -> Value {
    let is_paused = state == "paused";
    json!({
        "processId": "integer", "processName": "string", "executablePath": "string?",
        "runtimeVersion": "string?", "state": format!("={state}"), "launchMode": "=launch",
        "attachedAt": "string", "commandLineArgs": ["string"], "workingDirectory": "string",
        "pauseReason": if is_paused { "string" } else { "string?" },
        "location": if is_paused { location() } else { json!("object?") },
        "activeThreadId": if is_paused { "integer" } else { "integer?" },
    })
}

pub(super) fn threads() -> Value {
    json!([{
        "id": "integer", "name": "string", "state": "string", "isCurrent": "boolean",
        "location": location(),
    }])
}

fn at() -> Value {
    json!({"file": "string?", "line": "integer?"})
}

pub(super) fn variables() -> Value {
    json!({"variables": [{
        "name": "string", "type": "string?", "value": "string", "scope": "string",
        "has_children": "boolean", "children_count": "integer?", "path": "string",
    }]})
}

pub(super) fn breakpoint_set() -> Value {
    json!({"id": "string", "verified": "boolean", "location": at(), "message": "string?"})
}

/// The names of an answer's variables.
pub(super) fn names(answer: &Value) -> Vec<&str> {
    let list = answer["variables"].as_array().unwrap();
    list.iter().map(|one| one["name"].as_str().unwrap()).collect()
}

pub async fn net_names_answer_as_documented(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let program = stage.language.program("cart");
    let idle = call(stage, "debug_state", json!({}), json!({"state": "=disconnected"})).await;
    assert_eq!(idle["session"], Value::Null);
    let (file, tax) = place(stage, "cart", "tax");
    let early = json!({"file": file, "line": tax, "condition": "net > 1000"});
    let early = call(stage, "breakpoint_set", early, breakpoint_set()).await;
    assert_eq!(early["verified"], false, "{early:#}");
    assert!(early["message"].as_str().unwrap().starts_with("pending"), "{early:#}");

    let launch = json!({
        "program": program, "args": ["one", "two words"], "cwd": crate::caller::root(),
        "env": {"NAME": "value"}, "stopAtEntry": true, "timeout": 50_000,
    });
    let entry =
        call(stage, "debug_launch", launch.clone(), json!({"session": session("paused")})).await;
    assert_eq!(entry["session"]["pauseReason"], "entry");
    assert_eq!(entry["session"]["commandLineArgs"], json!(["one", "two words"]));
    assert_eq!(fails(stage, "debug_launch", launch).await["code"], "session-active");
    breakpoints(stage, &file).await;

    let running = json!({"session": session("running")});
    call(stage, "debug_continue", json!({"timeout": 30_000}), running).await;
    let hit = json!({
        "breakpoint_id": "string", "thread_id": "integer", "hit_count": "integer", "location": {
            "file": "string", "line": "integer", "column": "integer?", "function": "string",
            "module": "string?",
        },
    });
    let wait = json!({"timeout_ms": 30_000, "breakpoint_id": early["id"]});
    let hit = call(stage, "breakpoint_wait", wait, hit).await;
    assert_eq!((&hit["hit"], &hit["breakpoint_id"]), (&json!(true), &early["id"]), "{hit:#}");
    assert_eq!((&hit["location"]["line"], &hit["hit_count"]), (&json!(tax), &json!(1)));
    let waited = json!({"hit": "boolean", "reason": "=paused", "message": "string"});
    call(stage, "breakpoint_wait", json!({}), waited).await;
    stops(stage, early["id"].as_str().unwrap()).await;
    reads(stage).await;

    let step = json!({"mode": "over", "timeout": 30_000});
    let stepped = json!({"stepMode": "=over", "session": session("paused")});
    let stepped = call(stage, "debug_step", step, stepped).await;
    assert_eq!(stepped["session"]["pauseReason"], "step");
    let output = json!({
        "stdout": "string", "stderr": "string", "stdoutBytes": "integer", "stderrBytes": "integer",
    });
    let read = json!({"stream": "both", "clear": true});
    let printed = call(stage, "process_read_output", read.clone(), output.clone()).await;
    let stdout = printed["stdout"].as_str().unwrap();
    assert!(stdout.starts_with("Grüße, 世界\n"), "{stdout}");
    assert_eq!(printed["stdoutBytes"], stdout.len());
    assert_eq!(call(stage, "process_read_output", read, output).await["stdout"], "");

    let ended =
        json!({"state": "=disconnected", "wasTerminated": "boolean", "previousSession": "object"});
    let ends = json!({"terminateProcess": true});
    let ended = call(stage, "debug_disconnect", ends, ended).await;
    assert_eq!(ended["wasTerminated"], true);
    fits(&ended["previousSession"], &session("paused"));
    // The hits stay until the next launch.
    let list = call(stage, "breakpoint_list", json!({}), json!({})).await;
    let early = list["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == early["id"]);
    assert_eq!(early.unwrap()["hit_count"], 1, "{list:#}");
}

/// Breakpoints of all kinds, and a line without code.
async fn breakpoints(stage: &mut Stage, file: &str) {
    let error = fails(stage, "breakpoint_set", json!({"file": file, "line": 2})).await;
    assert_eq!(error["details"]["requestedLine"], 2, "{error:#}");
    fits(&error["details"], &json!({"nearestValidLine": "integer?"}));
    let (_, add) = place(stage, "cart", "add");
    let set = json!({"file": file, "line": add, "column": 9, "hit_count": 50});
    let set = call(stage, "breakpoint_set", set, breakpoint_set()).await;
    assert_eq!(set["verified"], true, "{set:#}");
    assert_eq!(set["location"]["line"], add);
    let id = set["id"].clone();
    let again = json!({"file": file, "line": add, "column": 9, "condition": "False"});
    let again = call(stage, "breakpoint_set", again, breakpoint_set()).await;
    assert_eq!(again["id"], id);
    let replaces = format!(
        "this replaces breakpoint {} with the condition `50`, which was here: a debugger keeps one \
         at a place",
        id.as_str().unwrap()
    );
    assert_eq!(again["message"], replaces);

    let enabled = json!({"breakpoint": {
        "id": "string", "location": at(), "state": "=disabled", "enabled": "boolean",
        "verified": "boolean", "hitCount": "integer",
    }});
    let disable = json!({"id": id, "enabled": false});
    let disabled = call(stage, "breakpoint_enable", disable, enabled).await;
    assert_eq!(disabled["breakpoint"]["enabled"], false);
    let bound = json!({"breakpoint": {"state": "=bound", "enabled": "boolean"}});
    call(stage, "breakpoint_enable", json!({"id": id}), bound).await;

    let function = json!({"function": stage.function("cart", "total_of"), "log_message": "hit"});
    let function = call(stage, "breakpoint_set", function, breakpoint_set()).await["id"].clone();
    let list = json!({"breakpoints": [{
        "id": "string", "verified": "boolean", "enabled": "boolean", "file": "string?",
        "line": "integer?", "hit_count": "integer", "condition": "string?", "type": "string",
    }]});
    let all = call(stage, "breakpoint_list", json!({}), list).await;
    assert_eq!(all["breakpoints"].as_array().unwrap().len(), 3, "{all:#}");
    let of_function =
        all["breakpoints"].as_array().unwrap().iter().find(|one| one["id"] == function);
    let of_function = of_function.unwrap()["file"].as_str();
    assert!(of_function.is_some_and(|path| path.ends_with(file)), "{all:#}");
    for id in [id, function] {
        call(stage, "breakpoint_remove", json!({"id": id}), json!({"id": "string"})).await;
    }
    for tool in [("breakpoint_remove", "id"), ("breakpoint_wait", "breakpoint_id")] {
        let error = fails(stage, tool.0, json!({tool.1: "99"})).await;
        assert_eq!(error["code"], "unknown-breakpoint", "{error:#}");
        assert!(error["message"].as_str().unwrap().contains("99"), "{error:#}");
    }
    let error = fails(stage, "exception_get_context", json!({})).await;
    assert_eq!(
        (&error["code"], &error["details"]["next"]),
        (&json!("no-exception"), &json!("debug_stack"))
    );
    let note = "debug_breakpoints `exceptions` chooses what stops the program";
    assert_eq!(error["details"]["note"], note);
}

/// The program is at the breakpoint in `tax`.
async fn stops(stage: &mut Stage, id: &str) {
    let state = json!({"state": "=paused", "session": session("paused")});
    let state = call(stage, "debug_state", json!({}), state).await;
    assert_eq!(state["session"]["pauseReason"], "breakpoint", "{id}");
    let thread = state["session"]["activeThreadId"].clone();
    let paused = json!({"state": "=already_paused", "threads": threads()});
    call(stage, "debug_pause", json!({}), paused).await;
    call(stage, "threads_list", json!({}), json!({"threads": threads()})).await;
    let frames = json!({"thread_id": "integer", "total_frames": "integer", "frames": [{
        "index": "integer", "function": "string", "module": "string?", "isExternal": "boolean",
        "location": location(),
    }]});
    let all = json!({"thread_id": thread});
    let stack = call(stage, "stacktrace_get", all, frames.clone()).await;
    assert_eq!(stack["frames"][0]["function"], stage.function("cart", "tax"));
    let page = json!({"start_frame": 1, "max_frames": 1, "include_raw": true});
    let page = call(stage, "stacktrace_get", page, frames).await;
    assert_eq!(page["frames"].as_array().unwrap().len(), 1, "{page:#}");
    assert_eq!(page["frames"][0]["function"], stage.function("cart", "total_of"));
    fits(&page["frames"][0], &json!({"raw": {"address": "string?"}}));
}

/// Variables and expressions of the stop in `tax`.
async fn reads(stage: &mut Stage) {
    let all = call(stage, "variables_get", json!({"scope": "all"}), variables()).await;
    assert!(names(&all).contains(&"net"), "{all:#}");
    let outer = json!({"frame_index": 1, "scope": "locals"});
    let outer = call(stage, "variables_get", outer, variables()).await;
    assert!(names(&outer).contains(&"total"), "{outer:#}");
    let item = call(stage, "variables_get", json!({"expand": "item"}), variables()).await;
    let price = item["variables"].as_array().unwrap().iter().find(|one| one["name"] == "price");
    assert_eq!(price.unwrap()["path"], "item.price", "{item:#}");
    assert_eq!(
        fails(stage, "variables_get", json!({"expand": "nowhere"})).await["code"],
        "no-such-variable"
    );

    let value = json!({"value": "string", "type": "string?", "has_children": "boolean"});
    let sum = json!({"expression": "net + 1", "frame_index": 0, "timeout_ms": 5_000});
    let sum = call(stage, "evaluate", sum, value).await;
    assert_eq!(sum["value"], "1991", "{sum:#}");
    let error = fails(stage, "evaluate", json!({"expression": "nowhere"})).await;
    assert_eq!(error["code"], "evaluation-failed", "{error:#}");
    for (expression, expect) in [("item.price", "1990"), ("net * 2", "3980")] {
        let safe = json!({"expression": expression, "frame_index": 0, "timeout_ms": 5_000});
        let value = json!({"value": "string", "type": "string?", "has_children": "boolean"});
        assert_eq!(call(stage, "evaluate_safe", safe, value).await["value"], expect);
    }
    let unsafe_call = json!({"expression": "tax(item, net)"});
    assert_eq!(fails(stage, "evaluate_safe", unsafe_call).await["code"], "unsafe");
}

/// Tracepoints, exceptions, the timeline, input, and what a wait leaves to the next one.
pub async fn net_events_stay_readable(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let exception = json!({
        "exception_type": "KeyError", "break_on_first_chance": true,
        "break_on_second_chance": true, "include_subtypes": false,
    });
    let set = json!({"breakpoint": {
        "id": "string", "exceptionType": "=KeyError", "breakOnFirstChance": "boolean",
        "breakOnSecondChance": "boolean", "includeSubtypes": "boolean", "enabled": "boolean",
        "verified": "boolean", "hitCount": "integer",
    }});
    let exception = call(stage, "breakpoint_set_exception", exception, set).await;
    let exception = exception["breakpoint"]["id"].clone();
    let launch = json!({"program": stage.language.program("cart"), "args": ["fail"]});
    call(stage, "debug_launch", launch, json!({"session": session("paused")})).await;

    let (file, add) = place(stage, "cart", "add");
    let trace = json!({
        "file": file, "line": add, "column": 9, "log_message": "{{{net}}} {nowhere}",
        "hit_count_multiple": 2, "max_notifications": 1,
    });
    let traced = json!({"tracepoint": {
        "id": "string", "type": "=tracepoint", "location": at(), "state": "=bound",
        "enabled": "boolean", "logMessage": "string", "hitCountMultiple": "integer",
        "maxNotifications": "integer",
    }});
    let traced = call(stage, "tracepoint_set", trace, traced).await["tracepoint"]["id"].clone();
    let mut set = Vec::new();
    for mark in ["loop", "total"] {
        let (file, line) = place(stage, "cart", mark);
        let one = json!({"file": file, "line": line});
        set.push(call(stage, "breakpoint_set", one, breakpoint_set()).await["id"].clone());
    }

    call(stage, "debug_continue", json!({}), json!({})).await;
    let total = json!({"breakpoint_id": set[1], "timeout_ms": 30_000});
    let other = json!({"hit": "boolean", "reason": "=other_breakpoint", "message": "string"});
    call(stage, "breakpoint_wait", total.clone(), other).await;
    let left = call(stage, "breakpoint_wait", json!({}), json!({})).await;
    assert_eq!((&left["hit"], &left["breakpoint_id"]), (&json!(true), &set[0]), "{left:#}");
    call(stage, "breakpoint_remove", json!({"id": set[0]}), json!({})).await;
    call(stage, "debug_continue", json!({}), json!({})).await;
    let hit = call(stage, "breakpoint_wait", total, json!({})).await;
    assert_eq!((&hit["hit"], &hit["breakpoint_id"]), (&json!(true), &set[1]), "{hit:#}");
    timeline(stage).await;
    let list = call(stage, "breakpoint_list", json!({}), json!({})).await;
    let listed = |id: &Value| {
        let all = list["breakpoints"].as_array().unwrap();
        all.iter().find(|one| one["id"] == *id).unwrap_or_else(|| panic!("{list:#}")).clone()
    };
    assert_eq!(listed(&traced)["enabled"], false);
    assert_eq!(listed(&exception)["type"], "exception");
    call(stage, "breakpoint_remove", json!({"id": exception}), json!({"id": "string"})).await;
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;
    input(stage).await;
}

/// The second hit of the tracepoint was printed, and no other.
async fn timeline(stage: &mut Stage) {
    let events = json!({
        "events": [{
            "eventId": "integer", "eventType": "string", "timestamp": "string",
            "threadId": "integer?", "payload": "object",
        }],
        "totalEvents": "integer", "eventsDropped": "integer",
    });
    let texts = json!({"eventTypes": ["tracepointHit"], "maxEvents": 200});
    let texts = call(stage, "timeline_query", texts, events.clone()).await;
    assert_eq!(texts["totalEvents"], 1, "{texts:#}");
    assert_eq!(texts["events"][0]["payload"]["logMessage"], "{1990} <error: NameError>");
    let from = texts["events"][0]["eventId"].clone();
    let all = json!({"fromEventId": from, "maxEvents": 2});
    let all = call(stage, "timeline_query", all, events.clone()).await;
    assert_eq!(all["events"].as_array().unwrap().len(), 2, "{all:#}");
    assert_eq!(all["events"][0]["eventId"], from, "{all:#}");
    let none = call(stage, "timeline_query", json!({"threadId": 4711}), events).await;
    assert_eq!(none["totalEvents"], 0, "{none:#}");
}

async fn input(stage: &mut Stage) {
    let program = json!({"program": stage.language.program("stdin")});
    call(stage, "debug_launch", program, json!({})).await;
    let written = json!({"bytesWritten": "integer", "stdinClosed": "boolean"});
    let first = call(stage, "process_write_input", json!({"data": "ä\n"}), written.clone()).await;
    assert_eq!((&first["bytesWritten"], &first["stdinClosed"]), (&json!(3), &json!(false)));
    let running = json!({"session": session("running")});
    call(stage, "debug_continue", json!({}), running).await;
    let rest = json!({"data": "b\n", "close_after": true});
    assert_eq!(call(stage, "process_write_input", rest, written).await["stdinClosed"], true);
    let ended = json!({"hit": "boolean", "reason": "=process_exited", "message": "string"});
    call(stage, "breakpoint_wait", json!({}), ended).await;
    let read = call(stage, "process_read_output", json!({"stream": "stdout"}), json!({})).await;
    assert_eq!(read["stdout"], "read 4\n");
    let late = fails(stage, "process_write_input", json!({"data": "c"})).await;
    assert_eq!(late["code"], "input-ended", "{late:#}");
}

/// An uncaught exception with its cause, and the limits of the arguments.
pub async fn net_exception_has_its_context(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let launch = json!({
        "program": stage.language.program("crash"), "args": ["raise"], "stopAtEntry": false,
        "timeout": 50_000,
    });
    call(stage, "debug_launch", launch, json!({"session": "object"})).await;
    let waited = json!({"hit": "boolean", "reason": "=exception", "message": "string"});
    call(stage, "breakpoint_wait", json!({}), waited).await;
    let variable = json!({
        "name": "string", "type": "string?", "value": "string", "scope": "string",
        "hasChildren": "boolean",
    });
    let form = json!({
        "threadId": "integer",
        "exception": {
            "type": "=RuntimeError", "message": "=bad order 7", "isFirstChance": "boolean",
            "stackTraceString": "string",
        },
        "innerExceptions": [{"type": "=ValueError", "message": "string", "depth": "integer"}],
        "innerExceptionsTruncated": "boolean",
        "frames": [{
            "index": "integer", "function": "string", "module": "string?",
            "isExternal": "boolean", "location": location(), "arguments": [variable.clone()],
        }],
        "totalFrames": "integer", "throwingFrameIndex": "integer",
    });
    let limits = json!({
        "max_frames": 100, "include_variables_for_frames": 1, "max_inner_exceptions": 20,
    });
    let context = call(stage, "exception_get_context", limits, form.clone()).await;
    assert_eq!(context["innerExceptions"][0]["depth"], 1, "{context:#}");
    let first = &context["frames"][0];
    fits(&first["variables"], &json!({"locals": [variable], "errors": ["string"]}));
    assert_eq!(first["location"]["functionName"], "load");
    let one = json!({"max_frames": 1, "include_variables_for_frames": 0});
    let one = call(stage, "exception_get_context", one, form).await;
    assert_eq!(one["frames"].as_array().unwrap().len(), 1, "{one:#}");
    assert_eq!(one["frames"][0]["variables"], Value::Null);
    for (name, value) in [
        ("max_frames", 0),
        ("max_frames", 101),
        ("include_variables_for_frames", 11),
        ("max_inner_exceptions", 21),
    ] {
        let error = fails(stage, "exception_get_context", json!({name: value})).await;
        assert_eq!(error["code"], "bad-argument", "{error:#}");
    }
}
