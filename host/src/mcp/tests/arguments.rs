//! Arguments of calls: fitted, or refused with the call that works.

use super::*;

#[track_caller]
fn fits(name: &str, given: Value, expect: Value) {
    let fitted = fit(&tool(name).declared, object(given)).expect("fits");
    assert_eq!(Value::Object(fitted), expect);
}

#[track_caller]
fn refused(name: &str, given: Value, expect: &str) {
    let Err(problem) = fit(&tool(name).declared, object(given)) else { panic!("accepted") };
    let reply = repair::reply(problem, &call());
    assert_eq!((&*reply.text, reply.is_error), (expect, true));
}

#[test]
fn similar_types_are_coerced() {
    fits("debug_step", json!({"count": "12"}), json!({"count": 12}));
    fits("debug_step", json!({"count": 3.0, "kind": "OVER"}), json!({"count": 3, "kind": "over"}));
    fits("debug_step", json!({"count": null}), json!({}));
    fits(
        "debug_step",
        json!({"thread": 1, "timeout_s": "1.5"}),
        json!({"thread": "1", "timeout_s": 1.5}),
    );
    fits("debug_stack", json!({"all_threads": "True"}), json!({"all_threads": true}));
    fits("debug_evaluate", json!({"expressions": "a[0]"}), json!({"expressions": ["a[0]"]}));
    fits(
        "debug_evaluate",
        json!({"expressions": "[\"a\", \"b\"]"}),
        json!({"expressions": ["a", "b"]}),
    );
    fits(
        "debug_evaluate",
        json!({"expressions": "[1, 2][0]"}),
        json!({"expressions": ["[1, 2][0]"]}),
    );
    fits("debug_breakpoints", json!({"remove": [3, "#4"]}), json!({"remove": ["3", "#4"]}));
    fits("debug_wait", json!({"breakpoints": "#2"}), json!({"breakpoints": [2]}));
    fits(
        "debug_launch",
        json!({"program": "a", "env": "{\"A\": \"1\"}"}),
        json!({"program": "a", "env": {"A": "1"}}),
    );
    fits(
        "debug_launch",
        json!({"program": "a", "stop_on_entry": true}),
        json!({"program": "a", "stop_on_entry": true}),
    );
    fits(
        "debug_breakpoints",
        json!({"set": {"file": "a.py", "line": "4", "log": null}}),
        json!({"set": [{"file": "a.py", "line": 4}]}),
    );
    fits(
        "debug_breakpoints",
        json!({"set": "[\"a.py:1\", {\"at\": \"f\"}]"}),
        json!({"set": ["a.py:1", {"at": "f"}]}),
    );
}

#[test]
fn aliases_of_a_property_are_accepted_and_not_listed() {
    let set = |breakpoint: Value| json!({"set": [breakpoint]});
    let whole = set(json!({"at": "a.py:4", "condition": "n > 1", "hit_condition": "3"}));
    fits(
        "debug_breakpoints",
        set(json!({"at": "a.py:4", "if": "n > 1", "hits": "3"})),
        whole.clone(),
    );
    fits("debug_breakpoints", set(json!({"at": "a.py:4", "if": "n > 1", "hits": 3})), whole);
    for alias in ["path", "source"] {
        let file = set(json!({"line": 4, "file": "a.py"}));
        fits("debug_breakpoints", set(json!({alias: "a.py", "line": 4})), file);
        refused(
            "debug_breakpoints",
            set(json!({alias: "a.py", "file": "b.py", "line": 4})),
            &format!(
                "error[bad-argument] debug_breakpoints: `set[0].{alias}` must be omitted \
                where `file` is given, got `{alias}`. Try: debug_breakpoints"
            ),
        );
        assert!(
            !Value::Object(tool("debug_breakpoints").declared.schema())
                .to_string()
                .contains(&format!("\"{alias}\""))
        );
    }
}

