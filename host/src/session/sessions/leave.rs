//! The end of all sessions: of a host, and of an agent that has gone while a person has some.
//!
//! Refuses to know how one session ends.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{join_all, select_all};
use futures_util::stream::FuturesUnordered;
use tokio::time::Instant;

use super::Sessions;
use crate::session::claim::Door;
use crate::session::handle::{EndMode, Handle};

impl Sessions {
    /// Ends all sessions, for ever; returns when none of their processes is left.
    pub async fn close_all(&self) {
        self.state().closing = true;
        self.end_all().await;
        self.state().open.clear();
    }

    /// Ends all sessions; returns when none of their processes is left.
    pub async fn end_all(&self) {
        join_all(self.all().into_iter().map(close)).await;
    }

    /// Whether the agent of these sessions has gone.
    pub fn is_left(&self) -> bool {
        self.all.is_left.load(Ordering::Relaxed)
    }

    /// The agent has gone: a session that a person has taken stays until it is given back, ends, or
    /// the person makes no call for `limit`. The others end meanwhile, those of a launch under way
    /// too, and each once it is given back. Returns when nothing keeps a session.
    pub async fn leave(&self, limit: Duration) {
        self.all.is_left.store(true, Ordering::Relaxed);
        let mut changes = self.feed().changes();
        let (mut ends, mut ended) = (FuturesUnordered::new(), HashSet::new());
        loop {
            changes.mark_unchanged();
            let (taken, free): (Vec<_>, Vec<_>) =
                self.all().into_iter().partition(Handle::is_taken);
            // A restart ends one session before the next one is there.
            if taken.is_empty() && self.state().restarting.is_empty() {
                return;
            }
            for handle in free {
                if !handle.is_over() && ended.insert(handle.id().clone()) {
                    ends.push(close(handle));
                }
            }
            let used = taken.iter().filter_map(|handle| handle.claim.last_use()).max();
            let deadline = used.unwrap_or_else(Instant::now) + limit;
            let returns = async {
                match taken.as_slice() {
                    [] => std::future::pending().await,
                    _ => drop(select_all(taken.iter().map(|it| Box::pin(it.given()))).await),
                }
            };
            tokio::select! {
                () = returns => {}
                _ = changes.changed() => {}
                Some(()) = ends.next() => {}
                () = tokio::time::sleep_until(deadline) => {
                    let later = taken.iter().filter_map(|handle| handle.claim.last_use()).max();
                    if later == used {
                        return;
                    }
                }
            }
        }
    }

    /// The agent is there again, after it had gone.
    pub fn come_back(&self) {
        self.all.is_left.store(false, Ordering::Relaxed);
    }

    /// Waits until a person has every open session, and at least one is open.
    pub async fn only_taken(&self) {
        let mut changes = self.feed().changes();
        loop {
            let mut open = self.all();
            open.retain(|handle| !handle.is_over());
            if !open.is_empty() && open.iter().all(Handle::is_taken) {
                return;
            }
            // The sender lives as long as `self`.
            drop(changes.changed().await);
        }
    }
}

/// Ends a session, whoever has it.
async fn close(handle: Handle) {
    drop(handle.by(Door::Host).close(EndMode::Auto).await);
}
