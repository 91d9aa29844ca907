//! What an editor gets: answers, and the session's events with the state that it knows.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::{Check, Editor, Wire};
use crate::dap::event::{Continued, Exited, Invalidated, Terminated, ThreadEvent};
use crate::dap::responses::ThreadsResponse;
use crate::dap::types;
use crate::mirror::LINGER;
use crate::mirror::calls::Call;
use crate::mirror::flow::{self, Done, Fault, Then, Ticket};
use crate::mirror::message::{self, Message};
use crate::mirror::request;
use crate::model::{Epoch, Exit, Moment, Stop};
use crate::session::{Followed, LiveEvent, State};
use crate::view::{self, Failed};

impl Editor {
    pub(super) fn on_done(&mut self, done: Done, wire: &mut Wire<'_>) {
        let Done { ticket, answer, then } = done;
        let has_failed = answer.is_err();
        let seq = ticket.as_ref().map(|ticket| ticket.seq);
        if let Some(ticket) = &ticket {
            self.answer(ticket, answer, wire);
        }
        match then {
            Then::Nothing => {}
            Then::Frames { stop, thread, first, ids } => {
                if self.epoch().is_ok_and(|epoch| epoch == stop) {
                    for (id, index) in ids.into_iter().zip(first..) {
                        self.frames.entry(id).or_insert((thread, index));
                    }
                }
            }
            Then::Threads(threads) => self.threads = threads,
            Then::Follow(followed) => self.followed = Some(followed),
            Then::Moved { is_new, resumes } => {
                self.moves -= 1;
                if has_failed {
                    self.move_failed(seq);
                    self.resumes = self.resumes.saturating_sub(usize::from(resumes));
                    // Another move may be under way that needs it.
                    if is_new
                        && self.moves == 0
                        && let Some(returns) = self.claim.take()
                    {
                        self.handle().give_of_editor(returns);
                    }
                }
            }
            Then::References(stop, references) => self.refer(stop, references),
            Then::Evaluated(stop, references, line) => {
                self.refer(stop, references);
                if let Some(line) = line {
                    self.line_ends(seq, &line);
                    self.values_change(wire);
                }
            }
            Then::Events(events) => {
                events.into_iter().for_each(|event| wire.send(event));
                if std::mem::replace(&mut self.check, Check::None) == Check::Again {
                    self.check_breakpoints(wire);
                }
            }
        }
        if self.moves == 0
            && let Some(followed) = self.followed.take()
        {
            self.go_on(*followed, wire);
        }
    }

    /// The editor gets no event until the session says where it is. `missed`: the number of events
    /// that it has missed.
    pub(super) fn catch_up(&mut self, missed: u64, wire: &mut Wire<'_>) {
        self.events.wait(missed);
        wire.flows.reads.push(flow::follow(self.handle().clone(), None));
    }

    /// The session is at this moment, and these events come after it.
    pub(super) fn go_on(&mut self, followed: Followed, wire: &mut Wire<'_>) {
        let left_out = self.events.go_on(followed.events);
        if left_out > 0 {
            wire.send(message::console(&view::left_out(left_out)));
        }
        self.on_moment(followed.moment, wire);
    }

    /// The editor has read these references at a stop.
    pub(super) fn refer(&mut self, stop: Epoch, references: Vec<i64>) {
        if self.epoch().is_ok_and(|epoch| epoch == stop) {
            self.references.extend(references.into_iter().filter(|reference| *reference > 0));
        }
    }

    pub(super) fn move_failed(&mut self, seq: Option<i64>) {
        drop(seq.and_then(|seq| self.calls.take(seq)));
    }

    /// A line of the debug console has this answer.
    pub(super) fn line_ends(&mut self, seq: Option<i64>, answer: &str) {
        if let Some(call) = seq.and_then(|seq| self.calls.take(seq)) {
            self.report(&call, answer);
        }
    }

    /// Its agent reads about a call later.
    pub(super) fn report(&self, call: &Call, answer: &str) {
        self.handle().answered(call.tool, answer, || Some(call.deed(answer)));
    }

    /// A line of the debug console was run: values may have changed.
    pub(super) fn values_change(&self, wire: &mut Wire<'_>) {
        if self.reads_again && self.stop.is_some() {
            let areas = vec!["variables".to_owned()];
            wire.send(Message::new(&Invalidated { areas, ..Invalidated::default() }));
        }
    }

