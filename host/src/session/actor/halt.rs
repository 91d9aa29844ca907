//! The stop that the host makes to change breakpoints of a running debuggee, for adapters that
//! require one (`breakpoints_while_running` of the profile).
//!
//! Callers do not see this stop: the debuggee runs on once all breakpoints are set. Another stop
//! in its place is published, and the queued edits are applied there.

use super::pauses;
use super::{Actor, Done, Phase, SyncWaiter};
use crate::dap;
use crate::model::BreakpointEdit;
use crate::session::Error;
use crate::session::adapter;
use crate::session::breakpoints::BreakpointReport;
use crate::session::record::reply::Reply;
use crate::session::stop::rule;
use dapdock_schema::WhileRunning;
use tokio::time::Instant;

/// The stop made to change breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    None,
    /// The adapter was asked for a pause.
    Requested,
    /// The debuggee has stopped for it: edits are sent, then it is resumed.
    Stopped,
    /// The adapter has refused to stop the debuggee: edits are sent while it runs.
    Refused,
}

/// A caller's edit that waits for the debuggee to stop.
pub(super) struct QueuedEdit {
    edit: BreakpointEdit,
    reply: Reply<BreakpointReport>,
    due: Instant,
}

impl Actor {
    /// Whether the debuggee must stop before breakpoints change. If so, requests that.
    pub(super) fn must_halt(&mut self) -> bool {
        let must = self.profile.breakpoints_while_running == WhileRunning::HaltFirst
            && self.phase == Phase::Running
            && matches!(self.halt, Halt::None | Halt::Requested);
        if must {
            if self.halt == Halt::None {
                self.request_halt();
            }
            self.limit_wait();
        }
        must
    }

    /// Queues an edit until the debuggee has stopped.
    pub(super) fn queue_edit(&mut self, edit: BreakpointEdit, reply: Reply<BreakpointReport>) {
        let due = Instant::now() + self.limits.request;
        self.queued_edits.push(QueuedEdit { edit, reply, due });
    }

    /// Limits the wait for an event of the adapter to `limits.request`, unless the debuggee stops
    /// or a move is sent first.
    pub(super) fn limit_wait(&mut self) {
        let (generation, due) = (self.generation, Instant::now() + self.limits.request);
        self.flows.push(Box::pin(async move {
            tokio::time::sleep_until(due).await;
            Done::WaitExpired(generation)
        }));
    }

    pub(super) fn on_wait_expired(&mut self, generation: u32) {
        if generation != self.generation || self.phase != Phase::Running {
            return;
        }
        if self.awaited_continued.is_pending() {
            self.log.add("the adapter has not said that it runs; it is asked to stop all the same");
            self.send_queued_pauses();
            return self.limit_wait();
        }
        if self.halt != Halt::Requested {
            return;
        }
        let now = Instant::now();
        let after = self.limits.request;
        for queued in std::mem::take(&mut self.queued_edits) {
            if queued.due > now {
                self.queued_edits.push(queued);
                continue;
            }
            let silent = Error::Adapter(adapter::Error::Silent {
                command: "pause".to_owned(),
                after,
                limit: "limits.request_s",
            });
            queued.reply.send(Err(silent));
        }
        // Reports the breakpoints as far as they are known.
        if !self.syncing {
            self.answer_sync_waiters();
        }
    }

    /// The debuggee will not stop any more: answers all that wait for that.
    pub(super) fn fail_queued_edits(&mut self) {
        let over = self.over();
        for queued in std::mem::take(&mut self.queued_edits) {
            queued.reply.send(Err(over.clone()));
        }
        for waiting in std::mem::take(&mut self.sync_waiters) {
            match waiting {
                SyncWaiter::Report(_, reply) => reply.send(Err(over.clone())),
                SyncWaiter::Continue(_, reply) => reply.send(Err(over.clone())),
            }
        }
    }

    fn request_halt(&mut self) {
        self.halt = Halt::Requested;
        if !self.awaited_continued.defer_halt() {
            self.send_halt();
        }
    }

    /// Asks the adapter to stop the debuggee for the host.
    pub(super) fn send_halt(&mut self) {
        let (Some(wire), thread) = (self.wire.clone(), self.thread) else { return };
        self.flows.push(Box::pin(async move { Done::HaltSent(pauses::send(&wire, thread).await) }));
    }

    /// Forgets the halt: the debuggee is stopped for another reason.
    pub(super) fn drop_halt(&mut self) {
        self.halt = Halt::None;
    }

    pub(super) fn on_halt_sent(&mut self, result: Result<(), dap::Error>) {
        let Err(error) = result else { return };
        self.log.add(format!("the adapter does not stop it to set breakpoints: {error}"));
        // Another stop came before the refusal: the edits are sent, and its caller resumes it.
        if self.halt != Halt::Requested {
            return;
        }
        self.halt = Halt::Refused;
        self.apply_queued_edits();
    }

    /// Whether the new stop is the one requested to change breakpoints. Updates `halt`.
    pub(super) fn take_halt(&mut self) -> bool {
        let is_pause =
            self.stopped_event.as_ref().is_some_and(|event| rule::is_pause(&self.profile, event));
        let expected = matches!(self.halt, Halt::Requested | Halt::Stopped);
        let is_halt = expected && is_pause && self.pausing.is_none();
        self.halt = if is_halt { Halt::Stopped } else { Halt::None };
        is_halt
    }

    /// The debuggee has stopped, or does not stop for the edits: applies them.
    pub(super) fn apply_queued_edits(&mut self) {
        for QueuedEdit { edit, reply, .. } in std::mem::take(&mut self.queued_edits) {
            self.edit_breakpoints(edit, reply);
        }
        self.sync();
        self.finish_halt();
    }

    /// The debuggee has left a hidden stop: requests the halt again for the edits still queued.
    pub(super) fn repeat_halt(&mut self) {
        if self.phase == Phase::Running
            && (!self.queued_edits.is_empty() || self.breakpoints.is_dirty())
        {
            self.must_halt();
        }
    }

    /// Ends the halt once all breakpoints are set: resumes the debuggee if it has stopped for them.
    pub(super) fn finish_halt(&mut self) {
        if self.syncing || self.edits_in_translation > 0 {
            return;
        }
        match self.halt {
            Halt::Stopped => {
                self.halt = Halt::None;
                self.leave_hidden_stop(self.thread);
            }
            Halt::Refused => self.halt = Halt::None,
            Halt::None | Halt::Requested => {}
        }
    }
}
