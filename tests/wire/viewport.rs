//! `compat:viewport` with the fake adapter: every limit, the parts and bounds of a viewport, and
//! next calls of errors.

use std::path::Path;

use serde_json::{Value, json};

use super::faked::{configure, write};
use crate::caller::{Answer, Caller, Start};

const NAME: &str = "shop";

/// A host in a directory whose launch.json starts `shop.fake` with a script, in these limits.
async fn shop(dir: &Path, limits: &str, script: Value) -> Caller {
    let root = dir.canonicalize().unwrap();
    write(&root.join("shop.fake"));
    let mut script = script;
    script["source"] = root.join("shop.fake").display().to_string().into();
    let configuration = json!({
        "name": NAME, "type": "fake", "request": "launch", "program": "shop.fake",
        "script": script,
    });
    std::fs::create_dir_all(root.join(".vscode")).unwrap();
    let launch = json!({"version": "0.2.0", "configurations": [configuration]});
    std::fs::write(root.join(".vscode/launch.json"), launch.to_string()).unwrap();
    let config = configure(&root);
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}[limits]\n{limits}\n")).unwrap();
    let flags = vec!["--toolsets", "compat:viewport"];
    Caller::start(Start { cwd: root, config, flags, ..Start::usual() }).await
}

fn launch() -> Value {
    json!({"launch_config": {"name": NAME}})
}

async fn good(caller: &mut Caller, tool: &str, arguments: Value) -> Answer {
    let answer = caller.call(tool, arguments).await;
    assert!(!answer.is_error, "{tool}: {}", answer.text);
    answer
}

/// Asserts that a call fails with this text.
async fn fails(caller: &mut Caller, tool: &str, arguments: Value, text: &str) {
    let answer = caller.call(tool, arguments).await;
    assert_eq!((answer.text.as_str(), answer.is_error), (text, true));
}

/// The lines of a part of a viewport.
fn part<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    let lines = answer.text.lines().skip_while(|line| *line != format!("{name}:")).skip(1);
    lines.take_while(|line| line.starts_with([' ', '→'])).collect()
}

/// Calls and waits for the end of a session, which no call requests.
async fn end(caller: &mut Caller) {
    let ended = |note: &Value| {
        note["method"] == "debugger/sessionStateChanged"
            && note["params"]["newState"] == "disconnected"
    };
    caller.note(ended).await;
}

#[tokio::test]
async fn time_of_a_session_ends_it_between_calls() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "stop": "entry", "output": [["stdout", "a\n"]]}]});
    let mut caller = shop(dir.path(), "viewport_session_s = 1", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    end(&mut caller).await;
    let limit = "fake-1 was ended when its time was over: limits.viewport_session_s is 1. Try: \
        debug_launch {\"launch_config\": {\"name\": \"shop\"}} (or raise \
        limits.viewport_session_s in dapdock.toml and start dapdock again)";
    let error = format!("error[limit] {limit}");
    fails(&mut caller, "debug_continue", json!({}), &error).await;
    fails(&mut caller, "debug_variables", json!({}), &error).await;
    // What is recorded stays readable.
    for tool in ["debug_output", "debug_action_log", "debug_stop"] {
        let answer = good(&mut caller, tool, json!({})).await;
        assert!(answer.text.contains(&format!("note: {limit}")), "{}", answer.text);
    }
    let again = good(&mut caller, "debug_launch", launch()).await;
    assert!(again.text.contains("stop 1 · fake-2"), "{}", again.text);
}

#[tokio::test]
async fn cancelled_launch_is_ended_in_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "hangs": true}]});
    let mut caller = shop(dir.path(), "viewport_session_s = 1", script).await;
    let request = caller.begin("debug_launch", launch()).await;
    let runs = |note: &Value| note["params"]["newState"] == "running";
    caller.note(runs).await;
    caller.notify("notifications/cancelled", json!({"requestId": request.0})).await;
    end(&mut caller).await;
}

#[tokio::test]
async fn session_of_normal_length_is_not_ended() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "stop": "entry"}]});
    let mut caller = shop(dir.path(), "viewport_session_s = 1", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    let exit = good(&mut caller, "debug_continue", json!({})).await;
    assert!(exit.text.starts_with("□ exited with code 0"), "{}", exit.text);
    let output = good(&mut caller, "debug_output", json!({})).await;
    assert!(!output.text.contains("viewport_session_s"), "{}", output.text);
}

