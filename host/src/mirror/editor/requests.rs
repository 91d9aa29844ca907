//! What each request of an editor begins.

use serde_json::Value;

use super::{Editor, Wire};
use crate::dap::arguments::EvaluateArguments;
use crate::dap::responses::ContinueResponse;
use crate::mirror::News;
use crate::mirror::flow::{self, Done, Fault, Then, Ticket};
use crate::mirror::message;
use crate::mirror::request::Request;
use crate::model::{Effects, Epoch, EvaluateQuery, Resume, ThreadId};
use crate::session::{Error, StopQuery, StopRead};
use crate::view;

impl Editor {
    /// Begins to answer a request.
    pub(super) fn begin(
        &mut self,
        ticket: &Ticket,
        wanted: Request,
        wire: &mut Wire<'_>,
    ) -> Result<(), Error> {
        let (handle, to) = (self.handle().clone(), Some(ticket.clone()));
        let edits = self.breakpoints.clone();
        match wanted {
            Request::Initialize { name, reads_again } => {
                (self.name, self.reads_again) = (name, reads_again);
                wire.flows.reads.push(Box::pin(async move {
                    let status = handle.status().await;
                    Done::plain(to, status.map(|status| message::capabilities(&status)))
                }));
            }
            Request::Attach => self.attach(ticket, wire)?,
            Request::ConfigurationDone if self.events.is_none() => {
                self.events.wait(0);
                wire.flows.reads.push(flow::follow(handle, to));
            }
            Request::ConfigurationDone => self.answer(ticket, Ok(Value::Null), wire),
            Request::Disconnect => {
                self.parting = to;
                self.is_leaving = true;
            }
            Request::Lines(arguments) => wire
                .flows
                .edits
                .push(Box::pin(async move { Done::plain(to, edits.set_lines(arguments).await) })),
            Request::Functions(arguments) => wire.flows.edits.push(Box::pin(async move {
                Done::plain(to, edits.set_functions(arguments).await)
            })),
            Request::Exceptions(arguments) => wire.flows.edits.push(Box::pin(async move {
                Done::plain(to, edits.set_exceptions(arguments).await)
            })),
            Request::Threads => match &self.stop {
                Some(stop) => {
                    let read = StopRead { stop: stop.epoch, what: StopQuery::Threads };
                    wire.flows.reads.push(Box::pin(flow::threads(handle, read, to)));
                }
                // Most debuggers list no threads while the program runs.
                None => self.answer(ticket, Ok(self.known_threads()), wire),
            },
            Request::Frames(query) => {
                let top = self.top(ThreadId(query.thread_id));
                wire.flows.reads.push(flow::frames(handle, self.epoch()?, query, top, to));
            }
            Request::Scopes(query) => {
                self.place(query.frame_id)?;
                self.read(StopQuery::Scopes(query), to, wire)?;
            }
            Request::Variables(query) => {
                if !self.references.contains(&query.variables_reference) {
                    return Err(Error::Superseded);
                }
                self.read(StopQuery::Variables(query), to, wire)?;
            }
            Request::Source(query) => self.read(StopQuery::Source(query), to, wire)?,
            Request::Exception => {
                let stop = self.stop.as_ref().ok_or(Error::NotStopped)?;
                let raised = message::exception(stop);
                let none = Error::NoException { stop: stop.epoch.0, class: stop.class };
                let raised = raised.map(|raised| message::body(&raised));
                self.answer(ticket, raised.ok_or(none.into()), wire);
            }
            Request::Evaluate(arguments) => self.evaluate(arguments, ticket, wire)?,
            Request::Move(how, thread) => self.resume(how, thread, ticket, wire)?,
            Request::Pause => self.pause(ticket, wire)?,
        }
        Ok(())
    }

    /// Where a frame is that the editor has read at its stop.
    pub(super) fn place(&self, frame: i64) -> Result<(ThreadId, u32), Error> {
        self.epoch()?;
        self.frames.get(&frame).copied().ok_or(Error::Superseded)
    }

    /// The id of a thread's frame 0, if the editor has read it or the stop has.
    pub(super) fn top(&self, thread: ThreadId) -> Option<i64> {
        let stop = self.stop.as_ref().filter(|stop| stop.thread.id == thread);
        let first = stop.and_then(|stop| stop.frames.first()).filter(|frame| frame.index == 0);
        let mut read = self.frames.iter();
        let read = read.find(|(_, place)| **place == (thread, 0)).map(|(id, _)| *id);
        read.or(first.map(|frame| frame.id))
    }

    /// The stop that the editor has.
    pub(super) fn epoch(&self) -> Result<Epoch, Error> {
        self.stop.as_ref().map(|stop| stop.epoch).ok_or(Error::NotStopped)
    }

