//! Resuming, stepping and pausing, as far as a command asks for it.

use std::time::Duration;

use tokio::time::Instant;

use super::onward::{self, Goes, Stepping};
use super::{Actor, AfterSync, Behind, Done, Moving, Phase, Until, edits};
use crate::dap::arguments::ThreadArguments;
use crate::dap::{self, request};
use crate::model::{BreakpointSpec, Cursor, Place, Resume, Stop, ThreadId};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::Translated;
use crate::session::handle::Left;
use crate::session::record::reply::Reply;
use crate::session::stop::event::PauseRequest;

impl Actor {
    pub(super) fn resume(
        &mut self,
        how: Resume,
        thread: Option<ThreadId>,
        left: Left,
        reply: Reply<Cursor>,
    ) {
        let busy = self.need_stop().is_ok() && self.need_idle().is_err();
        match self.wire.clone().filter(|_| busy) {
            // What was given up may be left at any moment.
            Some(wire) => self.reads.push(Box::pin(async move {
                wire.idle(Duration::MAX).await;
                Done::Idle(how, thread, left, reply)
            })),
            None => self.resume_now(how, thread, left, reply),
        }
    }

    pub(super) fn resume_now(
        &mut self,
        how: Resume,
        thread: Option<ThreadId>,
        left: Left,
        reply: Reply<Cursor>,
    ) {
        // Before anything is set or taken back for it.
        let dead = self.ended_before.then_some(Error::PostMortem);
        let alive = self.need_stop().and_then(|()| dead.map_or(Ok(()), Err));
        let refused = alive.and_then(|()| self.need_idle()).and_then(|()| self.goes(&how, thread));
        if let Err(error) = refused {
            return reply.send(Err(error));
        }
        self.untold = left == Left::Untold;
        if let (Some(stop), true) = (self.stop.clone(), self.untold) {
            self.take_back(&stop);
        }
        self.note_resume(&how);
        match how {
            Resume::Until(place @ Place::Function(_)) => {
                match self.wire.clone().filter(|_| self.has_own_words()) {
                    Some(wire) => self.reads.push(Box::pin(async move {
                        Done::Meant(
                            edits::translate(&wire, &BreakpointSpec::at(place)).await,
                            thread,
                            reply,
                        )
                    })),
                    None => self.set_until(BreakpointSpec::at(place).into(), thread, reply),
                }
            }
            Resume::Until(place) => self.set_until(BreakpointSpec::at(place).into(), thread, reply),
            Resume::Into(name) => self.aim(name, thread, reply),
            how => match self.steps_outer(&how, thread) {
                Some(step) => self.step_outer(step, reply),
                None => self.send_move(&how, thread, reply),
            },
        }
    }

    pub(super) fn on_meant(
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
        let (id, generation) = (self.breakpoints.add_temporary(text), self.generation);
        self.after_sync.push(AfterSync::Continue(Until { id, thread, generation }, reply));
        self.sync();
    }

    /// What a stop had to tell is told with the next.
    fn take_back(&mut self, stop: &Stop) {
        self.output.take_back(&stop.output);
        self.logged.take_back(stop.log_hits);
        self.notes.splice(..0, stop.notes.iter().cloned());
    }

    /// Runs to a place whose breakpoint is set, or takes that back.
    pub(super) fn run_until(&mut self, until: &Until, reply: Reply<Cursor>) {
        let stands = self.stop.as_ref().and_then(|stop| stop.frames.first());
        let refused = self
            .breakpoints
            .refusal(until.id, stands)
            .map(|message| Error::Refused { message, part: None });
        let here = until.generation == self.generation && self.breakpoints.get(until.id).is_some();
        let moved = || (!here).then_some(Error::Superseded);
        match refused.or_else(|| self.need_stop().err()).or_else(moved) {
            None if !reply.is_abandoned() => {
                self.until = Some(until.id);
                return self.send_move(&Resume::Continue, until.thread, reply);
            }
            None => {}
            Some(error) => reply.send(Err(error)),
        }
        if self.until != Some(until.id) && self.breakpoints.drop_one_temporary(until.id) {
            self.sync();
        }
    }

