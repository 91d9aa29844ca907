//! A session without a target: the debugger's own commands start, attach to and end its debuggees.
//!
//! Knows when such a session ends and what its commands left for the next one. Refuses to know the
//! commands.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::halt::Halt;
use super::inbound::status;
use super::{Actor, Hits, Phase, Signal};
use crate::model::{Again, Before, ExitStatus, Happening, OutputQuery};
use crate::session::Error;
use crate::session::handle::LateCommand;

/// How many late answers are stored.
const LATE: usize = 32;

/// Lines of the program in the answer to one command; the next answer has the rest.
const LINES: u64 = 200;

pub(super) struct Opened {
    /// How long it may stay unused.
    limit: Duration,
    last_use: Instant,
    /// Commands that the adapter has not answered.
    pending: usize,
    /// Answers that came after their callers had gone.
    late: VecDeque<LateCommand>,
    /// Lines of output before this one were in an answer.
    printed: u64,
}

impl Opened {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, last_use: Instant::now(), pending: 0, late: VecDeque::new(), printed: 0 }
    }
}

impl Actor {
    /// Whether a debuggee may end without the session.
    pub(super) fn is_open(&self) -> bool {
        self.opened.is_some() && !matches!(self.phase, Phase::Ending | Phase::Ended)
    }

    /// When the session ends if it is not used: a program or a command that runs is a use.
    pub(super) fn unused_at(&self) -> Option<Instant> {
        let opened = self.opened.as_ref().filter(|opened| opened.pending == 0)?;
        let stands = matches!(self.phase, Phase::Idle | Phase::Stopped);
        stands.then(|| opened.last_use + opened.limit)
    }

    pub(super) fn end_unused(&mut self) {
        if let Some(after) = self.opened.as_ref().map(|opened| opened.limit) {
            self.fail(Error::Unused { after });
        }
    }

    pub(super) fn note_use(&mut self) {
        if let Some(opened) = &mut self.opened {
            opened.last_use = Instant::now();
        }
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
        if let Some(opened) = &mut self.opened {
            if opened.late.len() == LATE {
                opened.late.pop_front();
            }
            opened.late.push_back(late);
        }
    }

    pub(super) fn take_late(&mut self) -> Vec<LateCommand> {
        self.opened.as_mut().map(|opened| opened.late.drain(..).collect()).unwrap_or_default()
    }

    /// What the program has printed since the answer before.
    pub(super) fn take_printed(&mut self) -> Vec<String> {
        let Some(opened) = &mut self.opened else { return Vec::new() };
        let query = OutputQuery { since: Some(opened.printed), limit: LINES, ..Default::default() };
        let Ok(page) = self.output.page(&query) else { return Vec::new() };
        opened.printed = page.next;
        page.lines.into_iter().map(|line| line.text).collect()
    }

    /// A debuggee has ended: publishes that, and waits for commands.
    pub(super) fn on_exited_and_open(&mut self, code: Option<i64>) {
        if self.phase == Phase::Idle {
            return;
        }
        self.answer_move();
        self.answer_queued_pauses();
        self.read_printed();
        self.generation += 1;
        self.current_stop = None;
        self.stopped_event = None;
        self.pausing = None;
        self.stepping = None;
        self.own_step = None;
        self.step_target = None;
        self.move_behind_evaluation = None;
        self.last_stop_skipped = false;
        if let Some(id) = self.run_to.take() {
            self.notes.extend(self.breakpoints.missed(id, Before::End));
        }
        self.thread = None;
        self.hits = Hits::default();
        self.halt = Halt::None;
        (self.debuggee_pid, self.debuggee_process, self.launched) = (None, None, true);
        self.signal(Signal::Exited);
        let status = code.map_or(ExitStatus::Unknown, |code| status(code, self.profile.exit_code));
        let exit = Arc::new(self.exit(status, Again::Command));
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
        actor.on_exited_and_open(Some(0));
        assert_eq!((actor.phase, unused_in(&actor)), (Phase::Idle, Some(limit)));
        let Input::Unused = actor.next_input().await else { panic!("another input") };
        assert_eq!(unused_in(&actor), Some(Duration::ZERO));
        actor.handle(Input::Unused);
        let cause = actor.cause.as_ref().map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("no command came for 300 s"));
    }

    #[tokio::test]
    async fn session_with_a_target_has_no_limit() {
        let (mut actor, _handle) = quiet(None).await;
        actor.phase = Phase::Stopped;
        assert_eq!(actor.unused_at(), None);
    }
}
