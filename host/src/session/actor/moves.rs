//! Moves: continue, step and run-to, from the command to the adapter's answer.
//!
//! The host's own moves, from stops that callers do not see, end here too. Knows nothing
//! of how a stop is read.

use std::time::Duration;

use tokio::time::Instant;

use super::pauses::AfterRefusal;
use super::resumption::{self, ResumedThreads, Stepping};
use super::state::edits::{SyncWaiter, Until};
use super::state::generation::Generation;
use super::state::motion::{Answer, Facts, MoveBehindEvaluation, Outcome, UnansweredMove};
use super::{Actor, Done, Phase, Signal, edits};
use crate::dap;
use crate::model::{BreakpointSpec, Cursor, Epoch, Note, Place, Resume, Stop, ThreadId};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints;
use crate::session::breakpoints::Translated;
use crate::session::handle::StopLeft;
use crate::session::record::reply::Reply;
use crate::session::stop::event::StopEvent;
use crate::session::stop::threads;

impl Actor {
    pub(super) fn resume(
        &mut self,
        how: Resume,
        thread: Option<ThreadId>,
        left: StopLeft,
        reply: Reply<Cursor>,
    ) {
        let busy = self.need_stop().is_ok() && self.need_idle().is_err();
        match self.wire.clone().filter(|_| busy) {
            // An evaluation that its caller has given up may end at any moment.
            Some(wire) => self.reads.push(Box::pin(async move {
                wire.idle(Duration::MAX).await;
                Done::AdapterIdle(how, thread, left, reply)
            })),
            None => self.resume_now(how, thread, left, reply),
        }
    }

    pub(super) fn resume_now(
        &mut self,
        how: Resume,
        thread: Option<ThreadId>,
        left: StopLeft,
        reply: Reply<Cursor>,
    ) {
        if left == StopLeft::Delivered && self.is_stop_unknown() {
            return reply.send(Ok(self.journal.delivered()));
        }
        // Checked before anything is set or restored for the move.
        if let Err(error) = self.check_move(&how, thread, left) {
            return reply.send(Err(error));
        }
        self.stops.on_resume(left != StopLeft::Undelivered);
        if self.stops.is_last_skipped()
            && let Some(stop) = self.stops.current().cloned()
        {
            self.restore_news(&stop);
        }
        self.log_move(&how);
        match how {
            Resume::Until(place @ Place::Function(_)) => {
                match self.wire.clone().filter(|_| self.needs_translation()) {
                    Some(wire) => self.reads.push(Box::pin(async move {
                        Done::UntilTranslated(
                            edits::translate(&wire, &BreakpointSpec::at(place)).await,
                            thread,
                            reply,
                        )
                    })),
                    None => self.set_until(BreakpointSpec::at(place).into(), thread, reply),
                }
            }
            Resume::Until(place) => self.set_until(BreakpointSpec::at(place).into(), thread, reply),
            Resume::Into(name) => self.step_into_call(name, thread, reply),
            how => match self.outer_frame_step(&how, thread) {
                Some(step) => self.step_outer_frame(step, reply),
                None => self.send_move(&how, thread, reply),
            },
        }
    }

    /// Whether no caller knows of the current stop: it came after a wait had run out.
    fn is_stop_unknown(&self) -> bool {
        self.stops.is_unread() && self.journal.delivered() < self.journal.end()
    }

    fn check_move(
        &self,
        how: &Resume,
        thread: Option<ThreadId>,
        left: StopLeft,
    ) -> Result<(), Error> {
        match left {
            StopLeft::Known(stop) => self.need_stop_at(stop)?,
            // A pause came between the steps of one call.
            StopLeft::Undelivered if self.pausing.came_at_stop() => return Err(Error::Superseded),
            StopLeft::Delivered | StopLeft::Undelivered => self.need_stop()?,
        }
        if self.debuggee.is_post_mortem() {
            return Err(Error::PostMortem);
        }
        self.need_idle()?;
        self.resumed_threads(how, thread).map(drop)
    }

    pub(super) fn on_until_translated(
        &mut self,
        text: Result<Translated, Error>,
        thread: Option<ThreadId>,
        reply: Reply<Cursor>,
    ) {
        match text {
            Ok(text) => self.set_until(text, thread, reply),
            Err(error) => reply.send(Err(error)),
        }
    }