    pub(super) fn send_move(
        &mut self,
        how: &Resume,
        asked: Option<ThreadId>,
        reply: Reply<Cursor>,
    ) {
        let (Some(wire), Some(thread)) = (self.wire.clone(), asked.or(self.thread)) else {
            return reply.send(Err(Error::NotStopped));
        };
        if let Err(error) = self.need_stop() {
            return reply.send(Err(error));
        }
        // Who has gone before it began moves nothing.
        if reply.is_abandoned() {
            return;
        }
        let goes = match self.goes(how, asked) {
            Ok(goes) => goes,
            Err(error) => return reply.send(Err(error)),
        };
        let cursor = self.journal.skip();
        self.alone = (goes == Goes::Alone).then_some(thread);
        self.stepping = self.stop.as_deref().and_then(|stop| Stepping::begin(how, stop));
        // The move drops what waits for the evaluation.
        let behind = wire
            .busy()
            .map(|busy| Behind { expression: busy.expression, left: self.pause.clone() });
        let wire = wire.with_current_limit();
        self.begin_move();
        let generation = self.generation;
        self.moving = Some(Moving { reply: Some((reply, cursor)), left: None, behind, generation });
        let how = how.clone();
        self.flows.push(Box::pin(async move {
            Done::Moved(generation, onward::send(&wire, &how, thread, goes).await)
        }));
    }

    /// A thread that the caller names goes on without the others.
    fn goes(&self, how: &Resume, asked: Option<ThreadId>) -> Result<Goes, Error> {
        let Some(thread) = asked.filter(|_| !matches!(how, Resume::Step(_) | Resume::Into(_)))
        else {
            return Ok(Goes::WithAll);
        };
        let by_itself = self.stands_alone && self.thread == Some(thread);
        let several = !by_itself && self.stop.as_ref().is_some_and(|stop| stop.threads > 1);
        let able = |wire: &Wire| wire.client().capabilities().single_thread_execution();
        match (self.wire.as_ref().is_some_and(able), several) {
            (true, _) => Ok(Goes::Alone),
            (false, false) => Ok(Goes::WithAll),
            (false, true) => Err(Error::NoThreadAlone { thread: thread.0 }),
        }
    }

    pub(super) fn pause(&mut self, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        match self.phase {
            Phase::Running => {}
            // A stop that is still read and may be gone from unseen: it stays.
            Phase::Stopped if self.stop.is_none() && self.pause.is_some() => {
                self.pausing = Some(PauseRequest { thread, repeats: 0 });
                return reply.send(Ok(self.journal.end()));
            }
            Phase::Stopped => return reply.send(Err(Error::NotRunning)),
            _ => return reply.send(Err(self.not_ready())),
        }
        self.pausing = Some(PauseRequest { thread, repeats: 0 });
        // The stop may come before the answer, but not before the question: the debuggee runs.
        self.send_pause(thread.or(self.thread), self.journal.end(), reply);
    }

    pub(super) fn on_pause_sent(
        &mut self,
        thread: Option<ThreadId>,
        from: Cursor,
        result: Result<(), dap::Error>,
        reply: Reply<Cursor>,
    ) {
        match result {
            Ok(()) => {
                self.look_after_pause(thread, Instant::now() + self.limits.pause);
                reply.send(Ok(from));
            }
            // The session ends with its wire: who waits hears why.
            Err(dap::Error::Closed { .. }) => reply.send(Ok(from)),
            Err(error) => {
                self.pausing = None;
                reply.send(Err(Error::from_dap(&error, &self.profile)));
            }
        }
    }

    /// Where the adapter hears nothing while it evaluates, a move would have it run on somewhere,
    /// told by nobody. Elsewhere it may be what the evaluation waits for.
    fn need_idle(&self) -> Result<(), Error> {
        let busy = self.wire.as_ref().and_then(Wire::busy).filter(|_| self.profile.evaluate.alone);
        busy.map_or(Ok(()), |busy| Err(busy.into()))
    }

    pub(super) fn need_stop(&self) -> Result<(), Error> {
        match (self.phase, &self.stop) {
            (Phase::Stopped, Some(_)) => Ok(()),
            (Phase::Stopped | Phase::Running, _) => Err(Error::NotStopped),
            _ => Err(self.not_ready()),
        }
    }

    pub(super) fn over(&self) -> Error {
        Error::Ended {
            session: self.id.to_string(),
            cause: self.cause.as_ref().map(Error::to_string),
            restarts: self.attached_to.is_none(),
        }
    }

    pub(super) fn not_ready(&self) -> Error {
        match self.phase {
            Phase::Ending | Phase::Ended => self.over(),
            _ => Error::NotReady { doing: self.progress.borrow().clone() },
        }
    }
}

pub(super) async fn send_pause(wire: &Wire, thread: Option<ThreadId>) -> Result<(), dap::Error> {
    let thread_id = match thread {
        Some(thread) => thread.0,
        None => wire
            .call::<request::Threads>(dap::NoArguments)
            .await?
            .threads
            .first()
            .map_or(0, |thread| thread.id),
    };
    wire.call::<request::Pause>(ThreadArguments { thread_id }).await.map(drop)
}