#[tokio::test]
async fn actions_of_a_session_are_counted_until_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "stop": "entry"}]});
    let mut caller = shop(dir.path(), "viewport_actions = 3", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    for _ in 0..2 {
        good(&mut caller, "debug_list_breakpoints", json!({})).await;
    }
    let error = "error[limit] fake-1 has had its actions: limits.viewport_actions is 3. Try: \
        debug_stop {\"session_id\": \"fake-1\"} (or raise limits.viewport_actions in dapdock.toml \
        and start dapdock again)";
    fails(&mut caller, "debug_continue", json!({}), error).await;
    let stop = good(&mut caller, "debug_stop", json!({"session_id": "fake-1"})).await;
    assert!(stop.text.ends_with(" and 4 actions"), "{}", stop.text);
    for _ in 0..4 {
        good(&mut caller, "debug_output", json!({})).await;
        let log = good(&mut caller, "debug_action_log", json!({})).await;
        assert!(log.text.starts_with("4 actions\n1 debug_launch {"), "{}", log.text);
    }
}

#[tokio::test]
async fn sessions_are_limited_also_while_they_start() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "stop": "entry"}]});
    let mut caller = shop(dir.path(), "viewport_sessions = 1", script).await;
    let both = [
        caller.begin("debug_launch", launch()).await,
        caller.begin("debug_launch", launch()).await,
    ];
    let mut refused = 0;
    for request in both {
        let answer = caller.answer(request).await;
        refused += usize::from(answer.is_error);
        assert!(answer.is_error == answer.text.contains("limits.viewport_sessions is 1"));
    }
    assert_eq!(refused, 1);
    let error = "error[limit] 1 sessions are open, fake-1: limits.viewport_sessions is 1. Try: \
        debug_stop {\"session_id\": \"fake-1\"} (or raise limits.viewport_sessions in \
        dapdock.toml and start dapdock again)";
    fails(&mut caller, "debug_launch", launch(), error).await;
    good(&mut caller, "debug_stop", json!({"session_id": "fake-1"})).await;
    good(&mut caller, "debug_launch", launch()).await;
}

#[tokio::test]
async fn stored_output_of_a_session_is_limited() {
    let dir = tempfile::tempdir().unwrap();
    let lines: String = (0..50).map(|number| format!("line {number:03}\n")).collect();
    let place = json!({"line": 1, "stop": "entry", "output": [["stdout", lines]]});
    let script = json!({"program": [place]});
    let mut caller = shop(dir.path(), "viewport_output_bytes = 80", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    let output = good(&mut caller, "debug_output", json!({})).await.text;
    let printed: Vec<&str> = output.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!((printed.len(), printed[0]), (10, "line 040"), "{output}");
    assert!(
        output.contains(
            "note: limits.viewport_output_bytes: the last 80 bytes are stored; read it earlier, \
             with since_action (or raise limits.viewport_output_bytes in dapdock.toml and start \
             dapdock again)"
        ),
        "{output}"
    );
}

#[tokio::test]
async fn step_and_evaluation_are_limited() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({
        "program": [{"line": 1, "stop": "entry", "locals": {"a": 1}}, {"line": 2, "hangs": true}],
        "slow": {"a": 60_000},
    });
    let limits = "viewport_step_s = 0.2\nviewport_evaluate_s = 0.25";
    let mut caller = shop(dir.path(), limits, script).await;
    good(&mut caller, "debug_launch", launch()).await;
    let late = good(&mut caller, "debug_evaluate", json!({"expression": "a"})).await;
    assert!(
        late.text.ends_with(
            "note: limits.viewport_evaluate_s is 0.25; with more time: debug_evaluate \
             {\"expressions\": [\"a\"], \"timeout_s\": 3.0} (or raise \
             limits.viewport_evaluate_s in dapdock.toml and start dapdock again)"
        ),
        "{}",
        late.text
    );
    let late = good(&mut caller, "debug_step", json!({"direction": "over"})).await;
    assert!(
        late.text.ends_with(
            "note: limits.viewport_step_s is 0.2; the step goes on: debug_wait {\"session\": \
             \"fake-1\"} (or raise limits.viewport_step_s in dapdock.toml and start dapdock again)"
        ),
        "{}",
        late.text
    );
}