    fn set_until(&mut self, text: Translated, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        let own = self.breakpoints.plain_at(&text, &self.quirks);
        let id = own.unwrap_or_else(|| self.breakpoints.add_temporary(text));
        let generation = self.motion.generation();
        self.edits.wait(SyncWaiter::Continue(Until { id, thread, generation }, reply));
        self.sync();
    }

    /// Output, log hits and notes of a stop that the caller does not get belong to the next stop.
    fn restore_news(&mut self, stop: &Stop) {
        self.output.take_back(&stop.output);
        self.log_hits.take_back(stop.log_hits);
        self.notes.splice(..0, stop.notes.iter().cloned());
    }

    /// Runs to a place whose breakpoint is set, or removes the breakpoint. Where the adapter has
    /// refused it because of others there, those are removed first.
    pub(super) fn run_until(&mut self, until: Until, reply: Reply<Cursor>) {
        match self.check_run_until(&until) {
            Ok(()) if !reply.is_abandoned() => {
                self.motion.set_run_to(until.id);
                return self.send_move(&Resume::Continue, until.thread, reply);
            }
            Ok(()) => {}
            Err(error @ Error::Breakpoints(_)) => {
                if let Some(text) = self.breakpoints.replace_others(until.id) {
                    self.edits.wait(SyncWaiter::Replace(Box::new(text), until, reply));
                    return self.sync();
                }
                reply.send(Err(error));
            }
            Err(error) => reply.send(Err(error)),
        }
        if self.motion.run_to() != Some(until.id) && self.breakpoints.drop_one_temporary(until.id) {
            self.sync();
        }
    }

    /// The others at the place are removed: the breakpoint of the run is set in their place.
    pub(super) fn set_replacing(&mut self, text: Translated, until: Until, reply: Reply<Cursor>) {
        let id = self.breakpoints.add_temporary(text);
        self.edits.wait(SyncWaiter::Continue(Until { id, ..until }, reply));
        self.sync();
    }

    fn check_run_until(&self, until: &Until) -> Result<(), Error> {
        let top = self.stops.current().and_then(|stop| stop.frames.first());
        if let Some(message) = self.breakpoints.refusal(until.id, top) {
            return Err(Error::Breakpoints(breakpoints::Error::Refused { message, part: None }));
        }
        self.need_stop()?;
        if !self.motion.is_present(until.generation) || self.breakpoints.get(until.id).is_none() {
            return Err(Error::Superseded);
        }
        Ok(())
    }

    pub(super) fn send_move(
        &mut self,
        how: &Resume,
        named: Option<ThreadId>,
        reply: Reply<Cursor>,
    ) {
        let (Some(wire), Some(thread)) = (self.wire.clone(), named.or(self.motion.thread())) else {
            return reply.send(Err(Error::NotStopped));
        };
        if let Err(error) = self.need_stop() {
            return reply.send(Err(error));
        }
        // A call that was cancelled before the move began moves nothing.
        if reply.is_abandoned() {
            return;
        }
        let threads = match self.resumed_threads(how, named) {
            Ok(threads) => threads,
            Err(error) => return reply.send(Err(error)),
        };
        let cursor = self.journal.skip();
        let single_thread = (threads == ResumedThreads::One).then_some(thread);
        let stepping = self.stops.current().and_then(|stop| Stepping::begin(how, stop, thread));
        // Read first: `begin_move` drops the read that waits for the evaluation.
        let delayed = wire.busy().map(|busy| MoveBehindEvaluation {
            expression: busy.expression,
            left: self.stops.event().cloned(),
        });
        let wire = wire.with_current_limit();
        self.begin_move(stepping, single_thread);
        let generation = self.motion.generation();
        let reply = Some((reply, cursor));
        self.motion.on_sent(UnansweredMove { reply, left: None, delayed, generation });
        let how = how.clone();
        self.flows.push(Box::pin(async move {
            Done::Moved(generation, resumption::send(&wire, &how, thread, threads).await)
        }));
    }

