//! One connection of an editor: its requests, and the session's events for it.
//!
//! Requests are answered as the session answers them, each by a future; what they change here is
//! changed in one place, [`Editor::on_done`]. Events wait for the answer to a move: the response
//! comes before the stop that it leads to.
//!
//! Knows which stop the editor has, and whether the editor has the claim. Refuses to know how a
//! body is written. Long because a connection is one state, which each request and event changes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::task::Poll;

use futures_util::{StreamExt, future};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::breakpoints::Breakpoints;
use super::calls::{Call, Calls};
use super::events::Events;
use super::flow::{self, Done, Fault, Flows, Then, Ticket};
use super::message::{self, Message};
use super::request::{self, Request};
use super::{Common, End, LINGER, News, Seat};
use crate::dap::arguments::EvaluateArguments;
use crate::dap::endpoint::Streams;
use crate::dap::event::{Continued, Exited, Invalidated, Terminated, ThreadEvent};
use crate::dap::responses::{ContinueResponse, ThreadsResponse};
use crate::dap::{self, Backlog, Client, FrameLimits, Inbound, Inbox, ReverseRequest, types};
use crate::model::{Effects, Epoch, EvaluateQuery, Exit, Moment, Resume, Stop, Thread, ThreadId};
use crate::session::{Error, Followed, Handle, LiveEvent, State, StopQuery, StopRead};
use crate::view::{self, Failed};

/// Requests that may be answered at the same time.
const REQUESTS: usize = 64;

/// Messages that wait to be read by the editor: from this number on, or as many bytes as its own
/// messages may have, it gets no event; from twice as many on its next request ends the connection.
const BACKLOG: usize = 256;

/// Bytes of a header.
const HEADER: usize = 16 << 10;

/// One connection.
pub(super) struct Editor {
    common: Arc<Common>,
    end: watch::Receiver<Option<End>>,
    /// As it names itself.
    name: String,
    /// It reads values again after the event `invalidated`.
    reads_again: bool,
    /// Set when it attaches.
    seat: Option<Seat>,
    events: Events,
    /// Where the session is, until the editor's own move is answered.
    followed: Option<Box<Followed>>,
    breakpoints: Arc<Breakpoints>,
    /// The stop that it was sent last; `None`: it knows that the program runs.
    stop: Option<Arc<Stop>>,
    /// Where the frames of that stop are that it has read.
    frames: HashMap<i64, (ThreadId, u32)>,
    /// References to variables of that stop that it has read. An adapter may use the same ones
    /// again for others.
    references: HashSet<i64>,
    /// As it has read them, or as the last stop lists them.
    threads: Vec<Thread>,
    /// How often the session had been given back when it took the session.
    claim: Option<u64>,
    /// Its moves that are not answered.
    moves: usize,
    /// Its own moves that resume the program: no `continued` tells it.
    resumes: usize,
    /// Its moves and lines of the debug console that its agent does not know yet.
    calls: Calls,
    /// When it is disconnected: it has not attached, or the session has ended.
    leaves_at: Option<Instant>,
    /// The session has ended.
    is_over: bool,
    /// The end of the session is sent.
    has_end: bool,
    is_leaving: bool,
    /// Its `disconnect`, which is answered last.
    parting: Option<Ticket>,
    /// Whether breakpoints are compared with what the editor has read of them.
    check: Check,
}

/// A comparison of breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    None,
    UnderWay,
    /// They have changed since it began.
    Again,
}

/// The connection, as far as a decision needs it.
struct Wire<'a> {
    client: &'a Client,
    /// What the editor has not read.
    backlog: Fill,
    flows: &'a mut Flows,
}

impl Wire<'_> {
    fn send(&self, message: Message) {
        self.client.emit(message.event, message.body);
    }

    fn refuse(&self, ticket: &Ticket, message: String) {
        self.client.respond(ticket.seq, &ticket.command, Err(message));
    }
}

/// How far what an editor has not read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fill {
    Room,
    /// It gets no event.
    Full,
    /// Its next request is too many.
    Over,
}

impl Fill {
    /// `bytes`: as many as messages of the editor may have.
    fn of(backlog: Backlog, bytes: usize) -> Self {
        match (backlog.messages / BACKLOG).max(backlog.bytes / bytes.max(1)) {
            0 => Self::Room,
            1 => Self::Full,
            _ => Self::Over,
        }
    }
}

/// What a connection does next.
enum Input {
    Inbound(Option<Inbound>),
    /// It has read enough to get events again.
    Room,
    Done(Done),
    Event(Result<LiveEvent, RecvError>),
    End(End),
    /// It has not attached in time, or not disconnected after the end.
    Late,
}

