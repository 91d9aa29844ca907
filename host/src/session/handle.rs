//! The handle to a session: every call becomes one command to its actor.
//!
//! Knows no DAP and no state. Dropping the future of a call drops its answer and never changes the
//! debuggee.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, watch};

use super::adapter::Shell;
use super::breakpoints::{BreakpointReport, Numbered};
use super::claim::{Claim, ClaimId, Deed, Door, GivenBack, Mark};
use super::feed::{Revision, Revisions};
use super::live::{Followed, Live, LiveEvent};
use super::mirrored::{MirrorPlace, Mirrored};
use crate::dap::arguments::{
    FrameArguments, SourceArguments, StackTraceArguments, VariablesArguments,
};
use crate::dap::responses::{
    ScopesResponse, SourceResponse, StackTraceResponse, VariablesResponse,
};
use crate::file::executable;
use crate::model::{
    AssignQuery, Assigned, BreakpointEdit, BreakpointSpec, Compared, Cursor, Effects, Epoch,
    EvaluateQuery, Evaluated, Exception, ExceptionQuery, Exit, Happening, LogHit, Moment,
    OutputPage, OutputQuery, Resume, Running, SessionId, SessionStatus, StackQuery, Stacks, Stop,
    Thread, ThreadId, VariablesPage, VariablesQuery, WaitFor,
};
use crate::session::record::reply::Reply;
use crate::session::record::uncollected::Collected;
use crate::session::{Error, breakpoints::place};

/// How to end a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndMode {
    /// Kills a launched debuggee, detaches from an attached one.
    #[default]
    Auto,
    /// Kill the debuggee.
    Terminate,
    /// Let the debuggee run on.
    Detach,
}

/// A call to the actor.
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
    Exception(ExceptionQuery, Reply<Exception>),
    Compare(Option<String>, Reply<Compared>),
    Assign(AssignQuery, Reply<Assigned>),
    Watch(Watch, Reply<Vec<String>>),
    Output(OutputQuery, Reply<OutputPage>),
    LogHits(u64, Reply<LogHits>),
    Status(Reply<SessionStatus>),
    Moment(Reply<Moment>),
    Follow(Reply<Followed>),
    Log(Reply<LogLines>),
    Current(Reply<Option<Arc<Stop>>>),
    Program(Reply<Option<PathBuf>>),
    Delivered(Reply<Cursor>),
    Carry(Reply<Carried>),
    Raw(RawRequest, Reply<Value>),
    Read(StopRead, Reply<StopAnswer>),
    /// A command of the debugger's own language.
    Run(CommandQuery, Reply<CommandOutput>),
    Close(EndMode, Reply<Arc<Exit>>),
}

impl Command {
    /// Whether it is answered from what is recorded, and changes nothing.
    pub(super) fn is_query(&self) -> bool {
        matches!(
            self,
            Self::Status(_)
                | Self::Log(_)
                | Self::Output(..)
                | Self::LogHits(..)
                | Self::Current(_)
                | Self::Program(_)
                | Self::Moment(_)
                | Self::Follow(_)
        )
    }

    /// Whether it moves, changes or ends the debuggee, or changes where it stops or what its stops
    /// show. Every command is named here, so that a new one states it.
    fn changes(&self) -> bool {
        match self {
            Self::Breakpoints(edit, _) => *edit != BreakpointEdit::default(),
            Self::Evaluate(query, _) => query.effects == Effects::Allow,
            // Without expressions it lists them.
            Self::Watch(Watch::Add(expressions), _) => !expressions.is_empty(),
            Self::Watch(Watch::Remove(_), _)
            | Self::Resume(..)
            | Self::Pause(..)
            | Self::Assign(..)
            | Self::Raw(..)
            | Self::Run(..)
            | Self::Close(..) => true,
            Self::Wait(..)
            | Self::Now(..)
            | Self::Underway(_)
            | Self::Look(_)
            | Self::Stack(..)
            | Self::Thread(..)
            | Self::Variables(..)
            | Self::Exception(..)
            | Self::Compare(..)
            | Self::Output(..)
            | Self::LogHits(..)
            | Self::Status(_)
            | Self::Moment(_)
            | Self::Follow(_)
            | Self::Log(_)
            | Self::Current(_)
            | Self::Program(_)
            | Self::Read(..)
            | Self::Delivered(_)
            | Self::Carry(_) => false,
        }
    }
}

