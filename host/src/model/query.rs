//! Queries to a session, and their answers. Knows no DAP.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::plan::Built;
use super::{Exit, Frame, FrameKind, Stop, StopClass, Stream, Thread, ThreadId, Variable};

/// How to resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Runs to the next stop.
    Continue,
    /// Runs to a place; a breakpoint before it stops, too.
    Until(super::Place),
    /// Runs backwards to the next stop.
    Reverse,
    /// Steps.
    Step(Step),
    /// Steps into the call of this name on the line.
    Into(String),
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Direction.
    pub kind: StepKind,
    /// Size.
    pub granularity: Granularity,
}

/// Direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// Into calls.
    In,
    /// Into one call of the line, by its number in `stepInTargets` (DAP), which is valid for this
    /// stop only.
    Into(i64),
    /// Over calls.
    Over,
    /// Out of the function.
    Out,
    /// Backwards.
    Back,
}

/// The size of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// The adapter's default, usually a line.
    #[default]
    Line,
    /// A statement.
    Statement,
    /// One machine instruction.
    Instruction,
}

/// A query for stacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackQuery {
    /// The thread; `None`: the stopped one.
    pub thread: Option<ThreadId>,
    /// Whether to read all threads; `thread` is then ignored.
    pub all_threads: bool,
    /// First frame, or first thread of all threads.
    pub start: u32,
    /// Frames of a thread at most.
    pub count: u32,
}

/// The stack of one thread, or a page of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// In the adapter's order; of all threads, the stopped one first.
    pub threads: Vec<ThreadStack>,
    /// Number of threads before the page.
    pub start: u32,
    /// Number of threads in all.
    pub of: u32,
    /// The adapter lists about this many threads at most, so there may be others.
    pub limit: Option<u32>,
}

/// The stack of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStack {
    /// The thread.
    pub thread: Thread,
    /// Whether this thread stopped.
    pub stopped: bool,
    /// Whether it was running when it was read.
    pub running: bool,
    /// The reason why it waits, if the debugger knows it.
    pub waits: Option<String>,
    /// The requested frames, or the adapter's error.
    pub frames: Result<Vec<Frame>, String>,
    /// Number of frames in all, if it is known.
    pub total: Option<u32>,
    /// Whether there are more frames.
    pub more: bool,
}

/// A query for variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesQuery {
    /// `user.orders[3].total`; `None`: the scope.
    pub path: Option<String>,
    /// The thread; `None`: the stopped one.
    pub thread: Option<ThreadId>,
    /// Index of the frame; `None`: the focus of the stop.
    pub frame: Option<u32>,
    /// Name of the scope; `None`: the locals.
    pub scope: Option<String>,
    /// Levels of children to read, from 1.
    pub depth: u32,
    /// First child, or first character of a text.
    pub start: u64,
    /// Children, or characters of a text, at most.
    pub count: Option<u64>,
    /// Only names, or values of elements, that contain this text in any case.
    pub filter: Option<String>,
    /// Find out which variables of the frame are arguments.
    pub arguments: bool,
}

impl VariablesQuery {
    /// Children of each value in the listing that a filter searches.
    pub const SEARCHED_BELOW: u64 = 100;

    /// Children on a page: 50 by default, at most 1,000.
    pub fn rows(&self) -> u64 {
        self.count.unwrap_or(50).clamp(1, 1_000)
    }

    /// Characters on a page of a text: 4,000 by default, at most 20,000.
    pub fn characters(&self) -> u64 {
        self.count.unwrap_or(4_000).clamp(1, 20_000)
    }
}

/// The answer to a [`VariablesQuery`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesPage {
    /// The frame of the variables.
    pub frame: Frame,
    /// The variable at `path`; `None` for a scope.
    pub parent: Option<Variable>,
    /// The scope's name.
    pub scope: String,
    /// The names of the other scopes of the frame.
    pub other_scopes: Vec<String>,
    /// The requested children; those of deeper levels are in `preview`.
    pub variables: Vec<Variable>,
    /// Which of them are arguments, if the query is for that: positions, ascending.
    pub arguments: Vec<usize>,
    /// Number of the first child.
    pub start: u64,
    /// Number of children in all, or of those that match the filter.
    pub total: u64,
    /// Whether the adapter reports fewer children than requested.
    pub capped: bool,
    /// Number of children that the filter searched, if not all.
    pub looked_at: Option<u64>,
    /// Names of groups of the adapter that are left out: `special variables`.
    pub hidden: Vec<String>,
    /// The text of `parent`, if it has no children.
    pub text: Option<PageText>,
}

