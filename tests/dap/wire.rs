//! Client and inbox: order, deadlines, ends.

use std::time::Duration;

use bytes::BytesMut;
use dapdock::dap::codec::{Decoder, Frame, encode};
use dapdock::dap::request::{Evaluate, StepBack, Threads};
use dapdock::dap::{
    Call, Client, CloseReason, Error, FrameLimits, Inbound, Inbox, Limits, NoArguments, Waiter,
    connect,
};
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

pub const LIMITS: Limits = Limits {
    frame: FrameLimits { header: 16 << 10, body: 1 << 20 },
    request: Duration::from_secs(5),
};

fn wire() -> (Client, Inbox, DuplexStream) {
    let (client_side, adapter_side) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(client_side);
    let (client, inbox) = connect(read, write, LIMITS);
    (client, inbox, adapter_side)
}

async fn send(adapter: &mut DuplexStream, message: Value) {
    adapter.write_all(&encode(&message).unwrap()).await.unwrap();
}

fn success(request_seq: i64, body: Value) -> Value {
    json!({
        "seq": 0, "type": "response", "request_seq": request_seq, "success": true, "command": "",
        "body": body,
    })
}

fn output(n: i64) -> Value {
    json!({"seq": 0, "type": "event", "event": "output", "body": {"output": n.to_string()}})
}

/// Polls the inbox until it is idle.
fn idle(inbox: &mut Inbox) -> Vec<Inbound> {
    std::iter::from_fn(|| inbox.next().now_or_never().flatten()).collect()
}

/// All messages the adapter has received so far.
fn received(adapter: &mut DuplexStream) -> Vec<Value> {
    let (mut buffer, mut decoder) = (BytesMut::with_capacity(1 << 16), Decoder::new(LIMITS.frame));
    let _ = adapter.read_buf(&mut buffer).now_or_never();
    let frames = std::iter::from_fn(|| decoder.decode(&mut buffer));
    frames
        .map(
            |frame| if let Frame::Message(message) = frame { message } else { panic!("{frame:?}") },
        )
        .collect()
}

fn raw(client: &Client, n: i64) -> Call<Value> {
    client.request_raw("evaluate", json!({ "expression": n.to_string() }))
}

#[tokio::test]
async fn responses_and_events_never_overtake() {
    const PAIRS: i64 = 5_000;
    let (client, mut inbox, mut adapter) = wire();
    let mut calls: Vec<_> = (0..PAIRS).map(|n| raw(&client, n)).collect();
    let mut flood = Vec::new();
    for seq in 1..=PAIRS {
        flood.extend_from_slice(&encode(&success(seq, json!(seq))).unwrap());
        flood.extend_from_slice(&encode(&output(seq)).unwrap());
    }
    let adapter = async move {
        adapter.write_all(&flood).await.unwrap();
        let mut sink = Vec::new();
        adapter.shutdown().await.unwrap();
        adapter.read_to_end(&mut sink).await.unwrap();
    };
    let owner = async move {
        for seq in 1..=PAIRS {
            let call = &mut calls[seq as usize - 1];
            assert!(call.now_or_never().is_none(), "{seq} was answered before its turn");
            match inbox.next().await {
                Some(Inbound::Response(response)) => {
                    assert_eq!((response.request_seq, response.waiter), (seq, Waiter::Waiting))
                }
                other => panic!("{seq}: {other:?}"),
            }
            assert_eq!(call.now_or_never().unwrap().unwrap(), json!(seq));
            match inbox.next().await {
                Some(Inbound::Event(event)) => assert_eq!(event.body["output"], seq.to_string()),
                other => panic!("{seq}: {other:?}"),
            }
        }
    };
    // Unconstrained: tokio's cooperative budget would sometimes leave a ready response pending.
    tokio::join!(adapter, tokio::task::unconstrained(owner));
}

#[tokio::test]
async fn request_is_queued_when_the_call_returns() {
    let (client, mut inbox, mut adapter) = wire();
    let second = client.clone();
    drop(raw(&client, 1));
    let _unpolled = second.request::<Threads>(NoArguments);
    idle(&mut inbox);
    let messages = received(&mut adapter);
    assert_eq!(
        messages[0],
        json!({
            "seq": 1, "type": "request", "command": "evaluate", "arguments": {"expression": "1"},
        })
    );
    assert_eq!(messages[1], json!({"seq": 2, "type": "request", "command": "threads"}));
}

