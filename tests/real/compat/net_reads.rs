//! `compat:net`: threads, frames, places and time limits that the arguments name, long answers, and
//! the timeline of a long run.

use serde_json::{Value, json};

use super::net_names::{breakpoint_set, call, fails, names, session, threads, variables};
use super::shape::fits;
use super::{place, sleeper, start};
use crate::real::Stage;

async fn launch(stage: &mut Stage, program: &str, args: &[&str]) {
    let launch = json!({"program": stage.language.program(program), "args": args});
    call(stage, "debug_launch", launch, json!({"session": session("paused")})).await;
}

/// Sets a breakpoint at a mark, with these arguments too; its id.
async fn set(stage: &mut Stage, program: &str, mark: &str, more: Value) -> String {
    let (file, line) = place(stage, program, mark);
    let mut arguments = json!({"file": file, "line": line});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let set = call(stage, "breakpoint_set", arguments, breakpoint_set()).await;
    assert_eq!((&set["verified"], &set["location"]["line"]), (&json!(true), &json!(line)));
    set["id"].as_str().unwrap().to_owned()
}

/// Runs on to a hit of this breakpoint.
async fn reach(stage: &mut Stage, id: &str) -> Value {
    let running = json!({"session": session("running")});
    call(stage, "debug_continue", json!({"timeout": 30_000}), running).await;
    let wait = json!({"breakpoint_id": id, "timeout_ms": 30_000});
    let hit = call(stage, "breakpoint_wait", wait, json!({"hit": "boolean"})).await;
    assert_eq!((&hit["hit"], &hit["breakpoint_id"]), (&json!(true), &json!(id)), "{hit:#}");
    hit
}

async fn end(stage: &mut Stage) {
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;
}

async fn value(stage: &mut Stage, name: &str, arguments: Value) -> String {
    let form = json!({"value": "string", "type": "string?", "has_children": "boolean"});
    let value = call(stage, name, arguments, form).await;
    value["value"].as_str().unwrap().to_owned()
}

/// The value of a variable of an answer.
fn of(answer: &Value, name: &str) -> Value {
    let list = answer["variables"].as_array().unwrap();
    let found = list.iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {answer:#}"))["value"].clone()
}

pub async fn net_names_read_the_named_thread(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "threads", &[]).await;
    let work = set(stage, "threads", "work", json!({"condition": "number == 2"})).await;
    let worker = reach(stage, &work).await["thread_id"].clone();
    let all = call(stage, "threads_list", json!({}), json!({"threads": threads()})).await;
    let current = all["threads"].as_array().unwrap().iter().find(|one| one["isCurrent"] == true);
    assert_eq!(current.unwrap()["id"], worker, "{all:#}");
    let frames = json!({"thread_id": "integer", "total_frames": "integer", "frames": [{
        "index": "integer", "function": "string", "module": "string?", "isExternal": "boolean",
        "location": "object",
    }], "next": "string?"});
    let stack = call(stage, "stacktrace_get", json!({"thread_id": worker}), frames.clone()).await;
    assert_eq!(stack["thread_id"], worker);
    assert_eq!(stack["frames"][0]["function"], stage.function("threads", "work"));
    let (main, own) = main_thread(stage, &all, frames).await;

    let in_main = json!({"thread_id": main, "frame_index": own, "scope": "locals"});
    let read = call(stage, "variables_get", in_main, variables()).await;
    assert!(names(&read).contains(&"squares"), "{read:#}");
    let read = call(stage, "variables_get", json!({"thread_id": worker}), variables()).await;
    assert_eq!(of(&read, "number"), "2");
    let expand = json!({"thread_id": main, "frame_index": own, "expand": "squares"});
    let read = call(stage, "variables_get", expand, variables()).await;
    assert_eq!(read["variables"][0]["path"], "squares[0]", "{read:#}");
    for name in ["evaluate", "evaluate_safe"] {
        let in_main = json!({"expression": "squares[0]", "thread_id": main, "frame_index": own});
        assert_eq!(value(stage, name, in_main).await, "0");
        let in_worker = json!({"expression": "number", "thread_id": worker, "frame_index": 0});
        assert_eq!(value(stage, name, in_worker).await, "2");
    }
    for (name, mut arguments) in [
        ("stacktrace_get", json!({})),
        ("variables_get", json!({})),
        ("evaluate", json!({"expression": "1"})),
        ("evaluate_safe", json!({"expression": "number"})),
    ] {
        arguments["thread_id"] = json!(4711);
        assert_eq!(fails(stage, name, arguments).await["code"], "no-such-thread", "{name}");
    }
    end(stage).await;
}

