//! Waits read an event log by cursor: no event is lost or returned twice.

use std::future::ready;

use dapdock::limits::Limits;
use dapdock::model::{Cursor, Happening, Resume, WaitFor};
use dapdock::session::{Error, EventKind, Now, satisfies};
use serde_json::json;

use super::{Run, Stage, lines, soon};

async fn hanging() -> Run {
    let run = Stage::new(json!({"program": [{"line": 7, "hangs": true}]})).launch().await;
    run.until("running").await;
    run
}

#[tokio::test]
async fn a_stop_before_the_wait_is_not_lost_and_comes_once() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3])})).at(&[1, 3]).launch().await;
    soon(run.handle.first()).await.unwrap();
    let (_, next) = soon(run.handle.wait(Cursor(0))).await.unwrap();
    assert_eq!((next, soon(run.handle.delivered()).await.unwrap()), (Cursor(1), Cursor(1)));
    assert!(matches!(soon(run.handle.wait(next)).await, Err(Error::NotRunning)));
    // The second stop happens while no wait is pending.
    let from = soon(run.handle.resume(Resume::Continue, None)).await.unwrap();
    assert_eq!(from, Cursor(1));
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(1));
    run.cursor = from;
    assert_eq!(run.outcome().await, "Breakpoint main:3 #2");
    assert_eq!((run.cursor, soon(run.handle.delivered()).await.unwrap()), (Cursor(2), Cursor(2)));
    // Earlier events can be read again by cursor.
    run.cursor = Cursor(0);
    assert_eq!(run.outcome().await, "Breakpoint main:1 #1");
    assert_eq!(run.outcome().await, "Breakpoint main:3 #2");
}

#[tokio::test]
async fn a_wait_that_is_dropped_loses_nothing() {
    let mut run = hanging().await;
    {
        let waiting = run.handle.wait(Cursor(0));
        // Polled once, so that the request is sent.
        tokio::select! { biased; _ = waiting => panic!("nothing happened"), () = ready(()) => {} }
    }
    assert_eq!(soon(run.handle.pause(None)).await.unwrap(), Cursor(0));
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(0));
    assert_eq!(run.outcome().await, "Pause main:7");
}

#[tokio::test]
async fn pause_stop_reaches_all_waits() {
    let run = hanging().await;
    let (one, two, paused) = tokio::join!(
        soon(run.handle.wait(Cursor(0))),
        soon(run.handle.wait(Cursor(0))),
        soon(run.handle.pause(None))
    );
    paused.unwrap();
    for outcome in [one, two] {
        let (Happening::Stopped(stop), Cursor(1)) = outcome.unwrap() else { panic!("no stop") };
        assert_eq!(stop.frames[0].line, 7);
    }
}

#[tokio::test]
async fn oldest_events_are_dropped() {
    let limits = Limits { stops: 2, ..Limits::default() };
    let places = [1, 2, 3, 4];
    let mut run = Stage { limits, ..Stage::new(json!({"program": lines(&places)})) }
        .at(&places)
        .launch()
        .await;
    run.stop().await;
    for _ in 1..4 {
        run.resume(Resume::Continue).await.unwrap();
        run.stop().await;
    }
    run.cursor = Cursor(0);
    assert_eq!(run.outcome().await, "Breakpoint main:3 #3");
    assert_eq!(run.cursor, Cursor(3));
    assert_eq!(run.outcome().await, "Breakpoint main:4 #4");
}

#[tokio::test]
async fn wait_after_the_end_is_an_error() {
    let mut run = Stage::new(json!({"program": lines(&[1])})).launch().await;
    let exit = run.exit().await;
    assert!(matches!(soon(run.handle.wait(run.cursor)).await, Err(Error::Ended { .. })));
    run.cursor = Cursor(0);
    assert_eq!(run.exit().await, exit);
    assert_eq!(soon(run.handle.close(Default::default())).await.unwrap(), exit);
}

#[tokio::test]
async fn wait_returns_only_for_the_named_breakpoints() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3])})).at(&[1, 3]).launch().await;
    let stop = run.stop().await;
    let ids: Vec<_> = run.breakpoints().await.iter().map(|one| one.id).collect();
    let want = |breakpoints: &[_]| WaitFor { breakpoints: breakpoints.to_vec() };
    let happening = Happening::Stopped(stop);
    assert!(satisfies(&happening, &want(&[])) && satisfies(&happening, &want(&ids)));
    assert!(satisfies(&happening, &want(&ids[..1])) && !satisfies(&happening, &want(&ids[1..])));
    run.resume(Resume::Continue).await.unwrap();
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let end = Happening::Ended(run.exit().await);
    assert!(satisfies(&end, &want(&ids[..1])));
}

/// The stop at line 3 was not read before the caller's own move: the pause returns the stop after
/// it.
#[tokio::test]
async fn a_pause_waits_for_its_own_stop() {
    let script = json!({"program": [{"line": 1}, {"line": 3}, {"line": 7, "hangs": true}]});
    let mut run = Stage::new(script).at(&[1, 3]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    while soon(run.handle.show_stop()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(2));
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:7");
}

/// Without waiting time an existing stop is returned, and the session is not reported as running.
#[tokio::test]
async fn existing_stop_is_returned_without_waiting() {
    let script = json!({"program": [{"line": 1}, {"line": 7, "hangs": true}]});
    let run = Stage::new(script).at(&[1]).launch().await;
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(0));
    let Now::Happened(Happening::Stopped(stop)) = soon(run.handle.now(Cursor(0))).await.unwrap()
    else {
        panic!("no stop")
    };
    assert_eq!(stop.frames[0].line, 1);
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(1));
    assert!(matches!(soon(run.handle.now(Cursor(1))).await, Err(Error::NotRunning)));
    let cursor = soon(run.handle.resume(Resume::Continue, None)).await.unwrap();
    assert!(matches!(soon(run.handle.now(cursor)).await, Ok(Now::Running(_))));
}

/// A stop whose stack is still being read is returned when it is complete; the session is not
/// reported as running.
#[tokio::test]
async fn stop_being_read_is_returned_when_complete() {
    let script = json!({"program": lines(&[1]), "faults": [{"on": "stackTrace", "late": 500}]});
    let run = Stage::new(script).at(&[1]).launch().await;
    while soon(run.handle.status()).await.unwrap().phase != "stopped" {
        tokio::task::yield_now().await;
    }
    assert!(
        soon(run.handle.current()).await.unwrap().is_none(),
        "it was read before it was asked for"
    );
    let Now::Happened(Happening::Stopped(stop)) = soon(run.handle.now(Cursor(0))).await.unwrap()
    else {
        panic!("no stop")
    };
    assert_eq!(stop.frames[0].line, 1);
}

/// It came after a wait had run out: the next move returns it, and the one after leaves it.
#[tokio::test]
async fn stop_that_no_caller_got_is_not_left() {
    for reads in [false, true] {
        let stage = Stage::new(json!({"program": lines(&[1, 3, 5])})).at(&[1, 3]);
        let sessions = stage.sessions();
        let mut events = sessions.feed().events();
        let handle = soon(sessions.launch(stage.request())).await.unwrap();
        let mut run = Run { handle, cursor: Default::default(), stage };
        run.stop().await;
        run.resume(Resume::Continue).await.unwrap();
        for _ in 0..2 {
            while !matches!(soon(events.recv()).await.unwrap().kind, EventKind::Stopped(..)) {}
        }
        if reads {
            soon(run.handle.compare(None)).await.unwrap();
        } else {
            assert_eq!(run.go(Resume::Continue).await, "Breakpoint main:3 #2");
        }
        assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    }
}