impl Editor {
    pub fn new(common: Arc<Common>, end: watch::Receiver<Option<End>>) -> Self {
        let breakpoints = Arc::new(Breakpoints::new(common.handle.clone()));
        Self {
            leaves_at: Some(Instant::now() + common.limits.initialize),
            common,
            end,
            name: String::new(),
            reads_again: false,
            seat: None,
            events: Events::default(),
            followed: None,
            breakpoints,
            stop: None,
            frames: HashMap::new(),
            references: HashSet::new(),
            threads: Vec::new(),
            claim: None,
            moves: 0,
            resumes: 0,
            calls: Calls::default(),
            is_over: false,
            has_end: false,
            is_leaving: false,
            parting: None,
            check: Check::None,
        }
    }

    fn handle(&self) -> &Handle {
        &self.common.handle
    }

    /// Serves the connection until its end.
    pub async fn serve(mut self, (read, write): Streams) {
        let frame = FrameLimits { header: HEADER, body: self.common.limits.message };
        let limits = dap::Limits { frame, request: self.common.limits.request };
        let (client, mut inbox) = dap::connect(read, write, limits);
        let mut flows = Flows::default();
        while !self.is_leaving {
            let input = self.next(&mut inbox, &mut flows).await;
            let backlog = self.fill(&inbox);
            self.on(input, &mut Wire { client: &client, backlog, flows: &mut flows });
        }
        let parting = self.parting.take();
        let ((), _) = tokio::join!(self.leave(flows), timeout(LINGER, inbox.flushed()));
        // The next editor may come once this one has its answer.
        if let Some(Ticket { seq, command }) = parting {
            client.respond(seq, &command, Ok(Value::Null));
            drop(timeout(LINGER, inbox.flushed()).await);
        }
    }

    fn fill(&self, inbox: &Inbox) -> Fill {
        Fill::of(inbox.backlog(), self.common.limits.message)
    }

