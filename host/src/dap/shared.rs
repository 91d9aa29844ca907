//! State that [`Client`](super::Client) and [`Inbox`](super::Inbox) share: sequence numbers,
//! pending requests, the queue of outgoing messages.
//!
//! Refuses to know the types of requests and their deadlines.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::dap::error::refusal;
use crate::dap::{Capabilities, CloseReason, Error, Response, Trace, Waiter, codec};

/// One encoded message, and its number if it is a request.
pub(crate) type Outgoing = (Option<i64>, Bytes);
pub(crate) type Answer = oneshot::Receiver<Result<Value, Error>>;

/// What [`Client`](crate::dap::Client) and [`Inbox`](crate::dap::Inbox) share: the requests without
/// a response, the queue of messages to send, and the adapter's capabilities.
#[derive(Debug)]
pub(crate) struct Connection {
    state: Mutex<State>,
    /// Bytes in the queue.
    queued: AtomicUsize,
    capabilities: Mutex<Arc<Capabilities>>,
    trace: Trace,
}

#[derive(Debug)]
struct State {
    next_seq: i64,
    pending: HashMap<i64, Pending>,
    queue: mpsc::UnboundedSender<Outgoing>,
    closed: Option<CloseReason>,
}

#[derive(Debug)]
struct Pending {
    command: String,
    answer: oneshot::Sender<Result<Value, Error>>,
}

#[derive(Serialize)]
struct RequestMessage<'a> {
    seq: i64,
    r#type: &'static str,
    command: &'a str,
    #[serde(skip_serializing_if = "Value::is_null")]
    arguments: Value,
}

#[derive(Serialize)]
struct EventMessage<'a> {
    seq: i64,
    r#type: &'static str,
    event: &'a str,
    #[serde(skip_serializing_if = "Value::is_null")]
    body: Value,
}

