//! Breakpoints of an editor beside those of the agent.

use super::*;

/// They are added to the agent's, stop the program, and go with the editor.
#[tokio::test]
async fn breakpoints_of_the_editor_come_and_go_with_it() {
    let mut joined = Joined::start(four(), &[]).await;
    let set = json!({"set": ["shop.fake:9 if x > 1"]});
    joined.agent.call("debug_breakpoints", set).await;
    let before = joined.agent.call("debug_breakpoints", json!({})).await.text;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let source = json!({"path": joined.shell.source()});
    let lines_of = |lines: &[i64]| {
        let lines: Vec<_> = lines.iter().map(|line| json!({"line": line})).collect();
        json!({"source": source, "breakpoints": lines})
    };
    let set = editor.request("setBreakpoints", lines_of(&[7, 9])).await.unwrap();
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(7)), "{set:?}");
    assert_eq!(set[1]["id"], 2);
    assert_eq!(set[1]["message"], "set in the session as #2, if x > 1");
    editor.request("configurationDone", json!({})).await.unwrap();
    editor.expect("stopped").await;
    // No move: the agent has the session.
    let stop = joined.agent.call("debug_continue", json!({})).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #3 · stop 2"), "{}", stop.text);
    editor.expect("continued").await;
    assert_eq!(editor.expect("stopped").await["hitBreakpointIds"], json!([3]));
    let list = joined.agent.call("debug_breakpoints", json!({})).await.text;
    assert!(list.contains("shop.fake:7 · set in an editor"), "{list}");
    // An agent removes one: the editor reads that.
    joined.agent.call("debug_breakpoints", json!({"remove": ["3"]})).await;
    let removed = editor.expect("breakpoint").await;
    assert_eq!((&removed["reason"], &removed["breakpoint"]["id"]), (&json!("removed"), &json!(3)));
    // Removed in the editor, the agent's stays.
    editor.request("setBreakpoints", lines_of(&[])).await.unwrap();
    assert_eq!(joined.agent.call("debug_breakpoints", json!({})).await.text, before);
    editor.request("setBreakpoints", lines_of(&[5])).await.unwrap();
    let filters = json!({"filters": ["uncaught"]});
    editor.request("setExceptionBreakpoints", filters).await.unwrap();
    let functions = json!({"breakpoints": [{"name": "pay"}]});
    editor.request("setFunctionBreakpoints", functions).await.unwrap();
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    assert_eq!(joined.agent.call("debug_breakpoints", json!({})).await.text, before);
}

/// Where an agent has a breakpoint, the editor's is set once the agent's is removed.
#[tokio::test]
async fn breakpoint_of_the_editor_outlives_that_of_the_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.agent.call("debug_breakpoints", json!({"set": ["shop.fake:9 if x > 1"]})).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [{"line": 9}]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    assert_eq!(set["breakpoints"][0]["id"], 2, "{set}");
    joined.agent.call("debug_breakpoints", json!({"remove": ["2"]})).await;
    let removed = editor.expect("breakpoint").await;
    assert_eq!((&removed["reason"], &removed["breakpoint"]["id"]), (&json!("removed"), &json!(2)));
    let new = editor.expect("breakpoint").await;
    let breakpoint = &new["breakpoint"];
    assert_eq!((&new["reason"], &breakpoint["line"]), (&json!("new"), &json!(9)));
    assert_eq!((&breakpoint["id"], &breakpoint["verified"]), (&json!(3), &json!(true)));
    let stop = joined.agent.call("debug_continue", json!({})).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #3 · stop 2"), "{}", stop.text);
    // The agent removes the editor's own: it is gone.
    joined.agent.call("debug_breakpoints", json!({"remove": ["3"]})).await;
    let list = joined.agent.call("debug_breakpoints", json!({})).await.text;
    assert!(!list.contains("shop.fake:9"), "{list}");
}

/// The editor's mark must not promise a stop.
#[tokio::test]
async fn breakpoints_of_the_agent_that_stop_otherwise_are_unverified() {
    let mut joined = Joined::start(four(), &[]).await;
    let set = json!({"set": [
        "shop.fake:5 log five", {"at": "shop.fake:7", "hit_condition": ">= 3"}, "shop.fake:9",
    ]});
    let set = joined.agent.call("debug_breakpoints", set).await;
    assert!(!set.is_error, "{}", set.text);
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 5}, {"line": 7}, {"line": 9, "logMessage": "nine"},
        {"line": 5, "logMessage": "again"}, {"line": 7, "hitCondition": ">= 3"}, {"line": 9},
    ]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    let marks: Vec<_> = set["breakpoints"].as_array().unwrap().iter().collect();
    let as_set = "set in the session as";
    for (mark, verified, words) in [
        (marks[0], false, "#2, as a logpoint"),
        (marks[1], false, "#3, at hits >= 3"),
        (marks[2], false, "#4, where it stops"),
        (marks[3], true, "#2, as a logpoint"),
        (marks[4], true, "#3, at hits >= 3"),
        (marks[5], true, "#4"),
    ] {
        assert_eq!(mark["verified"], verified, "{mark}");
        assert_eq!(mark["message"], format!("{as_set} {words}"), "{mark}");
    }
}

/// One wrong condition refuses its own breakpoint.
#[tokio::test]
async fn wrong_hit_condition_refuses_one_breakpoint() {
    let joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 5, "hitCondition": "soon"}, {"line": 7},
    ]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!((&set[0]["verified"], &set[0]["reason"]), (&json!(false), &json!("failed")));
    assert!(set[0]["message"].as_str().unwrap().contains("soon"), "{set:?}");
    assert_eq!(set[1]["verified"], true, "{set:?}");
}

/// What fails for no breakpoint's own fault is not tried for each of them.
#[tokio::test]
async fn debugger_that_does_not_answer_refuses_all_breakpoints_at_once() {
    // The pause is answered without effect.
    let deaf = json!([{"on": "pause", "refuse": ""}, {"on": "pause", "answer": {}}]);
    let halts = json!({"breakpoints": {"while_running": "halt-first"}});
    let options = json!({"script": {"faults": deaf}, "profile": halts});
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let shell = with_limits("request_s = 0.3");
    let mut joined = Joined::on(shell, program, options, &[]).await;
    joined.agent.call("debug_continue", json!({"wait": false})).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 7}, {"line": 9}, {"line": 11},
    ]});
    let refused = editor.request("setBreakpoints", set).await.unwrap_err();
    let cause = "error[adapter-silent] the adapter did not answer pause within 0.3 s";
    assert_eq!(refused, cause);
    editor.request("disconnect", json!({})).await.unwrap();
}
