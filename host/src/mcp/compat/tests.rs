//! Names of families: what is declared, and the calls of ours that do their jobs.

use serde_json::{Map, Value, json};

use super::{FAMILIES, Name, names};
use crate::mcp::arguments;
use crate::mcp::registry::named;

pub(super) fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

pub(super) fn name(toolset: &str, name: &str) -> &'static Name {
    let found = names()
        .find(|one| (one.tool.declared.toolset(), one.tool.declared.name) == (toolset, name));
    found.unwrap_or_else(|| panic!("{toolset} has no {name}"))
}

#[test]
fn names_of_a_family_are_sorted_and_of_its_toolset() {
    assert!(FAMILIES.is_sorted_by_key(|family| family.toolset.name()));
    for family in FAMILIES {
        let toolset = family.toolset.name();
        assert!(toolset.starts_with("compat:"), "{toolset}");
        assert!(family.names.is_sorted_by_key(|name| name.tool.declared.name), "{toolset}");
        for name in family.names {
            assert_eq!(name.tool.declared.toolset(), toolset, "{}", name.tool.declared.name);
        }
    }
}

/// The call that the error for a name that is off proposes is one that our tool takes.
#[test]
fn replacement_is_a_call_of_ours() {
    for name in names() {
        let declared = &name.tool.declared;
        for given in [json!({}), serde_json::from_str(declared.example).expect("JSON")] {
            let ours = name.replacement(&object(given)).expect("the example fits");
            let tool = named(ours.tool).expect("the tool exists");
            let text = Value::Object(ours.arguments.clone());
            assert!(arguments::takes(&tool.declared, ours.arguments), "{}: {text}", declared.name);
        }
    }
}