/// Whether the caller got the stop that a move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopLeft {
    Delivered,
    /// The caller knows this one: any other is not left.
    Known(Epoch),
    /// The caller gets its output, hits and notes with the next stop.
    Undelivered,
}

/// The part of a session that its restart takes over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Carried {
    pub(super) breakpoints: Vec<Numbered>,
    /// Exception filters that the caller set; `None`: the adapter's defaults.
    pub(super) exceptions: Option<Vec<String>>,
    pub(super) watches: Vec<String>,
}

/// A change to the expressions that every stop evaluates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Add these.
    Add(Vec<String>),
    /// Drop these; empty: all.
    Remove(Vec<String>),
}

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// It prepares or starts.
    Open,
    /// The debuggee runs or is stopped.
    Started,
    /// It ended after the debuggee was started.
    Over,
    /// It ended before the debuggee was started.
    Failed,
    /// It ended before, because of its arguments: a restart would fail too.
    Refused,
    /// Its actor panicked.
    Broken,
}

/// Hits of log breakpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogHits {
    /// In order.
    pub hits: Vec<LogHit>,
    /// How many of the requested hits are no longer stored.
    pub lost: u64,
}

/// A session's own log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The number of the first line, from 0. The oldest lines are dropped.
    pub first: u64,
    /// In order.
    pub lines: Vec<String>,
}

/// The answer of [`Handle::now`].
#[derive(Clone, Debug)]
pub enum Now {
    /// A stop or the end has come already.
    Happened(Happening),
    /// None has come: the debuggee runs or is being started.
    Running(Running),
}

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

/// A DAP request that the host does not interpret.
#[derive(Clone, Debug, PartialEq)]
pub struct RawRequest {
    /// `threads`.
    pub command: String,
    /// Its arguments.
    pub arguments: Value,
    /// Whether it may leave the debugger.
    pub shell: Shell,
    /// How long its answer may take.
    pub limit: Duration,
}

/// A read of one stop whose answer has the adapter's own ids. They are valid for that stop: while
/// another one is current, it fails.
#[derive(Clone, Debug, PartialEq)]
pub struct StopRead {
    /// The stop.
    pub stop: Epoch,
    /// What is read.
    pub what: StopQuery,
}

/// What is read of a stop.
#[derive(Clone, Debug, PartialEq)]
pub enum StopQuery {
    /// All threads.
    Threads,
    /// Frames of one thread; with the id of its frame 0, if the caller knows it.
    Frames(StackTraceArguments, Option<i64>),
    /// The scopes of a frame.
    Scopes(FrameArguments),
    /// The children of a variable or scope.
    Variables(VariablesArguments),
    /// The text of a source that only the adapter has.
    Source(SourceArguments),
}

/// The answer to a [`StopRead`].
#[derive(Clone, Debug, PartialEq)]
pub enum StopAnswer {
    /// Named and ordered as in other answers.
    Threads(Vec<Thread>),
    /// The frames of the query, none above.
    Frames(StackTraceResponse),
    /// As the adapter has them.
    Scopes(ScopesResponse),
    /// As the adapter has them.
    Variables(VariablesResponse),
    /// As the adapter has it.
    Source(SourceResponse),
}

/// A command of the debugger's own language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandQuery {
    /// One line.
    pub command: String,
    /// The index of the frame in which it runs; `None`: the one in focus.
    pub frame: Option<u32>,
    /// Whether it may leave the debugger.
    pub shell: Shell,
    /// How long the caller waits for its output.
    pub limit: Duration,
    /// The form of its output.
    pub form: OutputForm,
}

/// The form of a command's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputForm {
    /// What it prints.
    #[default]
    Text,
    /// A record (`Commands::records`), in a session that was opened for commands. The command may
    /// be empty: the record has what came since the one before.
    Record,
}

/// The answer to a command.
#[derive(Debug, Default)]
pub struct CommandOutput {
    /// What it printed; `None`: it still runs.
    pub output: Option<String>,
    /// With a record: what came since the one before. The next command has it if it is not kept.
    pub collected: Collected,
    /// Set if it moved the debuggee: the next stop, or the end, comes at or after this cursor.
    pub news: Option<Cursor>,
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

