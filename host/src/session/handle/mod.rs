//! The handle to a session: every call becomes one command to its actor.
//!
//! Knows no DAP and no state. Dropping the future of a call drops its answer and never changes the
//! debuggee.

mod claim;
mod command;

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::{mpsc, watch};

pub(super) use self::command::{Carried, Command, Life, StopLeft};
pub use self::command::{
    CommandOutput, CommandQuery, EndMode, LogHits, LogLines, Now, OutputForm, RawRequest,
    StopAnswer, StopQuery, StopRead, Watch,
};
use super::breakpoints::BreakpointReport;
use super::claim::{Claim, Door};
use super::feed::{Revision, Revisions};
use super::live::{Followed, Live};
use super::mirrored::{MirrorPlace, Mirrored};
use crate::file::executable;
use crate::model::{
    AssignQuery, Assigned, BreakpointEdit, BreakpointSpec, Compared, Cursor, Epoch, EvaluateQuery,
    Evaluated, Exception, ExceptionQuery, Exit, Happening, Moment, OutputPage, OutputQuery, Resume,
    Running, SessionId, SessionStatus, StackQuery, Stacks, Stop, ThreadId, VariablesPage,
    VariablesQuery, WaitFor,
};
use crate::session::record::reply::Reply;
use crate::session::{Error, breakpoints::place};

/// A session, as the rest of the host sees it. Cheap to clone.
#[derive(Clone)]
pub struct Handle {
    pub(super) id: SessionId,
    pub(super) commands: mpsc::Sender<Command>,
    pub(super) progress: watch::Receiver<String>,
    pub(super) life: watch::Receiver<Life>,
    pub(super) revisions: Arc<Revisions>,
    pub(super) live: Live,
    pub(super) claim: Claim,
    pub(super) mirror: MirrorPlace,
    /// Where the calls come from.
    pub(super) door: Door,
}

impl Handle {
    /// Runs a command of the debugger's own language.
    ///
    /// # Errors
    /// If the adapter takes no commands, the command leaves the debugger, or it fails.
    pub async fn run_command(&self, query: CommandQuery) -> Result<CommandOutput, Error> {
        self.ask(|reply| Command::Run(query, reply)).await
    }

    /// Sends a request as it is and returns the body of the answer.
    ///
    /// # Errors
    /// If the debuggee is being started or has ended, or the adapter refuses the request.
    pub async fn raw(&self, request: RawRequest) -> Result<Value, Error> {
        self.ask(|reply| Command::Raw(request, reply)).await
    }

    /// Reads a stop with the adapter's own ids.
    ///
    /// # Errors
    /// If the stop is left, or the adapter refuses.
    pub async fn read_stop(&self, read: StopRead) -> Result<StopAnswer, Error> {
        self.ask(|reply| Command::Read(read, reply)).await
    }

    /// Notes that a mirror of the session listens on a port, until the answer is dropped.
    ///
    /// # Errors
    /// If it has one already.
    pub fn mirrored(&self, port: u16) -> Result<Mirrored, Error> {
        let session = &self.id;
        self.mirror
            .take(port)
            .map_err(|port| Error::Mirrored { session: session.to_string(), port })
    }

    /// Whether the session has ended. It may still answer for its output.
    pub fn is_over(&self) -> bool {
        self.commands.is_closed()
            || matches!(*self.life.borrow(), Life::Over | Life::Failed | Life::Refused)
    }

    /// Whether it ended before the program ran.
    pub fn has_failed(&self) -> bool {
        matches!(*self.life.borrow(), Life::Failed | Life::Refused)
    }

    /// Whether its launch was refused, and a caller has the reason.
    pub(super) fn was_refused(&self) -> bool {
        *self.life.borrow() == Life::Refused
    }

    /// Whether its debuggee was started.
    pub(super) fn has_run(&self) -> bool {
        matches!(*self.life.borrow(), Life::Started | Life::Over)
    }

    /// Waits until the session has ended.
    pub async fn over(&self) {
        let mut life = self.life.clone();
        drop(life.wait_for(|life| !matches!(life, Life::Open | Life::Started)).await);
    }

    /// Waits for the first stop or the end.
    pub async fn first(&self) -> Result<(Happening, Cursor), Error> {
        self.wait(Cursor::default()).await
    }

    /// The name of the session.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// What the session does until the debuggee runs, one line at a time ("compiling cart v0.1.0"),
    /// for progress notifications.
    pub fn progress(&self) -> watch::Receiver<String> {
        self.progress.clone()
    }

