//! A message of the adapter, as its kind.
//!
//! Knows the three kinds of DAP messages. Refuses to know what they are about.

use serde_json::Value;

use super::codec::Garbage;
use super::{CloseReason, Event};

/// One item of the [`Inbox`](super::Inbox), in wire order.
#[derive(Debug, Clone)]
pub enum Inbound {
    /// An event.
    Event(RawEvent),
    /// The answer to one of our requests; its future is ready.
    Response(Response),
    /// A reverse request; answer it with [`Client::respond`](super::Client::respond).
    Request(ReverseRequest),
    /// Bytes that are not a DAP message. The stream goes on.
    Garbage(Garbage),
    /// The last item.
    Closed(CloseReason),
}

/// An event as received.
#[derive(Debug, Clone, PartialEq)]
pub struct RawEvent {
    /// Its name.
    pub event: String,
    /// Its body, `null` if it has none.
    pub body: Value,
}

impl RawEvent {
    /// The typed event. Hooks rewrite the body before this.
    pub fn read(&self) -> Event {
        Event::read(&self.event, &self.body)
    }
}

/// The fact that a request was answered. The answer itself went to the future of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// [`Call::seq`](super::Call::seq) of the request.
    pub request_seq: i64,
    /// The command of the request; as the adapter names it if no request is pending.
    pub command: String,
    /// `success` of the response.
    pub success: bool,
    /// Whether a future received it.
    pub waiter: Waiter,
}

/// Whether a command resumes its thread.
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

/// Receiver of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiter {
    /// The future of the request.
    Waiting,
    /// None: the future was dropped, timed out, or was answered before.
    Gone,
    /// None: no request had this number.
    Unknown,
}

/// A request of the adapter: `runInTerminal`, `startDebugging` or its own.
#[derive(Debug, Clone, PartialEq)]
pub struct ReverseRequest {
    /// For [`Client::respond`](super::Client::respond).
    pub seq: i64,
    /// The command.
    pub command: String,
    /// The arguments, `null` if there are none.
    pub arguments: Value,
}