#[derive(Serialize)]
struct ResponseMessage<'a> {
    seq: i64,
    r#type: &'static str,
    request_seq: i64,
    success: bool,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Value::is_null")]
    body: Value,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Outgoing>) {
        let (queue, outgoing) = mpsc::unbounded_channel();
        let state = State { next_seq: 1, pending: HashMap::new(), queue, closed: None };
        let (state, queued) = (Mutex::new(state), AtomicUsize::default());
        let (capabilities, trace) = (Mutex::default(), Trace::new());
        (Self { state, queued, capabilities, trace }, outgoing)
    }

    /// Queues a request. One lock covers number and queue, so that numbers ascend on the wire.
    pub(crate) fn request(&self, command: &str, arguments: Value) -> Result<(i64, Answer), Error> {
        let mut state = locked(&self.state);
        if let Some(reason) = state.closed.clone() {
            return Err(Error::Closed { command: command.to_owned(), reason });
        }
        self.trace.sent(command, &arguments);
        let seq = state.next_seq;
        let message = RequestMessage { seq, r#type: "request", command, arguments };
        let frame = codec::encode(&message).map_err(|error| bad_arguments(command, &error))?;
        state.next_seq += 1;
        let (answer, receiver) = oneshot::channel();
        state.pending.insert(seq, Pending { command: command.to_owned(), answer });
        self.enqueue(&state, (Some(seq), frame));
        Ok((seq, receiver))
    }

    fn enqueue(&self, state: &State, message: Outgoing) {
        self.queued.fetch_add(message.1.len(), Ordering::Relaxed);
        // Fails only when the Inbox is gone, which has set `closed`, or after a failed write.
        let _ = state.queue.send(message);
    }

    /// A message has left the queue.
    pub(crate) fn dequeued(&self, bytes: usize) {
        self.queued.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Bytes of the messages in the queue.
    pub(crate) fn queued(&self) -> usize {
        self.queued.load(Ordering::Relaxed)
    }

    /// Queues the answer to a reverse request; does nothing on a closed wire.
    pub(crate) fn respond(&self, request_seq: i64, command: &str, result: Result<Value, String>) {
        let mut state = locked(&self.state);
        let seq = state.next_seq;
        state.next_seq += 1;
        let success = result.is_ok();
        let (body, message) = match result {
            Ok(body) => (body, None),
            Err(message) => (Value::Null, Some(message)),
        };
        let message = message.as_deref();
        let outcome = message.map_or_else(String::new, |message| format!(" failed: {message}"));
        self.trace.sent(&format!("response to {command}{outcome}"), &body);
        let r#type = "response";
        let response =
            ResponseMessage { seq, r#type, request_seq, success, command, message, body };
        if let Ok(frame) = codec::encode(&response) {
            self.enqueue(&state, (None, frame));
        }
    }

    /// Queues an event; does nothing on a closed wire.
    pub(crate) fn emit(&self, event: &str, body: Value) {
        let mut state = locked(&self.state);
        self.trace.sent(&format!("event {event}"), &body);
        let message = EventMessage { seq: state.next_seq, r#type: "event", event, body };
        state.next_seq += 1;
        if let Ok(frame) = codec::encode(&message) {
            self.enqueue(&state, (None, frame));
        }
    }

    /// Passes a response to the future of its request. Matched by `request_seq` only: some adapters
    /// send `command: ""` and `seq: 0`.
    pub(crate) fn fulfil(&self, request_seq: i64, mut response: Value) -> Response {
        let success = response["success"].as_bool().unwrap_or(false);
        let (pending, was_sent) = {
            let mut state = locked(&self.state);
            (state.pending.remove(&request_seq), request_seq < state.next_seq)
        };
        let Some(Pending { command, answer }) = pending else {
            let command = response["command"].as_str().unwrap_or_default().to_owned();
            let waiter = if was_sent { Waiter::Gone } else { Waiter::Unknown };
            return Response { request_seq, command, success, waiter };
        };
        let result = if success {
            Ok(response["body"].take())
        } else {
            Err(refusal(command.clone(), &response))
        };
        let waiter = if answer.send(result).is_ok() { Waiter::Waiting } else { Waiter::Gone };
        Response { request_seq, command, success, waiter }
    }

    /// Numbers of the pending requests of a command, ascending.
    pub(crate) fn in_flight(&self, command: &str) -> Vec<i64> {
        let state = locked(&self.state);
        let of = state.pending.iter().filter(|(_, pending)| pending.command == command);
        let mut numbers: Vec<i64> = of.map(|(seq, _)| *seq).collect();
        numbers.sort_unstable();
        numbers
    }

    pub(crate) fn forget(&self, seq: i64) {
        locked(&self.state).pending.remove(&seq);
    }

    /// Fails a request that was never written.
    pub(crate) fn fail(&self, seq: i64, reason: CloseReason) {
        if let Some(Pending { command, answer }) = locked(&self.state).pending.remove(&seq) {
            let _ = answer.send(Err(Error::Closed { command, reason }));
        }
    }

    /// Sends nothing from now on. Answers to earlier requests may still arrive.
    pub(crate) fn refuse_requests(&self, reason: CloseReason) {
        locked(&self.state).closed.get_or_insert(reason);
    }

    /// Fails all pending requests.
    pub(crate) fn close(&self, reason: &CloseReason) {
        self.refuse_requests(reason.clone());
        let pending = std::mem::take(&mut locked(&self.state).pending);
        for Pending { command, answer } in pending.into_values() {
            let _ = answer.send(Err(Error::Closed { command, reason: reason.clone() }));
        }
    }

    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }

    pub(crate) fn capabilities(&self) -> Arc<Capabilities> {
        locked(&self.capabilities).clone()
    }

    pub(crate) fn merge_capabilities(&self, news: Value) {
        Arc::make_mut(&mut locked(&self.capabilities)).merge(news);
    }
}

pub(crate) fn bad_arguments(command: &str, error: &serde_json::Error) -> Error {
    Error::BadArguments { command: command.to_owned(), cause: error.to_string() }
}
