//! What happens in one session, in order, for those that watch it.
//!
//! Costs almost nothing without a watcher and never waits for one: a slow one gets the number of
//! the events that it missed. Refuses to know how an event is written.

use std::sync::Arc;

use tokio::sync::broadcast;

use super::claim::Door;
use crate::model::{Exit, Moment, OutputLine, Stop};

/// Events that a slow watcher may be behind; then it misses the oldest.
const EVENTS: usize = 1_024;

/// The state of a session as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The debuggee is not under control yet.
    Starting,
    /// The session is open for commands and has no debuggee.
    Idle,
    /// It runs, or stands at a stop that callers do not see.
    Running,
    /// It is stopped.
    Stopped,
    /// The session has ended.
    Ended,
}

/// One event.
#[derive(Clone, Debug)]
pub enum LiveEvent {
    /// A stop that callers see.
    Stopped(Arc<Stop>),
    /// A whole line of output, or of a log breakpoint.
    Output(OutputLine),
    /// Another state.
    State(State),
    /// A call begins: where it comes from, and the call on one line.
    Called(Door, String),
    /// A call is answered: where it comes from, the tool, and the first line.
    Answered(Door, &'static str, String),
    /// The adapter has answered about breakpoints, or has changed one.
    Breakpoints,
    /// A person takes the session.
    Taken,
    /// The person gives it back.
    Given,
    /// The session ends. Nothing follows but answers.
    Ended(Arc<Exit>),
}

/// The events of one session. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Live(broadcast::Sender<LiveEvent>);

/// A watcher's events, and the state before the first.
#[derive(Debug)]
pub struct Followed {
    /// Events from now on.
    pub events: broadcast::Receiver<LiveEvent>,
    /// The session now.
    pub moment: Moment,
}

impl Default for Live {
    fn default() -> Self {
        Self(broadcast::Sender::new(EVENTS))
    }
}

impl Live {
    /// Sends an event, which is made only for watchers.
    pub(super) fn send(&self, event: impl FnOnce() -> LiveEvent) {
        if self.0.receiver_count() > 0 {
            // The last watcher may have left just now.
            drop(self.0.send(event()));
        }
    }

    pub(super) fn events(&self) -> broadcast::Receiver<LiveEvent> {
        self.0.subscribe()
    }
}
