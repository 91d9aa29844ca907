//! Questions to a session, and their answers.

use std::sync::Arc;
use std::time::Duration;

use super::{Exit, Frame, FrameKind, StopClass, Stream, Thread, ThreadId, Variable};

/// How to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Run until something stops it.
    Continue,
    /// Run to a place once; a breakpoint on the way stops too.
    Until(super::Place),
    /// Run backwards until something stops it.
    Reverse,
    /// Step.
    Step(Step),
    /// Step into one call of the line: the name of what is called.
    Into(String),
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which way.
    pub kind: StepKind,
    /// By statement or by instruction.
    pub granularity: Granularity,
}

/// Which way to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// Into calls.
    In,
    /// Into one call of the line, by the adapter's number of it (DAP `stepInTargets`), which this
    /// stop alone knows.
    Into(i64),
    /// Over calls.
    Over,
    /// Out of the function.
    Out,
    /// Back in time.
    Back,
}

/// The size of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// The adapter's own, in practice a line.
    #[default]
    Line,
    /// A statement.
    Statement,
    /// One machine instruction.
    Instruction,
}

/// Which stack to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackQuery {
    /// None: the stopped one.
    pub thread: Option<ThreadId>,
    /// Every thread; `thread` is ignored.
    pub all_threads: bool,
    /// First frame; where every thread is listed, the first thread.
    pub start: u32,
    /// At most so many frames a thread.
    pub count: u32,
}

/// The stacks of one thread, or of a page of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// In order; of all threads the stopped one comes first.
    pub threads: Vec<ThreadStack>,
    /// How many threads come before these.
    pub start: u32,
    /// Number of requested threads.
    pub of: u32,
    /// The adapter lists no more than about so many, and there may be others.
    pub limit: Option<u32>,
}

/// One thread's stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStack {
    /// Whose.
    pub thread: Thread,
    /// True for the thread that stopped.
    pub stopped: bool,
    /// It was not stopped when it was read: its frames are as they were just then.
    pub running: bool,
    /// Why it waits, where the debugger knows it.
    pub waits: Option<String>,
    /// The requested frames, or why there are none.
    pub frames: Result<Vec<Frame>, String>,
    /// How many there are in all, where known.
    pub total: Option<u32>,
    /// There are some behind these.
    pub more: bool,
}

/// Which variables to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesQuery {
    /// `user.orders[3].total`; none: the scope itself.
    pub path: Option<String>,
    /// Frame index; none: the focus of the stop.
    pub frame: Option<u32>,
    /// The scope's name; none: the locals.
    pub scope: Option<String>,
    /// Levels of children to open, 1 or more.
    pub depth: u32,
    /// First child; of a text: first character.
    pub start: u64,
    /// At most so many children, or characters of a text.
    pub count: Option<u64>,
    /// Only names (of elements: values) that contain this, case ignored.
    pub filter: Option<String>,
}

impl VariablesQuery {
    /// Children on a page: 50 by default, at most 1,000.
    pub fn rows(&self) -> u64 {
        self.count.unwrap_or(50).clamp(1, 1_000)
    }

    /// Characters on a page of a text: 4,000 by default, at most 20,000.
    pub fn characters(&self) -> u64 {
        self.count.unwrap_or(4_000).clamp(1, 20_000)
    }
}

/// An answer to a [`VariablesQuery`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesPage {
    /// The frame they belong to.
    pub frame: Frame,
    /// The variable that `path` names; none: a scope.
    pub parent: Option<Variable>,
    /// The scope's name.
    pub scope: String,
    /// The names of the other scopes of the frame.
    pub other_scopes: Vec<String>,
    /// The requested children, opened `depth` levels in `preview`.
    pub variables: Vec<Variable>,
    /// Number of the first of them.
    pub start: u64,
    /// How many there are in all, or how many the filter found.
    pub total: u64,
    /// The adapter reports fewer than requested, though there are more.
    pub capped: bool,
    /// A filter looked at so many only.
    pub looked_at: Option<u64>,
    /// Names of the adapter's own groups that are left out: `special variables`.
    pub hidden: Vec<String>,
    /// The value of `parent`, where it has nothing inside.
    pub text: Option<String>,
}

/// The locals of a stop against those of the stop before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The frame they belong to.
    pub frame: Frame,
    /// The stop they are compared with.
    pub since: super::Epoch,
    /// What differs, in the adapter's order, what is gone last. What one of them has not is
    /// `(none)`.
    pub changes: Vec<super::Change>,
    /// How many are as they were.
    pub same: usize,
    /// Those of them that have more inside than is kept of a stop.
    pub partly: Vec<String>,
}

/// A new value for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignQuery {
    /// A variable, or what a path leads to: `user.orders[3].total`.
    pub target: String,
    /// An expression in the program's language.
    pub value: String,
    /// Frame index; none: the focus of the stop.
    pub frame: Option<u32>,
}

/// What an assignment did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// As the caller wrote it.
    pub target: String,
    /// What it was; none: a key that was not there.
    pub before: Option<Variable>,
    /// What it is, read again.
    pub after: Variable,
}

/// Expressions to evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluateQuery {
    /// One to many.
    pub expressions: Vec<String>,
    /// Frame index; none: the focus of the stop.
    pub frame: Option<u32>,
    /// None: the stopped one.
    pub thread: Option<ThreadId>,
    /// Whether they may change the debuggee.
    pub effects: Effects,
    /// How long one of them may take.
    pub patience: Duration,
}

/// Whether an evaluation may change the debuggee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effects {
    /// Expressions only, in the adapter's context for values.
    #[default]
    None,
    /// Statements too.
    Allow,
}

/// Which output to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputQuery {
    /// From this line on; none: from the beginning.
    pub since: Option<u64>,
    /// Only this stream.
    pub stream: Option<Stream>,
    /// Only the last so many.
    pub tail: Option<u64>,
    /// Only lines that match this regular expression.
    pub grep: Option<String>,
    /// At most so many lines.
    pub limit: u64,
}

/// What a wait is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitFor {
    /// Only stops on these breakpoints count as arrived; empty: any stop.
    pub breakpoints: Vec<super::BreakpointId>,
}

/// One line about a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStatus {
    /// Its name.
    pub id: super::SessionId,
    /// The adapter's name.
    pub adapter: String,
    /// What is debugged, as the caller would know it.
    pub target: String,
    /// Phase in a word: `preparing`, `starting`, `running`, `stopped`, `ending`, `ended`.
    pub phase: &'static str,
    /// Why and where it stands, when stopped: the class of the stop, its title, the user's frame.
    pub at: Option<(StopClass, String, Frame)>,
    /// Names of the capabilities the adapter has.
    pub capabilities: Vec<String>,
    /// All breakpoints.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Words for `exceptions` that this adapter has, and the names of types that were set; whether
    /// each is in force.
    pub exceptions: Vec<(String, bool)>,
    /// The caller's watches.
    pub watches: Vec<String>,
    /// Since the launch, up to the end.
    pub age: Duration,
    /// How it ended, if it has.
    pub exit: Option<Arc<Exit>>,
}

impl Frame {
    /// Is it the user's code?
    pub fn is_user(&self) -> bool {
        self.kind == FrameKind::User
    }
}
