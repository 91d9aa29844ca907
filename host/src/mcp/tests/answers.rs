//! Answers of tools without a session.

use super::*;

#[track_caller]
fn check(name: &'static str, given: Value, expect: &str) {
    assert_eq!(answer(name, given), expect);
}

fn answer(name: &'static str, given: Value) -> String {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut call = call_of(name, object(given));
    runtime.block_on(tool(name).reply(&mut call)).text.into()
}

#[test]
fn call_without_a_session_leads_to_one() {
    let none = "error[no-session] no session is open. Try: debug_targets";
    for name in [
        "debug_continue",
        "debug_step",
        "debug_pause",
        "debug_wait",
        "debug_stack",
        "debug_variables",
        "debug_output",
    ] {
        check(name, json!({}), none);
    }
    check("debug_evaluate", json!({"expressions": ["x"]}), none);
    check(
        "debug_stop",
        json!({"session": "x"}),
        "error[unknown-session] there is no session `x`. Try: debug_status",
    );
    check("debug_stop", json!({"all": true}), "no session was open");
    check(
        "debug_status",
        json!({}),
        "no session is open\nnext: debug_launch program=FILE · debug_status detail=adapters",
    );
    check("debug_status", json!({"detail": "adapters"}), "no adapter is configured");
}

#[test]
fn launch_needs_one_target() {
    let example = "Try: debug_targets";
    let need = "error[bad-argument] debug_launch needs one of `program`, `command`, `test`";
    check("debug_launch", json!({}), &format!("{need}. {example}"));
    let one = "error[bad-argument] debug_launch takes only one of `program`, `command`, `test`";
    check(
        "debug_launch",
        json!({"program": "a", "command": "b"}),
        &format!(r#"{one}. Try: debug_launch {{"program": "a"}}"#),
    );
    let quote = "error[bad-argument] debug_launch: `command` has a quote that does not end: a 'b";
    check("debug_launch", json!({"command": "a 'b"}), &format!("{quote}. {example}"));
}

#[test]
fn arguments_replace_shell_syntax() {
    let why = "Use `cwd`, `env` and `options.stdin`, read output with debug_output, and quote \
               what is literal";
    check(
        "debug_launch",
        json!({"command": "cd sub && A=1 tool a.py", "env": {"B": "2"}, "cwd": "x"}),
        &format!(
            "error[bad-argument] debug_launch: `command` is not run by a shell: no `&&`. \
            {why}. Try: debug_launch {{\"command\": \"tool a.py\", \
             \"env\": {{\"B\": \"2\", \"A\": \"1\"}}, \"cwd\": \"x/sub\"}}"
        ),
    );
    check(
        "debug_launch",
        json!({"command": "tool $FILE"}),
        &format!(
            "error[bad-argument] debug_launch: `command` is not run by a shell: no `$FILE`. \
            {why}. Try: debug_launch {{\"command\": \"PROGRAM ARGUMENT\", \
             \"cwd\": \"DIRECTORY\", \"env\": {{\"NAME\": \"VALUE\"}}}}"
        ),
    );
}

#[test]
fn step_count_is_at_least_one() {
    let error = "error[bad-argument] debug_step: `count` must be 1 or more, got 0. Try: \
        debug_step {\"kind\": \"in\"}";
    check("debug_step", json!({"count": 0, "kind": "in"}), error);
}

#[test]
fn empty_target_or_value_is_replaced_alone() {
    for (given, empty, next) in [
        (
            json!({"target": "total", "value": "", "frame": 1}),
            "`value`",
            r#"{"target": "total", "value": "0", "frame": 1}"#,
        ),
        (json!({"target": " ", "value": "1"}), "`target`", r#"{"target": "NAME", "value": "1"}"#),
        (
            json!({"target": "", "value": ""}),
            "`target` and `value`",
            r#"{"target": "NAME", "value": "0"}"#,
        ),
    ] {
        let error = format!(
            "error[bad-argument] debug_set: {empty} must not be empty. Try: debug_set {next}"
        );
        check("debug_set", given, &error);
    }
}

#[test]
fn address_or_pid_is_replaced_alone() {
    for (given, cause, next) in [
        (
            json!({"address": "box", "adapter": "a"}),
            ": `address` is host:port, got \"box\"",
            r#"{"address": "box:PORT", "adapter": "a"}"#,
        ),
        (
            json!({"pid": 0, "adapter": "a"}),
            ": `pid` is a process number, got 0",
            r#"{"pid": 4711, "adapter": "a"}"#,
        ),
        (
            json!({"pid": 7, "address": "a:1"}),
            " takes only one of `pid`, `address`",
            r#"{"pid": 7}"#,
        ),
        (
            json!({"adapter": "a"}),
            " needs one of `pid`, `address`",
            r#"{"adapter": "a", "pid": 4711}"#,
        ),
    ] {
        let error = format!("error[bad-argument] debug_attach{cause}. Try: debug_attach {next}");
        check("debug_attach", given, &error);
    }
}

#[test]
fn text_as_standard_input_is_no_file() {
    check(
        "debug_launch",
        json!({"program": "a", "stop_on_entry": true, "options":
            {"stdin": "hello\n", "stop_on_entry": true, "k": 1}}),
        "error[bad-argument] debug_launch: `options.stdin` is a file whose text is given to \
        the program, got text with a line break. Try: debug_launch {\"program\": \"a\", \
        \"stop_on_entry\": true, \"options\": {\"stdin\": \"FILE\", \"stop_on_entry\": \
        true, \"k\": 1}}",
    );
}

#[test]
fn rest_of_a_launch_is_in_the_proposed_call() {
    check(
        "debug_launch",
        json!({"options": {"config": "c", "stdin": 1}}),
        "error[bad-argument] debug_launch: `options.stdin` must be the path of a file, got 1. \
        Try: debug_launch {\"options\": {\"config\": \"c\"}}",
    );
    check(
        "debug_launch",
        json!({"command": "a b", "core": "c", "cwd": "d"}),
        "error[bad-argument] debug_launch: `core` needs `program`, the program that dumped it. \
        Try: debug_launch {\"core\": \"c\", \"cwd\": \"d\", \"program\": \"a\"}",
    );
}

#[test]
fn breakpoint_has_one_place() {
    check(
        "debug_breakpoints",
        json!({"set": ["app.py:", "f"]}),
        "error[bad-argument] debug_breakpoints: the line number is missing after `app.py:`. \
        Try: debug_breakpoints {\"set\": [\"app.py:1\", \"f\"]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": ["f", {"condition": "x"}]}),
        "error[bad-argument] debug_breakpoints: a breakpoint needs `at`, `function`, or `file` \
        with `line`. \
         Try: debug_breakpoints {\"set\": [\"f\"]}",
    );
    let twice = json!({"file": "a.py", "function": "f", "condition": "x"});
    check(
        "debug_breakpoints",
        json!({"set": [twice]}),
        "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
        one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
        {\"set\": [{\"function\": \"f\", \
        \"condition\": \"x\"}]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": [{"at": "a.py:3", "line": 4}]}),
        "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
        one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
        {\"set\": [{\"at\": \"a.py:3\"}]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": [{"function": "f", "line": 4}]}),
        "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
        one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
        {\"set\": [{\"function\": \"f\"}]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": [{"file": "a.py", "function": "f", "line": 4}]}),
        "error[bad-argument] debug_breakpoints: a breakpoint has several places; give \
        one: `at`, `function`, or `file` with `line`. Try: debug_breakpoints \
        {\"set\": [{\"file\": \"a.py\", \
         \"line\": 4}]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": ["f", true]}),
        "error[bad-argument] debug_breakpoints: `set[1]` must be a string or an object, got \
        true. \
         Try: debug_breakpoints {\"set\": [\"f\"]}",
    );
    // The same items as `set`.
    check(
        "debug_launch",
        json!({"program": "a.py", "breakpoints": [{"file": "a.py", "lin": "12"}]}),
        "error[bad-argument] debug_launch: `breakpoints[0].lin` must be named `line`, got \
        `lin`. \
         Try: debug_launch {\"program\": \"a.py\", \"breakpoints\": [{\"file\": \"a.py\", \
         \"line\": \"12\"}]}",
    );
    check(
        "debug_breakpoints",
        json!({"set": ["a.py:0"]}),
        "error[bad-argument] debug_breakpoints: a breakpoint is on line 0; lines count from 1. \
        Try: debug_breakpoints",
    );
    check(
        "debug_breakpoints",
        json!({"exceptions": ["none", "all"]}),
        "error[bad-argument] debug_breakpoints: `exceptions` takes `none` only alone. \
         Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
    );
    check("debug_breakpoints", json!({}), "no breakpoints");
    // Numbers count over all tests of the process.
    let added = answer("debug_breakpoints", json!({"set": ["main"]}));
    assert!(added.starts_with("1 breakpoint\n+#"), "{added}");
    assert!(
        added.ends_with(" main · pending\npending until a session runs: debug_launch"),
        "{added}"
    );
}
