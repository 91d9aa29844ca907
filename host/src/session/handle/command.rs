//! What a handle asks the actor for, and the answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::dap::arguments::{
    FrameArguments, SourceArguments, StackTraceArguments, VariablesArguments,
};
use crate::dap::responses::{
    ScopesResponse, SourceResponse, StackTraceResponse, VariablesResponse,
};
use crate::model::{
    AssignQuery, Assigned, BreakpointEdit, Compared, Cursor, Effects, Epoch, EvaluateQuery,
    Evaluated, Exception, ExceptionQuery, Exit, Happening, LogHit, Moment, OutputPage, OutputQuery,
    Resume, Running, SessionStatus, StackQuery, Stacks, Stop, Thread, ThreadId, VariablesPage,
    VariablesQuery,
};
use crate::session::adapter::Shell;
use crate::session::breakpoints::{BreakpointReport, Numbered};
use crate::session::live::Followed;
use crate::session::record::reply::Reply;
use crate::session::record::uncollected::Collected;

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
pub(in crate::session) enum Command {
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
    Messages(Reply<LogLines>),
    Current(Reply<Option<Arc<Stop>>>),
    /// The current stop, which the caller gets.
    ShowStop(Reply<Option<Arc<Stop>>>),
    NeedStop(Reply<Arc<Stop>>),
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
    pub(in crate::session) fn is_query(&self) -> bool {
        matches!(
            self,
            Self::Status(_)
                | Self::Log(_)
                | Self::Messages(_)
                | Self::Output(..)
                | Self::LogHits(..)
                | Self::Current(_)
                | Self::NeedStop(_)
                | Self::Program(_)
                | Self::Moment(_)
                | Self::Follow(_)
        )
    }

    /// Whether its caller knows of the current stop from now on.
    pub(in crate::session) fn reads_stop(&self) -> bool {
        matches!(
            self,
            Self::ShowStop(_)
                | Self::Stack(..)
                | Self::Variables(..)
                | Self::Evaluate(..)
                | Self::Exception(..)
                | Self::Compare(..)
                | Self::Assign(..)
                | Self::Run(..)
                | Self::Raw(..)
                | Self::Read(..)
        )
    }

    /// Whether it moves, changes or ends the debuggee, or changes where it stops or what its stops
    /// show. Every command is named here, so that a new one states it.
    pub(super) fn changes(&self) -> bool {
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
            | Self::Messages(_)
            | Self::Current(_)
            | Self::ShowStop(_)
            | Self::NeedStop(_)
            | Self::Program(_)
            | Self::Read(..)
            | Self::Delivered(_)
            | Self::Carry(_) => false,
        }
    }
}

/// Whether the caller got the stop that a move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum StopLeft {
    /// The one that was delivered last. A later one, of which no caller knows, is not left.
    Delivered,
    /// The caller knows this one: any other is not left.
    Known(Epoch),
    /// The caller gets its output, hits and notes with the next stop.
    Undelivered,
}

/// The part of a session that its restart takes over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::session) struct Carried {
    pub(in crate::session) breakpoints: Vec<Numbered>,
    /// The caller has chosen the exceptions that stop: those among the breakpoints. Else the
    /// adapter's defaults do.
    pub(in crate::session) chooses_exceptions: bool,
    pub(in crate::session) watches: Vec<String>,
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
pub(in crate::session) enum Life {
    /// It prepares or starts.
    Open,
    /// The debuggee runs or is stopped.
    Started,
    /// It ended after the debuggee was started.
    Over,
    /// It ended before the debuggee was started.
    Failed,
    /// It ended before, as its launch was refused or its program does not build, and a caller has
    /// the reason: nothing is left to read.
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

/// The answer of [`Handle::now`](super::Handle::now).
#[derive(Clone, Debug)]
pub enum Now {
    /// A stop or the end has come already.
    Happened(Happening),
    /// None has come: the debuggee runs or is being started.
    Running(Running),
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
