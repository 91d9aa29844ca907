//! Notifications of the debugger to one caller: `debugger/breakpointHit` and
//! `debugger/sessionStateChanged`, as earlier debug servers send them.
//!
//! They are extra: every fact in them is in the answer of a tool as well, and MCP has clients
//! ignore the notifications that they do not know. So each caller gets them. Knows JSON; refuses to
//! know how a stop is made.

mod breakpoint_hit;
mod logging;
pub(super) mod place;
mod session_state;

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{CustomNotification, ServerNotification};
use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};

pub(super) use self::logging::Logging;
use crate::model::Stop;
use crate::session::{Event, EventKind, Feed};

/// The time between two groups of notifications about log breakpoints. One message for each hit
/// would wake the caller up to thousands of times a second.
const LOGGED: Duration = Duration::from_millis(10);

/// The breakpoints on exceptions of a family of names, which gives them ids.
pub(super) trait ExceptionHits: Send + Sync {
    /// The ids of those that a stop hit, with the numbers of their hits.
    fn of(&self, stop: &Stop) -> Vec<(String, u32)>;
}

/// Those of one caller.
#[derive(Default)]
pub(super) struct OfFamily(OnceLock<Arc<dyn ExceptionHits>>);

impl OfFamily {
    /// The first family stays: only one has ids for them.
    pub fn set(&self, hits: Arc<dyn ExceptionHits>) {
        self.0.get_or_init(|| hits);
    }

    fn hits(&self, stop: &Stop) -> Vec<(String, u32)> {
        self.0.get().map_or_else(Vec::new, |family| family.of(stop))
    }
}

/// Sends the events of all sessions until the connection ends. A caller that does not read misses
/// the oldest events; the next notification has their number as `dropped`.
pub(super) async fn push(feed: &Feed, peer: &Peer<RoleServer>, family: &OfFamily) {
    let mut events = feed.events();
    let mut received = VecDeque::new();
    let mut dropped = 0;
    loop {
        let next = match received.pop_front() {
            Some(next) => next,
            None => events.recv().await,
        };
        let event = match next {
            Ok(event) => event,
            Err(RecvError::Lagged(missed)) => {
                dropped += missed;
                continue;
            }
            Err(RecvError::Closed) => return,
        };
        let is_logged = is_logged(&event);
        for (method, mut params) in of(&event, family) {
            if dropped > 0 {
                params.insert("dropped".to_owned(), std::mem::take(&mut dropped).into());
            }
            let note = CustomNotification::new(method, Some(Value::Object(params)));
            if let Err(error) = peer.send_notification(ServerNotification::from(note)).await {
                return tracing::debug!(%error, "notifications end");
            }
        }
        if is_logged && received.is_empty() {
            received = together(&mut events, self::is_logged).await;
        }
    }
}

fn is_logged(event: &Event) -> bool {
    matches!(event.kind, EventKind::Logged(..))
}

/// What follows within [`LOGGED`], up to the first event that does not wait for more.
async fn together<T: Clone>(
    events: &mut Receiver<T>,
    waits: impl Fn(&T) -> bool,
) -> VecDeque<Result<T, RecvError>> {
    let (mut received, until) = (VecDeque::new(), Instant::now() + LOGGED);
    while received.back().is_none_or(|last: &Result<T, _>| last.as_ref().is_ok_and(&waits))
        && let Ok(next) = timeout_at(until, events.recv()).await
    {
        received.push_back(next);
    }
    received
}

type Params = Map<String, Value>;

/// The notifications of an event: method and parameters.
pub(super) fn of(event: &Event, family: &OfFamily) -> Vec<(&'static str, Params)> {
    const HIT: &str = "debugger/breakpointHit";
    let hits = match &event.kind {
        EventKind::Stopped(stop, hit) => {
            breakpoint_hit::blocking(event, stop, hit, family.hits(stop))
        }
        EventKind::Logged(hit, logpoint) => vec![breakpoint_hit::tracepoint(event, hit, logpoint)],
        EventKind::State(from, to, stop) => {
            let params = session_state::params(event, *from, *to, stop.as_deref());
            return vec![("debugger/sessionStateChanged", params)];
        }
    };
    hits.into_iter().map(|params| (HIT, params)).collect()
}

/// The fields of a JSON object.
fn fields(object: Value) -> Params {
    match object {
        Value::Object(fields) => fields,
        _ => Params::new(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::channel;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn hits_wait_for_more_and_other_events_do_not() {
        const HIT: u32 = 0;
        let (sender, mut events) = channel(8);
        let mut after = async |sent: &[u32]| {
            for event in sent {
                sender.send(*event).unwrap();
            }
            let began = Instant::now();
            let received = together(&mut events, |event| *event == HIT).await;
            (received.into_iter().map(Result::unwrap).collect::<Vec<_>>(), began.elapsed())
        };
        assert_eq!(after(&[HIT, HIT, 1, HIT]).await, (vec![HIT, HIT, 1], Duration::ZERO));
        let (rest, waited) = after(&[HIT]).await;
        assert_eq!((rest, waited >= LOGGED), (vec![HIT, HIT], true));
    }
}