/// The thread that runs `main`, and the number of that frame.
async fn main_thread(stage: &mut Stage, all: &Value, frames: Value) -> (Value, Value) {
    let main = stage.function("threads", "main");
    for thread in all["threads"].as_array().unwrap() {
        let of_thread = json!({"thread_id": thread["id"]});
        let stack = call(stage, "stacktrace_get", of_thread, frames.clone()).await;
        assert_eq!(stack["thread_id"], thread["id"]);
        let all = stack["frames"].as_array().unwrap();
        if let Some(own) = all.iter().find(|one| one["function"] == main) {
            return (thread["id"].clone(), own["index"].clone());
        }
    }
    panic!("no thread runs {main}: {all:#}")
}

/// Each part names the call of the next one.
pub async fn net_names_read_long_answers_in_parts(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "deep", &[]).await;
    let bottom = set(stage, "deep", "bottom", json!({})).await;
    let data = set(stage, "deep", "data", json!({})).await;
    reach(stage, &data).await;
    let read = call(stage, "variables_get", json!({"scope": "locals"}), variables()).await;
    assert_eq!(read["next"], Value::Null);
    let text = of(&read, "text");
    let text = text.as_str().unwrap().chars();
    assert_eq!((text.clone().count(), text.last()), (1_001, Some('…')));
    // debugpy cuts a text in its middle.
    for (expression, note) in [
        ("'x' * 70_000", json!("the debugger may have cut this value: evaluate parts of it")),
        ("'x' * 60_000", Value::Null),
    ] {
        let read = call(stage, "evaluate", json!({"expression": expression}), json!({})).await;
        assert_eq!(read["note"], note, "{expression}");
    }
    let numbers = json!({"expand": "numbers"});
    let numbers = call(stage, "variables_get", numbers, variables()).await;
    let all = numbers["variables"].as_array().unwrap();
    assert_eq!((all.len(), &all[999]["name"]), (1_000, &json!("[999]")));
    let next = numbers["next"].as_str().unwrap();
    assert_eq!(
        next,
        r#"debug_variables {"path": "numbers", "frame": 0, "count": 200, "start": 1000}"#
    );
    let (tool, arguments) = next.split_once(' ').unwrap();
    let page = stage.call(tool, serde_json::from_str(arguments).unwrap()).await.good();
    assert!(page.text.contains("[1000]") && page.text.contains("[1199]"), "{}", page.text);

    reach(stage, &bottom).await;
    let mut next = "stacktrace_get {\"max_frames\": 30}".to_owned();
    let mut indices = Vec::new();
    while !next.is_empty() {
        let (tool, arguments) = next.split_once(' ').unwrap();
        let arguments = serde_json::from_str(arguments).unwrap();
        let part = call(stage, tool, arguments, json!({"total_frames": "integer"})).await;
        let frames = part["frames"].as_array().unwrap();
        assert!(frames.len() <= 30, "{part:#}");
        indices.extend(frames.iter().map(|frame| frame["index"].as_u64().unwrap()));
        assert!(part["total_frames"].as_u64().unwrap() >= indices.len() as u64, "{part:#}");
        next = part["next"].as_str().unwrap_or_default().to_owned();
    }
    // `descend` 51 times, and what called it.
    assert!(indices.len() >= 53, "{indices:?}");
    assert!(indices.iter().copied().eq(0..indices.len() as u64), "{indices:?}");
    end(stage).await;
}