    /// Whether the arguments of its launch were refused.
    pub(super) fn was_refused(&self) -> bool {
        *self.life.borrow() == Life::Refused
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

    /// Resumes; returns the cursor to [`wait`](Self::wait) from once the adapter has answered.
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

    /// Requests a stop; returns the cursor to wait from once the adapter has answered.
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
    pub async fn current(&self) -> Result<Option<Arc<Stop>>, Error> {
        self.ask(Command::Current).await
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

    /// The same session for calls from another door.
    pub(super) fn by(self, door: Door) -> Self {
        Self { door, ..self }
    }

    /// The same session for calls from an editor.
    pub fn by_editor(self) -> Self {
        self.by(Door::Editor)
    }

    /// Where the calls come from.
    pub fn door(&self) -> Door {
        self.door
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

    /// Takes the session for the person at this door: agents read it and do not change it. False:
    /// the person had it before, or an editor shares what a terminal has.
    ///
    /// # Errors
    /// The session has ended.
    pub fn take(&self) -> Result<bool, Error> {
        self.need_open()?;
        let is_new = self.claim.take(&self.id, self.door);
        if is_new {
            self.live.send(|| LiveEvent::Taken);
        }
        Ok(is_new)
    }

    /// Gives the session back, whoever has it. False: nobody had it.
    pub fn give(&self) -> bool {
        let was_taken = self.claim.give(&self.id, self.is_over());
        self.returned(was_taken)
    }

    /// Gives the session back if an editor has it, and if it was given back as often as when the
    /// editor took it. False: it is somebody else's by now.
    pub fn give_of_editor(&self, returns: u64) -> bool {
        let was_taken = self.claim.give_of_editor(returns);
        self.returned(was_taken)
    }

    fn returned(&self, was_taken: bool) -> bool {
        if was_taken {
            self.live.send(|| LiveEvent::Given);
        }
        was_taken
    }

    /// The claim on the session; a restart takes it along.
    pub fn claim(&self) -> ClaimId {
        self.claim.id()
    }

    /// How often the session was given back.
    pub fn returns(&self) -> u64 {
        self.claim.returns()
    }

    /// Whether a person has the session, which has not ended.
    pub fn is_taken(&self) -> bool {
        self.claim.is_taken() && !self.is_over()
    }

    /// Whether a person has the session and the calls of this handle are not the person's.
    pub fn is_barred(&self) -> bool {
        self.door == Door::Agent && self.is_taken()
    }

    /// Waits until nobody has the session, or until its end.
    pub async fn given(&self) {
        tokio::select! {
            () = self.claim.given() => {}
            () = self.over() => {}
        }
    }

    /// Refuses a change while somebody else has the session.
    pub(super) fn permit(&self) -> Result<(), Error> {
        if self.is_barred() {
            return Err(Error::Taken { session: self.id.to_string() });
        }
        Ok(())
    }

    /// What a person did with the session since a mark, once it is back.
    pub fn given_back(&self, since: Mark) -> Option<GivenBack> {
        self.claim.since(since, self.is_over().then_some(&self.id))
    }

    /// A call about this session begins.
    pub fn called(&self, call: impl FnOnce() -> String) {
        if self.door.is_person() {
            self.claim.note_use();
        }
        self.live.send(|| LiveEvent::Called(self.door, call()));
    }

    /// A call about this session is answered. `deed`: what its agent reads about it if a person
    /// made it.
    pub fn answered(&self, tool: &'static str, answer: &str, deed: impl FnOnce() -> Option<Deed>) {
        self.live.send(|| LiveEvent::Answered(self.door, tool, answer.to_owned()));
        if !self.door.is_person() {
            return;
        }
        self.claim.note_use();
        if let Some(deed) = deed() {
            self.claim.add(deed);
        }
    }

    /// State, process and current stop.
    pub async fn moment(&self) -> Result<Moment, Error> {
        self.ask(Command::Moment).await
    }

    /// The session's own log: starts, phases and problems, in short lines.
    pub async fn log(&self) -> Result<LogLines, Error> {
        self.ask(Command::Log).await
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
