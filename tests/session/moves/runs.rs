//! Runs to a place: their temporary breakpoint, and the note of a place that is not reached.

use dapdock::model::{Before, Note, Place, Resume, StepKind, ThreadId};
use dapdock::session::{AdapterError, BreakpointError, Error};
use serde_json::json;

use crate::session::{Run, Stage, lines, lines_sent, soon, step};

#[tokio::test]
async fn a_run_to_a_place_stops_there_once() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 3, 7])})).at(&[1]).launch().await;
    run.stop().await;
    let until = Resume::Until(run.stage.place(3));
    assert_eq!(run.go(until).await, "Breakpoint main:3");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1", "1 3", "1"]);
    assert_eq!(run.breakpoints().await.len(), 1);
}

#[tokio::test]
async fn a_run_to_a_place_ends_with_any_stop() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 7])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(5))).await, "Breakpoint main:3 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1 3", "1 3 5", "1 3"]);
}

#[tokio::test]
async fn run_to_the_place_of_a_breakpoint_counts_as_its_hit() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(3))).await, "Breakpoint main:3 #2");
    assert_eq!(run.breakpoints().await.iter().map(|one| one.hits).collect::<Vec<_>>(), [1, 1]);
}

#[tokio::test]
async fn run_to_an_unreached_place_ends_with_a_note() {
    let mut run = Stage::new(json!({"program": lines(&[1])})).at(&[1]).launch().await;
    run.stop().await;
    let gone = Resume::Until(run.stage.place(41));
    let error = run.resume(gone).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Breakpoints(BreakpointError::NoSuchLine { line: 41, lines: 40, .. })
        ),
        "{error}"
    );
    run.resume(Resume::Until(run.stage.place(30))).await.unwrap();
    let place = run.stage.place(30);
    assert_eq!(
        run.exit().await.notes,
        [Note::NotReached { place, moved: None, found: true, before: Before::End }]
    );
    let mut run = Stage::new(json!({"program": lines(&[1])})).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(run.exit().await.notes, []);
}

/// The adapter resumes all threads at once: the refused run leaves no temporary breakpoint.
#[tokio::test]
async fn refused_run_of_one_thread_leaves_no_breakpoint() {
    let script = json!({"program": lines(&[1, 3, 5]), "threads": [[1, "main"], [2, "other"]]});
    let mut run = Stage::new(script).at(&[1, 5]).launch().await;
    run.stop().await;
    let alone = run.handle.resume(Resume::Until(run.stage.place(3)), Some(ThreadId(1)));
    let error = soon(alone).await.unwrap_err();
    assert!(matches!(error, Error::Adapter(AdapterError::NoThreadAlone { thread: 1 })), "{error}");
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.notes.as_slice()),
        ("Breakpoint main:5 #2", &[][..])
    );
    assert_eq!(run.breakpoints().await.len(), 2);
}

#[tokio::test]
async fn run_to_an_unbound_place_ends_with_a_note() {
    let unsure = json!([
        {"on": "setFunctionBreakpoints", "answer": {"breakpoints": [{"id": 9, "verified": false}]}},
    ]);
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3]), "faults": unsure})).at(&[1]).launch().await;
    run.stop().await;
    let place = Place::Function("nofunction".into());
    run.resume(Resume::Until(place.clone())).await.unwrap();
    assert_eq!(
        run.exit().await.notes,
        [Note::NotReached { place, moved: None, found: false, before: Before::End }]
    );
}

/// A program that runs on because the line has no code would be the worst result.
#[tokio::test]
async fn run_to_a_line_without_code_is_refused() {
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3]), "no_code": [4]})).at(&[1]).launch().await;
    run.stop().await;
    let outcome = run.go(Resume::Until(run.stage.place(4))).await;
    assert_eq!(outcome, format!("error {}:4: no code here", run.stage.source().display()));
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1", "1 4", "1"]);
}

/// A stop of an adapter that answers `setBreakpoints` slowly.
async fn stopped_with_slow_breakpoints() -> Run {
    let late = json!([{"on": "setBreakpoints", "late": 1000}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": late});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run
}

/// Polls until the adapter has received these lines.
async fn wait_for_lines(run: &Run, want: &[&str]) {
    let poll = async {
        while lines_sent(&run.stage.arguments("setBreakpoints")) != want {
            soon(run.handle.status()).await.unwrap();
        }
    };
    soon(poll).await;
}

#[tokio::test]
async fn late_run_to_a_place_leaves_no_breakpoint() {
    let mut run = stopped_with_slow_breakpoints().await;
    let place = run.stage.place(5);
    let other = run.handle.clone();
    let (until, stepped) = tokio::join!(soon(other.resume(Resume::Until(place), None)), async {
        wait_for_lines(&run, &["1", "1 5"]).await;
        soon(run.handle.resume(step(StepKind::Over), None)).await
    });
    assert!(matches!(until, Err(Error::NotStopped)), "{until:?}");
    stepped.unwrap();
    wait_for_lines(&run, &["1", "1 5", "1"]).await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.notes.len()),
        ("Pause main:2", 0),
        "{:?}",
        stop.notes
    );
}

#[tokio::test]
async fn cancelled_run_to_a_place_does_not_start() {
    let run = stopped_with_slow_breakpoints().await;
    let place = run.stage.place(5);
    tokio::select! {
        _ = run.handle.resume(Resume::Until(place), None) => panic!("it cannot be set so soon"),
        () = wait_for_lines(&run, &["1", "1 5"]) => {}
    }
    wait_for_lines(&run, &["1", "1 5", "1"]).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert!(!run.stage.commands().contains(&"continue".to_owned()));
}