/// The numbers of frames, characters of a text, items of a list and locals of a viewport.
fn sizes(stop: &Answer) -> [usize; 4] {
    let frames = part(stop, "stack").iter().filter(|line| line.starts_with("  #")).count();
    let locals = part(stop, "locals");
    let values = locals.iter().copied().filter(|line| line.contains(" = "));
    let (below, own): (Vec<&str>, Vec<&str>) = values.partition(|line| line.starts_with("    "));
    let text = own.iter().find_map(|line| line.strip_prefix("  a_text: str = "));
    [frames, text.unwrap_or_default().chars().count(), below.len(), own.len()]
}

#[tokio::test]
async fn defaults_shrink_after_20_50_and_100_actions() {
    let dir = tempfile::tempdir().unwrap();
    let mut locals = json!({"a_list": [1, 2, 3, 4, 5, 6, 7, 8], "a_text": "x".repeat(300)});
    for number in 0..30 {
        locals[format!("v{number:02}")] = number.into();
    }
    let callers: Vec<Value> = (0..9).map(|n| json!([format!("caller{n}"), 5])).collect();
    let place = json!({"line": 9, "stop": "pause", "locals": locals, "callers": callers});
    let script = json!({"program": vec![place; 9]});
    let mut caller = shop(dir.path(), "viewport_actions = 400", script).await;
    let step = json!({"direction": "over"});
    let mut start = launch();
    start["viewport_config"] = json!({"locals_max_depth": 2});
    let first = good(&mut caller, "debug_launch", start).await;
    assert_eq!(sizes(&first), [5, 120, 5, 20], "{}", first.text);
    assert!(!first.text.contains("shortened"), "{}", first.text);
    let mut actions = 1;
    for (after, expect) in [
        (19, [5, 120, 5, 20]),
        (20, [3, 80, 3, 12]),
        (49, [3, 80, 3, 12]),
        (50, [2, 60, 2, 8]),
        (99, [2, 60, 2, 8]),
        (100, [1, 40, 1, 4]),
    ] {
        while actions < after {
            good(&mut caller, "debug_list_breakpoints", json!({})).await;
            actions += 1;
        }
        let stop = good(&mut caller, "debug_step", step.clone()).await;
        actions += 1;
        assert_eq!(sizes(&stop), expect, "after {after}: {}", stop.text);
    }
    let stop = good(&mut caller, "debug_step", step).await;
    let hint = "shortened after 100 actions; everything: debug_stack_trace and debug_variables \
        {\"max_depth\": 2}";
    assert!(stop.text.ends_with(hint), "{}", stop.text);
    // The named calls show everything.
    let stack = good(&mut caller, "debug_stack_trace", json!({})).await;
    assert!(stack.text.contains("#9 caller8"), "{}", stack.text);
    let all = good(&mut caller, "debug_variables", json!({"max_depth": 2})).await;
    assert!(all.text.contains(&"x".repeat(300)), "{}", all.text);
    assert!(all.text.contains("\n    [7]: number = 8\n"), "{}", all.text);
    assert!(all.text.contains("\n  v29") && !all.text.contains('…'), "{}", all.text);
}

#[tokio::test]
async fn bounds_of_the_caller_hold_above_what_a_stop_has() {
    let dir = tempfile::tempdir().unwrap();
    let mut locals = json!({"deep": {"in": {"inner": 7}}});
    for number in 0..70 {
        locals[format!("v{number:02}")] = number.into();
    }
    let callers: Vec<Value> = (0..60).map(|n| json!([format!("caller{n}"), 5])).collect();
    let place = json!({"line": 9, "stop": "pause", "locals": locals, "callers": callers});
    let script = json!({"program": [place]});
    let mut caller = shop(dir.path(), "", script).await;
    let bounds = json!({
        "stack_depth": 30, "locals_max_items": 65, "locals_max_depth": 3,
        "source_context_lines": 3,
    });
    let start = json!({"launch_config": {"name": NAME}, "viewport_config": bounds});
    let stop = good(&mut caller, "debug_launch", start).await;
    let stack = part(&stop, "stack");
    assert_eq!((stack.len(), stack[29].trim_start().starts_with("#29 ")), (31, true));
    assert_eq!(stack[30], "  31 more: debug_stack_trace {\"max_frames\": 61}");
    let locals = part(&stop, "locals");
    let values: Vec<&str> = locals.iter().copied().filter(|line| line.starts_with("  v")).collect();
    assert_eq!(values.len(), 64, "{}", stop.text);
    assert!(locals.iter().any(|line| line.starts_with("      inner")), "{}", stop.text);
    assert_eq!(locals.last(), Some(&"  6 more: debug_variables"), "{}", stop.text);
    assert_eq!(part(&stop, "source").len(), 3, "{}", stop.text);
    let refused = json!({
        "launch_config": {"name": NAME}, "viewport_config": {"stack_depth": 501},
    });
    let error = "error[bad-argument] debug_launch: `viewport_config.stack_depth` is 1 to 500, got \
        501. Try: debug_launch {\"launch_config\": {\"name\": \"shop\"}, \"viewport_config\": \
        {\"stack_depth\": 500}}";
    fails(&mut caller, "debug_launch", refused, error).await;
}