    /// How far its output and its log are.
    pub fn revision(&self) -> Revision {
        self.revisions.get()
    }

    /// Changes the breakpoints; returns when the adapter has answered.
    pub async fn breakpoints(&self, edit: BreakpointEdit) -> Result<BreakpointReport, Error> {
        place::check(&edit.set).await?;
        self.ask(|reply| Command::Breakpoints(edit, reply)).await
    }

    /// Resumes; returns the cursor to [`wait`](Self::wait) from once the adapter has answered. At a
    /// stop that no caller got or read, nothing moves, and the wait returns that stop.
    pub async fn resume(&self, how: Resume, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        self.resume_by(how, thread, StopLeft::Delivered).await
    }

    /// Resumes from this stop.
    ///
    /// # Errors
    /// If the program is at another one, or runs.
    pub async fn resume_from(
        &self,
        stop: Epoch,
        how: Resume,
        thread: Option<ThreadId>,
    ) -> Result<Cursor, Error> {
        self.resume_by(how, thread, StopLeft::Known(stop)).await
    }

    async fn resume_by(
        &self,
        how: Resume,
        thread: Option<ThreadId>,
        left: StopLeft,
    ) -> Result<Cursor, Error> {
        if let Resume::Until(place) = &how {
            place::check(&[BreakpointSpec::at(place.clone())]).await?;
        }
        self.ask(|reply| Command::Resume(how, thread, left, reply)).await
    }

    /// Steps on from a stop that the caller does not get. The next stop has the output, hits and
    /// notes of this one, and is compared with the last stop that the caller got.
    pub async fn step_on(&self, how: Resume, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        self.ask(|reply| Command::Resume(how, thread, StopLeft::Undelivered, reply)).await
    }

    /// Waits until the debuggee is under control; false: the start failed.
    pub async fn attached(&self) -> bool {
        let mut life = self.life.clone();
        let settled = life.wait_for(|life| *life != Life::Open).await;
        settled.is_ok_and(|life| *life == Life::Started)
    }

    /// Requests a stop; returns the cursor to wait from once the adapter has answered, a stop
    /// has come that answers the request, or while a stop is being read.
    pub async fn pause(&self, thread: Option<ThreadId>) -> Result<Cursor, Error> {
        self.ask(|reply| Command::Pause(thread, reply)).await
    }

    /// The first stop or end at or after `from`, and the cursor behind it. Waits without limit.
    pub async fn wait(&self, from: Cursor) -> Result<(Happening, Cursor), Error> {
        self.ask(|reply| Command::Wait(from, reply)).await
    }

    /// Where the last delivered stop ended: `debug_wait` without `since`.
    pub async fn delivered(&self) -> Result<Cursor, Error> {
        self.ask(Command::Delivered).await
    }

    /// The first stop or end at or after `from` if it has come already, else the state of the
    /// running debuggee. Fails as [`wait`](Self::wait) does.
    pub async fn now(&self, from: Cursor) -> Result<Now, Error> {
        self.ask(|reply| Command::Now(from, reply)).await
    }

    /// The state of the debuggee after a move. A stop that has come since is left to a wait.
    pub async fn underway(&self) -> Result<Running, Error> {
        self.ask(Command::Underway).await
    }

    /// Samples the debuggee's CPU time: [`now`](Self::now) reports the use since the last sample or
    /// move.
    pub async fn look(&self) -> Result<(), Error> {
        self.ask(Command::Look).await
    }

    /// The stop that the debuggee is at.
    ///
    /// # Errors
    /// There is none: the debuggee runs, or the session is not ready or has ended.
    pub async fn stop(&self) -> Result<Arc<Stop>, Error> {
        self.ask(Command::NeedStop).await
    }

    /// The stop that the debuggee is at; none in every other state.
    pub async fn current(&self) -> Result<Option<Arc<Stop>>, Error> {
        self.ask(Command::Current).await
    }

    /// As [`current`](Self::current), for a caller who gets it: a [`resume`](Self::resume) leaves
    /// it.
    pub async fn show_stop(&self) -> Result<Option<Arc<Stop>>, Error> {
        self.ask(Command::ShowStop).await
    }

    /// The names of the functions of the program's file; empty if it is no machine code or has no
    /// symbols.
    pub async fn functions(&self) -> Result<Vec<String>, Error> {
        let Some(program) = self.ask(Command::Program).await? else { return Ok(Vec::new()) };
        let read = move || executable::functions(&program);
        Ok(tokio::task::spawn_blocking(read).await.unwrap_or_default())
    }

