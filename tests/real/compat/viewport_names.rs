//! `compat:viewport`: texts of stops in documented bounds.

use serde_json::{Value, json};

use super::{place, sleeper, start};
use crate::caller::{Answer, root};
use crate::real::stage::marked;
use crate::real::{Stage, debugpy};

/// The lines of a part of a viewport.
fn part<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    let lines = answer.text.lines().skip_while(|line| *line != format!("{name}:")).skip(1);
    lines.take_while(|line| line.starts_with([' ', '→'])).collect()
}

pub async fn viewport_names_answer_as_documented(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (file, line) = place(stage, "cart", "loop");
    let (_, tax) = place(stage, "cart", "tax");
    let launch = json!({
        "command": format!("python3 {file}"), "language": "python", "stop_on_entry": false,
        "env": {"A": "b"}, "breakpoints": [{"file": file, "breakpoints": [{"line": line}]}],
        "viewport_config": {"collection_preview_items": 2},
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    assert_eq!(part(&stop, "source").len(), 15, "{}", stop.text);
    assert!(part(&stop, "stack").len() <= 6, "{}", stop.text);
    assert!(!part(&stop, "locals").is_empty(), "{}", stop.text);

    let stop = stage.call("debug_run_to", json!({"file": file, "line": tax})).await.good();
    stop.says(&format!("{file}:{tax}"));
    let threads = stage.call("debug_threads", json!({})).await.good();
    threads.says("MainThread");
    let step = stage.call("debug_step", json!({"direction": "out", "count": 1})).await.good();
    assert_eq!(step.reason(), "after step");

    let set = json!({"file": file, "breakpoints": [{"line": tax, "condition": "True"}]});
    let set = stage.call("debug_set_breakpoints", set).await.good();
    set.says(&format!("these replace the 1 that {file} had"));
    let list = stage.call("debug_list_breakpoints", json!({})).await.good();
    assert_eq!(list.text.matches(".py:").count(), 1, "{}", list.text);
    let filters = json!({"filters": ["uncaught"]});
    stage.call("debug_set_exception_breakpoints", filters).await.good().says("uncaught");

    let value = json!({"expression": "[[1, 2], 3]", "frame_index": 0, "max_depth": 2});
    stage.call("debug_evaluate", value).await.good().says("[[1, 2], 3]");
    let all = json!({"scope": "all", "filter": "^tot", "max_depth": 1});
    let all = stage.call("debug_variables", all).await.good();
    all.says("\n  total: int = ");
    assert!(!all.text.contains("\n  index"), "{}", all.text);
    let globals = stage.call("debug_variables", json!({"scope": "global"})).await.good();
    assert!(globals.text.starts_with("Globals:\n"), "{}", globals.text);
    let error = stage.call("debug_variables", json!({"scope": "closure"})).await;
    error.says("the frame has no closure scope; it has Locals");
    let stack = json!({"max_frames": 20, "include_source": true});
    stage.call("debug_stack_trace", stack).await.good().says(&file);
    let source = json!({"file": file, "start_line": 2, "end_line": 4});
    let source = stage.call("debug_source", source).await.good();
    assert_eq!(source.text.lines().count(), 3, "{}", source.text);
    assert!(source.text.starts_with("   2 "), "{}", source.text);

    let watch = json!({"action": "add", "expressions": ["total"]});
    stage.call("debug_watch", watch).await.good().says("total");
    let go_on = json!({"timeout_ms": 30_000});
    stage.call("debug_continue", go_on).await.good().says("total");
    let watch = json!({"action": "remove", "expressions": ["total"]});
    stage.call("debug_watch", watch).await.good().says("no watches");

    let log = stage.call("debug_action_log", json!({"format": "detailed"})).await.good();
    log.says("\n1 debug_launch {");
    log.says("\n  ■ stopped breakpoint #1");
    let summary = stage.call("debug_action_log", json!({})).await.good();
    summary.says("\n3 debug_threads\n4 debug_step {");
    let status = stage.call("debug_status", json!({})).await.good();
    status.says("tokens of answers: ");
    status.says("supports");

    stage.call("debug_stop", json!({})).await.good().says(" actions");
}

/// A configuration of a launch.json elsewhere, with breakpoints of every kind.
pub async fn viewport_launch_configuration_and_breakpoints(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (file, tax) = place(stage, "cart", "tax");
    let (_, print) = place(stage, "cart", "print");
    let (_, add) = place(stage, "cart", "add");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".vscode/launch.json");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    let program = root().join(&file).display().to_string();
    let configurations = json!([
        {"name": "Cart", "type": "debugpy", "request": "launch", "program": program,
            "args": ["fail"]},
    ]);
    std::fs::write(&path, json!({"configurations": configurations}).to_string()).unwrap();
    let breakpoints = json!([
        {"line": tax, "hitCondition": "2"},
        {"line": print, "logMessage": "at {index}"},
        {"line": add, "condition": "index == 2"},
    ]);
    let launch = json!({
        "launch_config": {"path": path.display().to_string(), "name": "Cart"},
        "breakpoints": [{"file": program, "breakpoints": breakpoints}],
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    assert!(part(&stop, "locals").contains(&"  net: int = 1990"), "{}", stop.text);
    stop.says("\nlog breakpoints +1 hit ");
    let next = stage.call("debug_continue", json!({"timeout_ms": 20_000})).await.good();
    assert_eq!(next.reason(), "breakpoint #3", "{}", next.text);
    assert!(part(&next, "locals").contains(&"  index: int = 2"), "{}", next.text);
    let set = json!({"file": program, "breakpoints": [
        {"line": print, "logMessage": "then {index}"}, {"line": tax, "hitCondition": "3"},
    ]});
    let set = stage.call("debug_set_breakpoints", set).await.good();
    set.says("these replace the 3 that ");
    // Two items are left.
    let exit = stage.call("debug_continue", json!({})).await.good();
    exit.says("□ exited with code 3");
    let after_first = stage.call("debug_output", json!({"since_action": 2})).await.good();
    assert!(!after_first.text.contains("0 Heft"), "{}", after_first.text);
    after_first.says("2 饺子");
    let all = stage.call("debug_output", json!({"stream": "both"})).await.good();
    for line in ["0 Heft 1070", "at 0", "then 2", "total 10136"] {
        all.says(line);
    }
    let errors = stage.call("debug_output", json!({"stream": "stderr"})).await.good();
    assert!(!errors.text.contains("Heft"), "{}", errors.text);
    let beyond = stage.call("debug_output", json!({"since_action": 99})).await;
    beyond.fails("error[bad-argument] there are 4 actions, not 99. Try: debug_action_log");
    let unnamed = json!({"launch_config": {"path": path.display().to_string(), "name": "No"}});
    let unnamed = stage.call("debug_launch", unnamed).await;
    assert!(unnamed.is_error && unnamed.text.contains("Cart"), "{}", unnamed.text);
}

/// By process id and by port, with breakpoints relative to `cwd`.
pub async fn viewport_attaches(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (_, line) = place(stage, "sleeper", "loop");
    let mut child = sleeper(stage).await;
    let attach = json!({
        "language": "python", "pid": child.id(), "cwd": "tests/fixtures/python",
        "breakpoints": [{"file": "sleeper.py", "breakpoints": [{"line": line}]}],
        "viewport_config": {"source_context_lines": 3},
    });
    let stop = stage.call("debug_attach", attach).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    assert_eq!(part(&stop, "source").len(), 3, "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good().says("□ detached");
    assert!(child.try_wait().unwrap().is_none(), "the process was ended");

    let file = root().join(stage.language.source("sleeper"));
    let (_process, address) = debugpy::listens(stage, &[], &file).await;
    let (host, port) = address.split_once(':').unwrap();
    let attach = json!({
        "language": "python", "host": host, "port": port.parse::<u16>().unwrap(),
        "breakpoints": [{"file": file.display().to_string(), "breakpoints": [{"line": line}]}],
    });
    let stop = stage.call("debug_attach", attach).await.good();
    stop.says("\n→ ");
    // The file ends before the fifteenth line.
    let lines = std::fs::read_to_string(&file).unwrap().lines().count() as u64;
    assert_eq!(part(&stop, "source").len() as u64, lines - (line - 7) + 1, "{}", stop.text);
    let unknown = json!({"language": "klingon", "pid": child.id()});
    let unknown = stage.call("debug_attach", unknown).await;
    unknown.says("no adapter debugs `klingon`; there are ");
}

/// A stop deep in a recursion, with a long list, a long text and a nested value.
const DEEP: &str = "\
# 1
# 2
# 3
# 4
# 5
# 6
def deep(n):
    if n == 0:
        items = list(range(30))
        nested = {'a': {'b': {'c': 1}}}
        text = 'x' * 300
        return items  # [stop: here]
    return deep(n - 1)
# 7
# 8
# 9
# 10
# 11
# 12
deep(40)
";

/// Every bound, by default and as the caller sets it.
pub async fn viewport_bounds_hold(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().canonicalize().unwrap().join("deep.py");
    std::fs::write(&file, DEEP).unwrap();
    let line = marked(&file, "here");
    let path = file.display().to_string();
    let launch = |bounds: Value| {
        json!({
            "command": format!("python3 {path}"), "viewport_config": bounds,
            "breakpoints": [{"file": path, "breakpoints": [{"line": line}]}],
        })
    };
    let stop = stage.call("debug_launch", launch(json!({}))).await.good();
    assert_eq!(part(&stop, "source").len(), 15, "{}", stop.text);
    let stack = part(&stop, "stack");
    assert_eq!(stack.len(), 6, "{}", stop.text);
    assert_eq!(stack[5], "  37 more: debug_stack_trace {\"max_frames\": 42}");
    let text = format!("  text: str = '{}…{}'", "x".repeat(79), "x".repeat(38));
    let nested = "  nested: dict = {'a': {'b': {'c': 1}}}";
    let items = "  items: list = [0, 1, 2, 3, 4, …]";
    assert_eq!(part(&stop, "locals"), [items, "  n: int = 0", nested, &text], "{}", stop.text);

    let frame = json!({"expression": "n + 100", "frame_index": 3});
    stage.call("debug_evaluate", frame).await.good().says("n + 100 = 103");
    let frame = json!({"frame_index": 2, "filter": "^n$"});
    let frame = stage.call("debug_variables", frame).await.good();
    assert_eq!(frame.text, "Locals:\n  n: int = 2");
    let deep = stage.call("debug_variables", json!({"max_depth": 3})).await.good();
    deep.says("\n  nested: dict = ");
    deep.says("\n    'a': dict = ");
    deep.says("\n      'b': dict = ");
    let full = stage.call("debug_variables", json!({})).await.good();
    full.says(&"x".repeat(300));
    let stack = stage.call("debug_stack_trace", json!({"max_frames": 42})).await.good();
    stack.says("#41 <module>");
    let short = json!({"max_frames": 2, "include_source": true});
    let short = stage.call("debug_stack_trace", short).await.good();
    assert_eq!(
        short.text,
        format!(
            "#0 deep  {path}:{line}\n    {line} return items  # [stop: here]\n\
             #1 deep  {path}:{}\n    {} return deep(n - 1)\n  \
             40 more: debug_stack_trace {{\"max_frames\": 42}}",
            line + 1,
            line + 1
        )
    );
    stage.call("debug_stop", json!({})).await.good();

    let bounds = json!({
        "source_context_lines": 3, "stack_depth": 25, "locals_max_depth": 3,
        "locals_max_items": 3, "string_truncate_length": 20, "collection_preview_items": 2,
    });
    let stop = stage.call("debug_launch", launch(bounds)).await.good();
    assert_eq!(part(&stop, "source").len(), 3, "{}", stop.text);
    assert_eq!(part(&stop, "stack").len(), 26, "{}", stop.text);
    let locals = part(&stop, "locals");
    assert!(locals[0].starts_with("  items: list = "), "{}", stop.text);
    assert!(locals.iter().any(|line| line.starts_with("      'b': dict = ")), "{}", stop.text);
    assert_eq!(locals.last(), Some(&"  1 more: debug_variables"), "{}", stop.text);
    let bounded =
        |line: &&&str| line.split_once(" = ").is_some_and(|(_, value)| value.chars().count() > 20);
    assert_eq!(locals.iter().find(bounded), None, "{}", stop.text);
}

/// The scopes `global`, `closure` and `all` as each debugger has them.
pub async fn viewport_scopes(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (file, line) = place(stage, "cart", "tax");
    let file = root().join(file).display().to_string();
    let command = stage.pick(
        format!("python3 {file}"),
        String::new(),
        stage.language.program("cart"),
        format!("node {file}"),
        String::new(),
    );
    let launch = json!({
        "command": command, "breakpoints": [{"file": file, "breakpoints": [{"line": line}]}],
    });
    stage.call("debug_launch", launch).await.good();
    let local = stage.call("debug_variables", json!({"scope": "local"})).await.good();
    local.says("\n  rate: ");
    let of = |scope: &str| json!({"scope": scope, "filter": "^(rate|TAX|main\\.taxes|taxes)$"});
    let none = |scope: &str, scopes: &str| {
        let next = of("all").to_string().replace("\":", "\": ").replace(",\"", ", \"");
        format!(
            "error[bad-argument] the frame has no {scope} scope; it has {scopes}. Try: \
             debug_variables {next}"
        )
    };
    let python = "{<Kind.BOOK: 'book'>: 7, <Kind.PEN: 'pen'>: 19, <Kind.FOOD: 'food'>: 7}";
    let python = format!("Globals:\n  TAX: dict = {python}");
    let javascript = "Closure:\n  TAX: Object = {book: 7, pen: 19, food: 7}";
    let locals = stage.pick(
        "Locals:\n  rate: int = 7",
        "",
        "Locals:\n  rate: uint64 = 7",
        "Local: tax:\n  rate: number = 7",
        "",
    );
    let (global, closure) = stage.pick(
        (python.clone(), none("closure", "Locals, Globals")),
        Default::default(),
        (none("global", "Locals"), none("closure", "Locals")),
        ("Global:".to_owned(), javascript.to_owned()),
        Default::default(),
    );
    let all = stage.pick(
        format!("{locals}\n{python}"),
        String::new(),
        locals.to_owned(),
        format!("{locals}\n{javascript}\nGlobal:"),
        String::new(),
    );
    let rows = [("local", locals), ("global", &global), ("closure", &closure), ("all", &all)];
    for (scope, expect) in rows {
        let answer = stage.call("debug_variables", of(scope)).await;
        assert_eq!(answer.text, expect, "{scope}");
    }
}

/// `thread_id`, of a step and a continuation.
pub async fn viewport_threads(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (file, line) = place(stage, "cart", "loop");
    let launch = json!({
        "command": format!("python3 {file}"), "stop_on_entry": true, "framework": "flask",
        "breakpoints": [{"file": file, "breakpoints": [{"line": line}]}],
    });
    let entry = stage.call("debug_launch", launch).await.good();
    assert_eq!(entry.reason(), "at entry", "{}", entry.text);
    entry.says("note: the command does not name flask");
    let threads = stage.call("debug_threads", json!({})).await.good();
    threads.says("thread MainThread (1) · stopped here");
    let step = json!({"direction": "over", "thread_id": 1, "count": 2});
    let step = stage.call("debug_step", step).await.good();
    assert_eq!(step.reason(), "after step", "{}", step.text);
    let resumed = stage.call("debug_continue", json!({"thread_id": 1})).await.good();
    assert_eq!(resumed.reason(), "breakpoint #1", "{}", resumed.text);
    let unknown = stage.call("debug_step", json!({"direction": "into", "thread_id": 99})).await;
    unknown.says("error[no-such-thread] there is no thread 99");
}

/// The calls that an error proposes are of this family, and name a session.
pub async fn viewport_calls_name_one_of_several_sessions(stage: &mut Stage) {
    start(stage, "compat:viewport").await;
    let (file, _) = place(stage, "cart", "loop");
    for _ in 0..2 {
        let launch = json!({"command": format!("python3 {file}"), "stop_on_entry": true});
        stage.call("debug_launch", launch).await.good();
    }
    for (tool, arguments, next) in [
        ("debug_continue", json!({}), r#"debug_continue {"session_id": "debugpy-2"}"#),
        ("debug_action_log", json!({}), r#"debug_action_log {"session_id": "debugpy-2"}"#),
        (
            "debug_evaluate",
            json!({"expression": "1"}),
            r#"debug_evaluate {"expression": "1", "session_id": "debugpy-2"}"#,
        ),
    ] {
        let refused = stage.call(tool, arguments).await;
        assert!(refused.text.starts_with("error[which-session] "), "{}", refused.text);
        assert!(refused.text.ends_with(&format!("Try: {next}")), "{}", refused.text);
    }
    stage.call("debug_stop", json!({"session_id": "debugpy-1"})).await.good();
    stage.call("debug_stop", json!({"session_id": "debugpy-2"})).await.good();
}