/// Function, column, hit count, condition, and a text in place of a stop.
pub async fn net_names_stop_at_their_places(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "cart", &[]).await;
    let function = stage.function("cart", "tax");
    let function = json!({"function": function, "condition": "item.price == 1990"});
    let function = call(stage, "breakpoint_set", function, breakpoint_set()).await;
    let function = function["id"].as_str().unwrap().to_owned();
    let third = set(stage, "cart", "add", json!({"hit_count": 3, "column": 9})).await;
    let log = set(stage, "cart", "print", json!({"log_message": "{index}: {{{total}}}"})).await;
    let last = set(stage, "cart", "total", json!({})).await;

    let hit = reach(stage, &function).await;
    assert_eq!((&hit["location"]["function"], &hit["hit_count"]), (&json!("tax"), &json!(1)));
    let net = json!({"expression": "net"});
    assert_eq!(value(stage, "evaluate", net.clone()).await, "1990");
    let hit = reach(stage, &third).await;
    assert_eq!(hit["location"]["line"], place(stage, "cart", "add").1);
    assert_eq!(value(stage, "evaluate", net).await, "1360");
    reach(stage, &last).await;
    let texts = json!({"eventTypes": ["tracepointHit"]});
    let texts = call(stage, "timeline_query", texts, json!({"totalEvents": "integer"})).await;
    let events = texts["events"].as_array().unwrap().iter();
    let texts: Vec<&str> =
        events.map(|event| event["payload"]["logMessage"].as_str().unwrap()).collect();
    assert_eq!(texts, ["0: {1070}", "1: {3438}", "2: {4893}", "3: {10136}"]);
    let list = call(stage, "breakpoint_list", json!({}), json!({})).await;
    let list = list["breakpoints"].as_array().unwrap();
    let one = |id: &str| list.iter().find(|one| one["id"] == id).unwrap();
    let of_function = json!({"type": "blocking", "condition": "item.price == 1990"});
    fits(one(&function), &json!({"function": "=tax", "type": "=blocking", "file": "string?"}));
    assert_eq!(one(&function)["condition"], of_function["condition"]);
    assert_eq!((&one(&log)["type"], &one(&log)["hit_count"]), (&json!("tracepoint"), &json!(4)));
    assert_eq!(one(&last)["hit_count"], 1);
    end(stage).await;
}

/// Starts `sleeper` and runs it to its loop.
async fn nap(stage: &mut Stage) {
    launch(stage, "sleeper", &[]).await;
    let id = set(stage, "sleeper", "nap", json!({})).await;
    reach(stage, &id).await;
    call(stage, "breakpoint_remove", json!({"id": id}), json!({"id": "string"})).await;
}

/// Limits that are too short end the call, and the program is as before.
pub async fn net_names_heed_their_time_limits(stage: &mut Stage) {
    start(stage, "compat:net").await;
    nap(stage).await;
    call(stage, "debug_continue", json!({}), json!({"session": session("running")})).await;
    let none = json!({"hit": "boolean", "reason": "=timeout", "message": "string"});
    let none = call(stage, "breakpoint_wait", json!({"timeout_ms": 300}), none).await;
    assert_eq!(none["hit"], false);
    let paused = json!({"state": "=paused", "threads": threads()});
    call(stage, "debug_pause", json!({}), paused).await;
    let slow = json!({"expression": "sum(range(10 ** 12))", "timeout_ms": 300});
    let error = fails(stage, "evaluate", slow).await;
    assert_eq!(error["code"], "evaluate-timeout", "{error:#}");
    let next = error["details"]["next"].as_str().unwrap();
    assert!(next.ends_with("\"timeout_ms\": 60000}"), "{next}");
    end(stage).await;

    nap(stage).await;
    let out = json!({"stepMode": "=out", "session": session("paused")});
    let out = call(stage, "debug_step", json!({"mode": "out", "timeout": 30_000}), out).await;
    assert_eq!(out["session"]["location"]["functionName"], "main", "{out:#}");
    // Out of `main` takes two minutes.
    let out = json!({"mode": "out", "timeout": 300});
    let out = call(stage, "debug_step", out, json!({"session": session("running")})).await;
    assert_eq!(out["stepMode"], "out");
    call(stage, "debug_pause", json!({}), json!({"state": "=paused"})).await;
    end(stage).await;
}

/// A debugger that tells them apart.
pub async fn net_names_split_arguments_and_locals(stage: &mut Stage) {
    start(stage, "compat:net").await;
    // Ours, which names the adapter.
    let launch = json!({
        "program": stage.language.program("cart"), "breakpoints": [stage.at("cart", "tax return")],
    });
    stage.call("debug_launch", launch).await.good().says("■ stopped breakpoint");
    for (scope, word, expect) in [
        ("arguments", "argument", vec!["item", "net"]),
        ("locals", "local", vec!["rate", "amount"]),
        ("this", "this", vec![]),
    ] {
        let read = call(stage, "variables_get", json!({"scope": scope}), variables()).await;
        let mut found = names(&read);
        found.sort_by_key(|name| expect.iter().position(|one| one == name));
        assert_eq!(found, expect, "{scope}: {read:#}");
        assert!(read["variables"].as_array().unwrap().iter().all(|one| one["scope"] == word));
    }
    end(stage).await;
}

