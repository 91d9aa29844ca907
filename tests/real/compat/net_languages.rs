//! `compat:net`: what differs between languages: their exceptions, blocks, signals and functions.

use serde_json::{Value, json};

use super::net_names::{breakpoint_set, call, names, session, variables};
use super::{place, start};
use crate::real::Stage;

async fn launch(stage: &mut Stage, program: &str, args: &[&str], stops: bool) -> Value {
    let program = stage.language.program(program);
    let launch = json!({"program": program, "args": args, "stopAtEntry": stops});
    call(stage, "debug_launch", launch, json!({"session": "object"})).await
}

async fn wait(stage: &mut Stage, form: Value) -> Value {
    call(stage, "breakpoint_wait", json!({"timeout_ms": 30_000}), form).await
}

async fn end(stage: &mut Stage) {
    call(stage, "debug_disconnect", json!({"terminateProcess": true}), json!({})).await;
}

/// The breakpoint of a list with this id.
async fn listed(stage: &mut Stage, id: &Value) -> Value {
    let list = call(stage, "breakpoint_list", json!({}), json!({})).await;
    let all = list["breakpoints"].as_array().unwrap();
    all.iter().find(|one| one["id"] == *id).unwrap_or_else(|| panic!("{list:#}")).clone()
}

async fn set_exception(stage: &mut Stage, ty: &str) -> Value {
    let set = call(stage, "breakpoint_set_exception", json!({"exception_type": ty}), json!({}));
    set.await["breakpoint"].clone()
}

/// The payload of the last hit on the timeline.
async fn last_hit(stage: &mut Stage) -> Value {
    let hits = json!({"eventTypes": ["breakpointHit"]});
    let hits = call(stage, "timeline_query", hits, json!({})).await;
    hits["events"].as_array().unwrap().last().unwrap()["payload"].clone()
}

/// Exceptions of another language stay for its programs and do not hinder this one. `*`: all that
/// its debugger has.
pub async fn net_exceptions_are_of_their_language(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let foreign = set_exception(stage, "KeyError").await;
    let every = set_exception(stage, "*").await;
    let session = launch(stage, "crash", &["raise"], true).await;
    let message = "the debugger of this program has no exceptions named `KeyError`";
    assert_eq!(session["notes"], json!([format!("ex-1: {message}")]));
    let one = listed(stage, &foreign["id"]).await;
    assert_eq!((&one["verified"], &one["message"]), (&json!(false), &json!(message)));
    let later = set_exception(stage, "ValueError").await;
    assert_eq!(later["verified"], false, "{later:#}");
    assert_eq!(listed(stage, &every["id"]).await["verified"], true);
    call(stage, "debug_continue", json!({}), json!({})).await;
    let hit = wait(stage, json!({"hit": "boolean"})).await;
    let (_, line) = place(stage, "crash", "parse");
    assert_eq!((&hit["breakpoint_id"], &hit["location"]["line"]), (&every["id"], &json!(line)));
    let payload = last_hit(stage).await;
    assert_eq!((&payload["breakpointId"], &payload["hitCount"]), (&every["id"], &json!(1)));
    let info = &payload["exceptionInfo"];
    assert_eq!(info["type"], "panic", "{info:#}");
    assert!(info["message"].as_str().unwrap().starts_with("bad order 7: "), "{info:#}");
    end(stage).await;
    let counts = (listed(stage, &every["id"]).await, listed(stage, &foreign["id"]).await);
    assert_eq!((&counts.0["hit_count"], &counts.1["hit_count"]), (&json!(1), &json!(0)));
}

