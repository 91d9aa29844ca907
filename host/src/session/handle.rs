//! The handle to a session: every call becomes one command to its actor.
//!
//! Knows no DAP and no state. Dropping the future of a call drops the question,
//! never changes the debuggee.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::breakpoints::{BreakpointReport, Numbered};
use crate::model::{
    AssignQuery, Assigned, BreakpointEdit, BreakpointSpec, Compared, Cursor, EvaluateQuery,
    Evaluated, Exit, Happening, LogHit, OutputPage, OutputQuery, Resume, Running, SessionId,
    SessionStatus, StackQuery, Stacks, Stop, ThreadId, VariablesPage, VariablesQuery, WaitFor,
};
use crate::session::record::reply::Reply;
use crate::session::{Error, breakpoints::place};

/// How to end a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndMode {
    /// What was launched is killed, what was attached to is let go.
    #[default]
    Auto,
    /// Kill the debuggee.
    Terminate,
    /// Let the debuggee run on.
    Detach,
}

/// A question or an order to the actor.
pub(super) enum Command {
    Breakpoints(BreakpointEdit, Reply<BreakpointReport>),
    Resume(Resume, Option<ThreadId>, StopLeft, Reply<Cursor>),
    Pause(Option<ThreadId>, Reply<Cursor>),
    Wait(Cursor, Reply<(Happening, Cursor)>),
    Now(Cursor, Reply<Now>),
    Underway(Reply<Running>),
    Look(Reply<()>),
    Stack(StackQuery, Reply<Stacks>),
    Thread(String, Reply<ThreadId>),
    Variables(VariablesQuery, Reply<VariablesPage>),
    Evaluate(EvaluateQuery, Reply<Vec<Evaluated>>),
    Compare(Option<String>, Reply<Compared>),
    Assign(AssignQuery, Reply<Assigned>),
    Watch(Watch, Reply<Vec<String>>),
    Output(OutputQuery, Reply<OutputPage>),
    LogHits(u64, Reply<LogHits>),
    Status(Reply<SessionStatus>),
    Log(Reply<LogLines>),
    Current(Reply<Option<Arc<Stop>>>),
    Delivered(Reply<Cursor>),
    Carry(Reply<Carried>),
    Close(EndMode, Reply<Arc<Exit>>),
}

/// Whether the caller got the stop that a move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopLeft {
    Delivered,
    /// The caller gets its output, hits and notes with the next stop.
    Undelivered,
}

/// What a session leaves to the one that does the same again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Carried {
    pub(super) breakpoints: Vec<Numbered>,
    /// Exception words that were set; none: the adapter's own.
    pub(super) exceptions: Option<Vec<String>>,
    pub(super) watches: Vec<String>,
}

/// A change to the expressions told at every stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Add these.
    Add(Vec<String>),
    /// Drop these; empty: all.
    Remove(Vec<String>),
}

/// How far a session is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// It prepares or starts.
    Open,
    /// Its program runs or stands.
    Started,
    /// It ended after its program had been started.
    Over,
    /// It ended before.
    Failed,
    /// The same, by what was asked for: to do it again is no use.
    Refused,
    /// Its actor panicked.
    Broken,
}

/// Hits of log breakpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogHits {
    /// In order.
    pub hits: Vec<LogHit>,
    /// How many of those asked for are no longer kept.
    pub lost: u64,
}

/// A session's own log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The number of the first line; lines count from 0, and the oldest are forgotten.
    pub first: u64,
    /// In order.
    pub lines: Vec<String>,
}

/// How a session is at this moment.
#[derive(Clone, Debug)]
pub enum Now {
    /// A stop or an end has come already.
    Happened(Happening),
    /// None has: the debuggee runs, or is on its way.
    Running(Running),
}

/// A session, as the rest of the host sees it. Cheap to clone.
#[derive(Clone)]
pub struct Handle {
    pub(super) id: SessionId,
    pub(super) commands: mpsc::Sender<Command>,
    pub(super) progress: watch::Receiver<String>,
    pub(super) life: watch::Receiver<Life>,
}

impl Handle {
    /// Its name.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// What the session is doing until it runs, one line at a time ("compiling
    /// cart v0.1.0"), for progress notifications.
    pub fn progress(&self) -> watch::Receiver<String> {
        self.progress.clone()
    }

    /// Changes the breakpoints; returns when the adapter has answered.
    pub async fn breakpoints(&self, edit: BreakpointEdit) -> Result<BreakpointReport, Error> {
        place::check(&edit.set).await?;
        self.ask(|reply| Command::Breakpoints(edit, reply)).await
    }

    /// Resumes; returns at once with the cursor to [`wait`](Self::wait) from.
    pub async fn resume(&self, how: Resume, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        if let Resume::Until(place) = &how {
            place::check(&[BreakpointSpec::at(place.clone())]).await?;
        }
        self.ask(|reply| Command::Resume(how, thread, StopLeft::Delivered, reply)).await
    }

    /// Steps on from a stop that the caller is not told: the next tells what this one would have,
    /// and is compared with the last that was told.
    pub async fn step_on(&self, how: Resume, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        self.ask(|reply| Command::Resume(how, thread, StopLeft::Undelivered, reply)).await
    }

    /// Waits until the debuggee is under control; false: that failed.
    pub async fn attached(&self) -> bool {
        let started = |life: &Life| *life != Life::Open;
        self.life.clone().wait_for(started).await.is_ok_and(|life| *life == Life::Started)
    }

