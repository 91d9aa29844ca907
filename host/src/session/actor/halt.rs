//! The stop that the host makes to change breakpoints of a running debuggee, for adapters that
//! require one (`halts_for_breakpoints` of its quirks).
//!
//! Sends the pause, and leaves the stop; `state::edits` decides when. Another stop in its place is
//! published, and the queued edits are applied there.

use super::pauses;
use super::state::edits::{Need, QueuedEdit, SyncWaiter};
use super::state::generation::Generation;
use super::{Actor, Done, Phase};
use crate::dap;
use crate::model::BreakpointEdit;
use crate::session::Error;
use crate::session::adapter;
use crate::session::breakpoints::BreakpointReport;
use crate::session::record::reply::Reply;
use crate::session::stop::rule;
use tokio::time::Instant;

impl Actor {
    /// Whether the debuggee must stop before breakpoints change. If so, requests that.
    pub(super) fn must_halt(&mut self) -> bool {
        let need = self.edits.require(self.must_stand());
        self.provide(need);
        need != Need::Nothing
    }

    /// Whether the adapter takes breakpoints only while the debuggee stands, and it runs.
    pub(super) fn must_stand(&self) -> bool {
        self.quirks.halts_for_breakpoints() && self.phase == Phase::Running
    }

    /// Requests what a change of breakpoints needs.
    pub(super) fn provide(&mut self, need: Need) {
        match need {
            Need::Nothing => return,
            Need::Pause if !self.pausing.queue_halt() => self.send_halt(),
            Need::Pause | Need::Stop => {}
        }
        self.limit_wait();
    }

    /// Queues an edit until the debuggee has stopped.
    pub(super) fn queue_edit(&mut self, edit: BreakpointEdit, reply: Reply<BreakpointReport>) {
        let due = Instant::now() + self.limits.request;
        self.edits.queue(QueuedEdit { edit, reply, due });
    }

    /// Limits the wait for an event of the adapter to `limits.request`, unless the debuggee stops
    /// or a move is sent first.
    pub(super) fn limit_wait(&mut self) {
        let (generation, due) = (self.motion.generation(), Instant::now() + self.limits.request);
        self.flows.push(Box::pin(async move {
            tokio::time::sleep_until(due).await;
            Done::WaitExpired(generation)
        }));
    }

    pub(super) fn on_wait_expired(&mut self, generation: Generation) {
        if !self.motion.is_present(generation) || self.phase != Phase::Running {
            return;
        }
        if self.pausing.is_unconfirmed() {
            self.log.add("the adapter has not said that it runs; it is asked to stop all the same");
            self.send_queued_pauses();
            return self.limit_wait();
        }
        if !self.edits.is_requested() {
            return;
        }
        let after = self.limits.request;
        for queued in self.edits.take_due(Instant::now()) {
            let silent = Error::Adapter(adapter::Error::Silent {
                command: "pause".to_owned(),
                after,
                limit: "limits.request_s",
            });
            queued.reply.send(Err(silent));
        }
        // Reports the breakpoints as far as they are known.
        if !self.edits.is_sent() {
            self.answer_sync_waiters();
        }
    }

    /// The debuggee will not stop any more: answers all that wait for that.
    pub(super) fn fail_queued_edits(&mut self) {
        let over = self.over();
        for queued in self.edits.take_queued() {
            queued.reply.send(Err(over.clone()));
        }
        for waiting in self.edits.take_waiters() {
            match waiting {
                SyncWaiter::Report(_, reply) | SyncWaiter::Located(_, reply) => {
                    reply.send(Err(over.clone()));
                }
                SyncWaiter::Continue(_, reply) | SyncWaiter::Replace(_, _, reply) => {
                    reply.send(Err(over.clone()));
                }
                SyncWaiter::Leave(..) => {}
            }
        }
    }

    /// Asks the adapter to stop the debuggee for the host.
    pub(super) fn send_halt(&mut self) {
        let (Some(wire), thread) = (self.wire.clone(), self.motion.thread()) else { return };
        self.flows.push(Box::pin(async move { Done::HaltSent(pauses::send(&wire, thread).await) }));
    }

    pub(super) fn on_halt_sent(&mut self, result: Result<(), dap::Error>) {
        let Err(error) = result else { return };
        self.log.add(format!("the adapter does not stop it to set breakpoints: {error}"));
        // Else another stop came before the refusal: the edits are sent, and its caller resumes it.
        if self.edits.on_pause_refused() {
            self.apply_queued_edits();
        }
    }

    /// Whether the new stop is the one requested to change breakpoints. Updates the halt.
    pub(super) fn take_halt(&mut self) -> bool {
        let is_pause = self.stops.event().is_some_and(|event| rule::is_pause(&self.quirks, event));
        self.edits.on_stopped(is_pause, self.pausing.is_wanted())
    }

    /// The debuggee has stopped, or does not stop for the edits: applies them.
    pub(super) fn apply_queued_edits(&mut self) {
        for QueuedEdit { edit, reply, .. } in self.edits.take_queued() {
            self.edit_breakpoints(edit, reply);
        }
        self.sync();
        self.finish_halt();
    }

    /// The debuggee has left a hidden stop: requests the halt again for the edits still queued.
    pub(super) fn repeat_halt(&mut self) {
        if self.phase == Phase::Running && (self.edits.has_queued() || self.breakpoints.is_dirty())
        {
            self.must_halt();
        }
    }

    /// Ends the halt once all breakpoints are set: resumes the debuggee if it has stopped for them.
    pub(super) fn finish_halt(&mut self) {
        if self.edits.finish_halt() {
            self.leave_hidden_stop(self.motion.thread());
        }
    }
}