#[tokio::test]
async fn stop_whose_locals_cannot_be_read_has_all_other_parts() {
    let dir = tempfile::tempdir().unwrap();
    let place = |text: &str| {
        let output = [["stdout", "printed\n"]];
        json!({"line": 3, "stop": "exception", "text": text, "output": output, "locals": {"a": 1}})
    };
    let script = json!({
        "program": [place("first"), place("a long message of the program")],
        "faults": [{"on": "scopes", "refuse": "no frame"}],
    });
    let mut caller = shop(dir.path(), "", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    good(&mut caller, "debug_watch", json!({"expressions": ["a"]})).await;
    let stop = good(&mut caller, "debug_continue", json!({})).await.text;
    let starts = [
        "■ stopped exception ",
        "! a long message of the program",
        "stack:",
        "source:",
        "locals: not readable: no frame",
        "watch: a = ",
        "output +1 line: \"printed\"",
    ];
    let mut lines = stop.lines();
    for start in starts {
        assert!(lines.any(|line| line.starts_with(start)), "`{start}` is not in\n{stop}");
    }
}

#[tokio::test]
async fn source_is_read_without_a_stop_and_without_a_session() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [{"line": 1, "hangs": true}]});
    let mut caller = shop(dir.path(), "viewport_session_s = 100", script).await;
    let two = json!({"file": "shop.fake", "start_line": 2, "end_line": 3});
    let source = good(&mut caller, "debug_source", two.clone()).await;
    assert_eq!(source.text, "   2 code 2\n   3 code 3");
    let mut start = launch();
    start["stop_on_entry"] = false.into();
    caller.begin("debug_launch", start).await;
    caller.note(|note| note["params"]["newState"] == "running").await;
    let source = good(&mut caller, "debug_source", two).await;
    assert_eq!(source.text, "   2 code 2\n   3 code 3");
    let absent = json!({"file": "gone.fake"});
    let absent = caller.call("debug_source", absent).await;
    assert!(absent.text.ends_with("Try: debug_targets"), "{}", absent.text);
    let beyond = json!({"file": "shop.fake", "start_line": 41});
    let error = "error[bad-argument] shop.fake has 40 lines, there is no line 41. Try: \
        debug_source {\"file\": \"shop.fake\"}";
    fails(&mut caller, "debug_source", beyond, error).await;
    let long: String = (1..=4_000).map(|line| format!("some code of line {line}\n")).collect();
    std::fs::write(dir.path().join("long.fake"), long).unwrap();
    let mut next = json!({"file": "long.fake"});
    let mut lines = 0;
    for _ in 0..20 {
        let page = good(&mut caller, "debug_source", next).await.text;
        let of_file = page.lines().filter(|line| line.contains(" some code of line "));
        lines += of_file.count();
        let Some((_, call)) = page.split_once(" more lines of 4000: debug_source ") else { break };
        next = serde_json::from_str(call).unwrap();
    }
    assert_eq!(lines, 4_000);
}