#[tokio::test]
async fn response_to_a_dropped_call_has_no_waiter() {
    let (client, mut inbox, mut adapter) = wire();
    drop(raw(&client, 1));
    for request_seq in [1, 7] {
        send(&mut adapter, success(request_seq, json!({}))).await;
    }
    let waiters: Vec<_> = idle(&mut inbox)
        .into_iter()
        .map(|item| {
            if let Inbound::Response(response) = item {
                response.waiter
            } else {
                panic!("{item:?}")
            }
        })
        .collect();
    assert_eq!(waiters, [Waiter::Gone, Waiter::Unknown]);
}

#[tokio::test]
async fn unsupported_request_never_reaches_the_wire() {
    let (client, mut inbox, mut adapter) = wire();
    let refused = client.request::<StepBack>(Default::default()).await;
    assert!(matches!(refused, Err(Error::Unsupported { command }) if command == "stepBack"));
    idle(&mut inbox);
    assert!(received(&mut adapter).is_empty());
    client.merge_capabilities(json!({"supportsStepBack": true}));
    let _call = client.request::<StepBack>(Default::default());
    idle(&mut inbox);
    assert_eq!(received(&mut adapter)[0]["command"], "stepBack");
}

#[tokio::test(start_paused = true)]
async fn silent_adapter_times_out_by_each_deadline() {
    let (client, mut inbox, mut adapter) = wire();
    let started = tokio::time::Instant::now();
    let patient = client.request_raw_with_limit("launch", json!({}), Duration::from_secs(60));
    let forever = client.request_raw_with_limit("attach", json!({}), Duration::MAX);
    let short = client.request::<Threads>(NoArguments);
    let seq = short.seq().unwrap();
    let owner = async { while inbox.next().await.is_some() {} };
    let caller = async {
        assert!(
            matches!(short.await, Err(Error::Timeout { after, .. }) if after == LIMITS.request)
        );
        assert_eq!(started.elapsed(), LIMITS.request);
        send(&mut adapter, success(seq, json!({}))).await;
        assert!(
            matches!(patient.await, Err(Error::Timeout { command, .. }) if command == "launch")
        );
        assert_eq!(started.elapsed(), Duration::from_secs(60));
        drop(adapter);
        assert!(matches!(forever.await, Err(Error::Closed { reason: CloseReason::Eof, .. })));
    };
    tokio::join!(owner, caller);
}

#[tokio::test]
async fn end_of_the_wire_fails_everything_pending() {
    let (client, mut inbox, mut adapter) = wire();
    let (first, second) = (raw(&client, 1), client.request::<Threads>(NoArguments));
    assert!(idle(&mut inbox).is_empty());
    adapter.write_all(b"Content-Length: 50\r\n\r\n{\"seq\"").await.unwrap();
    drop(adapter);
    let items = idle(&mut inbox);
    assert!(
        matches!(items[..], [Inbound::Garbage(_), Inbound::Closed(CloseReason::Eof)]),
        "{items:?}"
    );
    assert!(inbox.next().await.is_none());
    assert!(matches!(first.await, Err(Error::Closed { command, .. }) if command == "evaluate"));
    assert!(matches!(second.await, Err(Error::Closed { reason: CloseReason::Eof, .. })));
    assert!(matches!(raw(&client, 2).await, Err(Error::Closed { .. })));
}

#[tokio::test]
async fn dropped_inbox_closes() {
    let (client, inbox, _adapter) = wire();
    let call = raw(&client, 1);
    drop(inbox);
    assert!(matches!(call.await, Err(Error::Closed { reason: CloseReason::Dropped, .. })));
}

#[tokio::test]
async fn inbox_is_read_after_a_failed_write() {
    let (from_adapter, mut adapter_out) = tokio::io::duplex(1 << 10);
    let (to_adapter, adapter_in) = tokio::io::duplex(1 << 10);
    let (client, mut inbox) = connect(from_adapter, to_adapter, LIMITS);
    drop(adapter_in);
    send(&mut adapter_out, output(9)).await;
    let unsent = raw(&client, 1);
    let items = idle(&mut inbox);
    assert!(
        matches!(&items[..], [Inbound::Event(event)] if event.body["output"] == "9"),
        "{items:?}"
    );
    assert!(matches!(unsent.await, Err(Error::Closed { reason: CloseReason::Write(_), .. })));
    assert!(matches!(
        raw(&client, 2).await,
        Err(Error::Closed { reason: CloseReason::Write(_), .. })
    ));
    drop(adapter_out);
    assert!(matches!(inbox.next().await, Some(Inbound::Closed(CloseReason::Eof))));
}

