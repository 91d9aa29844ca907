//! A stop, an exit, and a debuggee that runs: what every moving call returns.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{BreakpointId, Cursor, Epoch, Note, OutputLine, SessionId, ThreadId};

/// Why the debuggee stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopClass {
    /// At its beginning, on request.
    Entry,
    /// On a breakpoint.
    Breakpoint,
    /// A step is done.
    Step,
    /// The caller paused it.
    Pause,
    /// An exception that stops by the caller's filters.
    Exception,
    /// A panic or its like: the program gives up.
    Panic,
    /// A signal.
    Signal,
    /// A failed assertion.
    Assertion,
    /// Anything else; the title says it in the adapter's words.
    Other,
}

/// A thread of the debuggee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The adapter's number.
    pub id: ThreadId,
    /// Its name, never empty.
    pub name: String,
}

/// Owner of the code that a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// The user's.
    User,
    /// A library's or the runtime's.
    Library,
}

/// One frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// From the top, 0 the innermost; what callers pass as `frame`.
    pub index: u32,
    /// The adapter's number, for requests of this epoch only.
    pub id: i64,
    /// The function.
    pub name: String,
    /// The source file, where there is one.
    pub path: Option<PathBuf>,
    /// From 1; 0: not known.
    pub line: u32,
    /// From 1; 0: not known.
    pub column: u32,
    /// Owner of the code.
    pub kind: FrameKind,
}

/// Whether and how many children a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Children {
    /// It has none.
    None,
    /// It has some; their number is unknown.
    Some,
    /// It has so many.
    Count(u64),
}

/// A variable, field, element or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in its parent: `total`, `[3]`, `kind`.
    pub name: String,
    /// The value as the debugger prints it, possibly several lines.
    pub value: String,
    /// The type as the debugger prints it.
    pub ty: Option<String>,
    /// Whether it can be opened.
    pub children: Children,
    /// The children that were read with it, in order; may be fewer than there are.
    pub preview: Vec<Variable>,
    /// An expression that yields it, where the adapter gave one.
    pub expression: Option<String>,
    /// The adapter's reference for its children in this epoch; 0: none.
    pub reference: i64,
    /// It has its value once it is opened, by what the program does for it.
    pub lazy: bool,
    /// Where a pointer points, as `0x7f…`, where the value does not say it.
    pub address: Option<String>,
}

/// Lines of source around a stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceWindow {
    /// Number of the first line, from 1.
    pub first: u32,
    /// The lines without their ends; empty: the source is not at hand.
    pub lines: Vec<String>,
    /// When the file was changed last; none: not known.
    pub modified: Option<SystemTime>,
}

impl SourceWindow {
    /// The line of that number, where it is among these.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.lines.get(number.checked_sub(self.first)? as usize).map(String::as_str)
    }
}

/// A local whose value differs from the stop before in the same call of the
/// same function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The local's name.
    pub name: String,
    /// Its value then.
    pub before: String,
    /// Its value now.
    pub after: String,
}

/// An expression with its value or its error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// As the caller wrote it.
    pub expression: String,
    /// The value, or why there is none.
    pub result: Result<Variable, NoValue>,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The debugger's words.
    Refused(String),
    /// It appears to change the program, which the caller did not allow; the debugger's words if it
    /// was sent to the debugger.
    NeedsEffects(Option<String>),
    /// An assignment, which this debugger does not evaluate.
    OnlySet {
        /// The debugger's.
        words: String,
        /// What is assigned.
        target: String,
        /// What it is to be.
        value: String,
    },
    /// No answer within this time.
    TimedOut(Duration),
    /// An earlier expression used up the time.
    NotEvaluated,
}

impl std::fmt::Display for NoValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(words)
            | Self::NeedsEffects(Some(words))
            | Self::OnlySet { words, .. } => f.write_str(words),
            Self::NeedsEffects(None) => f.write_str("it changes the program"),
            Self::TimedOut(after) => write!(f, "no answer within {} s", after.as_secs_f32()),
            Self::NotEvaluated => f.write_str("not evaluated"),
        }
    }
}

