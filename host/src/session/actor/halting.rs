//! Breakpoints that change while the debuggee runs, where it must stand for that
//! (`breakpoints_while_running` of the profile).
//!
//! The stop that comes of it is nobody's: the debuggee runs on once all are set. Any
//! other stop that comes in its stead is shown, and what waited is done there.

use super::moves::send_pause;
use super::{Actor, AfterSync, Done, Phase};
use crate::dap;
use crate::model::{BreakpointEdit, Cursor, ThreadId};
use crate::session::Error;
use crate::session::breakpoints::BreakpointReport;
use crate::session::record::reply::Reply;
use crate::session::stop::event::PauseRequest;
use crate::session::stop::rule;
use dapdock_schema::WhileRunning;
use tokio::time::Instant;

/// What setting breakpoints does to a debuggee that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halting {
    No,
    /// It was asked to stop: a stop that nobody wants is on its way.
    Expected,
    /// It came.
    Stands,
}

/// A caller's change that waits for the debuggee to stand.
pub(super) struct Held {
    edit: BreakpointEdit,
    reply: Reply<BreakpointReport>,
    due: Instant,
}

/// A move that the adapter has not yet said to have begun, and what must not come before that.
#[derive(Default)]
pub(super) struct Leaving {
    untold: bool,
    halt: bool,
    pauses: Vec<(Option<ThreadId>, Cursor, Reply<Cursor>)>,
}

impl Actor {
    /// A move goes out.
    pub(super) fn leave(&mut self) {
        self.leaving.untold = self.profile.pauses_once_continued;
    }

    /// Sends a pause, as soon as the adapter heeds one.
    pub(super) fn send_pause(
        &mut self,
        thread: Option<ThreadId>,
        from: Cursor,
        reply: Reply<Cursor>,
    ) {
        let Some(wire) = self.wire.clone() else { return };
        if self.leaving.untold {
            self.leaving.pauses.push((thread, from, reply));
            return self.bound();
        }
        self.flows.push(Box::pin(async move {
            let result = send_pause(&wire, thread).await;
            Done::PauseSent(thread, from, result, reply)
        }));
    }

    /// Where the adapter may forget a pause, it is sent again until the debuggee stops or a pause
    /// has had its time.
    pub(super) fn look_after_pause(&mut self, thread: Option<ThreadId>, until: Instant) {
        if self.profile.forgets_pauses && Instant::now() < until {
            self.pause_later(thread, until);
        }
    }

    /// It went on from where a pause had nothing to show. It is paused once more when it has had
    /// time to leave that.
    pub(super) fn pause_again(&mut self) {
        let again =
            self.pausing.filter(|pausing| pausing.repeats > 0 && self.phase == Phase::Running);
        let Some(PauseRequest { thread, .. }) = again else { return };
        self.pause_later(thread.or(self.thread), Instant::now() + self.limits.pause);
    }

    fn pause_later(&mut self, thread: Option<ThreadId>, until: Instant) {
        let (generation, again) = (self.generation, Instant::now() + self.limits.pause_again);
        self.flows.push(Box::pin(async move {
            tokio::time::sleep_until(again).await;
            Done::PauseLate(generation, thread, until)
        }));
    }

    pub(super) fn on_pause_late(
        &mut self,
        generation: u32,
        thread: Option<ThreadId>,
        until: Instant,
    ) {
        let waits =
            generation == self.generation && self.phase == Phase::Running && self.pausing.is_some();
        let Some(wire) = self.wire.clone().filter(|_| waits) else { return };
        self.flows.push(Box::pin(async move {
            // The first was taken: what comes of this one tells nothing more.
            let _ = send_pause(&wire, thread).await;
            Done::Answered
        }));
        self.look_after_pause(thread, until);
    }

    /// The debuggee runs, or the move was refused.
    pub(super) fn left(&mut self) {
        let Leaving { halt, pauses, .. } = std::mem::take(&mut self.leaving);
        pauses.into_iter().for_each(|(thread, from, reply)| self.send_pause(thread, from, reply));
        if halt {
            self.send_halt();
        }
    }

    /// It stands, and nobody needs to ask for that any more.
    pub(super) fn left_and_stopped(&mut self) {
        let pauses = std::mem::take(&mut self.leaving).pauses;
        pauses.into_iter().for_each(|(_, from, reply)| reply.send(Ok(from)));
    }

