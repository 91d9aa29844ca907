//! Requests under way: their futures, and what their answers change in an editor's connection.
//!
//! Knows calls of the session's handle. Refuses to change anything itself.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;

use super::message::{self, Message};
use crate::dap::arguments::StackTraceArguments;
use crate::dap::responses::ThreadsResponse;
use crate::dap::types;
use crate::model::{Epoch, EvaluateQuery, Evaluated, Thread, ThreadId};
use crate::session::{Error, Followed, Handle, StopAnswer, StopQuery, StopRead};
use crate::view;

/// A request to answer.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub seq: i64,
    pub command: String,
}

/// A request that the session has answered.
pub(super) struct Done {
    pub ticket: Option<Ticket>,
    pub answer: Result<Value, Fault>,
    pub then: Then,
}

/// Why a request fails.
pub(super) enum Fault {
    Session(Error),
    /// The debugger's own words about an expression.
    Words(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Session(error)
    }
}

impl Done {
    pub fn plain(ticket: Option<Ticket>, answer: Result<Value, Error>) -> Self {
        Self { ticket, answer: answer.map_err(Fault::from), then: Then::Nothing }
    }
}

/// What an answer changes here.
pub(super) enum Then {
    Nothing,
    Frames {
        stop: Epoch,
        thread: ThreadId,
        first: u32,
        ids: Vec<i64>,
    },
    References(Epoch, Vec<i64>),
    Threads(Vec<Thread>),
    Follow(Box<Followed>),
    /// A move; `is_new`: it took the session.
    Moved {
        is_new: bool,
        resumes: bool,
    },
    /// The reference of a value; for a line of the debug console the line that its agent reads.
    Evaluated(Epoch, Vec<i64>, Option<String>),
    Events(Vec<Message>),
}

pub(super) type Flow = BoxFuture<'static, Done>;

/// Futures of the requests under way.
#[derive(Default)]
pub(super) struct Flows {
    /// Dropped with the connection.
    pub reads: FuturesUnordered<Flow>,
    /// Moves and lines of the debug console: its agent reads what they led to.
    pub calls: FuturesUnordered<Flow>,
    /// About breakpoints: they are finished before the editor's are removed.
    pub edits: FuturesUnordered<Flow>,
}

impl Flows {
    pub fn count(&self) -> usize {
        self.reads.len() + self.calls.len() + self.edits.len()
    }

    /// The next one that is done; `None`: there is none.
    pub async fn next(&mut self) -> Option<Done> {
        let Self { reads, calls, edits } = self;
        tokio::select! {
            Some(done) = reads.next() => Some(done),
            Some(done) = calls.next() => Some(done),
            Some(done) = edits.next() => Some(done),
            else => None,
        }
    }
}

/// Begins to follow the session, and answers the request for it.
pub(super) fn follow(handle: Handle, ticket: Option<Ticket>) -> Flow {
    Box::pin(async move {
        match handle.follow().await {
            Ok(followed) => {
                Done { ticket, answer: Ok(Value::Null), then: Then::Follow(Box::new(followed)) }
            }
            Err(error) => Done::plain(ticket, Err(error)),
        }
    })
}

pub(super) async fn threads(handle: Handle, read: StopRead, ticket: Option<Ticket>) -> Done {
    match handle.read_stop(read).await {
        Ok(StopAnswer::Threads(threads)) => {
            let body = message::body(&ThreadsResponse { threads: wire_threads(&threads) });
            Done { ticket, answer: Ok(body), then: Then::Threads(threads) }
        }
        other => Done::plain(ticket, other.map(|answer| body_of(&answer))),
    }
}

/// Reads frames of a thread. `top`: the id of its frame 0, if it is known.
pub(super) fn frames(
    handle: Handle,
    stop: Epoch,
    query: StackTraceArguments,
    top: Option<i64>,
    ticket: Option<Ticket>,
) -> Flow {
    let first = query.start_frame.and_then(|first| u32::try_from(first).ok()).unwrap_or(0);
    let thread = ThreadId(query.thread_id);
    let read = StopRead { stop, what: StopQuery::Frames(query, top) };
    Box::pin(async move {
        match handle.read_stop(read).await {
            Ok(StopAnswer::Frames(answer)) => {
                let ids = answer.stack_frames.iter().map(|frame| frame.id).collect();
                let then = Then::Frames { stop, thread, first, ids };
                Done { ticket, answer: Ok(message::body(&answer)), then }
            }
            other => Done::plain(ticket, other.map(|answer| body_of(&answer))),
        }
    })
}

pub(super) fn wire_threads(threads: &[Thread]) -> Vec<types::Thread> {
    let mut wire = Vec::with_capacity(threads.len());
    for thread in threads {
        wire.push(types::Thread { id: thread.id.0, name: thread.name.clone() });
    }
    wire
}

/// The references to variables in an answer.
fn references(answer: &StopAnswer) -> Vec<i64> {
    match answer {
        StopAnswer::Scopes(answer) => {
            answer.scopes.iter().map(|scope| scope.variables_reference).collect()
        }
        StopAnswer::Variables(answer) => {
            answer.variables.iter().map(|variable| variable.variables_reference).collect()
        }
        StopAnswer::Threads(_) | StopAnswer::Frames(_) | StopAnswer::Source(_) => Vec::new(),
    }
}

fn body_of(answer: &StopAnswer) -> Value {
    match answer {
        StopAnswer::Threads(threads) => {
            message::body(&ThreadsResponse { threads: wire_threads(threads) })
        }
        StopAnswer::Frames(answer) => message::body(answer),
        StopAnswer::Scopes(answer) => message::body(answer),
        StopAnswer::Variables(answer) => message::body(answer),
        StopAnswer::Source(answer) => message::body(answer),
    }
}

/// Evaluates one expression. `is_line`: it is a line of the debug console, which its agent reads
/// about.
pub(super) async fn evaluated(
    handle: Handle,
    query: EvaluateQuery,
    stop: Epoch,
    is_line: bool,
    ticket: Option<Ticket>,
) -> Done {
    let answer = handle.evaluate(query).await;
    let value = answer.and_then(|mut all| all.pop().ok_or(Error::Superseded));
    let mut found = Vec::new();
    let (answer, line) = match value {
        Ok(Evaluated { result: Ok(value), .. }) => {
            found.push(value.reference);
            let line = view::head(&value.value);
            (Ok(message::body(&message::value(value))), line)
        }
        Ok(Evaluated { result: Err(reason), .. }) => {
            let reason = reason.to_string();
            let line = view::head(&reason);
            (Err(Fault::Words(reason)), line)
        }
        Err(error) => {
            let line = view::head(&error.to_string());
            (Err(error.into()), line)
        }
    };
    Done { ticket, answer, then: Then::Evaluated(stop, found, is_line.then_some(line)) }
}

/// Reads something of a stop.
pub(super) async fn read(handle: Handle, read: StopRead, ticket: Option<Ticket>) -> Done {
    let stop = read.stop;
    match handle.read_stop(read).await {
        Ok(answer) => {
            let then = Then::References(stop, references(&answer));
            Done { ticket, answer: Ok(body_of(&answer)), then }
        }
        Err(error) => Done::plain(ticket, Err(error)),
    }
}