/// Variables of blocks are no arguments; type, message and trace of an error are apart.
pub async fn net_errors_are_thrown_in_blocks(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "blocks", &[], false).await;
    let waited = wait(stage, json!({"reason": "=exception"})).await;
    let message = r#"no "price" of 'a`b' \ 3"#;
    assert_eq!(waited["message"], format!("TypeError: {message}"));
    for (scope, expect) in
        [("arguments", ["factor", "order"].as_slice()), ("locals", &["base", "item", "sum"])]
    {
        let read = call(stage, "variables_get", json!({"scope": scope}), variables()).await;
        let mut found = names(&read);
        found.sort_unstable();
        assert_eq!(found, expect, "{scope}");
    }
    let context = call(stage, "exception_get_context", json!({}), json!({})).await;
    let exception = &context["exception"];
    assert_eq!((&exception["type"], &exception["message"]), (&json!("TypeError"), &json!(message)));
    let trace: Vec<&str> = exception["stackTraceString"].as_str().unwrap().lines().collect();
    assert_eq!(trace[0], format!("TypeError: {message}"));
    assert!(trace[1].starts_with("    at price ("), "{trace:#?}");
    let payload = last_hit(stage).await;
    let info = &payload["exceptionInfo"];
    assert_eq!((&info["type"], &info["message"]), (&json!("TypeError"), &json!(message)));
    let state = call(stage, "debug_state", json!({}), json!({"session": session("paused")})).await;
    let executable = state["session"]["executablePath"].as_str().unwrap();
    assert!(executable.ends_with("/node"), "{executable}");
    end(stage).await;
}

/// Ours, which names the adapter.
async fn crash(stage: &mut Stage) {
    let program = stage.language.program("crash");
    let launch = json!({"program": program, "args": ["segv"], "wait": false});
    stage.call("debug_launch", launch).await.good();
}

/// A signal is an exception: of the wait, the context and the timeline.
pub async fn net_signals_are_exceptions(stage: &mut Stage) {
    start(stage, "compat:net").await;
    let function = json!({"function": "read"});
    let function = call(stage, "breakpoint_set", function, breakpoint_set()).await["id"].clone();
    crash(stage).await;
    let hit = wait(stage, json!({"hit": "boolean"})).await;
    assert_eq!(hit["breakpoint_id"], function, "{hit:#}");
    let (file, line) = place(stage, "crash", "segv");
    let one = listed(stage, &function).await;
    assert!(one["file"].as_str().is_some_and(|path| path.ends_with(&file)), "{one:#}");
    call(stage, "debug_continue", json!({}), json!({})).await;
    let waited = wait(stage, json!({"reason": "=exception"})).await;
    assert!(waited["message"].as_str().unwrap().starts_with("SIGSEGV: "), "{waited:#}");
    let context = call(stage, "exception_get_context", json!({}), json!({})).await;
    assert_eq!(context["exception"]["type"], "SIGSEGV", "{context:#}");
    assert!(context["exception"]["message"].as_str().unwrap().contains("0x10"), "{context:#}");
    assert_eq!(context["frames"][0]["location"]["line"], line);
    let payload = last_hit(stage).await;
    assert_eq!(payload["exceptionInfo"]["type"], "SIGSEGV", "{payload:#}");
    end(stage).await;

    // Then with a breakpoint for all.
    call(stage, "breakpoint_remove", json!({"id": function}), json!({})).await;
    let every = set_exception(stage, "*").await;
    crash(stage).await;
    let hit = wait(stage, json!({"hit": "boolean"})).await;
    assert_eq!((&hit["breakpoint_id"], &hit["hit_count"]), (&every["id"], &json!(1)), "{hit:#}");
    end(stage).await;
}

/// All hits count, also where the debugger counts them; also after the end.
pub async fn net_hits_count_where_the_debugger_counts(stage: &mut Stage) {
    start(stage, "compat:net").await;
    launch(stage, "counted", &[], true).await;
    let mut ids = Vec::new();
    for (mark, more) in [("count", json!({"hit_count": 3})), ("joined", json!({}))] {
        let (file, line) = place(stage, "counted", mark);
        let mut set = json!({"file": file, "line": line});
        set.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ids.push(call(stage, "breakpoint_set", set, breakpoint_set()).await["id"].clone());
    }
    for (id, count) in [(&ids[0], 3), (&ids[1], 1)] {
        call(stage, "debug_continue", json!({}), json!({})).await;
        let hit = wait(stage, json!({"hit": "boolean"})).await;
        assert_eq!((&hit["breakpoint_id"], &hit["hit_count"]), (id, &json!(count)));
    }
    assert_eq!(listed(stage, &ids[0]).await["hit_count"], 2_000);
    end(stage).await;
    assert_eq!(listed(stage, &ids[0]).await["hit_count"], 2_000);
    assert_eq!(listed(stage, &ids[1]).await["hit_count"], 1);
}
