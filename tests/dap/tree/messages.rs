//! What is forwarded of a member's messages: no internal events, garbage as a line of the log,
//! floods, reverse requests.

use dapdock::dap::Inbound;
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::{Talk, child, parent};
use crate::fake::{Fault, FaultKind, Script};

#[tokio::test]
async fn internal_events_are_not_forwarded() {
    let emit = |event: &str, body| Fault::on("threads", FaultKind::Emit(event.into(), body));
    let gone = json!({"reason": "removed", "breakpoint": {"id": 1, "verified": false}});
    let faults = vec![
        emit(
            "loadedSource",
            json!({"reason": "new", "source": {"name": "inside", "sourceReference": 7}}),
        ),
        emit("breakpoint", gone),
        emit("vendor", json!({})),
    ];
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    talk.event("stopped").await;
    talk.events.clear();
    talk.ask("threads", Value::Null).await.unwrap();
    talk.event("vendor").await;
    assert!(!talk.saw("loadedSource") && !talk.saw("breakpoint"), "{:?}", talk.events);
}

#[tokio::test]
async fn garbage_of_a_child_is_a_line_of_the_log() {
    let faults = vec![Fault::on("threads", FaultKind::Garbage("Debugger 1.0 ready\r\n".into()))];
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("threads", Value::Null).await.unwrap();
    let line = talk.event("output").await;
    assert_eq!(line["category"], "console");
    let text = line["output"].as_str().unwrap();
    assert!(text.contains("no DAP message") && text.contains("Debugger 1.0 ready"), "{text}");
}

/// A program's output before its stop is such a flood.
#[tokio::test]
async fn response_after_many_events_is_delivered() {
    let output =
        || Fault::on("threads", FaultKind::Emit("output".into(), json!({"output": "line\n"})));
    let faults = std::iter::repeat_with(output).take(2_000).collect();
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    let stop = talk.event("stopped").await;
    for _ in 0..5 {
        let threads = talk.ask("threads", Value::Null).await.unwrap();
        assert_eq!(threads["threads"].as_array().map(Vec::len), Some(2));
        assert_eq!(talk.total(&stop["threadId"]).await, "5");
    }
}

#[tokio::test]
async fn other_reverse_requests_reach_the_client_and_are_answered() {
    let ask = Fault::on("threads", FaultKind::Ask("runInTerminal".into(), json!({"args": ["x"]})));
    let mut talk = Talk::with(parent(&[], vec![ask]), vec![]);
    talk.start().await;
    let _threads = talk.client.request_raw("threads", Value::Null);
    let request = loop {
        let item = tokio::select! {
            item = talk.inbox.next() => item,
            () = &mut talk.drive => None,
        };
        if let Some(Inbound::Request(request)) = item {
            break request;
        }
    };
    assert_eq!(
        (request.command.as_str(), &request.arguments),
        ("runInTerminal", &json!({"args": ["x"]}))
    );
    talk.client.respond(request.seq, &request.command, Err("no terminal".into()));
    talk.ask("threads", Value::Null).await.unwrap();
    let refused =
        talk.root.messages().into_iter().find(|message| message["success"] == false).unwrap();
    assert_eq!(refused["message"], "no terminal");
}
