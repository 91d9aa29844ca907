//! Stops that callers may not see: those of a halt, of the host's own steps, of log breakpoints and
//! of breakpoints whose hit condition does not hold. What follows them: the debuggee is resumed, or
//! the stop is published after all.
//!
//! Knows the step, run and pause under way. Refuses to know how a stop is read.

use super::log_texts;
use super::resumption::{self, Resumption};
use super::state::edits::SyncWaiter;
use super::state::generation::Generation;
use super::{Actor, Done, Phase, Signal};
use crate::model::{BreakpointId, LogHit, Resume, ThreadId};

/// What follows once the log texts of a stop are written.
pub(super) enum AfterTexts {
    /// The step or run under way goes on, unless its end or a pause publishes the stop.
    LeaveStop,
    Then(Resumption),
}

impl Actor {
    /// Finds out how the step or run under way goes on from a hidden stop; `on_resumption_known`
    /// decides.
    pub(super) fn leave_hidden_stop(&mut self, thread: Option<ThreadId>) {
        self.write_log_texts(Vec::new(), thread, AfterTexts::LeaveStop);
    }

    /// Evaluates the texts of these log breakpoints, then goes on as `then` says.
    pub(super) fn write_log_texts(
        &mut self,
        ids: Vec<BreakpointId>,
        thread: Option<ThreadId>,
        then: AfterTexts,
    ) {
        let texts = self.log_texts(ids);
        let (Some(wire), generation) = (self.wire.clone(), self.motion.generation()) else {
            return;
        };
        let stepping = self.motion.stepping();
        self.flows.push(Box::pin(async move {
            let hits = log_texts::render(&wire, thread, texts).await;
            let then = match then {
                AfterTexts::Then(then) => then,
                AfterTexts::LeaveStop => {
                    resumption::after_hidden_stop(&wire, thread, stepping).await
                }
            };
            Done::ResumptionKnown(generation, hits, then)
        }));
    }

    pub(super) fn on_resumption_known(
        &mut self,
        generation: Generation,
        hits: Vec<LogHit>,
        then: Resumption,
    ) {
        for hit in hits {
            self.record(hit);
        }
        if !self.is_current(generation) {
            return;
        }
        match then {
            Resumption::Nothing => {}
            Resumption::Publish => {
                self.signal(Signal::Stopped);
                self.apply_queued_edits();
            }
            Resumption::StepFinished => self.publish_as("step"),
            Resumption::Resume(how) if self.breakpoints.is_dirty() => {
                self.edits.wait(SyncWaiter::Leave(generation, how));
                self.send_changes(false);
            }
            Resumption::Resume(how) => self.leave(generation, how),
        }
    }

    /// Resumes the debuggee from a hidden stop, unless a caller has requested a pause.
    pub(super) fn leave(&mut self, generation: Generation, how: Resume) {
        if !self.is_current(generation) {
            return;
        }
        if self.pausing.is_wanted() {
            self.publish_as("pause");
        } else {
            self.resume_hidden(how);
        }
    }

    fn is_current(&self, generation: Generation) -> bool {
        self.motion.is_present(generation) && !matches!(self.phase, Phase::Ending | Phase::Ended)
    }

    /// Reads and publishes a stop with this reason in place of the adapter's.
    fn publish_as(&mut self, reason: &str) {
        self.stops.rename(reason, self.pausing.request());
        self.signal(Signal::Stopped);
    }
}
