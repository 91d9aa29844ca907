//! `timeline_query`: the stops, tracepoint hits and states of all sessions since the first call of
//! this caller, over continues and ends.
//!
//! Knows the notifications of the debugger, which are the payloads.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

use super::answer::Refusal;
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours};
use crate::mcp::notifications;
use crate::session::{self, Feed};

/// Events that are stored; the oldest are dropped.
const STORED: usize = 2_000;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// breakpointHit, tracepointHit, sessionStateChanged; default: all
    #[serde(rename = "eventTypes")]
    event_types: Option<Vec<String>>,
    /// Only of this thread
    #[serde(rename = "threadId")]
    thread_id: Option<i64>,
    /// Only from this event on
    #[serde(rename = "fromEventId")]
    from_event_id: Option<u64>,
    /// The first ones; default 200
    #[serde(rename = "maxEvents")]
    max_events: Option<u32>,
}

/// What happened once.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Event {
    /// From 1.
    event_id: u64,
    event_type: &'static str,
    /// ISO 8601.
    timestamp: String,
    /// null: of no thread.
    thread_id: Option<i64>,
    /// The parameters of the notification about it.
    payload: Map<String, Value>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Events {
    events: Vec<Event>,
    /// Number of stored events that match.
    total_events: u64,
    /// Number of the oldest that are no longer stored.
    events_dropped: u64,
}

/// The events of one caller. They are read from the feed when a call wants them.
#[derive(Default)]
pub(super) struct Timeline(Mutex<Stored>);

#[derive(Default)]
struct Stored {
    feed: Option<Receiver<session::Event>>,
    events: VecDeque<Event>,
    last: u64,
    dropped: u64,
}

/// Stores what has happened since the last call.
pub(super) fn follow(call: &Call) {
    call.memory.of::<Timeline>().follow(call.sessions.feed());
}

impl Timeline {
    /// Stores what has happened since the last call.
    fn follow(&self, feed: &Feed) {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut receiver = stored.feed.take().unwrap_or_else(|| feed.events());
        loop {
            match receiver.try_recv() {
                Ok(event) => stored.add(&event),
                Err(TryRecvError::Lagged(missed)) => {
                    stored.dropped += missed;
                    stored.last += missed;
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        stored.feed = Some(receiver);
    }

    /// The id of the next event.
    pub fn next(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last + 1
    }

    /// Number of stops by exceptions of these types since an event.
    pub fn exceptions(&self, from: u64, is_of_type: impl Fn(&str) -> bool) -> u32 {
        let stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count = 0;
        for event in stored.events.iter().filter(|event| event.event_id >= from) {
            let info = event.payload.get("exceptionInfo").and_then(|info| info.get("type"));
            count += u32::from(info.and_then(Value::as_str).is_some_and(&is_of_type));
        }
        count
    }

    fn query(&self, arguments: &Arguments) -> Events {
        let stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events: Vec<&Event> = stored.events.iter().collect();
        events.retain(|event| arguments.wants(event));
        let most = arguments.max_events.unwrap_or(200) as usize;
        Events {
            total_events: events.len() as u64,
            events: events.into_iter().take(most).cloned().collect(),
            events_dropped: stored.dropped,
        }
    }
}

impl Stored {
    fn add(&mut self, event: &session::Event) {
        for (method, mut payload) in notifications::of(event) {
            self.last += 1;
            let is_tracepoint = payload.get("type").is_some_and(|kind| kind == "tracepoint");
            if let Some(Value::String(text)) = payload.get_mut("logMessage") {
                *text = brief(text);
            }
            let event_type = match method.rsplit('/').next() {
                Some("breakpointHit") if is_tracepoint => "tracepointHit",
                Some("breakpointHit") => "breakpointHit",
                _ => "sessionStateChanged",
            };
            let thread = payload.get("threadId").or(payload.get("activeThreadId"));
            let timestamp = payload.get("timestamp").and_then(Value::as_str).unwrap_or_default();
            self.events.push_back(Event {
                event_id: self.last,
                event_type,
                timestamp: timestamp.to_owned(),
                thread_id: thread.and_then(Value::as_i64),
                payload,
            });
            if self.events.len() > STORED {
                self.events.pop_front();
                self.dropped += 1;
            }
        }
    }
}

impl Arguments {
    fn wants(&self, event: &Event) -> bool {
        let is_of_type = |types: &Vec<String>| types.iter().any(|name| name == event.event_type);
        self.event_types.as_ref().is_none_or(is_of_type)
            && self.thread_id.is_none_or(|thread| event.thread_id == Some(thread))
            && self.from_event_id.is_none_or(|from| event.event_id >= from)
    }
}

name! {
    Query(Arguments) -> Events,
    "timeline_query", "What happened", Reads,
    r#"{"maxEvents": 200}"#,
    "Hits, tracepoint texts and changes of state in order, kept over continues."
}

impl Query {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Events, Refusal> {
        Ok(call.memory.of::<Timeline>().query(&arguments))
    }
}

impl Compatible for Query {
    fn ours(_: &Arguments) -> Ours {
        Ours::new("debug_status", json!({"detail": "log"}))
    }
}

/// A text with `<error: Type>` in place of `<error: Type: message>`.
fn brief(text: &str) -> String {
    const OPEN: &str = "<error: ";
    let (mut brief, mut rest) = (String::new(), text);
    while let Some((before, error)) = rest.split_once(OPEN) {
        brief.push_str(before);
        brief.push_str(OPEN);
        rest = error;
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "._:".contains(c));
        if let Some((name, message)) = error.split_once(": ").filter(|(name, _)| is_name(name))
            && let Some(end) = message.find('>')
        {
            brief.push_str(name);
            rest = &message[end..];
        }
    }
    brief + rest
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn errors_in_a_text_are_their_types() {
        for (text, expect) in [
            ("a <error: NameError: name 'x' is not defined> b", "a <error: NameError> b"),
            ("<error: a.B: c><error: D: e>", "<error: a.B><error: D>"),
            ("<error: there is no `x` here>", "<error: there is no `x` here>"),
            ("<error: NameError>", "<error: NameError>"),
            ("a < b: c > d", "a < b: c > d"),
        ] {
            assert_eq!(brief(text), expect);
        }
    }
}
