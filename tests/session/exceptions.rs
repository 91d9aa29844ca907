//! Breakpoints on exceptions: which ones a stop hits, and what the adapter is sent.

use dapdock::model::{BreakpointEdit, BreakpointId, Resume};
use serde_json::{Value, json};

use super::{Run, Stage, soon};

fn choose(words: &[&str]) -> BreakpointEdit {
    let exceptions = Some(words.iter().map(|word| (*word).to_owned()).collect());
    BreakpointEdit { exceptions, ..BreakpointEdit::default() }
}

/// A program that raises three exceptions, at its first line.
async fn raising(words: &[&str]) -> (Run, Vec<BreakpointId>) {
    let raise = |line: u32| json!({"line": line, "stop": "exception"});
    let program = json!([{"line": 1}, raise(3), raise(5), raise(7)]);
    let mut run = Stage::new(json!({"program": program})).at(&[1]).launch().await;
    run.stop().await;
    let ids = run.edit(choose(words)).await.unwrap().added;
    (run, ids)
}

/// The hits of the breakpoints on exceptions.
async fn hits(run: &Run) -> Vec<(String, u32)> {
    let mut all = run.breakpoints().await;
    all.retain(|one| one.spec.place.exception().is_some());
    all.iter().map(|one| (one.spec.place.to_string(), one.hits)).collect()
}

fn filters(run: &Run) -> Vec<Value> {
    let calls = run.stage.arguments("setExceptionBreakpoints");
    calls.iter().map(|call| call["filters"].clone()).collect()
}

#[tokio::test]
async fn stop_counts_for_the_filters_that_it_fits() {
    let (mut run, ids) = raising(&["uncaught", "all"]).await;
    for expect in 1..=2 {
        run.resume(Resume::Continue).await.unwrap();
        // The program may still catch it.
        assert_eq!(run.stop().await.hit, ids[1..]);
        let all = [("exception uncaught".to_owned(), 0), ("exception all".to_owned(), expect)];
        assert_eq!(hits(&run).await, all);
    }
    let disable = BreakpointEdit { disable: vec![ids[0]], ..BreakpointEdit::default() };
    run.edit(disable).await.unwrap();
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(run.stop().await.hit, ids[1..]);
    // The adapter has the filter of one of them.
    assert_eq!(filters(&run), [json!(["uncaught"]), json!(["uncaught"]), json!([])]);
}

#[tokio::test]
async fn restart_takes_breakpoints_on_exceptions_over() {
    let raise = |line: u32| json!({"line": line, "stop": "exception"});
    let stage = Stage::new(json!({"program": [raise(3)]}));
    let sessions = stage.sessions();
    let set = soon(sessions.breakpoints(None, choose(&["all", "uncaught"]))).await.unwrap().added;
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    let mut run = Run { handle, cursor: Default::default(), stage };
    assert_eq!(run.stop().await.hit, set[..1]);
    let edit = BreakpointEdit { disable: vec![set[1]], ..choose(&["all", "raised", "uncaught"]) };
    let all = soon(sessions.breakpoints(None, edit)).await.unwrap().added;
    assert_eq!((all[0], all[2]), (set[0], set[1]));
    let remove = BreakpointEdit { remove: vec![all[1]], ..BreakpointEdit::default() };
    soon(sessions.breakpoints(None, remove)).await.unwrap();
    let disable = BreakpointEdit { disable: vec![set[0]], ..BreakpointEdit::default() };
    soon(sessions.breakpoints(None, disable)).await.unwrap();
    run.handle = soon(sessions.restart(None)).await.unwrap();
    run.cursor = Default::default();
    assert_eq!(run.stop().await.hit, set[1..]);
    let list = run.breakpoints().await;
    let state: Vec<_> = list.iter().map(|one| (one.id, one.enabled, one.hits)).collect();
    assert_eq!(state, [(set[0], false, 0), (set[1], true, 1)]);
    assert_eq!(filters(&run).last(), Some(&json!(["uncaught"])));
    // A new launch has them, too: they were set before one.
    let next = soon(sessions.launch(run.stage.request())).await.unwrap();
    let ids: Vec<_> = next.status().await.unwrap().breakpoints.iter().map(|one| one.id).collect();
    assert_eq!(ids, set);
    soon(sessions.close_all()).await;
}