    pub(super) fn attach(&mut self, ticket: &Ticket, wire: &mut Wire<'_>) -> Result<(), Error> {
        if self.seat.is_none() {
            self.seat = Some(self.common.join()?);
            self.leaves_at = None;
            self.common.report(News::Joined(self.name.clone()));
        }
        wire.client.respond(ticket.seq, &ticket.command, Ok(Value::Null));
        wire.client.emit("initialized", Value::Null);
        Ok(())
    }

    pub(super) fn read(
        &mut self,
        what: StopQuery,
        to: Option<Ticket>,
        wire: &mut Wire<'_>,
    ) -> Result<(), Error> {
        let (handle, stop) = (self.handle().clone(), self.epoch()?);
        wire.flows.reads.push(Box::pin(flow::read(handle, StopRead { stop, what }, to)));
        Ok(())
    }

    /// A line of the debug console may change the program: it needs the claim. Any other
    /// expression is read without effects.
    pub(super) fn evaluate(
        &mut self,
        arguments: EvaluateArguments,
        ticket: &Ticket,
        wire: &mut Wire<'_>,
    ) -> Result<(), Error> {
        let EvaluateArguments { expression, frame_id, context, .. } = arguments;
        let stop = self.epoch()?;
        let frame = frame_id.map(|id| self.place(id)).transpose()?;
        let is_line = context.as_deref() == Some("repl");
        if is_line {
            self.take(wire)?;
            let line = self.calls.line_begins(ticket.seq, &expression);
            self.handle().called(|| line);
        }
        let query = EvaluateQuery {
            expressions: vec![expression],
            frame: frame.map(|(_, index)| index),
            thread: frame.map(|(thread, _)| thread),
            stop: Some(stop),
            effects: if is_line { Effects::Allow } else { Effects::None },
            patience: self.common.limits.wait,
            depth: 1,
        };
        let (handle, to) = (self.handle().clone(), Some(ticket.clone()));
        let flows = if is_line { &mut wire.flows.calls } else { &mut wire.flows.reads };
        flows.push(Box::pin(flow::evaluated(handle, query, stop, is_line, to)));
        Ok(())
    }

    /// Takes the session, unless the person has it at a terminal. True: it was an agent's.
    pub(super) fn take(&mut self, wire: &mut Wire<'_>) -> Result<bool, Error> {
        let is_new = self.handle().take()?;
        if is_new {
            self.claim = Some(self.handle().returns());
            wire.send(message::console(&view::taken_in_editor(self.handle().id())));
        }
        Ok(is_new)
    }

    pub(super) fn resume(
        &mut self,
        how: Resume,
        thread: ThreadId,
        ticket: &Ticket,
        wire: &mut Wire<'_>,
    ) -> Result<(), Error> {
        let stop = self.stop.clone().ok_or(Error::NotStopped)?;
        let is_new = self.take(wire)?;
        let is_run = how == Resume::Continue;
        // A run resumes all threads, whichever one the editor shows.
        let thread = Some(thread).filter(|thread| !is_run && *thread != stop.thread.id);
        self.move_begins(ticket);
        self.resumes += 1;
        let (handle, to) = (self.handle().clone(), Some(ticket.clone()));
        wire.flows.calls.push(Box::pin(async move {
            let answer = handle.resume_from(stop.epoch, how, thread).await;
            let body = if is_run {
                message::body(&ContinueResponse { all_threads_continued: Some(true) })
            } else {
                Value::Null
            };
            let then = Then::Moved { is_new, resumes: true };
            Done { ticket: to, answer: answer.map(|_| body).map_err(Fault::from), then }
        }));
        Ok(())
    }

    pub(super) fn pause(&mut self, ticket: &Ticket, wire: &mut Wire<'_>) -> Result<(), Error> {
        // Its own move may have begun to run: then the session knows.
        if self.stop.is_some() && self.moves == 0 {
            return Err(Error::NotRunning);
        }
        let is_new = self.take(wire)?;
        self.move_begins(ticket);
        let (handle, to) = (self.handle().clone(), Some(ticket.clone()));
        wire.flows.calls.push(Box::pin(async move {
            let answer = handle.pause(None).await.map(|_| Value::Null).map_err(Fault::from);
            Done { ticket: to, answer, then: Then::Moved { is_new, resumes: false } }
        }));
        Ok(())
    }

    pub(super) fn move_begins(&mut self, ticket: &Ticket) {
        self.moves += 1;
        let line = self.calls.move_begins(ticket.seq, &ticket.command);
        self.handle().called(|| line);
    }
}
