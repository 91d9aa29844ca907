//! `compat:viewport`: texts of stops in documented bounds.

use serde_json::json;

use super::{place, start};
use crate::caller::Answer;
use crate::real::Stage;

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
    let output = json!({"stream": "both", "since_action": 1});
    stage.call("debug_output", output).await.good();
    let status = stage.call("debug_status", json!({})).await.good();
    status.says("tokens of answers: ");
    status.says("supports");

    // After 20 actions defaults shrink; what the caller sets stays.
    for _ in 0..4 {
        stage.call("debug_list_breakpoints", json!({})).await.good();
    }
    let step = stage.call("debug_step", json!({"direction": "over"})).await.good();
    step.says("shortened after 20 actions: debug_stack_trace");
    stage.call("debug_stop", json!({})).await.good().says(" actions");
}
