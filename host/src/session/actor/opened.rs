//! A session without a target: the debugger's own commands start, attach to and end its debuggees.
//!
//! Knows when such a session ends and what its commands left for the next one. Refuses to know the
//! commands.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::{Actor, Phase, Signal};
use crate::model::{Again, Before, ExitStatus, Happening};
use crate::session::Error;
use crate::session::claim::Claim;
use crate::session::record::uncollected::{Collected, LateCommand, Uncollected};

pub(super) struct Opened {
    /// How long it may stay unused.
    limit: Duration,
    last_use: Instant,
    /// A person who has the session uses it.
    claim: Claim,
    /// How often it was given back, as far as that is noted as a use.
    returns: u64,
    /// Commands that the adapter has not answered.
    pending: usize,
    /// What no caller has yet.
    uncollected: Uncollected,
}

impl Opened {
    pub(super) fn new(limit: Duration, claim: Claim) -> Self {
        let (returns, uncollected) = (claim.returns(), Uncollected::default());
        Self { limit, last_use: Instant::now(), claim, returns, pending: 0, uncollected }
    }

    /// Where the program's output is to go.
    pub(super) fn uncollected(&self) -> Uncollected {
        self.uncollected.clone()
    }
}

/// Waits until a person has given the session back. Never ends for a session with a target.
pub(super) async fn given_back(opened: Option<&Opened>) {
    match opened {
        Some(opened) => opened.claim.given_back(opened.returns).await,
        None => std::future::pending().await,
    }
}

impl Actor {
    /// Whether a debuggee may end without the session.
    pub(super) fn is_open(&self) -> bool {
        self.opened.is_some() && !matches!(self.phase, Phase::Ending | Phase::Ended)
    }

    /// When the session ends if it is not used: a program or a command that runs is a use, and so
    /// is a person's claim.
    pub(super) fn unused_at(&self) -> Option<Instant> {
        let is_unused = |opened: &&Opened| opened.pending == 0 && !opened.claim.is_taken();
        let opened = self.opened.as_ref().filter(is_unused)?;
        let stands = matches!(self.phase, Phase::Idle | Phase::Stopped);
        stands.then(|| opened.last_use + opened.limit)
    }

    pub(super) fn end_unused(&mut self) {
        // Taken since the limit began.
        if self.unused_at().is_none() {
            return;
        }
        if let Some(after) = self.opened.as_ref().map(|opened| opened.limit) {
            self.fail(Error::Unused { after });
        }
    }

    pub(super) fn note_use(&mut self) {
        if let Some(opened) = &mut self.opened {
            opened.last_use = Instant::now();
        }
    }

    /// A person has given the session back, which is a use.
    pub(super) fn note_return(&mut self) {
        if let Some(opened) = &mut self.opened {
            opened.returns = opened.claim.returns();
        }
        self.note_use();
    }

    pub(super) fn begin_command(&mut self) {
        if let Some(opened) = &mut self.opened {
            opened.pending += 1;
        }
    }

    pub(super) fn end_command(&mut self) {
        if let Some(opened) = &mut self.opened {
            opened.pending = opened.pending.saturating_sub(1);
        }
        self.note_use();
    }

    /// Stores the answer to a command whose caller has gone, for the next command.
    pub(super) fn store_late(&mut self, late: LateCommand) {
        if let Some(opened) = &self.opened {
            opened.uncollected.add(late);
        }
    }

    /// What came since the answer before, with this one.
    pub(super) fn collect(&mut self, own: LateCommand) -> Collected {
        let opened = self.opened.as_ref();
        opened.map(|opened| opened.uncollected.take(Some(own))).unwrap_or_default()
    }