    async fn next(&mut self, inbox: &mut Inbox, flows: &mut Flows) -> Input {
        let has_room = self.fill(inbox) == Fill::Room;
        let takes_events = has_room && self.moves == 0;
        let longest = self.common.limits.message;
        let Self { events, end, leaves_at, is_over, .. } = self;
        // Polling it writes as well.
        let inbound = future::poll_fn(|cx| match inbox.poll_next_unpin(cx) {
            Poll::Ready(inbound) => Poll::Ready(Input::Inbound(inbound)),
            Poll::Pending if !has_room && Fill::of(inbox.backlog(), longest) == Fill::Room => {
                Poll::Ready(Input::Room)
            }
            Poll::Pending => Poll::Pending,
        });
        let event =
            async { if takes_events { events.next().await } else { future::pending().await } };
        let ended = async {
            let is_news = |end: &Option<End>| match end {
                Some(End::Session) => !*is_over,
                Some(End::Closed) => true,
                None => false,
            };
            match end.wait_for(is_news).await.map(|end| *end) {
                Ok(Some(end)) => end,
                _ => End::Closed,
            }
        };
        let late = async {
            match *leaves_at {
                Some(at) => tokio::time::sleep_until(at).await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            inbound = inbound => inbound,
            Some(done) = flows.next() => Input::Done(done),
            event = event => Input::Event(event),
            end = ended => Input::End(end),
            () = late => Input::Late,
        }
    }

    fn on(&mut self, input: Input, wire: &mut Wire<'_>) {
        match input {
            Input::Inbound(Some(Inbound::Request(request))) if wire.backlog < Fill::Over => {
                self.on_request(request, wire);
            }
            // It asked for nothing, or there is room for an event.
            Input::Inbound(Some(Inbound::Event(_) | Inbound::Response(_))) | Input::Room => {}
            Input::Inbound(other) => {
                tracing::debug!(?other, "an editor's connection ends");
                self.is_leaving = true;
            }
            Input::Done(done) => self.on_done(done, wire),
            Input::Event(Ok(event)) => self.on_event(event, wire),
            Input::Event(Err(RecvError::Lagged(missed))) => {
                self.catch_up(missed, wire);
            }
            Input::Event(Err(RecvError::Closed)) => self.events.wait(0),
            // The end is the last event of an editor that is configured. One that does not read
            // never gets it.
            Input::End(End::Session) if !self.events.is_none() => {
                self.is_over = true;
                self.leaves_at = Some(Instant::now() + LINGER);
            }
            Input::End(End::Session | End::Closed) | Input::Late => {
                if self.seat.is_some() && !self.has_end {
                    wire.send(Message::new(&Terminated::default()));
                }
                self.is_leaving = true;
            }
        }
    }

    /// Removes what the editor has set, and gives back what it has taken.
    async fn leave(mut self, mut flows: Flows) {
        if self.seat.is_none() {
            return;
        }
        // What an editor has begun is known to its agent. An adapter that does not answer must not
        // hold up the return of the session.
        let limit = self.common.limits.request;
        let Flows { calls, edits, .. } = &mut flows;
        let edited = timeout(limit, async { while edits.next().await.is_some() {} });
        let answered = timeout(LINGER, async {
            while let Some(done) = calls.next().await {
                self.ends_unread(&done);
            }
        });
        drop(tokio::join!(edited, answered));
        drop(flows);
        drop(timeout(limit, self.breakpoints.clear()).await);
        if self.calls.has_moves() {
            // It leaves before it reads where its moves have led.
            let stop = self.handle().current().await.ok().flatten();
            self.account(|lens| match stop {
                Some(stop) => view::head(&view::stop(&stop, lens, view::STOP_TOKENS)),
                None => "▶ running".to_owned(),
            });
        }
        for call in std::mem::take(&mut self.calls).into_rest() {
            self.report(&call, "no answer yet");
        }
        if let Some(returns) = self.claim {
            self.handle().give_of_editor(returns);
        }
        self.common.report(News::Left(self.name.clone()));
    }

    /// A call of an editor that has left has ended.
    fn ends_unread(&mut self, done: &Done) {
        let seq = done.ticket.as_ref().map(|ticket| ticket.seq);
        match &done.then {
            Then::Moved { .. } if done.answer.is_err() => self.move_failed(seq),
            Then::Evaluated(_, _, Some(line)) => self.line_ends(seq, line),
            _ => {}
        }
    }

    fn on_request(&mut self, request: ReverseRequest, wire: &mut Wire<'_>) {
        let ReverseRequest { seq, command, arguments } = request;
        let read = request::read(&command, &arguments);
        let ticket = Ticket { seq, command };
        let wanted = match read {
            Ok(wanted) => wanted,
            Err(refused) => return wire.refuse(&ticket, refused),
        };
        let needs_seat =
            !matches!(wanted, Request::Initialize { .. } | Request::Attach | Request::Disconnect);
        if needs_seat && self.seat.is_none() {
            let cause = format!("`{}` comes before `attach`", ticket.command);
            return wire.refuse(&ticket, request::error("not-attached", &cause));
        }
        if wire.flows.count() >= REQUESTS {
            let cause = format!("{REQUESTS} requests are under way");
            return wire.refuse(&ticket, request::error("limit", &cause));
        }
        if let Err(error) = self.begin(&ticket, wanted, wire) {
            self.answer(&ticket, Err(error.into()), wire);
        }
    }

    /// Begins to answer a request.
    fn begin(
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
    fn place(&self, frame: i64) -> Result<(ThreadId, u32), Error> {
        self.epoch()?;
        self.frames.get(&frame).copied().ok_or(Error::Superseded)
    }

    /// The id of a thread's frame 0, if the editor has read it or the stop has.
    fn top(&self, thread: ThreadId) -> Option<i64> {
        let stop = self.stop.as_ref().filter(|stop| stop.thread.id == thread);
        let first = stop.and_then(|stop| stop.frames.first()).filter(|frame| frame.index == 0);
        let mut read = self.frames.iter();
        let read = read.find(|(_, place)| **place == (thread, 0)).map(|(id, _)| *id);
        read.or(first.map(|frame| frame.id))
    }

    /// The stop that the editor has.
    fn epoch(&self) -> Result<Epoch, Error> {
        self.stop.as_ref().map(|stop| stop.epoch).ok_or(Error::NotStopped)
    }

    fn attach(&mut self, ticket: &Ticket, wire: &mut Wire<'_>) -> Result<(), Error> {
        if self.seat.is_none() {
            self.seat = Some(self.common.join()?);
            self.leaves_at = None;
            self.common.report(News::Joined(self.name.clone()));
        }
        wire.client.respond(ticket.seq, &ticket.command, Ok(Value::Null));
        wire.client.emit("initialized", Value::Null);
        Ok(())
    }

    fn read(
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
    fn evaluate(
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
    fn take(&mut self, wire: &mut Wire<'_>) -> Result<bool, Error> {
        let is_new = self.handle().take()?;
        if is_new {
            self.claim = Some(self.handle().returns());
            wire.send(message::console(&view::taken_in_editor(self.handle().id())));
        }
        Ok(is_new)
    }

    fn resume(
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

    fn pause(&mut self, ticket: &Ticket, wire: &mut Wire<'_>) -> Result<(), Error> {
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

    fn move_begins(&mut self, ticket: &Ticket) {
        self.moves += 1;
        let line = self.calls.move_begins(ticket.seq, &ticket.command);
        self.handle().called(|| line);
    }

    fn on_done(&mut self, done: Done, wire: &mut Wire<'_>) {
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
    fn catch_up(&mut self, missed: u64, wire: &mut Wire<'_>) {
        self.events.wait(missed);
        wire.flows.reads.push(flow::follow(self.handle().clone(), None));
    }

    /// The session is at this moment, and these events come after it.
    fn go_on(&mut self, followed: Followed, wire: &mut Wire<'_>) {
        let left_out = self.events.go_on(followed.events);
        if left_out > 0 {
            wire.send(message::console(&view::left_out(left_out)));
        }
        self.on_moment(followed.moment, wire);
    }

    /// The editor has read these references at a stop.
    fn refer(&mut self, stop: Epoch, references: Vec<i64>) {
        if self.epoch().is_ok_and(|epoch| epoch == stop) {
            self.references.extend(references.into_iter().filter(|reference| *reference > 0));
        }
    }

    fn move_failed(&mut self, seq: Option<i64>) {
        drop(seq.and_then(|seq| self.calls.take(seq)));
    }

    /// A line of the debug console has this answer.
    fn line_ends(&mut self, seq: Option<i64>, answer: &str) {
        if let Some(call) = seq.and_then(|seq| self.calls.take(seq)) {
            self.report(&call, answer);
        }
    }

    /// Its agent reads about a call later.
    fn report(&self, call: &Call, answer: &str) {
        self.handle().answered(call.tool, answer, || Some(call.deed(answer)));
    }

    /// A line of the debug console was run: values may have changed.
    fn values_change(&self, wire: &mut Wire<'_>) {
        if self.reads_again && self.stop.is_some() {
            let areas = vec!["variables".to_owned()];
            wire.send(Message::new(&Invalidated { areas, ..Invalidated::default() }));
        }
    }

    fn on_event(&mut self, event: LiveEvent, wire: &mut Wire<'_>) {
        match event {
            LiveEvent::Stopped(stop) => self.stopped(stop, wire),
            LiveEvent::Output(line) => {
                if let Some(message) = message::output(&line) {
                    wire.send(message);
                }
            }
            LiveEvent::State(State::Running) => self.running(wire),
            // A refused move leaves the stop as it is.
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

    /// Sends the editor what has changed of its breakpoints.
    fn check_breakpoints(&mut self, wire: &mut Wire<'_>) {
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
    fn on_moment(&mut self, moment: Moment, wire: &mut Wire<'_>) {
        match (moment.status.exit, moment.stop) {
            (Some(exit), _) => self.ended(&exit, wire),
            (None, Some(stop)) => self.stopped(stop, wire),
            (None, None) => self.running(wire),
        }
    }

    fn stopped(&mut self, stop: Arc<Stop>, wire: &mut Wire<'_>) {
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
    fn thread_events(&self, stop: &Stop) -> Vec<Message> {
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
    fn running(&mut self, wire: &mut Wire<'_>) {
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

    fn ended(&mut self, exit: &Exit, wire: &mut Wire<'_>) {
        if std::mem::replace(&mut self.has_end, true) {
            return;
        }
        self.stop = None;
        self.account(|lens| view::head(&view::exit(exit, lens)));
        if let Some(code) = message::exit_code(exit.status) {
            wire.send(Message::new(&Exited { exit_code: Some(code) }));
        }
        wire.send(Message::new(&Terminated::default()));
        self.leaves_at = Some(Instant::now() + LINGER);
    }

    /// The editor's moves have led to a stop or the end.
    fn account(&mut self, answer: impl FnOnce(&view::Lens) -> String) {
        if self.calls.has_moves() {
            let answer = answer(&self.common.lens);
            for call in self.calls.take_moves() {
                self.report(&call, &answer);
            }
        }
    }

    /// While the program runs: the threads of the last stop. An editor that joins a running
    /// program needs one to pause it.
    fn known_threads(&self) -> Value {
        let mut threads = flow::wire_threads(&self.threads);
        if threads.is_empty() {
            threads.push(types::Thread { id: 1, name: "the running program".to_owned() });
        }
        message::body(&ThreadsResponse { threads })
    }

    fn answer(&self, ticket: &Ticket, answer: Result<Value, Fault>, wire: &Wire<'_>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backlog_is_bounded_by_messages_and_by_bytes() {
        for (messages, bytes, want) in [
            (0, 0, Fill::Room),
            (BACKLOG - 1, 99, Fill::Room),
            (BACKLOG, 0, Fill::Full),
            (1, 100, Fill::Full),
            (2 * BACKLOG, 0, Fill::Over),
            (1, 200, Fill::Over),
        ] {
            assert_eq!(Fill::of(Backlog { messages, bytes }, 100), want, "{messages} {bytes}");
        }
    }
}
