//! Children: their start, the breakpoints they get, and children that fail or are refused.

use dapdock::dap::family::ChildAddress;
use serde_json::{Value, json};

use super::{Talk, child, parent};
use crate::fake::{Fault, FaultKind, Script};

#[tokio::test]
async fn child_gets_the_roots_requests_and_its_stop_is_reported() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["hitBreakpointIds"]), (&json!(1), &json!([1])));
    assert_eq!(stop["allThreadsStopped"], false);
    let commands =
        ["initialize", "attach", "setBreakpoints", "setExceptionBreakpoints", "configurationDone"];
    assert_eq!(talk.child(0).commands(), commands);
    assert_eq!(talk.child(0).arguments("initialize"), talk.root.arguments("initialize"));
    assert_eq!(talk.root.arguments("initialize")[0]["supportsStartDebuggingRequest"], true);
    assert_eq!(talk.child(0).arguments("attach"), [json!({"name": "kid", "secret": "of kid"})]);
    assert_eq!(*talk.doors.lock().unwrap(), [ChildAddress::Same]);
    assert_eq!(talk.total(&stop["threadId"]).await, "5");
    // Without a frame the expression is evaluated at the last stop.
    assert_eq!(talk.ask("evaluate", json!({"expression": "total"})).await.unwrap()["result"], "5");
    assert!(!talk.saw("initialized"), "the root's is the only one");
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("thread").await, json!({"reason": "exited", "threadId": 1}));
    assert!(
        !talk.saw("exited") && !talk.saw("terminated"),
        "the child's end is not the tree's: {:?}",
        talk.events
    );
    assert!(!talk.root.commands().contains(&"continue".to_owned()));
}

#[tokio::test]
async fn breakpoints_go_to_all_and_one_verification_suffices() {
    // The root has no code there.
    let root = Script { no_code: vec![3], ..parent(&["kid"], vec![]) };
    let mut talk = Talk::with(root, vec![child(5)]);
    talk.start().await;
    let event = talk.event("breakpoint").await;
    assert_eq!(
        event,
        json!({"reason": "changed", "breakpoint": {"id": 1, "verified": true, "line": 3}})
    );
    talk.event("stopped").await;
    let breakpoints =
        json!({"source": {"path": "/fake/program"}, "breakpoints": [{"line": 3}, {"line": 4}]});
    let set = talk.ask("setBreakpoints", breakpoints.clone()).await.unwrap();
    let reply: Vec<_> =
        set["breakpoints"].as_array().unwrap().iter().map(|mark| &mark["verified"]).collect();
    assert_eq!(reply, [true, true]);
    assert_eq!(talk.root.arguments("setBreakpoints")[1], breakpoints);
    assert_eq!(talk.child(0).arguments("setBreakpoints")[1], breakpoints);
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("stopped").await["hitBreakpointIds"], json!([2]));
}

#[tokio::test]
async fn crashed_child_leaves_the_session_and_crashed_root_ends_it() {
    let dying = Script { faults: vec![Fault::on("next", FaultKind::Die)], ..child(5) };
    let root = parent(&["kid"], vec![Fault::on("source", FaultKind::Die)]);
    let mut talk = Talk::with(root, vec![dying]);
    talk.start().await;
    talk.event("stopped").await;
    assert_eq!(talk.ask("next", json!({"threadId": 1})).await.unwrap(), json!({}));
    assert_eq!(talk.event("thread").await["reason"], "exited");
    // The thread that was stopped no longer exists.
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.ask("threads", Value::Null).await.unwrap()["threads"][0]["name"], "main");
    assert!(!talk.closed);
    assert!(talk.ask("source", json!({})).await.is_err());
    while !talk.closed {
        talk.next().await;
    }
}

#[tokio::test]
async fn more_children_than_allowed_are_refused_by_name() {
    let mut talk = Talk::with(parent(&["one", "two", "three"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let reply = talk.event("output").await;
    assert_eq!(
        reply["output"],
        "three is not debugged: 2 child processes are debugged already (limits.children)\n"
    );
    let refused: Vec<_> =
        talk.root.messages().into_iter().filter(|message| message["success"] == false).collect();
    assert_eq!(refused.len(), 1);
}

#[tokio::test]
async fn unreachable_child_is_reported() {
    let elsewhere = json!({
        "request": "attach", "configuration": {"name": "far", "connect": {"host": "h", "port": 9}},
    });
    let ask = Fault::on("configurationDone", FaultKind::Ask("startDebugging".into(), elsewhere));
    let mut talk = Talk::with(parent(&[], vec![ask]), vec![]);
    talk.start().await;
    assert_eq!(talk.event("output").await["output"], "far is not debugged: nobody is there\n");
    assert_eq!(*talk.doors.lock().unwrap(), [ChildAddress::At { host: "h".into(), port: 9 }]);
}
