//! What an adapter said: one item per message.
//!
//! Knows the three kinds of DAP messages. Refuses to know what they are about.

use serde_json::Value;

use super::codec::{Cause, Garbage};
use super::{CloseReason, Event, error};
use crate::dap::shared::Wire;

/// One item of the [`Inbox`](super::Inbox), in wire order.
#[derive(Debug, Clone)]
pub enum Inbound {
    /// Something happened.
    Event(RawEvent),
    /// One of our requests was answered; its future is ready by now.
    Response(Response),
    /// The adapter asks us; answer with [`Client::respond`](super::Client::respond).
    Request(ReverseRequest),
    /// Bytes that were no message. The stream goes on.
    Garbage(Garbage),
    /// The last item.
    Closed(CloseReason),
}

/// An event as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct RawEvent {
    /// Its name.
    pub event: String,
    /// Its body, `null` if it has none.
    pub body: Value,
}

impl RawEvent {
    /// Types it; call it after any rewriting.
    pub fn read(&self) -> Event {
        Event::read(&self.event, &self.body)
    }
}

/// That a request was answered; the answer itself went to who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// [`Call::seq`](super::Call::seq) of the request.
    pub request_seq: i64,
    /// Our command; the adapter's word for a request that nobody waits for.
    pub command: String,
    /// Whether it said yes.
    pub success: bool,
    /// Whether anybody heard it.
    pub waiter: Waiter,
}

/// Whether a command lets its thread run.
pub fn resumes(command: &str) -> bool {
    matches!(
        command,
        "continue"
            | "next"
            | "stepIn"
            | "stepOut"
            | "stepBack"
            | "reverseContinue"
            | "goto"
            | "restartFrame"
    )
}

/// Who got a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiter {
    /// The future that asked.
    Told,
    /// Nobody: the future was dropped, timed out, or had been answered before.
    Gone,
    /// Nobody: there never was such a request.
    Unknown,
}

/// A request of the adapter: `runInTerminal`, `startDebugging` or its own.
#[derive(Debug, Clone, PartialEq)]
pub struct ReverseRequest {
    /// For [`Client::respond`](super::Client::respond).
    pub seq: i64,
    /// What it asks for.
    pub command: String,
    /// With what, `null` if nothing.
    pub arguments: Value,
}

/// Sorts a message; a response is handed over on the way.
pub(super) fn sort(wire: &Wire, mut message: Value) -> Inbound {
    let text = |message: &Value, key: &str| message[key].as_str().map(str::to_owned);
    match message["type"].as_str() {
        Some("event") => match text(&message, "event") {
            Some(event) => Inbound::Event(RawEvent { event, body: message["body"].take() }),
            None => not_dap("event without a name", &message),
        },
        Some("response") => match message["request_seq"].as_i64() {
            Some(request_seq) => Inbound::Response(wire.fulfil(request_seq, message)),
            None => not_dap("response without a request_seq", &message),
        },
        Some("request") => match (text(&message, "command"), message["seq"].as_i64()) {
            (Some(command), Some(seq)) => {
                let arguments = message["arguments"].take();
                Inbound::Request(ReverseRequest { seq, command, arguments })
            }
            _ => not_dap("request without a command or a seq", &message),
        },
        _ => not_dap("message without a type", &message),
    }
}

fn not_dap(missing: &'static str, message: &Value) -> Inbound {
    let bytes = message.to_string().len();
    Inbound::Garbage(Garbage {
        cause: Cause::NotDap(missing),
        bytes,
        excerpt: error::excerpt(message),
    })
}
