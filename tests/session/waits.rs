//! Waits read an event log by cursor: nothing is lost, nothing comes twice.

use std::future::ready;

use dapdock::limits::Limits;
use dapdock::model::{Cursor, Happening, Resume, WaitFor};
use dapdock::session::{Error, Now, satisfies};
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
    // The second stop happens while nobody waits.
    let from = soon(run.handle.resume(Resume::Continue, None)).await.unwrap();
    assert_eq!(from, Cursor(1));
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(1));
    run.cursor = from;
    assert_eq!(run.told().await, "Breakpoint main:3 #2");
    assert_eq!((run.cursor, soon(run.handle.delivered()).await.unwrap()), (Cursor(2), Cursor(2)));
    // By cursor, the past can be read again.
    run.cursor = Cursor(0);
    assert_eq!(run.told().await, "Breakpoint main:1 #1");
    assert_eq!(run.told().await, "Breakpoint main:3 #2");
}

#[tokio::test]
async fn a_wait_that_is_dropped_loses_nothing() {
    let mut run = hanging().await;
    {
        let waiting = run.handle.wait(Cursor(0));
        // Polled once, so that the question is on its way.
        tokio::select! { biased; _ = waiting => panic!("nothing happened"), () = ready(()) => {} }
    }
    assert_eq!(soon(run.handle.pause(None)).await.unwrap(), Cursor(0));
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(0));
    assert_eq!(run.told().await, "Pause main:7");
}

#[tokio::test]
async fn a_pause_works_while_others_wait_and_all_hear_of_it() {
    let run = hanging().await;
    let (one, two, paused) = tokio::join!(
        soon(run.handle.wait(Cursor(0))),
        soon(run.handle.wait(Cursor(0))),
        soon(run.handle.pause(None))
    );
    paused.unwrap();
    for told in [one, two] {
        let (Happening::Stopped(stop), Cursor(1)) = told.unwrap() else { panic!("no stop") };
        assert_eq!(stop.frames[0].line, 7);
    }
}

#[tokio::test]
async fn the_oldest_entries_are_forgotten() {
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
    assert_eq!(run.told().await, "Breakpoint main:3 #3");
    assert_eq!(run.cursor, Cursor(3));
    assert_eq!(run.told().await, "Breakpoint main:4 #4");
}

#[tokio::test]
async fn behind_the_end_there_is_nothing_to_wait_for() {
    let mut run = Stage::new(json!({"program": lines(&[1])})).launch().await;
    let exit = run.exit().await;
    assert!(matches!(soon(run.handle.wait(run.cursor)).await, Err(Error::Ended { .. })));
    run.cursor = Cursor(0);
    assert_eq!(run.exit().await, exit);
    assert_eq!(soon(run.handle.close(Default::default())).await.unwrap(), exit);
}

#[tokio::test]
async fn only_the_breakpoints_that_are_waited_for_count() {
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

/// The stop at line 3 was left behind by the caller's own move, unread: what comes next is news.
#[tokio::test]
async fn a_pause_waits_for_its_own_stop() {
    let script = json!({"program": [{"line": 1}, {"line": 3}, {"line": 7, "hangs": true}]});
    let mut run = Stage::new(script).at(&[1, 3]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    while soon(run.handle.current()).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(soon(run.handle.delivered()).await.unwrap(), Cursor(2));
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:7");
}

/// Asked without any patience, a stop that is there is told, and it is not said to run.
#[tokio::test]
async fn what_has_come_is_told_at_once() {
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

/// A stop that is still being read is one already: who asks then is told of it, not that the
/// debuggee runs.
#[tokio::test]
async fn a_stop_that_is_being_read_is_told_once_it_is() {
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