#[test]
fn arguments_are_mapped() {
    let test = json!({"testfile": "a/b.x", "testname": "T", "testflags": "-v"});
    let item = json!({"line": 3, "condition": "i > 1", "hitCondition": "2", "logMessage": "i"});
    let launch = json!({
        "command": "p a.x", "breakpoints": [{"file": "a.x", "breakpoints": [item]}], "cwd": "d",
        "env": {"A": "1"}, "stop_on_entry": false,
    });
    let run_to = json!({"file": "a.x", "line": 3, "timeout_ms": 1500});
    let set = json!({"file": "a.x", "breakpoints": [{"line": 3}]});
    let rows = [
        (
            ("compat:go", "eval_variable", json!({"expression": "total"})),
            r#"debug_variables {"path": "total"}"#,
        ),
        (("compat:gdb", "open", json!({})), "debug_targets"),
        (
            ("compat:gdb", "call", json!({"id": "x", "command": "bt"})),
            r#"debug_command {"command": "bt", "session": "x"}"#,
        ),
        (("compat:gdb", "close", json!({"id": "x"})), r#"debug_stop {"session": "x"}"#),
        (("compat:gdb", "list_sessions", json!({})), "debug_status"),
        (("compat:go", "attach", json!({"pid": 7})), r#"debug_attach {"pid": 7}"#),
        (("compat:go", "close", json!({})), "debug_stop"),
        (("compat:go", "continue", json!({})), "debug_continue"),
        (
            ("compat:go", "debug", json!({"file": "a/b.x", "args": ["c d"]})),
            r#"debug_launch {"program": "a/b.x", "args": ["c d"], ENTRY}"#,
        ),
        (
            ("compat:go", "debug_test", test),
            r#"debug_launch {"command": "go test -run '^T$' -v .", "cwd": "a", ENTRY}"#,
        ),
        (
            ("compat:go", "eval_variable", json!({"name": "a.b", "depth": 2})),
            r#"debug_variables {"path": "a.b", "depth": 2}"#,
        ),
        (
            ("compat:go", "examine_variable", json!({"name": "a", "scope": "package"})),
            r#"debug_variables {"path": "a"}"#,
        ),
        (("compat:go", "get_debugger_output", json!({})), r#"debug_output {"since": 0}"#),
        (
            ("compat:go", "launch", json!({"program": "a"})),
            r#"debug_launch {"program": "a", ENTRY}"#,
        ),
        (("compat:go", "list_breakpoints", json!({"file": "a"})), "debug_breakpoints"),
        (
            ("compat:go", "remove_breakpoint", json!({"id": 3})),
            r#"debug_breakpoints {"remove": ["3"]}"#,
        ),
        (
            ("compat:go", "set_breakpoint", json!({"file": "a.x", "line": 3})),
            r#"debug_breakpoints {"set": [{"file": "a.x", "line": 3}]}"#,
        ),
        (("compat:go", "step", json!({})), r#"debug_step {"kind": "in"}"#),
        (("compat:go", "step_out", json!({})), r#"debug_step {"kind": "out"}"#),
        (("compat:go", "step_over", json!({})), r#"debug_step {"kind": "over"}"#),
        (
            ("compat:viewport", "debug_launch", launch),
            concat!(
                r#"debug_launch {"command": "p a.x", "cwd": "d", "env": {"A": "1"}, "#,
                r#""breakpoints": [{"file": "a.x", "line": 3, "condition": "i > 1", "#,
                r#""hit_condition": "2", "log": "i"}], "options": {"stop_on_entry": false}}"#
            ),
        ),
        (
            ("compat:viewport", "debug_attach", json!({"language": "l", "port": 5678})),
            r#"debug_attach {"address": "127.0.0.1:5678"}"#,
        ),
        (
            ("compat:viewport", "debug_continue", json!({"session_id": "s", "thread_id": 2})),
            r#"debug_continue {"session": "s", "thread": "2", "timeout_s": 30.0}"#,
        ),
        (
            ("compat:viewport", "debug_run_to", run_to),
            r#"debug_continue {"until": "a.x:3", "timeout_s": 1.5}"#,
        ),
        (
            ("compat:viewport", "debug_step", json!({"direction": "into", "count": 2})),
            r#"debug_step {"kind": "in", "count": 2}"#,
        ),
        (
            ("compat:viewport", "debug_set_breakpoints", set),
            r#"debug_breakpoints {"set": [{"file": "a.x", "line": 3}]}"#,
        ),
        (
            ("compat:viewport", "debug_set_exception_breakpoints", json!({"filters": []})),
            r#"debug_breakpoints {"exceptions": ["none"]}"#,
        ),
        (("compat:viewport", "debug_list_breakpoints", json!({})), "debug_breakpoints"),
        (
            ("compat:viewport", "debug_evaluate", json!({"expression": "a", "frame_index": 1})),
            r#"debug_evaluate {"expressions": ["a"], "frame": 1}"#,
        ),
        (
            ("compat:viewport", "debug_variables", json!({"max_depth": 2})),
            r#"debug_variables {"depth": 2, "count": 1000}"#,
        ),
        (
            ("compat:viewport", "debug_stack_trace", json!({})),
            r#"debug_stack {"count": 20, "library": true}"#,
        ),
        (("compat:viewport", "debug_source", json!({"file": "a.x"})), "debug_stack"),
        (("compat:viewport", "debug_threads", json!({})), r#"debug_stack {"all_threads": true}"#),
        (
            ("compat:viewport", "debug_watch", json!({"action": "remove", "expressions": ["a"]})),
            r#"debug_evaluate {"expressions": ["a"], "watch": false}"#,
        ),
        (("compat:viewport", "debug_action_log", json!({})), "debug_status"),
        (
            ("compat:viewport", "debug_output", json!({"stream": "stderr"})),
            r#"debug_output {"stream": "stderr", "since": 0}"#,
        ),
        (
            ("compat:viewport", "debug_status", json!({})),
            r#"debug_status {"detail": "capabilities"}"#,
        ),
        (("compat:viewport", "debug_stop", json!({})), "debug_stop"),
        (
            ("compat:rust", "debug_launch", json!({"program": "a", "cwd": "b"})),
            r#"debug_launch {"program": "a", "cwd": "b", ENTRY}"#,
        ),
        (
            ("compat:rust", "debug_set_breakpoint", json!({"file": "a.rs", "line": "3"})),
            r#"debug_breakpoints {"set": [{"file": "a.rs", "line": 3}]}"#,
        ),
        (("compat:rust", "debug_continue", json!({})), "debug_continue"),
        (("compat:rust", "debug_step_over", json!({})), r#"debug_step {"kind": "over"}"#),
        (("compat:rust", "debug_get_variables", json!({})), "debug_variables"),
        (("compat:rust", "debug_terminate", json!({})), r#"debug_stop {"mode": "terminate"}"#),
    ];
    for ((toolset, of, given), expect) in rows {
        let ours = name(toolset, of).replacement(&object(given)).expect("the arguments fit");
        let expect = expect.replace("ENTRY", r#""options": {"stop_on_entry": true}"#);
        assert_eq!(ours.text(), expect, "{of}");
    }
}

#[test]
fn resource_is_the_answer_of_a_name_without_arguments() {
    for resource in super::resources() {
        let tool = resource.registered().expect(resource.uri);
        assert!(arguments::takes(&tool.declared, Map::new()), "{}", resource.uri);
    }
}