/// An immutable snapshot of one pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which session.
    pub session: SessionId,
    /// Which stop of it.
    pub epoch: Epoch,
    /// Why.
    pub class: StopClass,
    /// The reason in few words: `IndexError`, `SIGSEGV`, `panic`; empty: the
    /// class says it.
    pub title: String,
    /// The exception's message or its like.
    pub detail: Option<String>,
    /// Breakpoints hit, ascending.
    pub hit: Vec<BreakpointId>,
    /// The thread that stopped.
    pub thread: Thread,
    /// How many threads there are.
    pub threads: usize,
    /// Why the thread waits, where it does and the debugger knows it.
    pub waits: Option<String>,
    /// The top of the stack, innermost first, library frames included.
    pub frames: Vec<Frame>,
    /// How many frames the whole stack has, where known.
    pub total_frames: Option<u32>,
    /// There may be more frames than those read; the number is unknown.
    pub more_frames: bool,
    /// Index into `frames` of the frame that source and locals belong to: the
    /// innermost one of the user's, else the top.
    pub focus: usize,
    /// Index into `frames` of the user's frame that an exception comes from, where none of the
    /// user's stands any more: what it called has left work for later. Nothing can be read there
    /// but the source.
    pub origin: Option<usize>,
    /// Around the origin, else the focus.
    pub source: SourceWindow,
    /// The machine instruction that it stands at, with its address, after a step by one.
    pub instruction: Option<String>,
    /// The focus's locals in the debugger's order.
    pub locals: Vec<Variable>,
    /// Why there are no locals, where the adapter refused.
    pub locals_error: Option<String>,
    /// The stop these are compared with, and what differs.
    pub changes: Option<(Epoch, Vec<Change>)>,
    /// The caller's watches.
    pub watches: Vec<Evaluated>,
    /// Program output since the stop before.
    pub output: OutputNote,
    /// Log breakpoints' hits since the stop before.
    pub log_hits: usize,
    /// From the resume (or the call that launched) to the stop.
    pub elapsed: Duration,
    /// How much of it building took, for the first stop of a program that was built.
    pub built: Option<Duration>,
    /// What else is worth a line, the oldest first.
    pub notes: Vec<Note>,
    /// The debuggee ended before it was looked at, and does not move: a core file.
    pub post_mortem: bool,
}

/// What was printed since some point, for a line in a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputNote {
    /// How many lines, the unfinished last one included.
    pub lines: u64,
    /// Number of the oldest lines that were dropped.
    pub lost: u64,
    /// The last of them.
    pub tail: Vec<OutputLine>,
    /// Pass this to `debug_output since` to read them.
    pub since: u64,
}

/// How the debuggee ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// It returned this code.
    Code(i64),
    /// This signal ended it.
    Signal(i32),
    /// Ended by itself, and the adapter does not say how.
    Unknown,
    /// Ended on request of its caller.
    Requested,
    /// Detached; the process keeps running.
    Detached,
    /// Abandoned before the adapter was attached.
    NotAttached,
}

/// How far the ladder of endings had to be climbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// The debuggee ended by itself.
    Natural,
    /// DAP `terminate`.
    Terminate,
    /// DAP `disconnect`.
    Disconnect,
    /// SIGTERM.
    Term,
    /// SIGKILL.
    Kill,
}

/// The end of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Which session.
    pub session: SessionId,
    /// How the debuggee ended.
    pub status: ExitStatus,
    /// Why the session ended without an exit of the debuggee: "adapter died: …".
    pub cause: Option<String>,
    /// What its last words mean, which its code does not say.
    pub means: Option<String>,
    /// How it was ended.
    pub rung: Rung,
    /// Output since the last stop.
    pub output: OutputNote,
    /// Log breakpoints' hits since the last stop.
    pub log_hits: usize,
    /// All breakpoints as they were at the end, for those never bound or hit.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Why processes that it started may have come by those never hit, where they run without the
    /// debugger.
    pub unfollowed: Option<String>,
    /// From the last resume (or the call that launched) to the end.
    pub elapsed: Duration,
    /// How much of it building took, for an end that came before any stop.
    pub built: Option<Duration>,
    /// What else is worth a line, the oldest first.
    pub notes: Vec<Note>,
    /// What does the same once more.
    pub again: Again,
}

/// What does once more what has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It was launched, and can be again.
    Restart,
    /// The call that attached to it, in the caller's words.
    Call(String),
    /// There is nothing left to attach to.
    Nothing,
}

/// A debuggee that runs on while the caller hears from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Which session.
    pub session: SessionId,
    /// Since the last resume (or the launch).
    pub elapsed: Duration,
    /// What the session is doing when the debuggee does not run yet:
    /// "building", "starting", or has stopped: "reading a stop"; none: it runs.
    pub doing: Option<String>,
    /// Whether it burns CPU (share of one core, 0–100 and more) or waits;
    /// none: not known.
    pub cpu_percent: Option<u32>,
    /// All breakpoints.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Why its child processes, of which there are some now, do not hit those without a hit.
    pub unfollowed: Option<String>,
    /// The place that it runs to.
    pub until: Option<Box<super::Breakpoint>>,
    /// What bears on ending it, until a stop has reported it.
    pub notes: Vec<Note>,
    /// Output since the last stop.
    pub output: OutputNote,
    /// Pass this to `debug_wait since` to miss nothing.
    pub cursor: Cursor,
}

/// An entry of a session's event log, as waits deliver it.
#[derive(Clone, Debug)]
pub enum Happening {
    /// The debuggee stopped and was read.
    Stopped(std::sync::Arc<Stop>),
    /// The session ended.
    Ended(std::sync::Arc<Exit>),
}
