//! The calls of ours for names of `compat:net`, with their defaults.

use serde_json::json;

use crate::mcp::compat::tests::{name, object};

#[test]
fn arguments_and_defaults_are_mapped() {
    let rows = [
        (
            ("debug_launch", json!({"program": "a", "env": {"K": "v"}})),
            "debug_launch {\"program\": \"a\", \"env\": {\"K\": \"v\"}, \
             \"options\": {\"stop_on_entry\": true}, \"stdin_pipe\": true, \"timeout_s\": 30.0}",
        ),
        (
            ("debug_launch", json!({"program": "a", "stopAtEntry": false, "timeout": 1500})),
            "debug_launch {\"program\": \"a\", \"options\": {\"stop_on_entry\": false}, \
             \"stdin_pipe\": true, \"wait\": false, \"timeout_s\": 1.5}",
        ),
        (
            ("debug_attach", json!({"pid": 7, "timeout": 2000})),
            r#"debug_attach {"pid": 7, "timeout_s": 2.0}"#,
        ),
        (("debug_disconnect", json!({})), r#"debug_stop {"mode": "detach"}"#),
        (
            ("debug_disconnect", json!({"terminateProcess": true})),
            r#"debug_stop {"mode": "terminate"}"#,
        ),
        (("debug_continue", json!({})), r#"debug_continue {"wait": false, "timeout_s": 30.0}"#),
        (("debug_pause", json!({})), "debug_pause"),
        (
            ("debug_step", json!({"mode": "out"})),
            r#"debug_step {"kind": "out", "timeout_s": 30.0}"#,
        ),
        (("debug_state", json!({})), "debug_status"),
        (
            ("breakpoint_set", json!({"file": "a.x", "line": 3, "hit_count": 2})),
            r#"debug_breakpoints {"set": [{"file": "a.x", "line": 3, "hit_condition": "2"}]}"#,
        ),
        (
            (
                "breakpoint_set",
                json!({"function": "f", "condition": "n > 1", "log_message": "{n}"}),
            ),
            r#"debug_breakpoints {"set": [{"function": "f", "condition": "n > 1", "log": "{n}"}]}"#,
        ),
        (("breakpoint_remove", json!({"id": 3})), r#"debug_breakpoints {"remove": ["3"]}"#),
        (("breakpoint_enable", json!({"id": "3"})), r#"debug_breakpoints {"enable": ["3"]}"#),
        (
            ("breakpoint_enable", json!({"id": "3", "enabled": false})),
            r#"debug_breakpoints {"disable": ["3"]}"#,
        ),
        (("breakpoint_list", json!({})), "debug_breakpoints"),
        (("threads_list", json!({})), r#"debug_stack {"all_threads": true, "count": 1}"#),
        (("stacktrace_get", json!({})), r#"debug_stack {"count": 20}"#),
        (
            ("stacktrace_get", json!({"thread_id": 2, "start_frame": 1, "max_frames": 5})),
            r#"debug_stack {"thread": "2", "start": 1, "count": 5}"#,
        ),
        (("variables_get", json!({})), r#"debug_variables {"frame": 0, "count": 1000}"#),
        (
            ("variables_get", json!({"thread_id": 2, "frame_index": 1, "expand": "a.b"})),
            r#"debug_variables {"path": "a.b", "frame": 1, "thread": "2", "count": 1000}"#,
        ),
        (
            ("evaluate", json!({"expression": "n"})),
            r#"debug_evaluate {"expressions": ["n"], "effects": "allow", "timeout_s": 5.0}"#,
        ),
        (
            ("evaluate_safe", json!({"expression": "n", "frame_index": 1, "timeout_ms": 100})),
            "debug_evaluate {\"expressions\": [\"n\"], \"frame\": 1, \"effects\": \"none\", \
             \"timeout_s\": 0.1}",
        ),
        (("breakpoint_wait", json!({})), r#"debug_wait {"timeout_s": 30.0}"#),
        (
            ("breakpoint_wait", json!({"breakpoint_id": "3", "timeout_ms": 500})),
            r#"debug_wait {"breakpoints": [3], "timeout_s": 0.5}"#,
        ),
        (
            ("tracepoint_set", json!({"file": "a.x", "line": 3})),
            r#"debug_breakpoints {"set": [{"file": "a.x", "line": 3, "log": "a.x:3"}]}"#,
        ),
        (
            (
                "tracepoint_set",
                json!({
                    "file": "a.x", "line": 3, "column": 2, "log_message": "{n}",
                    "hit_count_multiple": 2, "max_notifications": 5,
                }),
            ),
            "debug_breakpoints {\"set\": [{\"file\": \"a.x\", \"line\": 3, \"column\": 2, \
             \"log\": \"{n}\", \"hit_condition\": \"% 2\", \"max_hits\": 5}]}",
        ),
        (
            ("breakpoint_set_exception", json!({"exception_type": "E"})),
            r#"debug_breakpoints {"exceptions": ["E"]}"#,
        ),
        (
            ("breakpoint_set_exception", json!({"exception_type": "*"})),
            r#"debug_breakpoints {"exceptions": ["all"]}"#,
        ),
        (
            (
                "breakpoint_set_exception",
                json!({"exception_type": "E", "break_on_first_chance": false}),
            ),
            r#"debug_breakpoints {"exceptions": ["uncaught"]}"#,
        ),
        (
            ("exception_get_context", json!({})),
            r#"debug_exception {"frames": 10, "locals_for": 1, "causes": 5}"#,
        ),
        (
            (
                "exception_get_context",
                json!({
                    "max_frames": 3, "include_variables_for_frames": 0, "max_inner_exceptions": 9,
                }),
            ),
            r#"debug_exception {"frames": 3, "locals_for": 0, "causes": 9}"#,
        ),
        (("timeline_query", json!({})), r#"debug_status {"detail": "log"}"#),
        (
            ("process_write_input", json!({"data": "x", "close_after": true})),
            r#"debug_launch {"program": "PROGRAM", "options": {"stdin": "FILE"}}"#,
        ),
        (
            ("process_read_output", json!({"stream": "stderr"})),
            r#"debug_output {"stream": "stderr"}"#,
        ),
    ];
    for ((of, given), expect) in rows {
        let name = name("compat:net", of);
        let ours = name.replacement(&object(given)).expect("the arguments fit");
        assert_eq!(ours.text(), expect, "{of}");
    }
}