    /// Which threads a move resumes: a thread that the caller names runs without the others, except
    /// in a step.
    fn resumed_threads(
        &self,
        how: &Resume,
        named: Option<ThreadId>,
    ) -> Result<ResumedThreads, Error> {
        let Some(thread) = named else { return Ok(ResumedThreads::All) };
        if matches!(how, Resume::Step(_) | Resume::Into(_)) {
            return Ok(ResumedThreads::All);
        }
        if self.wire.as_ref().is_some_and(|it| it.client().capabilities().single_thread_execution())
        {
            return Ok(ResumedThreads::One);
        }
        let only_stopped = self.motion.others_run() && self.motion.thread() == Some(thread);
        if !only_stopped && self.stops.current().is_some_and(|stop| stop.threads > 1) {
            return Err(Error::Adapter(adapter::Error::NoThreadAlone { thread: thread.0 }));
        }
        Ok(ResumedThreads::All)
    }

    /// A move leaves the stop: everything that belongs to it goes.
    pub(super) fn begin_move(
        &mut self,
        stepping: Option<Stepping>,
        single_thread: Option<ThreadId>,
    ) {
        self.motion.begin(stepping, single_thread);
        self.pausing.on_move(self.quirks.pauses_once_continued());
        self.stops.leave();
        self.side_effects.on_move(single_thread.or(self.motion.thread()));
        if !self.stops.is_last_skipped() {
            self.motion.restart_clock(Instant::now());
            self.look();
        }
        self.signal(Signal::Resumed);
    }

    /// Resumes the debuggee from a stop that callers do not see.
    pub(super) fn resume_hidden(&mut self, how: Resume) {
        self.motion.begin_own(&how);
        self.pausing.on_move(self.quirks.pauses_once_continued());
        let generation = self.motion.generation();
        let (thread, resumed) = match self.motion.single_thread() {
            Some(thread) => (Some(thread), ResumedThreads::One),
            None => (self.motion.thread(), ResumedThreads::All),
        };
        let Some(wire) = self.wire.clone() else { return };
        let left = self.stops.leave();
        self.motion.on_sent(UnansweredMove { reply: None, left, delayed: None, generation });
        self.flows.push(Box::pin(async move {
            let thread = threads::or_first(&wire, thread).await;
            Done::Moved(generation, resumption::send(&wire, &how, thread, resumed).await)
        }));
    }

    /// Answers a pending move whose effect came before its answer.
    pub(super) fn answer_move(&mut self) {
        if let Some((reply, cursor)) = self.motion.take_caller() {
            reply.send(Ok(cursor));
        }
    }

    pub(super) fn on_moved(&mut self, generation: Generation, result: Result<(), dap::Error>) {
        let Some(sent) = self.motion.take_answered(generation) else { return };
        let (answer, error) = answer(result);
        let facts = Facts {
            by_caller: sent.reply.is_some(),
            // Reads files of the system.
            is_gone: sent.reply.is_some() && answer == Answer::Refused && self.is_gone(),
            is_present: self.motion.is_present(generation),
            is_delayed: sent.delayed.is_some(),
        };
        match answer {
            Answer::Moved => {}
            Answer::Refused if facts.by_caller && !facts.is_gone => {
                self.end_queued_pauses(AfterRefusal::StopStays)
            }
            Answer::Refused => self.end_queued_pauses(AfterRefusal::EventFollows),
            Answer::Late => self.send_queued_pauses(),
        }
        let outcome = Outcome::of(answer, facts);
        match sent.reply {
            Some((reply, cursor)) => {
                self.on_move_answered(outcome, sent.delayed, error, reply, cursor)
            }
            None => self.on_own_move_answered(outcome, sent.left, error),
        }
    }

    fn on_move_answered(
        &mut self,
        outcome: Outcome,
        delayed: Option<MoveBehindEvaluation>,
        error: Option<dap::Error>,
        reply: Reply<Cursor>,
        cursor: Cursor,
    ) {
        match outcome {
            Outcome::UnderWay => return reply.send(Ok(cursor)),
            Outcome::Behind => {
                self.motion.set_behind(delayed);
                return reply.send(Ok(cursor));
            }
            // The wait for the next stop gets the end.
            Outcome::Ended => {
                reply.send(Ok(cursor));
                return self.signal(Signal::Over);
            }
            Outcome::Stays => {
                self.signal(Signal::Refused);
                self.stops.stay();
                self.apply_queued_edits();
            }
            Outcome::Unknown => {}
            Outcome::OutOfDate => return,
        }
        if let Some(error) = error {
            reply.send(Err(Error::from_dap(&error, &self.quirks)));
        }
    }