    /// A debuggee has ended: publishes that, and waits for commands.
    pub(super) fn on_exited_and_open(&mut self, status: Option<ExitStatus>) {
        if self.phase == Phase::Idle {
            return;
        }
        self.answer_move();
        self.answer_queued_pauses();
        self.read_printed();
        self.stops.forget();
        self.motion.forget();
        self.pausing.end();
        if let Some(id) = self.motion.take_run_to() {
            self.notes.extend(self.breakpoints.missed(id, Before::End));
        }
        self.edits.drop_halt();
        self.debuggee.forget();
        self.signal(Signal::Exited);
        let exit = Arc::new(self.exit(status.unwrap_or(ExitStatus::Unknown), Again::Command));
        self.output.mark_seen();
        self.journal.push(Happening::Ended(exit));
        self.note_use();
        if self.breakpoints.drop_temporary() {
            self.sync();
        }
        self.apply_queued_edits();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;

    use super::super::fairness::quiet;
    use super::super::input::Input;
    use super::*;

    /// Programs and commands that run are uses, and so is the end of each.
    #[tokio::test(start_paused = true)]
    async fn session_is_unused_while_nothing_runs() {
        let limit = Duration::from_secs(300);
        let (mut actor, _handle) = quiet(Some(limit)).await;
        let unused_in = |actor: &Actor| actor.unused_at().map(|at| at - Instant::now());
        assert_eq!(unused_in(&actor), None, "it starts");
        actor.phase = Phase::Idle;
        tokio::time::advance(Duration::from_secs(100)).await;
        assert_eq!(unused_in(&actor), Some(limit - Duration::from_secs(100)));
        actor.begin_command();
        assert_eq!(unused_in(&actor), None, "a command runs");
        tokio::time::advance(2 * limit).await;
        actor.end_command();
        assert_eq!(unused_in(&actor), Some(limit));
        actor.phase = Phase::Running;
        assert_eq!(unused_in(&actor), None, "a program runs");
        tokio::time::advance(2 * limit).await;
        actor.on_exited_and_open(Some(ExitStatus::Code(0)));
        assert_eq!((actor.phase, unused_in(&actor)), (Phase::Idle, Some(limit)));
        let Input::Unused = actor.next_input().await else { panic!("another input") };
        assert_eq!(unused_in(&actor), Some(Duration::ZERO));
        actor.handle(Input::Unused);
        let cause = actor.end.cause().map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("no command came for 300 s"));
    }

    #[tokio::test(start_paused = true)]
    async fn claim_is_a_use() {
        let limit = Duration::from_secs(300);
        let (mut actor, handle) = quiet(Some(limit)).await;
        actor.phase = Phase::Idle;
        let unused_in = |actor: &Actor| actor.unused_at().map(|at| at - Instant::now());
        assert_eq!(unused_in(&actor), Some(limit));
        // Taken while the limit runs.
        let input = {
            let mut next = pin!(actor.next_input());
            assert!(next.as_mut().now_or_never().is_none());
            assert!(handle.take().unwrap());
            tokio::time::advance(2 * limit).await;
            next.await
        };
        assert!(matches!(input, Input::Unused));
        actor.handle(input);
        assert!(actor.end.cause().is_none());
        assert_eq!((actor.phase, unused_in(&actor)), (Phase::Idle, None));
        // Given back long after it.
        let input = {
            let mut next = pin!(actor.next_input());
            assert!(next.as_mut().now_or_never().is_none());
            assert!(handle.give());
            next.await
        };
        assert!(matches!(input, Input::GivenBack));
        actor.handle(input);
        assert_eq!((actor.phase, unused_in(&actor)), (Phase::Idle, Some(limit)));
        // Taken and given back between two inputs.
        tokio::time::advance(limit / 2).await;
        assert!(handle.take().unwrap() && handle.give());
        let input = actor.next_input().await;
        assert!(matches!(input, Input::GivenBack));
        actor.handle(input);
        assert_eq!(unused_in(&actor), Some(limit));
        let Input::Unused = actor.next_input().await else { panic!("another input") };
        actor.handle(Input::Unused);
        assert!(actor.end.cause().is_some());
    }

    #[tokio::test]
    async fn session_with_a_target_has_no_limit() {
        let (mut actor, _handle) = quiet(None).await;
        actor.phase = Phase::Stopped;
        assert_eq!(actor.unused_at(), None);
    }
}
