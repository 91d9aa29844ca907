//! Pauses of a caller: the thread that is selected, when the request is sent, repeated or refused.
//! The host's own pause is in `session::breakpoints::halts`.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{Resume, StopClass, ThreadId};
use dapdock::session::Error;
use serde_json::{Value, json};

use crate::session::{Run, SOON, Stage, soon};

#[tokio::test]
async fn pause_stops_a_hanging_program() {
    let mut run = Stage::new(json!({"program": [{"line": 7, "hangs": true}]})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:7");
}

/// Threads of a runtime are not selected, unless requested.
#[tokio::test]
async fn pause_selects_a_thread_in_user_code() {
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "sleeper"], [3, "main"]],
        "idle": [1, 2],
    });
    for (requested, thread, outcome) in
        [(None, "main", "main:7"), (Some(ThreadId(1)), "idler", "idle:0")]
    {
        let mut run = Stage::new(script.clone()).launch().await;
        run.until("running").await;
        run.cursor = soon(run.handle.pause(requested)).await.unwrap();
        let stop = run.stop().await;
        assert_eq!(
            (stop.class, stop.thread.name.as_str(), stop.threads),
            (StopClass::Pause, thread, 3)
        );
        let top = &stop.frames[0];
        assert_eq!(format!("{}:{}", top.name, top.line), outcome);
    }
}

/// Which threads had their stacks requested after a pause, and which one is selected.
async fn stacks_read_by_a_pause(script: Value) -> (Vec<i64>, String) {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let mut run = Stage { limits, ..Stage::new(script) }.launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    let requested = run.stage.arguments("stackTrace");
    (
        requested.iter().map(|one| one["threadId"].as_i64().unwrap()).collect(),
        stop.thread.name.clone(),
    )
}

/// A pause waits neither for the stacks of many threads nor for the stack of a running one.
#[tokio::test]
async fn pause_reads_other_stacks_in_one_time_limit() {
    let threads: Vec<Value> = (1..=9).map(|id| json!([id, format!("thread {id}")])).collect();
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": threads,
        "idle": [1],
        "mute": [2, 3, 4, 5, 6, 7, 8, 9],
    });
    let (requested, selected) = stacks_read_by_a_pause(script).await;
    assert_eq!((&requested[..2], selected.as_str()), (&[1, 2][..], "thread 1"));
    // Both time limits may expire together.
    assert!(requested.len() < 4, "{requested:?}");
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "main"]],
        "idle": [1],
        "stops_one": true,
    });
    assert_eq!(stacks_read_by_a_pause(script).await, (vec![1], "idler".to_owned()));
}

/// A pause that a profile's rule rejects is repeated a limited number of times.
#[tokio::test]
async fn pause_rejected_by_a_rule_is_repeated() {
    let script = json!({"program": [{"line": 7, "function": "handler", "hangs": true}]});
    let rule = json!({"function": "handler", "reaction": "pause-again", "class": "pause"});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) };
    let mut run = stage.with("profile", json!({"pause": {"rules": [rule]}})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause handler:7");
    let commands = run.stage.commands();
    let moves: Vec<&String> = commands
        .iter()
        .filter(|command| ["pause", "continue"].contains(&command.as_str()))
        .collect();
    assert_eq!(moves.len(), 11, "{moves:?}");
    assert_eq!(
        (moves[0].as_str(), moves[1].as_str(), moves[10].as_str()),
        ("pause", "continue", "pause")
    );
}

/// A session at its breakpoint in line 1 whose adapter takes a pause after `continued` only.
async fn pauses_once_continued(script: Value) -> Run {
    let stage = Stage::new(script).at(&[1]);
    let mut run =
        stage.with("profile", json!({"pause": {"delivery": "after-continued"}})).launch().await;
    run.stop().await;
    run
}

