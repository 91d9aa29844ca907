//! The events of a watch at its client, in order and bounded. The protocol library handles
//! notifications at the same time, so they may arrive in another order than they were sent in.
//!
//! Refuses to know what an event means.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Notify;

/// Events that wait to be read; of a reader that is slower, the later ones are left out.
const EVENTS: usize = 4_096;

/// An event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchEvent {
    /// `stop`, `output`, `state`, `call`, `claim` or `end`.
    pub kind: String,
    /// As it is printed.
    pub text: String,
    /// Events before this one that were left out.
    pub left_out: u64,
}

/// The parameters of a notification: an event, or the number of those that the host left out.
#[derive(Deserialize)]
struct Note {
    number: u64,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum What {
    Event { kind: String, text: String },
    Missed { missed: u64 },
}

/// The events that were not read.
#[derive(Default)]
pub(super) struct Watched {
    state: Mutex<State>,
    added: Notify,
}

#[derive(Default)]
struct State {
    /// By number.
    notes: BTreeMap<u64, What>,
    /// Number of the next event.
    next: u64,
    left_out: u64,
}

impl Watched {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the parameters of a notification.
    pub fn add(&self, params: Value) {
        match serde_json::from_value(params) {
            Ok(note) => self.state().add(note),
            Err(error) => return tracing::debug!(%error, "not an event"),
        }
        self.added.notify_one();
    }

    /// Waits for the next event. Safe to cancel.
    pub async fn next(&self) -> WatchEvent {
        loop {
            if let Some(event) = self.state().take() {
                return event;
            }
            self.added.notified().await;
        }
    }

    /// The same, of `count` events in all; `None` after the last.
    pub async fn next_of(&self, count: u64) -> Option<WatchEvent> {
        loop {
            let is_over = {
                let mut state = self.state();
                if let Some(event) = state.take() {
                    return Some(event);
                }
                state.next >= count
            };
            if is_over {
                return None;
            }
            self.added.notified().await;
        }
    }
}

impl State {
    fn add(&mut self, note: Note) {
        let what = match note.what {
            // The end is what a reader waits for.
            What::Event { kind, .. } if self.notes.len() >= EVENTS && kind != "end" => {
                What::Missed { missed: 1 }
            }
            what => what,
        };
        self.notes.insert(note.number, what);
    }

    /// The next event in order, if it has arrived.
    fn take(&mut self) -> Option<WatchEvent> {
        while let Some(what) = self.notes.remove(&self.next) {
            self.next += 1;
            match what {
                What::Missed { missed } => self.left_out += missed,
                What::Event { kind, text } => {
                    let left_out = std::mem::take(&mut self.left_out);
                    return Some(WatchEvent { kind, text, left_out });
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(number: u64) -> Value {
        json!({"number": number, "kind": "output", "text": format!("line {number}")})
    }

    #[tokio::test]
    async fn events_are_read_in_order() {
        let watched = Watched::default();
        for number in [2, 0, 1] {
            watched.add(event(number));
        }
        for number in 0..3 {
            assert_eq!(watched.next().await.text, format!("line {number}"));
        }
    }

    #[tokio::test]
    async fn events_of_a_slow_reader_are_counted() {
        let watched = Watched::default();
        let many = EVENTS as u64 + 7;
        (0..many).for_each(|number| watched.add(event(number)));
        watched.add(json!({"number": many, "missed": 30}));
        let end = json!({"number": many + 1, "kind": "end", "text": "over"});
        watched.add(end);
        for _ in 0..EVENTS {
            assert_eq!(watched.next().await.left_out, 0);
        }
        let end = watched.next_of(many + 2).await.unwrap();
        assert_eq!((end.left_out, end.text.as_str()), (37, "over"));
        assert_eq!(watched.next_of(many + 2).await, None);
    }
}
