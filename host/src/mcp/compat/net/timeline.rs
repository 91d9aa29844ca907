//! `timeline_query`: the stops, tracepoint hits and states of all sessions since the first call of
//! this caller, over continues and ends.
//!
//! Knows the notifications of the debugger, which are the payloads.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::answer::Refusal;
use super::exceptions::Exceptions;
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours};
use crate::mcp::notifications::{self, OfFamily};
use crate::session::{self, Collector};

/// Events that are stored; the oldest are dropped.
const STORED: usize = 2_000;

/// Events of an answer.
const MOST: u32 = 1_000;

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
    /// The first ones; default 200, at most 1000
    #[serde(rename = "maxEvents")]
    max_events: Option<u32>,
}

/// Bytes of the events of an answer.
const BYTES: usize = 100_000;

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
    /// Number of stored events that match; of more than are listed, `fromEventId` reads the others.
    total_events: u64,
    /// Number of the oldest that are no longer stored.
    events_dropped: u64,
}

/// The events of one caller since its first call.
#[derive(Default)]
pub(super) struct Timeline {
    stored: Mutex<Stored>,
    is_followed: AtomicBool,
    family: OnceLock<Arc<OfFamily>>,
}

#[derive(Default)]
struct Stored {
    events: VecDeque<Event>,
    last: u64,
    dropped: u64,
}

/// Events are stored, and exceptions counted, from the first call on.
pub(super) fn follow(call: &Call) {
    let timeline = call.memory.of::<Timeline>();
    if timeline.is_followed.swap(true, Ordering::Relaxed) {
        return;
    }
    let (exceptions, family) = (call.memory.of::<Exceptions>(), call.memory.of::<OfFamily>());
    family.set(exceptions.clone());
    timeline.family.get_or_init(|| family);
    // An event has the numbers of hits with its own.
    let collectors: [Weak<dyn Collector>; 2] =
        [Arc::downgrade(&exceptions) as _, Arc::downgrade(&timeline) as _];
    for collector in collectors {
        call.sessions.feed().collect(collector);
    }
}

impl Collector for Timeline {
    fn take(&self, event: &session::Event) {
        let none = OfFamily::default();
        let family = self.family.get().map_or(&none, Arc::as_ref);
        let notes = notifications::of(event, family);
        self.stored.lock().unwrap_or_else(PoisonError::into_inner).add(notes);
    }
}

impl Timeline {
    fn query(&self, arguments: &Arguments) -> Events {
        let stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events: Vec<&Event> = stored.events.iter().collect();
        events.retain(|event| arguments.wants(event));
        let most = arguments.max_events.unwrap_or(200).min(MOST) as usize;
        let (total_events, mut bytes) = (events.len() as u64, 0);
        let mut listed = Vec::new();
        for event in events.into_iter().take(most) {
            bytes += json!(event.payload).to_string().len();
            if bytes > BYTES && !listed.is_empty() {
                break;
            }
            listed.push(event.clone());
        }
        Events { total_events, events: listed, events_dropped: stored.dropped }
    }
}

impl Stored {
    fn add(&mut self, notes: Vec<(&'static str, Map<String, Value>)>) {
        for (method, mut payload) in notes {
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
    use std::time::SystemTime;

    use serde_json::json;

    use super::{BYTES, STORED, Timeline, brief};
    use crate::model::SessionId;
    use crate::session::{Collector, Event, EventKind, State};

    #[test]
    fn oldest_events_are_dropped_and_counted() {
        let timeline = Timeline::default();
        for turn in 0..STORED + 500 {
            let (from, to) = if turn % 2 == 0 {
                (State::Running, State::Stopped)
            } else {
                (State::Stopped, State::Running)
            };
            let kind = EventKind::State(from, to, None);
            let session = SessionId("x-1".into());
            timeline.take(&Event { session, at: SystemTime::now(), kind });
        }
        let query = |arguments| {
            let arguments = serde_json::from_value(arguments).expect("they fit");
            timeline.query(&arguments)
        };
        let all = query(json!({}));
        assert_eq!((all.total_events, all.events_dropped), (2_000, 500));
        assert_eq!((all.events.len(), all.events[0].event_id), (200, 501));
        let most = query(json!({"maxEvents": 4_000}));
        let bytes: usize =
            most.events.iter().map(|event| json!(event.payload).to_string().len()).sum();
        assert!(bytes <= BYTES && most.events.len() < 1_000, "{bytes}");
        let next = most.events[most.events.len() - 1].event_id + 1;
        let rest = query(json!({"fromEventId": next, "maxEvents": 1}));
        assert_eq!(rest.events[0].event_id, next);
        let last = query(json!({"fromEventId": 2_500, "maxEvents": 9}));
        assert_eq!((last.total_events, last.events[0].event_id), (1, 2_500));
    }

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