    pub(super) fn on_event(&mut self, event: LiveEvent, wire: &mut Wire<'_>) {
        match event {
            LiveEvent::Stopped(stop) => self.stopped(stop, wire),
            LiveEvent::Output(line) => {
                if let Some(message) = message::output(&line) {
                    wire.send(message);
                }
            }
            LiveEvent::State(State::Running) => self.running(wire),
            // After a refused move the editor still has its stop.
            LiveEvent::State(State::Stopped) if self.stop.is_none() => self.catch_up(0, wire),
            LiveEvent::Breakpoints => self.check_breakpoints(wire),
            LiveEvent::Ended(exit) => self.ended(&exit, wire),
            LiveEvent::State(_)
            | LiveEvent::Called(..)
            | LiveEvent::Answered(..)
            | LiveEvent::Taken
            | LiveEvent::Given => {}
        }
    }

    /// Reports to the editor those of its breakpoints that have changed.
    pub(super) fn check_breakpoints(&mut self, wire: &mut Wire<'_>) {
        if self.check != Check::None {
            self.check = Check::Again;
            return;
        }
        self.check = Check::UnderWay;
        let edits = self.breakpoints.clone();
        wire.flows.edits.push(Box::pin(async move {
            let then = Then::Events(edits.changes().await);
            Done { ticket: None, answer: Ok(Value::Null), then }
        }));
    }

    /// Brings the editor up to the state of the session.
    pub(super) fn on_moment(&mut self, moment: Moment, wire: &mut Wire<'_>) {
        match (moment.status.exit, moment.stop) {
            (Some(exit), _) => self.ended(&exit, wire),
            (None, Some(stop)) => self.stopped(stop, wire),
            (None, None) => self.running(wire),
        }
    }

    pub(super) fn stopped(&mut self, stop: Arc<Stop>, wire: &mut Wire<'_>) {
        if self.epoch().is_ok_and(|epoch| epoch == stop.epoch) {
            return;
        }
        self.running(wire);
        self.resumes = 0;
        for event in self.thread_events(&stop) {
            wire.send(event);
        }
        wire.send(message::stopped(&stop));
        self.account(|lens| view::head(&view::stop(&stop, lens, view::STOP_TOKENS)));
        self.threads.clone_from(&stop.thread_list);
        self.stop = Some(stop);
    }

    /// Threads that came and went since the stop before, if both lists are complete.
    pub(super) fn thread_events(&self, stop: &Stop) -> Vec<Message> {
        let mut events = Vec::new();
        if self.threads.is_empty() || stop.threads != stop.thread_list.len() {
            return events;
        }
        let new = &stop.thread_list;
        for (reason, all, others) in
            [("exited", &self.threads, new), ("started", new, &self.threads)]
        {
            for thread in all.iter().filter(|one| others.iter().all(|other| other.id != one.id)) {
                let (reason, thread_id) = (reason.to_owned(), Some(thread.id.0));
                events.push(Message::new(&ThreadEvent { reason, thread_id }));
            }
        }
        events
    }

    /// The program runs.
    pub(super) fn running(&mut self, wire: &mut Wire<'_>) {
        let Some(stop) = self.stop.take() else { return };
        self.frames.clear();
        self.references.clear();
        if std::mem::take(&mut self.resumes) == 0 {
            wire.send(Message::new(&Continued {
                thread_id: Some(stop.thread.id.0),
                all_threads_continued: Some(true),
            }));
        }
    }

    pub(super) fn ended(&mut self, exit: &Exit, wire: &mut Wire<'_>) {
        if std::mem::replace(&mut self.has_end, true) {
            return;
        }
        self.stop = None;
        self.account(|lens| view::head(&view::exit(exit, lens)));
        if let Some(code) = message::exit_code(exit.status) {
            wire.send(Message::new(&Exited { exit_code: Some(code), ..Exited::default() }));
        }
        wire.send(Message::new(&Terminated::default()));
        self.leaves_at = Some(Instant::now() + LINGER);
    }

    /// The editor's moves have led to a stop or the end.
    pub(super) fn account(&mut self, answer: impl FnOnce(&view::Lens) -> String) {
        if self.calls.has_moves() {
            let answer = answer(&self.common.lens);
            for call in self.calls.take_moves() {
                self.report(&call, &answer);
            }
        }
    }

    /// While the program runs: the threads of the last stop. An editor that joins a running
    /// program needs one to pause it.
    pub(super) fn known_threads(&self) -> Value {
        let mut threads = flow::wire_threads(&self.threads);
        if threads.is_empty() {
            threads.push(types::Thread { id: 1, name: "the running program".to_owned() });
        }
        message::body(&ThreadsResponse { threads })
    }

    pub(super) fn answer(&self, ticket: &Ticket, answer: Result<Value, Fault>, wire: &Wire<'_>) {
        let answer = answer.map_err(|fault| match fault {
            Fault::Words(words) => words,
            Fault::Session(error) => {
                let text = view::error(&error, &self.common.lens, &Failed::default());
                request::error(text.code, &text.cause)
            }
        });
        wire.client.respond(ticket.seq, &ticket.command, answer);
    }
}