/// Some adapters lose a pause that arrives before their `continued` event: it is sent after that.
#[tokio::test]
async fn pause_is_sent_after_the_continued_event() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "setBreakpoints", "emit": ["continued", {"threadId": 1}]}],
    });
    let mut run = pauses_once_continued(script).await;
    run.resume(Resume::Continue).await.unwrap();
    let before = run.stage.commands().len();
    let handle = run.handle.clone();
    let (pause, _) =
        soon(async { tokio::join!(handle.pause(None), run.set(vec![run.stage.line(7)])) }).await;
    run.cursor = pause.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let commands = run.stage.commands();
    let requests: Vec<&str> = commands[before..].iter().map(String::as_str).take(2).collect();
    assert_eq!(requests, ["setBreakpoints", "pause"]);
}

/// A pause waits for `continued`, and the adapter refuses the move: the debuggee stands, and the
/// pause is not sent.
#[tokio::test]
async fn pause_behind_a_refused_move_finds_the_program_stopped() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "continue", "refuse": "not now"}],
    });
    let run = pauses_once_continued(script).await;
    let resume = run.handle.resume(Resume::Continue, None);
    let (moved, paused) =
        soon(async { tokio::join!(biased; resume, run.handle.pause(None)) }).await;
    assert!(moved.is_err(), "{moved:?}");
    assert!(matches!(paused, Err(Error::NotRunning)), "{paused:?}");
    assert!(!run.stage.commands().contains(&"pause".to_owned()));
}

/// A pause that the adapter answers and then ignores is repeated.
#[tokio::test]
async fn ignored_pause_is_repeated() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "forgets_pauses": 2});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run = stage.with("profile", json!({"pause": {"delivery": "repeated"}})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    // On a busy machine another one may be sent before the stop of the third arrives.
    let pauses = run.stage.commands().iter().filter(|command| *command == "pause").count();
    assert!(pauses >= 3, "{pauses}");
}

/// The program throws while a pause is under way: the stop is titled with the exception.
#[tokio::test]
async fn exception_during_a_pause_has_its_name() {
    let thrown = json!(["stopped", {"reason": "exception", "threadId": 1}]);
    let info = json!({"exceptionId": "Fake", "breakMode": "always"});
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "forgets_pauses": 1,
        "faults": [{"on": "pause", "emit": thrown}, {"on": "exceptionInfo", "answer": info}],
    });
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    assert_eq!((stop.class, stop.title.as_str()), (StopClass::Exception, "Fake"));
}

/// A breakpoint stop overtakes the pause, which the adapter then refuses: the caller gets the stop,
/// also if a hook makes it of another event and the refusal is read before the hook returns.
#[tokio::test]
async fn refused_pause_returns_the_stop_that_came_first() {
    for event in ["stopped", "halted"] {
        pause_is_refused_after(event).await;
    }
}

async fn pause_is_refused_after(event: &str) {
    let event = json!({"seq": 900, "type": "event", "event": event,
        "body": {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": true}})
    .to_string();
    let stop = format!("Content-Length: {}\r\n\r\n{event}", event.len());
    let faults =
        json!([{"on": "pause", "refuse": "not running"}, {"on": "pause", "garbage": stop}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": faults});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.stop().await.class, StopClass::Breakpoint);
}

/// Without a stop the caller gets the adapter's words, and the next pause is one of its own.
#[tokio::test]
async fn refused_pause_leaves_the_debuggee_running() {
    let faults = json!([{"on": "pause", "refuse": "not now"}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": faults});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let refused = soon(run.handle.pause(None)).await.unwrap_err();
    assert!(refused.to_string().contains("not now"), "{refused}");
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
}

/// Every line is stored or counted as lost, and the pause arrives after them.
#[tokio::test]
async fn pause_arrives_during_an_output_flood() {
    const LINES: u64 = 25_000;
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "continue", "flood": LINES}],
    });
    let limits = Limits { output_lines: 20_000, request: SOON, ..Limits::default() };
    let stored = limits.output_lines as u64;
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let query = dapdock::model::OutputQuery { limit: 1, ..Default::default() };
    let page = soon(run.handle.output(query)).await.unwrap();
    assert_eq!((page.lost, page.skipped), (LINES - stored, stored - 1));
    assert_eq!(page.lines[0].text, format!("flood {}", LINES - stored));
}

/// Without a `continued` event the pause is sent after a while.
#[tokio::test]
async fn pause_is_sent_without_a_continued_event() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run =
        stage.with("profile", json!({"pause": {"delivery": "after-continued"}})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
}
