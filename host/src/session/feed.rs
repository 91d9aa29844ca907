//! Reports changes of the sessions to those that follow them. Never waits for a follower, and costs
//! almost nothing without one.
//!
//! Refuses to know who follows and what a change means to a reader.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// The changes of all sessions of one host.
#[derive(Clone, Default)]
pub struct Feed {
    pulse: watch::Sender<()>,
}

impl Feed {
    /// Ready after any change: of the list of sessions or of one of them. Many changes are one.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.pulse.subscribe()
    }

    pub(super) fn changed(&self) {
        self.pulse.send_replace(());
    }
}

/// Counters that grow with the output and the log of one session.
#[derive(Default)]
pub(super) struct Revisions {
    output: AtomicU64,
    log: AtomicU64,
}

/// A moment in the life of a session's output and log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Grows when output is added.
    pub output: u64,
    /// Grows when a line is added to the log.
    pub log: u64,
}

impl Revisions {
    pub(super) fn set(&self, revision: Revision) {
        self.output.store(revision.output, Ordering::Relaxed);
        self.log.store(revision.log, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> Revision {
        Revision {
            output: self.output.load(Ordering::Relaxed),
            log: self.log.load(Ordering::Relaxed),
        }
    }
}

/// The reports of one session.
pub(super) struct Reporter {
    feed: Feed,
    revisions: Arc<Revisions>,
}

impl Reporter {
    pub(super) fn new(feed: Feed) -> Self {
        Self { feed, revisions: Arc::default() }
    }

    pub(super) fn revisions(&self) -> Arc<Revisions> {
        self.revisions.clone()
    }

    /// Something of the session may have changed.
    pub(super) fn changed(&self, revision: Revision) {
        self.revisions.set(revision);
        self.feed.changed();
    }
}