/// One that does not: the declaration tells them. And the object of a method.
pub async fn net_names_find_the_object_of_a_method(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "methods", &[]).await;
    let line = set(stage, "methods", "cart", json!({})).await;
    reach(stage, &line).await;
    let read = call(stage, "variables_get", json!({"scope": "this"}), variables()).await;
    assert_eq!(names(&read), ["self"], "{read:#}");
    assert_eq!(read["variables"][0]["scope"], "this");
    let line = set(stage, "methods", "inner", json!({})).await;
    reach(stage, &line).await;
    let none = call(stage, "variables_get", json!({"scope": "arguments"}), variables()).await;
    assert_eq!(none["variables"], json!([]));
    end(stage).await;
    launch(stage, "cart", &[]).await;
    let tax = set(stage, "cart", "tax return", json!({})).await;
    reach(stage, &tax).await;
    for (scope, expect) in [("arguments", ["item", "net"]), ("locals", ["amount", "rate"])] {
        let read = call(stage, "variables_get", json!({"scope": scope}), variables()).await;
        let mut found = names(&read);
        found.sort_unstable();
        assert_eq!(found, expect, "{scope}");
    }
    end(stage).await;
}

/// A thousand hits, and no call meanwhile.
pub async fn net_names_record_every_event(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "counted", &[]).await;
    let (file, line) = place(stage, "counted", "square");
    let trace = json!({
        "file": file, "line": line, "log_message": "{x}", "hit_count_multiple": 2,
    });
    let form = json!({"tracepoint": {"state": "=bound", "message": "string?"}});
    call(stage, "tracepoint_set", trace, form).await;
    let joined = set(stage, "counted", "joined", json!({})).await;
    reach(stage, &joined).await;
    let hits = json!({"eventTypes": ["tracepointHit"], "maxEvents": 5});
    let form = json!({
        "events": [{
            "eventId": "integer", "eventType": "=tracepointHit", "timestamp": "string",
            "threadId": "integer?", "payload": "object",
        }],
        "totalEvents": "integer", "eventsDropped": "integer",
    });
    let hits = call(stage, "timeline_query", hits, form).await;
    assert_eq!((&hits["totalEvents"], &hits["eventsDropped"]), (&json!(1_000), &json!(0)));
    assert_eq!(hits["events"].as_array().unwrap().len(), 5);
    let last = hits["events"][4]["eventId"].as_u64().unwrap();
    let thread = hits["events"][0]["threadId"].clone();
    let rest = json!({"eventTypes": ["tracepointHit"], "fromEventId": last + 1});
    let rest = call(stage, "timeline_query", rest, json!({})).await;
    assert_eq!(
        (&rest["totalEvents"], rest["events"].as_array().unwrap().len()),
        (&json!(995), 200)
    );
    let of_thread = json!({"threadId": thread, "eventTypes": ["tracepointHit"]});
    let of_thread = call(stage, "timeline_query", of_thread, json!({})).await;
    assert!(of_thread["events"].as_array().unwrap().iter().all(|one| one["threadId"] == thread));
    let stops = json!({"eventTypes": ["breakpointHit"]});
    let stops = call(stage, "timeline_query", stops, json!({})).await;
    assert_eq!(stops["totalEvents"], 1, "{stops:#}");
    end(stage).await;
}

/// The process outlives a session that does not end it.
pub async fn net_names_attach_and_detach(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let mut program = sleeper(stage).await;
    let attach = json!({"pid": program.id(), "timeout": 50_000});
    for (ends, was_terminated) in [(json!({}), false), (json!({"terminateProcess": true}), true)] {
        let attached = call(
            stage,
            "debug_attach",
            attach.clone(),
            json!({"session": {
                "processId": "integer", "processName": "string?", "executablePath": "string?",
                "runtimeVersion": "string?", "state": "=running", "launchMode": "=attach",
                "attachedAt": "string", "commandLineArgs": ["string"],
                "workingDirectory": "string?",
            }}),
        );
        let attached = attached.await;
        assert_eq!(attached["session"]["processId"], json!(program.id()), "{attached:#}");
        let input = fails(stage, "process_write_input", json!({"data": "x"})).await;
        assert_eq!(input["code"], "no-input", "{input:#}");
        let paused = json!({"state": "=paused", "threads": threads()});
        call(stage, "debug_pause", json!({}), paused).await;
        let ended = json!({
            "state": "=disconnected", "wasTerminated": "boolean", "previousSession": "object",
        });
        let ended = call(stage, "debug_disconnect", ends, ended).await;
        assert_eq!(ended["wasTerminated"], was_terminated, "{ended:#}");
        if was_terminated {
            program.wait().await.unwrap();
        } else {
            assert_eq!(program.try_wait().unwrap(), None);
        }
    }
}
