//! The commands of handles: each goes to the part of the actor that carries it out. Answers waits
//! and closes here.

use std::sync::Arc;

use super::{Actor, Phase, Signal};
use crate::model::{Cursor, Exit, Happening};
use crate::session::Error;
use crate::session::adapter;
use crate::session::handle::{Command, EndMode, Now};
use crate::session::live::Followed;
use crate::session::record::reply::Reply;

impl Actor {
    pub(super) fn on_command(&mut self, command: Command) {
        if command.reads_stop() {
            self.stops.note_read();
        }
        match command {
            Command::Breakpoints(edit, reply) => self.edit_breakpoints(edit, reply),
            Command::Resume(how, thread, left, reply) => self.resume(how, thread, left, reply),
            Command::Pause(thread, reply) => self.pause(thread, reply),
            Command::Wait(from, reply) => self.wait(from, reply),
            Command::Now(from, reply) => self.now(from, reply),
            Command::Underway(reply) => reply.send(Ok(self.running())),
            Command::Look(reply) => {
                self.look_closely();
                reply.send(Ok(()));
            }
            Command::Stack(query, reply) => self.stack(query, reply),
            Command::Thread(named, reply) => self.thread(named, reply),
            Command::Variables(query, reply) => self.variables(query, reply),
            Command::Evaluate(query, reply) => self.evaluate(query, reply),
            Command::Exception(query, reply) => self.exception(query, reply),
            Command::Compare(path, reply) => self.compare(path, reply),
            Command::Assign(query, reply) => self.assign(query, reply),
            Command::Watch(change, reply) => reply.send(self.watch(change)),
            Command::Output(query, reply) => {
                reply.send(self.output.page(&query, self.quirks.merges_streams()));
            }
            Command::LogHits(since, reply) => {
                reply.send(Ok(self.log_hits.since(since)));
            }
            Command::Status(reply) => reply.send(Ok(self.status())),
            Command::Moment(reply) => reply.send(Ok(self.moment())),
            Command::Follow(reply) => {
                let events = self.reporter.live().events();
                reply.send(Ok(Followed { events, moment: self.moment() }));
            }
            Command::Log(reply) => reply.send(Ok(self.log.lines())),
            Command::Messages(reply) => reply.send(Ok(self.log.messages())),
            Command::Program(reply) => reply.send(Ok(self.code.program.clone())),
            Command::Current(reply) | Command::ShowStop(reply) => {
                reply.send(Ok(self.stops.current().cloned()));
            }
            Command::NeedStop(reply) => {
                let stop = self.need_stop().map(|()| self.stops.current().cloned());
                reply.send(stop.and_then(|stop| stop.ok_or(Error::NotStopped)));
            }
            Command::Delivered(reply) => reply.send(Ok(self.journal.delivered())),
            Command::Carry(reply) => reply.send(Ok(self.carried())),
            Command::Run(query, reply) => self.run_command(query, reply),
            Command::Raw(request, reply) => self.send_raw(request, reply),
            Command::Read(read, reply) => self.read_stop(read, reply),
            Command::Close(mode, reply) => self.close(mode, reply),
        }
    }

    fn close(&mut self, mode: EndMode, reply: Reply<Arc<Exit>>) {
        if let Some(exit) = self.end.exit() {
            return reply.send(Ok(exit.clone()));
        }
        // The first close decides how the session ends.
        if self.phase == Phase::Ending {
            return self.end.wait(reply);
        }
        if mode == EndMode::Detach && self.debuggee.is_launched() && !self.can_detach() {
            reply.send(Err(Error::Adapter(adapter::Error::Unsupported {
                what: "detach from a launched program".to_owned(),
                unlocked: None,
            })));
            return;
        }
        if let (EndMode::Detach, Some(why)) = (mode, self.ends_attached()) {
            return reply.send(Err(Error::Adapter(adapter::Error::CannotDetach { why })));
        }
        self.end.request(mode, self.debuggee.exit().is_some());
        self.end.wait(reply);
        self.signal(Signal::Close);
    }

    fn can_detach(&self) -> bool {
        self.quirks.detaches_launched()
    }

    fn wait(&mut self, from: Cursor, reply: Reply<(Happening, Cursor)>) {
        match self.wait_error(from) {
            Some(error) => {
                self.forget_refused_launch();
                reply.send(Err(error));
            }
            None => self.journal.wait(from, reply),
        }
    }

    /// A stop that is being read may turn out to be hidden, so the answer waits for that.
    fn now(&mut self, from: Cursor, reply: Reply<Now>) {
        if self.is_reading() && self.journal.at(from).is_none() {
            self.journal.wait_for_reading(from, reply);
        } else {
            self.answer_now(from, reply);
        }
    }

    pub(super) fn is_reading(&self) -> bool {
        self.phase == Phase::Stopped && self.stops.current().is_none()
    }

    /// Answers the calls of `now` that waited for a stop to be read.
    pub(super) fn answer_now_waiters(&mut self) {
        if !self.is_reading() {
            for (from, reply) in self.journal.take_reading() {
                self.answer_now(from, reply);
            }
        }
    }

    fn answer_now(&mut self, from: Cursor, reply: Reply<Now>) {
        if let Some(error) = self.wait_error(from) {
            self.forget_refused_launch();
            return reply.send(Err(error));
        }
        match self.journal.at(from) {
            None => reply.send(Ok(Now::Running(self.running()))),
            Some((happening, next)) => {
                if reply.deliver(Ok(Now::Happened(happening))) {
                    self.journal.deliver(next);
                }
            }
        }
    }

    /// Why no stop or end can come at or after `from`.
    fn wait_error(&self, from: Cursor) -> Option<Error> {
        if from < self.journal.end() {
            return None;
        }
        match (self.end.exit(), self.end.cause(), self.stops.current()) {
            (Some(_), Some(cause), _) => Some(cause.clone()),
            (Some(_), None, _) => Some(self.over()),
            (None, _, Some(_)) => Some(Error::NotRunning),
            (None, _, None) => None,
        }
    }
}
