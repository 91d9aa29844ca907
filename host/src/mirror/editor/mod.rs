//! One connection of an editor: its requests, and the session's events for it.
//!
//! Requests are answered as the session answers them, each by a future; what they change here is
//! changed in one place, `Editor::on_done`. Events wait for the answer to a move: the response
//! comes before the stop that it leads to.
//!
//! Knows which stop the editor has, and whether the editor has the claim. Refuses to know how a
//! body is written.

mod reports;
mod requests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::task::Poll;

use futures_util::{StreamExt, future};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::dap::endpoint::Streams;
use crate::dap::event::Terminated;
use crate::dap::{self, Backlog, Client, FrameLimits, Inbound, Inbox, ReverseRequest};
use crate::mirror::breakpoints::Breakpoints;
use crate::mirror::calls::Calls;
use crate::mirror::events::Events;
use crate::mirror::flow::{Done, Flows, Then, Ticket};
use crate::mirror::message::Message;
use crate::mirror::request::{self, Request};
use crate::mirror::{Common, End, LINGER, News, Seat};
use crate::model::{Stop, Thread, ThreadId};
use crate::session::{Followed, Handle, LiveEvent};
use crate::view::{self};

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
            // Neither needs an answer. `Room`: an event can be sent now.
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
        // The agent's next answer has the stops of an editor that has moved the program.
        let is_known = self.claim.is_some() || self.calls.has_moves();
        let stop = if is_known { self.handle().show_stop().await.ok().flatten() } else { None };
        if self.calls.has_moves() {
            // It leaves before it reads where its moves have led.
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