    /// Threads and frames of the stop.
    pub async fn stack(&self, query: StackQuery) -> Result<Stacks, Error> {
        self.ask(|reply| Command::Stack(query, reply)).await
    }

    /// The thread with this number or name. While threads cannot be listed, any number is valid.
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

    /// The exception that the program stopped for, with its causes.
    pub async fn exception(&self, query: ExceptionQuery) -> Result<Exception, Error> {
        self.ask(|reply| Command::Exception(query, reply)).await
    }

    /// The differences of the locals, or of the one at `path`, from the stop before in the same
    /// call of the same function.
    pub async fn compare(&self, path: Option<String>) -> Result<Compared, Error> {
        self.ask(|reply| Command::Compare(path, reply)).await
    }

    /// Assigns to a variable, field or element.
    pub async fn assign(&self, query: AssignQuery) -> Result<Assigned, Error> {
        self.ask(|reply| Command::Assign(query, reply)).await
    }

    /// Changes the watches; returns all.
    pub async fn watch(&self, change: Watch) -> Result<Vec<String>, Error> {
        self.ask(|reply| Command::Watch(change, reply)).await
    }

    /// The output; after the end too, while the session is remembered.
    pub async fn output(&self, query: OutputQuery) -> Result<OutputPage, Error> {
        self.ask(|reply| Command::Output(query, reply)).await
    }

    /// Hits of log breakpoints from the n-th on, in order.
    pub async fn log_hits(&self, since: u64) -> Result<LogHits, Error> {
        self.ask(|reply| Command::LogHits(since, reply)).await
    }

    /// Phase, place, breakpoints, capabilities.
    pub async fn status(&self) -> Result<SessionStatus, Error> {
        let status = self.ask(Command::Status).await?;
        Ok(SessionStatus { is_taken: self.is_taken(), ..status })
    }

    /// What happens from now on, for a watcher.
    pub async fn follow(&self) -> Result<Followed, Error> {
        self.ask(Command::Follow).await
    }

    /// # Errors
    /// The session has ended.
    pub fn need_open(&self) -> Result<(), Error> {
        if self.is_over() { Err(self.over_error()) } else { Ok(()) }
    }

    /// State, process and current stop.
    pub async fn moment(&self) -> Result<Moment, Error> {
        self.ask(Command::Moment).await
    }

    /// The session's own log: starts, phases and problems, in short lines.
    pub async fn log(&self) -> Result<LogLines, Error> {
        self.ask(Command::Log).await
    }

    /// The command lines of the session and its latest DAP messages, in short lines: as they are
    /// sent and received, and what hooks of the plugin make of them.
    pub async fn messages(&self) -> Result<LogLines, Error> {
        self.ask(Command::Messages).await
    }

    pub(super) async fn carried(&self) -> Result<Carried, Error> {
        self.ask(Command::Carry).await
    }

    /// Ends the session; returns when no process of it is left.
    pub async fn close(&self, mode: EndMode) -> Result<Arc<Exit>, Error> {
        self.ask(|reply| Command::Close(mode, reply)).await
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Error> {
        let (reply, answer) = Reply::new();
        let command = command(reply);
        if command.changes() {
            self.permit()?;
        }
        self.commands.send(command).await.map_err(|_| self.over_error())?;
        answer.await.map_err(|_| self.over_error())?
    }

    fn over_error(&self) -> Error {
        match *self.life.borrow() {
            Life::Broken => Error::HostFault,
            _ => Error::Ended { session: self.id.to_string(), cause: None, restarts: false },
        }
    }
}

/// Whether a wait ends with this happening. A stop at another breakpoint does not end it.
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
    async fn broken_actor_differs_from_ended_session() {
        for (life, want) in [(Life::Broken, "host-fault"), (Life::Over, "ended")] {
            let (commands, _) = mpsc::channel(1);
            let (_, progress) = watch::channel(String::new());
            let (_, life) = watch::channel(life);
            let (id, revisions) = (SessionId("x-1".into()), Arc::default());
            let handle = Handle {
                id,
                commands,
                progress,
                life,
                revisions,
                live: Live::default(),
                claim: Claim::default(),
                mirror: MirrorPlace::default(),
                door: Door::Agent,
            };
            let error = match handle.status().await {
                Err(Error::HostFault) => "host-fault",
                Err(Error::Ended { .. }) => "ended",
                _ => "nothing",
            };
            assert_eq!(error, want);
        }
    }
}
