//! The session's events for an editor, and how it goes on where it has missed some.
//!
//! A slow editor misses the oldest events. It then gets none until the session says where it is:
//! with what it has missed, the others before that would only contradict it.
//!
//! Knows how many events are left out. Refuses to read one.

use std::future;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::session::LiveEvent;

/// The events of one connection.
#[derive(Default)]
pub(super) enum Events {
    /// The editor is not configured yet.
    #[default]
    None,
    /// The session is about to say where it is; with the events before, of which so many are lost.
    Awaited(Option<(Receiver<LiveEvent>, u64)>),
    Open(Receiver<LiveEvent>),
}

impl Events {
    /// The next event; waits for ever where there are none.
    pub async fn next(&mut self) -> Result<LiveEvent, RecvError> {
        match self {
            Self::Open(events) => events.recv().await,
            Self::None | Self::Awaited(_) => future::pending().await,
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// No event counts until the session says where it is. `lost`: how many were missed.
    pub fn wait(&mut self, lost: u64) {
        *self = Self::Awaited(match std::mem::take(self) {
            Self::None => None,
            Self::Awaited(before) => before,
            Self::Open(events) => Some((events, lost)),
        });
    }

    /// Goes on with these events. Returns how many before them are left out.
    pub fn go_on(&mut self, events: Receiver<LiveEvent>) -> u64 {
        let left_out = match std::mem::take(self) {
            Self::Awaited(Some((before, lost))) => lost + surplus(&before, &events),
            Self::None | Self::Awaited(None) | Self::Open(_) => 0,
        };
        *self = Self::Open(events);
        left_out
    }
}

/// How many events a receiver has that a later one of the same session has not.
fn surplus(before: &Receiver<LiveEvent>, later: &Receiver<LiveEvent>) -> u64 {
    loop {
        // An event that comes between the two counts is one of both.
        let count = later.len();
        let surplus = before.len().saturating_sub(count);
        if later.len() == count {
            return surplus as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;

    #[tokio::test]
    async fn what_is_left_out_is_counted() {
        let sender = broadcast::Sender::new(4);
        let send = |count| (0..count).for_each(|_| drop(sender.send(LiveEvent::Breakpoints)));
        let mut events = Events::default();
        assert!(events.is_none());
        events.wait(0);
        assert!(!events.is_none());
        assert_eq!(events.go_on(sender.subscribe()), 0);
        // Of 10, 6 are lost, and 4 can still be read.
        send(10);
        let Err(RecvError::Lagged(lost)) = events.next().await else { panic!("no gap") };
        assert_eq!(lost, 6);
        events.wait(lost);
        send(1);
        let later = sender.subscribe();
        send(2);
        assert_eq!(events.go_on(later), 11);
        assert!(events.next().await.is_ok() && events.next().await.is_ok());
        // Nothing was missed.
        events.wait(0);
        assert_eq!(events.go_on(sender.subscribe()), 0);
    }
}