/// The text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText {
    /// All of it, or the page that the query asks for.
    pub text: String,
    /// The bytes of the whole text, if this is a page of it: then `start` and `count` of the query
    /// are bytes, too.
    pub bytes: Option<u64>,
}

/// The locals of a stop compared with those of the previous stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The frame of the locals.
    pub frame: Frame,
    /// The previous stop.
    pub since: super::Epoch,
    /// Changed locals in the adapter's order, then removed ones. A missing value is `(none)`.
    pub changes: Vec<super::Change>,
    /// Number of unchanged locals.
    pub same: usize,
    /// Names of unchanged locals with children that a stop does not store.
    pub partly: Vec<String>,
}

/// Target of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignQuery {
    /// A variable by its path: `user.orders[3].total`.
    pub target: String,
    /// An expression in the program's language.
    pub value: String,
    /// `None`: the thread that stopped.
    pub thread: Option<ThreadId>,
    /// Index of the frame; `None`: the focus of the stop.
    pub frame: Option<u32>,
}

/// Result of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The target as the caller wrote it.
    pub target: String,
    /// The old value; `None` for a new key.
    pub before: Option<Variable>,
    /// The new value, read after the assignment.
    pub after: Variable,
}

/// A query for values of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluateQuery {
    /// One expression or more.
    pub expressions: Vec<String>,
    /// Index of the frame; `None`: the focus of the stop.
    pub frame: Option<u32>,
    /// The thread; `None`: the stopped one.
    pub thread: Option<ThreadId>,
    /// The stop that the caller knows: at any other nothing is evaluated. `None`: the current one.
    pub stop: Option<super::Epoch>,
    /// Whether they may change the debuggee.
    pub effects: Effects,
    /// Timeout of one expression.
    pub patience: Duration,
    /// Levels of the results to read, from 1.
    pub depth: u32,
}

/// Whether an evaluation may change the debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effects {
    /// Expressions only, in the adapter's context for values.
    #[default]
    None,
    /// Statements, too.
    Allow,
}

/// A query for output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputQuery {
    /// First line; `None`: from the start.
    pub since: Option<u64>,
    /// Only this stream.
    pub stream: Option<Stream>,
    /// Only this many of the last lines.
    pub tail: Option<u64>,
    /// Only lines that match this regular expression.
    pub grep: Option<String>,
    /// Lines at most.
    pub limit: u64,
    /// Tokens of the answer at most; `None`: as many as an answer may have.
    pub tokens: Option<usize>,
}

/// Condition of a wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitFor {
    /// Breakpoints that end the wait; empty: any stop does.
    pub breakpoints: Vec<super::BreakpointId>,
}

/// State of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStatus {
    /// Its name.
    pub id: super::SessionId,
    /// The adapter's name.
    pub adapter: String,
    /// The target in the words of the caller.
    pub target: String,
    /// Name of the phase: `preparing`, `starting`, `idle`, `running`, `stopped`, `ending`, `ended`.
    pub phase: &'static str,
    /// Class, title and user frame of the current stop.
    pub at: Option<(StopClass, String, Frame)>,
    /// Names of the adapter's capabilities.
    pub capabilities: Vec<String>,
    /// All breakpoints.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Exception filters of the adapter and exception types that were set, each with whether it is
    /// in force.
    pub exceptions: Vec<(String, bool)>,
    /// The caller's watches.
    pub watches: Vec<String>,
    /// Time since the launch, up to the end.
    pub age: Duration,
    /// The end, if the session has ended.
    pub exit: Option<Arc<Exit>>,
    /// A person has it.
    pub is_taken: bool,
}

/// A session at one moment, for programs that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its state.
    pub status: SessionStatus,
    /// The current stop.
    pub stop: Option<Arc<Stop>>,
    /// Process id of the debuggee; `None`: unknown, or no process.
    pub pid: Option<u32>,
    /// Name of the debuggee's file, if it is known.
    pub program_name: Option<String>,
    /// The command line of a launch; `process 4711` or `host:port` of an attach.
    pub command_line: String,
    /// The builds of a launch, if there were any.
    pub builds: Option<Built>,
    /// The debuggee's file, if it is known.
    pub executable: Option<PathBuf>,
    /// Whether the session attached to its process.
    pub is_attached: bool,
    /// Whether the debuggee runs a step of the caller.
    pub steps: bool,
    /// The `type` of an editor's configurations for the adapter; `None`: no editor has one.
    pub editor_type: Option<String>,
}

impl Frame {
    /// Whether the frame is user code.
    pub fn is_user(&self) -> bool {
        self.kind == FrameKind::User
    }
}
