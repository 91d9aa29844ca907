//! What an editor changes takes the session, and the agent reads it.

use super::*;

/// A lost connection is as a disconnect.
#[tokio::test]
async fn lost_connection_gives_the_session_back() {
    let mut joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.request("next", json!({"threadId": 1})).await.unwrap();
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let step = joined.agent.call("debug_step", json!({})).await;
    assert!(
        step.text.starts_with("a person had fake-1 and gave it back; 1 call:"),
        "{}",
        step.text
    );
}

/// What a person has taken before stays taken.
#[tokio::test]
async fn claim_of_the_terminal_outlives_the_editor() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.request("stepIn", json!({"threadId": 1})).await.unwrap();
    editor.expect("stopped").await;
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
}

/// An agent reads about a line that was run, though its editor has left.
#[tokio::test]
async fn line_of_an_editor_that_leaves_is_read_by_the_agent() {
    let slow = json!({"slow": {"total": 300}});
    let mut joined = Joined::with(locals(), slow, &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("evaluate", json!({"expression": "total", "context": "repl"}));
    // The line has begun.
    let notice = editor.expect("output").await;
    assert!(notice["output"].as_str().unwrap().starts_with("dapdock: fake-1 is taken"), "{notice}");
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let step = joined.agent.call("debug_step", json!({})).await;
    let first = lines(&step, 2);
    assert_eq!(first[0], "a person had fake-1 and gave it back; 1 call:");
    assert_eq!(first[1], "- evaluate `total` in an editor: 12");
}

/// A refused move takes nothing from the one before it.
#[tokio::test]
async fn move_is_read_by_the_agent_though_the_next_one_fails() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let slow = json!({"faults": [{"on": "next", "late": 300}]});
    let mut joined = Joined::with(program, slow, &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("next", json!({"threadId": 1}));
    let second = editor.request("next", json!({"threadId": 1})).await;
    assert_eq!(second, Err("error[not-stopped] the program is running".to_owned()));
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let wait = joined.agent.call("debug_status", json!({})).await;
    let first = lines(&wait, 2);
    assert_eq!(first[0], "a person had fake-1 and gave it back; 1 call:");
    assert_eq!(first[1], "- next in an editor: ▶ running");
}

/// The program may run already while the answer to the editor's own move is missing.
#[tokio::test]
async fn editor_pauses_its_own_move() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let slow = json!({"faults": [{"on": "continue", "late": 300}]});
    let joined = Joined::with(program, slow, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("continue", json!({"threadId": 1}));
    editor.request("pause", json!({"threadId": 1})).await.unwrap();
    editor.expect("output").await;
    assert_eq!(editor.expect("stopped").await["reason"], "pause");
}

/// Steps of one thread alone are not offered: the session has none.
#[tokio::test]
async fn capabilities_are_those_that_the_mirror_serves() {
    let capabilities = json!({
        "supportsConfigurationDoneRequest": true, "supportsSteppingGranularity": true,
        "supportsSingleThreadExecutionRequests": true, "supportsSetVariable": true,
    });
    let joined = Joined::with(four(), json!({"capabilities": capabilities}), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::connect(mirror.port).await;
    let offered = editor.request("initialize", json!({"adapterID": "x"})).await.unwrap();
    for (name, is_offered) in [
        ("supportsSteppingGranularity", true),
        ("supportsFunctionBreakpoints", true),
        ("supportsSingleThreadExecutionRequests", false),
        ("supportsSetVariable", false),
    ] {
        assert_eq!(offered[name].as_bool().unwrap_or(false), is_offered, "{name}");
    }
}

/// The debug console may change the program: it takes the session.
#[tokio::test]
async fn debug_console_takes_the_session() {
    let mut joined = Joined::start(locals(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let line = json!({"expression": "total", "context": "repl"});
    assert_eq!(editor.request("evaluate", line).await.unwrap()["result"], "12");
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
    joined.run(&["give"]).await;
    let step = joined.agent.call("debug_step", json!({})).await;
    let first = lines(&step, 2);
    assert_eq!(first[1], "- evaluate `total` in an editor: 12", "{first:?}");
}

#[tokio::test]
async fn requests_that_start_or_end_programs_are_refused() {
    let mut joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    for command in ["launch", "terminate", "restart", "setVariable", "writeMemory"] {
        let refused = editor.request(command, json!({})).await.unwrap_err();
        assert!(refused.starts_with("error[not-offered] "), "{command}: {refused}");
    }
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}