    /// Must the debuggee first stand still? Then it is asked to.
    pub(super) fn must_halt(&mut self) -> bool {
        let first = self.profile.breakpoints_while_running == WhileRunning::HaltFirst;
        let runs = self.phase == Phase::Running && self.halting != Halting::Stands;
        if first && runs && self.halting == Halting::No {
            self.ask_halt();
        }
        if first && runs {
            self.bound();
        }
        first && runs
    }

    /// Keeps a change until the debuggee stands.
    pub(super) fn hold(&mut self, edit: BreakpointEdit, reply: Reply<BreakpointReport>) {
        let due = Instant::now() + self.limits.request;
        self.held.push(Held { edit, reply, due });
    }

    /// What now waits for an event of the adapter does so for as long as a request may take, unless
    /// it moves or stops.
    fn bound(&mut self) {
        let (generation, due) = (self.generation, Instant::now() + self.limits.request);
        self.flows.push(Box::pin(async move {
            tokio::time::sleep_until(due).await;
            Done::Overdue(generation)
        }));
    }

    pub(super) fn on_overdue(&mut self, generation: u32) {
        if generation != self.generation || self.phase != Phase::Running {
            return;
        }
        if self.leaving.untold {
            self.log.add("the adapter has not said that it runs; it is asked to stop all the same");
            self.left();
            return self.bound();
        }
        if self.halting != Halting::Expected {
            return;
        }
        let now = Instant::now();
        let (late, held) =
            std::mem::take(&mut self.held).into_iter().partition(|held| held.due <= now);
        self.held = held;
        let after = self.limits.request;
        for Held { reply, .. } in late as Vec<Held> {
            let silent = Error::AdapterSilent {
                command: "pause".to_owned(),
                after,
                limit: "limits.request_s",
            };
            reply.send(Err(silent));
        }
        // They tell what is known of theirs.
        if !self.syncing {
            self.answer_after_sync();
        }
    }

    /// Nothing will come any more: who waits for the debuggee hears it.
    pub(super) fn let_go_of_held(&mut self) {
        let over = self.over();
        std::mem::take(&mut self.held)
            .into_iter()
            .for_each(|held| held.reply.send(Err(over.clone())));
        for waiting in std::mem::take(&mut self.after_sync) {
            match waiting {
                AfterSync::Report(_, reply) => reply.send(Err(over.clone())),
                AfterSync::Continue(_, reply) => reply.send(Err(over.clone())),
            }
        }
    }

    fn ask_halt(&mut self) {
        self.halting = Halting::Expected;
        match self.leaving.untold {
            true => self.leaving.halt = true,
            false => self.send_halt(),
        }
    }

    fn send_halt(&mut self) {
        let (Some(wire), thread) = (self.wire.clone(), self.thread) else { return };
        self.flows.push(Box::pin(async move { Done::HaltSent(send_pause(&wire, thread).await) }));
    }

    pub(super) fn on_halt_sent(&mut self, result: Result<(), dap::Error>) {
        let Err(error) = result else { return };
        self.log.add(format!("the adapter does not stop it to set breakpoints: {error}"));
        self.halting = Halting::Stands;
        self.do_held();
    }

    /// Is the stop that has come the one that was made to set breakpoints?
    pub(super) fn halted(&mut self) -> bool {
        let pause = self.pause.as_ref().is_some_and(|pause| rule::is_pause(&self.profile, pause));
        let ours = self.halting != Halting::No && pause && self.pausing.is_none();
        self.halting = if ours { Halting::Stands } else { Halting::No };
        ours
    }

    /// Does what waited for the debuggee to stand.
    pub(super) fn do_held(&mut self) {
        for Held { edit, reply, .. } in std::mem::take(&mut self.held) {
            self.edit_breakpoints(edit, reply);
        }
        self.sync();
        self.go_on_after_halt();
    }

    /// It goes on from a stop that was not to be seen: what waited asks again.
    pub(super) fn halt_again(&mut self) {
        if self.phase == Phase::Running && (!self.held.is_empty() || self.breakpoints.is_dirty()) {
            self.must_halt();
        }
    }

    /// Lets the debuggee run on once all breakpoints are set.
    pub(super) fn go_on_after_halt(&mut self) {
        if self.halting == Halting::Stands && !self.syncing && self.edits == 0 {
            self.halting = Halting::No;
            self.log_hit(Vec::new(), self.thread, None);
        }
    }
}
