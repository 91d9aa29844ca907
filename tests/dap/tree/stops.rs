//! Stops of several members: reported one at a time, and none is lost.

use serde_json::{Value, json};

use super::{Talk, child, parent};
use crate::dap::wire::LIMITS;
use crate::fake::{Fault, FaultKind, Place, Script};

/// The child's threads resume together, and the event says so.
#[tokio::test]
async fn child_with_several_threads_reports_whether_all_stopped() {
    let thread = Fault::on(
        "configurationDone",
        FaultKind::Emit("thread".into(), json!({"reason": "started", "threadId": 7})),
    );
    for (stops_one, all) in [(false, true), (true, false)] {
        let kid = Script { faults: vec![thread.clone()], stops_one, ..child(5) };
        let mut talk = Talk::with(parent(&["kid"], vec![]), vec![kid]);
        talk.start().await;
        let stop = talk.event("stopped").await;
        assert_eq!((&stop["allThreadsStopped"], &stop["together"]), (&json!(all), &json!([1, 2])));
    }
}

/// Waits until both children are stopped at their breakpoints.
async fn wait_until_both_stopped(talk: &mut Talk) {
    let configured = |talk: &Talk| (0..2).all(|at| talk.child(at).commands().len() >= 5);
    while talk.children.lock().unwrap().len() < 2 || !configured(talk) {
        talk.ask("threads", Value::Null).await.unwrap();
    }
    talk.ask("threads", Value::Null).await.unwrap();
}

#[tokio::test]
async fn stops_are_reported_one_at_a_time_and_none_is_lost() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    assert!(!talk.saw("stopped"));
    assert_eq!(talk.total(&first).await, "5");
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let second = talk.event("stopped").await["threadId"].clone();
    assert_ne!(first, second);
    assert_eq!(talk.total(&second).await, "6");
    talk.ask("next", json!({"threadId": second})).await.unwrap();
    assert_eq!(talk.event("stopped").await["reason"], "step");
}

#[tokio::test]
async fn a_step_is_answered_by_its_own_stop() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&first, &json!("step")));
    // A step to the program's end.
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!(stop["reason"], "breakpoint");
    assert_ne!(stop["threadId"], first);
}

#[tokio::test(start_paused = true)]
async fn long_step_does_not_hold_back_other_stops() {
    let hangs = || vec![Place { hangs: true, ..Place::at(3) }, Place::at(4)];
    let hang = || Script { program: hangs(), ..child(5) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![hang(), hang()]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!(stop["reason"], "breakpoint");
    assert_ne!(stop["threadId"], first);
}

/// An adapter may leave a request unanswered while it does something else.
#[tokio::test(start_paused = true)]
async fn unanswered_move_does_not_hold_back_other_stops() {
    let silent = || vec![Fault::on("continue", FaultKind::Silent)];
    let hang = || Script {
        program: vec![Place::at(3), Place { hangs: true, ..Place::at(4) }],
        ..child(5)
    };
    let deaf = || Script { faults: silent(), ..hang() };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![deaf(), deaf()]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    let frame = talk.ask("stackTrace", json!({"threadId": first})).await.unwrap()["stackFrames"][0]
        ["id"]
        .clone();
    drop(talk.client.request_raw("continue", json!({"threadId": first})));
    let stop = tokio::time::timeout(LIMITS.request, talk.event("stopped"))
        .await
        .expect("the stop is not reported");
    assert_eq!((&stop["reason"], &stop["again"]), (&json!("breakpoint"), &Value::Null));
    assert_ne!(stop["threadId"], first);
    let gone = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(gone.ends_with(&format!("frame {frame} is gone")), "{gone}");
}

#[tokio::test]
async fn stop_is_reported_again_after_another_member_was_stepped() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let other = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .rfind(|id| **id != first);
    let other = other.unwrap().clone();
    talk.ask("next", json!({"threadId": other})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&other, &json!("step")));
    talk.ask("continue", json!({"threadId": other})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["again"]), (&first, &json!(true)));
}

/// A `stopped` event of a member that is already stopped, with this reason.
fn stopped_again(on: &str, reason: &str) -> Fault {
    Fault::on(on, FaultKind::Emit("stopped".into(), json!({"reason": reason, "threadId": 0})))
}

#[tokio::test]
async fn new_stop_of_the_current_member_is_reported_first() {
    let again = Script { faults: vec![stopped_again("evaluate", "exception")], ..child(5) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![again, child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("evaluate", json!({"expression": "total"})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&first, &json!("exception")));
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let second = talk.event("stopped").await;
    assert_ne!(second["threadId"], first);
    assert_eq!(second["reason"], "breakpoint");
}

#[tokio::test]
async fn newer_stop_of_a_waiting_member_replaces_the_older() {
    let again = Script { faults: vec![stopped_again("threads", "exception")], ..child(6) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), again]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("threads", Value::Null).await.unwrap();
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_ne!(stop["threadId"], first);
    assert_eq!(stop["reason"], "exception");
}
