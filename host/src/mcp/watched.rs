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

/// Bytes of their texts.
const BYTES: usize = 8 << 20;

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
    events: BTreeMap<u64, (String, String)>,
    /// Bytes of their texts.
    bytes: usize,
    /// Notifications without an event to read, by the number of the first. Those that follow one
    /// another are one gap: a reader that stands still has no more gaps than it has events, and
    /// one for each notification that another has overtaken.
    gaps: BTreeMap<u64, Gap>,
    /// Number of the next event.
    next: u64,
    left_out: u64,
}

/// Notifications in a row.
#[derive(Clone, Copy)]
struct Gap {
    /// The number behind the last.
    end: u64,
    /// Events that they stand for.
    missed: u64,
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
    fn add(&mut self, Note { number, what }: Note) {
        match what {
            What::Missed { missed } => self.leave_out(number, missed),
            // The end is what a reader waits for.
            What::Event { kind, text } if kind == "end" || self.has_room(&text) => {
                self.bytes += text.len();
                self.events.insert(number, (kind, text));
            }
            What::Event { .. } => self.leave_out(number, 1),
        }
    }

    fn has_room(&self, text: &str) -> bool {
        self.events.len() < EVENTS && self.bytes + text.len() <= BYTES
    }

    /// Adds a gap of one notification, joined with those on either side.
    fn leave_out(&mut self, number: u64, missed: u64) {
        let (mut start, mut gap) = (number, Gap { end: number + 1, missed });
        if let Some((&first, &before)) = self.gaps.range(..number).next_back()
            && before.end == number
        {
            (start, gap.missed) = (first, gap.missed + before.missed);
        }
        if let Some(after) = self.gaps.remove(&gap.end) {
            gap = Gap { end: after.end, missed: gap.missed + after.missed };
        }
        self.gaps.insert(start, gap);
    }

    /// The next event in order, if it has arrived.
    fn take(&mut self) -> Option<WatchEvent> {
        while let Some(gap) = self.gaps.remove(&self.next) {
            self.next = gap.end;
            self.left_out += gap.missed;
        }
        let (kind, text) = self.events.remove(&self.next)?;
        self.next += 1;
        self.bytes -= text.len();
        let left_out = std::mem::take(&mut self.left_out);
        Some(WatchEvent { kind, text, left_out })
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

    /// However much a reader misses, what is stored for it has a bound.
    #[tokio::test]
    async fn reader_that_stands_still_costs_no_more() {
        let watched = Watched::default();
        let many = 20 * EVENTS as u64;
        // Pairs in the wrong order.
        for number in (0..many).step_by(2) {
            watched.add(event(number + 1));
            watched.add(event(number));
        }
        let stored = {
            let state = watched.state();
            state.events.len() + state.gaps.len()
        };
        assert!(stored <= EVENTS + 1, "{stored}");
        watched.add(json!({"number": many, "kind": "end", "text": "over"}));
        for number in 0..EVENTS {
            assert_eq!(watched.next().await.text, format!("line {number}"));
        }
        let end = watched.next_of(many + 1).await.unwrap();
        assert_eq!((end.text.as_str(), end.left_out), ("over", many - EVENTS as u64));

        let long = "x".repeat(BYTES / 4);
        let watched = Watched::default();
        for number in 0..9 {
            watched.add(json!({"number": number, "kind": "output", "text": long}));
        }
        assert_eq!(watched.state().bytes, BYTES);
        for _ in 0..4 {
            assert_eq!(watched.next().await.left_out, 0);
        }
        watched.add(json!({"number": 9, "kind": "output", "text": "later"}));
        let later = watched.next().await;
        assert_eq!((later.text.as_str(), later.left_out), ("later", 5));
        assert_eq!(watched.state().bytes, 5 - later.text.len());
    }
}