    fn on_own_move_answered(
        &mut self,
        outcome: Outcome,
        left: Option<StopEvent>,
        error: Option<dap::Error>,
    ) {
        match (outcome, error) {
            (Outcome::Stays, Some(error)) => {
                return self.on_move_refused(left, self.quirks.message(&error));
            }
            (Outcome::OutOfDate, _) => return,
            (_, Some(error)) => self.log.add(format!("it may or may not go on: {error}")),
            (_, None) => {}
        }
        self.repeat_halt();
        self.pause_again_after_rule();
    }

    /// The answer to a request that the plugin has sent at an event. It may be a move in place of a
    /// caller's: a caller that waits for the move gets the adapter's refusal, and without one the
    /// stop is published again.
    pub(super) fn on_plugin_answered(
        &mut self,
        generation: Generation,
        command: &str,
        result: Result<(), dap::Error>,
    ) {
        let (answer, Some(error)) = answer(result) else { return };
        self.log.add(format!("of the plugin's own: {error}"));
        let is_move = answer == Answer::Refused && dap::resumes(command);
        if !is_move || !self.motion.is_present(generation) || !self.has_left_stop() {
            return;
        }
        if self.motion.is_unanswered() {
            return self.on_moved(generation, Err(error));
        }
        if self.is_gone() {
            return self.signal(Signal::Over);
        }
        self.end_queued_pauses(AfterRefusal::EventFollows);
        let left = self.stops.take_left();
        self.on_move_refused(left, self.quirks.message(&error));
    }

    /// The adapter refused a move that no caller waits for: the debuggee still stands, and the stop
    /// is published. `why`: the adapter's words.
    pub(super) fn on_move_refused(&mut self, left: Option<StopEvent>, why: String) {
        let Some(event) = left.filter(|_| self.has_left_stop()) else { return };
        self.stops.stay_unseen(event);
        self.motion.drop_own_step();
        self.notes.push(Note::CannotResume(why));
        self.signal(Signal::Stopped);
        self.apply_queued_edits();
    }

    /// Whether no stop is current or being read. The debuggee may run before the start sequence has
    /// all its answers.
    fn has_left_stop(&self) -> bool {
        matches!(self.phase, Phase::Starting | Phase::Running)
    }

    /// Some adapters read no request while they evaluate (`evaluates_alone` of `quirks`): a move
    /// that is sent then takes effect later. For others the evaluation may wait for the move.
    fn need_idle(&self) -> Result<(), Error> {
        match self.wire.as_ref().and_then(Wire::busy) {
            Some(busy) if self.quirks.evaluates_alone() => Err(busy.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn need_stop(&self) -> Result<(), Error> {
        match (self.phase, self.stops.current()) {
            (Phase::Stopped, Some(_)) => Ok(()),
            (Phase::Stopped | Phase::Running, _) => Err(Error::NotStopped),
            (Phase::Idle, _) => Err(Error::NoProgram),
            _ => Err(self.not_ready()),
        }
    }

    /// The stop that a caller knows is the current one.
    pub(super) fn need_stop_at(&self, stop: Epoch) -> Result<(), Error> {
        self.need_stop()?;
        match self.stops.current() {
            Some(current) if current.epoch == stop => Ok(()),
            _ => Err(Error::Superseded),
        }
    }

    pub(super) fn over(&self) -> Error {
        Error::Ended {
            session: self.identity.id.to_string(),
            cause: self.end.cause().map(Error::to_string),
            restarts: self.debuggee.attached_to().is_none() && self.opened.is_none(),
        }
    }

    pub(super) fn not_ready(&self) -> Error {
        match self.phase {
            Phase::Ending | Phase::Ended => self.over(),
            _ => Error::NotReady { doing: self.progress.borrow().clone() },
        }
    }
}

/// What the response to a move says, with its error.
fn answer(result: Result<(), dap::Error>) -> (Answer, Option<dap::Error>) {
    match result {
        // A response that cannot be read is still a success. A closed connection ends the session,
        // and the wait for the next stop gets the cause.
        Ok(()) | Err(dap::Error::BadAnswer { .. } | dap::Error::Closed { .. }) => {
            (Answer::Moved, None)
        }
        Err(
            error @ (dap::Error::Refused { .. }
            | dap::Error::Unsupported { .. }
            | dap::Error::BadArguments { .. }),
        ) => (Answer::Refused, Some(error)),
        Err(error @ dap::Error::Timeout { .. }) => (Answer::Late, Some(error)),
    }
}