#[test]
fn unknown_names_are_refused_with_the_intended_one() {
    refused(
        "debug_step",
        json!({"knd": "in"}),
        "error[bad-argument] debug_step has no argument `knd`; did you mean `kind`? Try: \
        debug_step {\"kind\": \"in\"}",
    );
    refused(
        "debug_pause",
        json!({"colour": 1}),
        "error[bad-argument] debug_pause has no argument `colour`; it has session, thread. \
        Try: debug_pause",
    );
    refused(
        "debug_stack",
        json!({"expression": "a", "count": 1}),
        "error[bad-argument] debug_stack has no argument `expression`; it has session, thread, \
        all_threads, start, count, library. Try: debug_stack {\"count\": 1}",
    );
    for (tool, given, intended, next) in [
        ("debug_breakpoints", json!({"breakpoints": ["f"]}), "set", r#"{"set": ["f"]}"#),
        ("debug_output", json!({"lines": 5}), "tail", r#"{"tail": 5}"#),
        ("debug_variables", json!({"name": "a"}), "path", r#"{"path": "a"}"#),
        ("debug_variables", json!({"expression": "a"}), "path", r#"{"path": "a"}"#),
        (
            "debug_evaluate",
            json!({"expression": "a", "frame": 1}),
            "expressions",
            r#"{"expressions": "a", "frame": 1}"#,
        ),
        ("debug_stack", json!({"session_id": "a"}), "session", r#"{"session": "a"}"#),
        (
            "debug_set",
            json!({"variable": "a", "value": "1"}),
            "target",
            r#"{"target": "a", "value": "1"}"#,
        ),
    ] {
        let name = given.as_object().unwrap().keys().next().unwrap().clone();
        let error = format!(
            "error[bad-argument] {tool} has no argument `{name}`; did you mean \
            `{intended}`? Try: {tool} {next}"
        );
        refused(tool, given, &error);
    }
    refused(
        "debug_breakpoints",
        json!({"set": ["a.py:4", {"function": "f"}], "condition": "n > 1"}),
        "error[bad-argument] debug_breakpoints has no argument `condition`; it belongs to a \
         breakpoint. Try: debug_breakpoints {\"set\": [{\"at\": \"a.py:4\", \"condition\": \
         \"n > 1\"}, {\"function\": \"f\", \"condition\": \"n > 1\"}]}",
    );
    refused(
        "debug_breakpoints",
        json!({"set": ["a.py:3 if y", {"at": "a.py:4", "condition": "z"}, "f"],
            "condition": "x"}),
        "error[bad-argument] debug_breakpoints has no argument `condition`; it belongs to a \
        breakpoint. Try: debug_breakpoints {\"set\": [\"a.py:3 if y\", {\"at\": \
        \"a.py:4\", \"condition\": \"z\"}, {\"at\": \"f\", \"condition\": \"x\"}]}",
    );
    refused(
        "debug_breakpoints",
        json!({"set": ["a.py:3", "a.py:4 log n={n}"], "every": 2}),
        "error[bad-argument] debug_breakpoints has no argument `every`; it belongs to a \
        breakpoint. Try: debug_breakpoints {\"set\": [\"a.py:3\", {\"at\": \
        \"a.py:4 log n={n}\", \"every\": 2}]}",
    );
    refused(
        "debug_breakpoints",
        json!({"set": [{"file": "a.py", "lin": 4}, "f"]}),
        "error[bad-argument] debug_breakpoints: `set[0].lin` must be named `line`, got `lin`. \
         Try: debug_breakpoints {\"set\": [{\"file\": \"a.py\", \"line\": 4}, \"f\"]}",
    );
}

#[test]
fn errors_of_types_name_both_types() {
    refused(
        "debug_step",
        json!({"count": "many"}),
        "error[bad-argument] debug_step: `count` must be a whole number, got \"many\". Try: \
        debug_step",
    );
    refused(
        "debug_step",
        json!({"count": -1}),
        "error[bad-argument] debug_step: `count` must be 0 or more, got -1. Try: debug_step",
    );
    refused(
        "debug_step",
        json!({"kind": "ovr"}),
        "error[bad-argument] debug_step: `kind` must be one of in, over, out, back (did you \
        mean `over`?), got \"ovr\". \
         Try: debug_step {\"kind\": \"over\"}",
    );
    refused(
        "debug_stack",
        json!({"library": [1]}),
        "error[bad-argument] debug_stack: `library` must be true or false, got [1]. Try: \
        debug_stack",
    );
}

#[test]
fn number_out_of_range_is_refused_alone() {
    let large = 99_999_999_999_u64;
    for (tool, given, at, next) in [
        (
            "debug_stack",
            json!({"count": large, "library": true}),
            "count",
            r#" {"count": 4294967295, "library": true}"#,
        ),
        ("debug_stack", json!({"count": "99999999999"}), "count", r#" {"count": 4294967295}"#),
        (
            "debug_variables",
            json!({"frame": large, "start": large}),
            "frame",
            r#" {"start": 99999999999}"#,
        ),
        (
            "debug_attach",
            json!({"pid": large, "adapter": "a"}),
            "pid",
            r#" {"pid": 4711, "adapter": "a"}"#,
        ),
        (
            "debug_wait",
            json!({"breakpoints": [1, large]}),
            "breakpoints[1]",
            r#" {"breakpoints": [1]}"#,
        ),
        (
            "debug_breakpoints",
            json!({"set": ["f", {"file": "a.py", "line": large}]}),
            "set[1].line",
            r#" {"set": ["f"]}"#,
        ),
    ] {
        let error = format!(
            "error[bad-argument] {tool}: `{at}` must be at most 4294967295, got {large}. \
            Try: {tool}{next}"
        );
        refused(tool, given, &error);
    }
    fits("debug_wait", json!({"since": large}), json!({"since": large}));
}

#[test]
fn host_and_port_are_an_address() {
    for (given, name, next) in [
        (
            json!({"host": "localhost", "port": 5678, "adapter": "a"}),
            "host",
            r#"{"adapter": "a", "address": "localhost:5678"}"#,
        ),
        (json!({"port": "5678"}), "port", r#"{"address": "127.0.0.1:5678"}"#),
        (json!({"host": "box"}), "host", r#"{"address": "box:PORT"}"#),
    ] {
        let error = format!(
            "error[bad-argument] debug_attach has no argument `{name}`; it belongs to \
            `address`, as host:port. Try: debug_attach {next}"
        );
        refused("debug_attach", given, &error);
    }
}

#[test]
fn proposed_call_has_no_other_mistake() {
    refused(
        "debug_step",
        json!({"knd": "in", "colour": 1, "count": -1, "thread": "2"}),
        "error[bad-argument] debug_step has no argument `knd`; did you mean `kind`? \
        debug_step has no argument `colour`; it has session, kind, count, granularity, \
        thread, into, timeout_s. debug_step: `count` must be 0 or more, got -1. Try: \
        debug_step {\"kind\": \"in\", \"thread\": \"2\"}",
    );
    refused(
        "debug_set",
        json!({"value": "1", "frame": 2}),
        "error[bad-argument] debug_set needs `target`. Try: debug_set {\"value\": \"1\", \
        \"frame\": 2, \"target\": \"NAME\"}",
    );
}