#[tokio::test]
async fn reverse_requests_are_answered_by_their_seq() {
    let (client, mut inbox, mut adapter) = wire();
    send(
        &mut adapter,
        json!({
            "seq": 40, "type": "request", "command": "runInTerminal", "arguments": {"args": ["a"]},
        }),
    )
    .await;
    let items = idle(&mut inbox);
    let [Inbound::Request(request)] = &items[..] else { panic!("{items:?}") };
    assert_eq!(request.arguments["args"][0], "a");
    client.respond(request.seq, &request.command, Ok(json!({"processId": 3})));
    client.respond(request.seq, &request.command, Err("no terminal".into()));
    idle(&mut inbox);
    let messages = received(&mut adapter);
    assert_eq!(
        messages[0],
        json!({
            "seq": 1, "type": "response", "request_seq": 40, "success": true,
            "command": "runInTerminal", "body": {"processId": 3},
        })
    );
    assert_eq!(messages[1]["message"], "no terminal");
    assert_eq!(messages[1]["success"], false);
}

/// The message of a refusal and its `show_user`.
async fn refusal(response: Value) -> (String, bool) {
    let (client, mut inbox, mut adapter) = wire();
    let call = raw(&client, 1);
    let mut message =
        json!({"seq": 0, "type": "response", "request_seq": 1, "success": false, "command": ""});
    message.as_object_mut().unwrap().extend(response.as_object().unwrap().clone());
    send(&mut adapter, message).await;
    idle(&mut inbox);
    match call.await {
        Err(Error::Refused { message, show_user, .. }) => (message, show_user),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn refusals_have_the_adapters_message() {
    let format = json!({"message": "short", "body": {"error": {"id": 2, "format": "no {name} at \
        {n}, {other}", "variables": {"name": "x", "n": 4}, "showUser": true}}});
    assert_eq!(refusal(format).await, ("no x at 4, {other}".into(), true));
    assert_eq!(refusal(json!({"message": "gone", "body": {}})).await, ("gone".into(), false));
    assert_eq!(refusal(json!({"message": null})).await, ("no reason given".into(), false));
    assert_eq!(refusal(json!({"message": " a\n b\n"})).await, ("a\n b".into(), false));
}

#[tokio::test]
async fn unreadable_response_is_reported_with_an_excerpt() {
    let (client, mut inbox, mut adapter) = wire();
    let call = client.request::<Evaluate>(Default::default());
    send(&mut adapter, success(1, json!({"result": 5}))).await;
    idle(&mut inbox);
    match call.await {
        Err(Error::BadAnswer { command, excerpt, .. }) => {
            assert_eq!((command.as_str(), excerpt.as_str()), ("evaluate", "{\"result\":5}"))
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn json_that_is_no_message_is_garbage() {
    let (_client, mut inbox, mut adapter) = wire();
    for message in [
        json!([]),
        json!({"type": "event"}),
        json!({"type": "response", "success": true}),
        output(1),
    ] {
        send(&mut adapter, message).await;
    }
    let items = idle(&mut inbox);
    assert!(
        matches!(
            items[..],
            [Inbound::Garbage(_), Inbound::Garbage(_), Inbound::Garbage(_), Inbound::Event(_)]
        ),
        "{items:?}"
    );
}

#[tokio::test]
async fn adapter_that_does_not_read_until_it_is_read_does_not_lock_up() {
    let (client_side, mut adapter) = tokio::io::duplex(64);
    let (read, write) = tokio::io::split(client_side);
    let (client, mut inbox) = connect(read, write, LIMITS);
    let calls: Vec<_> = (0..50).map(|n| raw(&client, n)).collect();
    let adapter = async move {
        for n in 0..50 {
            send(&mut adapter, output(n)).await;
        }
        let mut messages = Vec::new();
        let mut piece = [0; 64];
        while messages.windows(9).filter(|window| window == b"\"command\"").count() < 50 {
            let count = adapter.read(&mut piece).await.unwrap();
            messages.extend_from_slice(&piece[..count]);
        }
    };
    let owner = async { while inbox.next().await.is_some() {} };
    tokio::join!(adapter, owner);
    drop(calls);
}