    /// Asks the debuggee to stop; returns at once with the cursor to wait from.
    pub async fn pause(&self, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        self.ask(|reply| Command::Pause(thread, reply)).await
    }

    /// The first stop or end at or after `from`, and the cursor behind it.
    /// Waits without limit: the caller brings its own deadline.
    pub async fn wait(&self, from: Cursor) -> Result<(Happening, Cursor), Error> {
        self.ask(|reply| Command::Wait(from, reply)).await
    }

    /// Where the last delivered stop ended: `debug_wait` without `since`.
    pub async fn delivered(&self) -> Result<Cursor, Error> {
        self.ask(Command::Delivered).await
    }

    /// The first stop or end at or after `from`, if it has come already; else how the running
    /// debuggee fares. Fails as [`wait`](Self::wait) does.
    pub async fn now(&self, from: Cursor) -> Result<Now, Error> {
        self.ask(|reply| Command::Now(from, reply)).await
    }

    /// How the debuggee fares that was just let go. What has come since is left to a wait.
    pub async fn underway(&self) -> Result<Running, Error> {
        self.ask(Command::Underway).await
    }

    /// Takes note of how much the debuggee has done: what [`now`](Self::now) tells of its use of
    /// the CPU is counted from the last look, or the last move, on.
    pub async fn look(&self) -> Result<(), Error> {
        self.ask(Command::Look).await
    }

    /// The stop it stands at.
    pub async fn current(&self) -> Result<Option<Arc<Stop>>, Error> {
        self.ask(Command::Current).await
    }

    /// Threads and frames of the stop.
    pub async fn stack(&self, query: StackQuery) -> Result<Stacks, Error> {
        self.ask(|reply| Command::Stack(query, reply)).await
    }

    /// The thread of that number or name. While none can be listed, a number is taken as it is.
    pub async fn thread(&self, named: String) -> Result<ThreadId, Error> {
        self.ask(|reply| Command::Thread(named, reply)).await
    }

    /// Variables of the stop.
    pub async fn variables(&self, query: VariablesQuery) -> Result<VariablesPage, Error> {
        self.ask(|reply| Command::Variables(query, reply)).await
    }

    /// Evaluates; one failing expression is an answer, not an error.
    pub async fn evaluate(&self, query: EvaluateQuery) -> Result<Vec<Evaluated>, Error> {
        self.ask(|reply| Command::Evaluate(query, reply)).await
    }

    /// What of the locals differs from the stop before, in the same call of the same function; of
    /// the one local that `path` names.
    pub async fn compare(&self, path: Option<String>) -> Result<Compared, Error> {
        self.ask(|reply| Command::Compare(path, reply)).await
    }

    /// Gives a variable, field or element another value.
    pub async fn assign(&self, query: AssignQuery) -> Result<Assigned, Error> {
        self.ask(|reply| Command::Assign(query, reply)).await
    }

    /// Changes the watches; returns all.
    pub async fn watch(&self, change: Watch) -> Result<Vec<String>, Error> {
        self.ask(|reply| Command::Watch(change, reply)).await
    }

    /// What was printed; works after the end too, while the session is remembered.
    pub async fn output(&self, query: OutputQuery) -> Result<OutputPage, Error> {
        self.ask(|reply| Command::Output(query, reply)).await
    }

    /// Log breakpoints' hits from the n-th on, in order.
    pub async fn log_hits(&self, since: u64) -> Result<LogHits, Error> {
        self.ask(|reply| Command::LogHits(since, reply)).await
    }

    /// Phase, place, breakpoints, capabilities.
    pub async fn status(&self) -> Result<SessionStatus, Error> {
        self.ask(Command::Status).await
    }

    /// The session's own log: what was started and sent, in short lines.
    pub async fn log(&self) -> Result<LogLines, Error> {
        self.ask(Command::Log).await
    }

    pub(super) async fn carried(&self) -> Result<Carried, Error> {
        self.ask(Command::Carry).await
    }

    /// Ends it; returns when nothing of it is left running.
    pub async fn close(&self, mode: EndMode) -> Result<Arc<Exit>, Error> {
        self.ask(|reply| Command::Close(mode, reply)).await
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Error> {
        let (reply, answer) = Reply::new();
        let ended = || match *self.life.borrow() {
            Life::Broken => Error::HostFault,
            _ => Error::Ended { session: self.id.to_string(), cause: None, restarts: false },
        };
        self.commands.send(command(reply)).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

/// Does this happening satisfy a wait? A stop elsewhere does not.
pub fn satisfies(happening: &Happening, want: &WaitFor) -> bool {
    match happening {
        Happening::Ended(_) => true,
        Happening::Stopped(stop) => {
            want.breakpoints.is_empty() || stop.hit.iter().any(|id| want.breakpoints.contains(id))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_session_whose_actor_broke_is_no_session_that_ended() {
        for (life, want) in [(Life::Broken, "host-fault"), (Life::Over, "ended")] {
            let (commands, _) = mpsc::channel(1);
            let (_, progress) = watch::channel(String::new());
            let (_, life) = watch::channel(life);
            let handle = Handle { id: SessionId("x-1".into()), commands, progress, life };
            let told = match handle.status().await {
                Err(Error::HostFault) => "host-fault",
                Err(Error::Ended { .. }) => "ended",
                _ => "nothing",
            };
            assert_eq!(told, want);
        }
    }
}