#[tokio::test]
async fn breakpoints_of_a_file_are_replaced_however_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let places: Vec<Value> = (1..9).map(|line| json!({"line": line})).collect();
    let mut places = places;
    places[0]["stop"] = "entry".into();
    let script = json!({"program": places});
    let mut caller = shop(dir.path(), "", script).await;
    let root = dir.path().canonicalize().unwrap();
    std::os::unix::fs::symlink(root.join("shop.fake"), root.join("link.fake")).unwrap();
    write(&root.join("other.fake"));
    good(&mut caller, "debug_launch", launch()).await;
    let mut set = async |session: &str, file: &str, line: u32| {
        let breakpoints = json!([{"line": line}]);
        let arguments = json!({"file": file, "breakpoints": breakpoints, "session_id": session});
        good(&mut caller, "debug_set_breakpoints", arguments).await.text
    };
    set("fake-1", "other.fake", 2).await;
    let first = set("fake-1", "shop.fake", 3).await;
    assert!(first.ends_with("these replace the 0 that shop.fake had"), "{first}");
    let whole = root.join("shop.fake").display().to_string();
    for (file, line) in [(whole.as_str(), 4), ("link.fake", 5), ("./shop.fake", 6)] {
        let text = set("fake-1", file, line).await;
        assert!(text.ends_with(&format!("these replace the 1 that {file} had")), "{text}");
        assert_eq!(text.matches(".fake:").count(), 2, "{text}");
    }
    // Those of another session stay.
    good(&mut caller, "debug_launch", launch()).await;
    let mut set = async |session: &str, line: u32| {
        let breakpoints = json!([{"line": line}]);
        let arguments =
            json!({"file": "shop.fake", "breakpoints": breakpoints, "session_id": session});
        good(&mut caller, "debug_set_breakpoints", arguments).await.text
    };
    set("fake-2", 7).await;
    set("fake-2", 8).await;
    let first = json!({"session_id": "fake-1"});
    let list = good(&mut caller, "debug_list_breakpoints", first).await.text;
    assert!(list.contains("shop.fake:6") && !list.contains("shop.fake:8"), "{list}");
}

#[tokio::test]
async fn place_to_run_to_stays_when_breakpoints_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let script = json!({"program": [
        {"line": 1, "stop": "entry"}, {"line": 2, "hangs": true}, {"line": 5},
    ]});
    let mut caller = shop(dir.path(), "", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    let run = json!({"file": "shop.fake", "line": 5, "timeout_ms": 200});
    let running = good(&mut caller, "debug_run_to", run).await;
    assert!(running.text.contains("shop.fake:5"), "{}", running.text);
    let set = json!({"file": "shop.fake", "breakpoints": [{"line": 4}]});
    let set = good(&mut caller, "debug_set_breakpoints", set).await;
    assert!(set.text.ends_with("these replace the 0 that shop.fake had"), "{}", set.text);
    let wait = good(&mut caller, "debug_wait", json!({"timeout_s": 0})).await;
    assert!(wait.text.contains("shop.fake:5"), "{}", wait.text);
}

#[tokio::test]
async fn starts_without_a_target_name_a_call_that_has_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = shop(dir.path(), "", json!({"program": []})).await;
    for (tool, arguments, error) in [
        (
            "debug_launch",
            json!({"cwd": "."}),
            "debug_launch needs `command` or `launch_config`. Try: debug_launch {\"cwd\": \".\", \
             \"command\": \"PROGRAM\"}",
        ),
        (
            "debug_launch",
            json!({"launch_config": {"path": "a"}}),
            "debug_launch: `launch_config` needs the `name` of a configuration. Try: debug_launch \
             {\"launch_config\": {\"path\": \"a\", \"name\": \"NAME\"}}",
        ),
        (
            "debug_launch",
            json!({"command": "a", "launch_config": {"name": "b"}}),
            "debug_launch takes only one of `command`, `launch_config`. Try: debug_launch \
             {\"command\": \"a\"}",
        ),
        (
            "debug_attach",
            json!({"language": "fake"}),
            "debug_attach needs one of `pid`, `port`. Try: debug_attach {\"language\": \"fake\", \
             \"pid\": 4711}",
        ),
    ] {
        fails(&mut caller, tool, arguments, &format!("error[bad-argument] {error}")).await;
    }
}

/// An agent of that server knows no argument that allows effects.
#[tokio::test]
async fn evaluation_runs_what_changes_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let place = json!({"line": 1, "stop": "entry", "locals": {"a": 1, "b": [1, [2, 3]]}});
    let script = json!({"program": [place]});
    let mut caller = shop(dir.path(), "", script).await;
    good(&mut caller, "debug_launch", launch()).await;
    let set = good(&mut caller, "debug_evaluate", json!({"expression": "set a"})).await;
    assert!(!set.text.contains("effects"), "{}", set.text);
    let deep = json!({"expression": "b", "max_depth": 3});
    let deep = good(&mut caller, "debug_evaluate", deep).await;
    assert!(deep.text.contains("\n  [0]") && deep.text.contains("\n    [1]"), "{}", deep.text);
    let watch = good(&mut caller, "debug_watch", json!({"expressions": ["set a"]})).await;
    assert!(
        watch.text.ends_with(
            "note: a stop evaluates its watches without running code of the program; \
             debug_evaluate {\"expression\": \"set a\"} runs it"
        ),
        "{}",
        watch.text
    );
}
