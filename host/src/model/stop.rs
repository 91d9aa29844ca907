//! A stop, an end, and a running debuggee: the results of calls that resume. Knows no DAP.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{BreakpointId, Cause, Cursor, Epoch, Note, OutputLine, SessionId, ThreadId};

/// Class of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopClass {
    /// At the start of the program, on request.
    Entry,
    /// At a breakpoint.
    Breakpoint,
    /// After a step.
    Step,
    /// By a pause of the caller.
    Pause,
    /// By an exception that matches the caller's filters.
    Exception,
    /// By a panic or a similar abort.
    Panic,
    /// A signal.
    Signal,
    /// A failed assertion.
    Assertion,
    /// Anything else; the title has the adapter's words.
    Other,
}

/// A thread of the debuggee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The adapter's id.
    pub id: ThreadId,
    /// Its name; never empty.
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
    /// Index from the top, 0 the innermost; callers pass it as `frame`.
    pub index: u32,
    /// The adapter's id, valid in this epoch only.
    pub id: i64,
    /// Name of the function.
    pub name: String,
    /// Path of the source, if it has one.
    pub path: Option<PathBuf>,
    /// Line from 1; 0: unknown.
    pub line: u32,
    /// Column from 1; 0: unknown.
    pub column: u32,
    /// Owner of the code.
    pub kind: FrameKind,
    /// Address of its next instruction as the debugger prints it: `0x401136`.
    pub pc: Option<String>,
}

/// Whether and how many children a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Children {
    /// It has none.
    None,
    /// It has some; their number is unknown.
    Some,
    /// It has this many.
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
    /// Whether it has children.
    pub children: Children,
    /// Children that were read with it, in order; perhaps not all.
    pub preview: Vec<Variable>,
    /// An expression that evaluates to it, if the adapter reports one.
    pub expression: Option<String>,
    /// The adapter's reference for its children, valid in this epoch only; 0: none.
    pub reference: i64,
    /// Whether its value is computed by code of the program when it is opened.
    pub lazy: bool,
    /// Whether it is a function of the program, which is opened by its path alone.
    pub function: bool,
    /// Address of a pointer's target as `0x7f…`; `None`: no pointer, or null.
    pub address: Option<String>,
    /// Line of its declaration. Only some adapters need it: those that list just the innermost of
    /// several variables with the same name.
    pub declared: Option<i64>,
}

impl Variable {
    /// Its path as a child of the variable with a path.
    pub fn path_in(&self, parent: &str) -> String {
        let name = &self.name;
        if name.starts_with('[') { format!("{parent}{name}") } else { format!("{parent}.{name}") }
    }
}

/// Lines of source around a stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceWindow {
    /// Number of the first line, from 1.
    pub first: u32,
    /// The lines without line ends; empty if the source cannot be read.
    pub lines: Vec<String>,
    /// Time of the last change of the file; `None`: unknown.
    pub modified: Option<SystemTime>,
}

impl SourceWindow {
    /// The line with a number, if it is in the window.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.lines.get(number.checked_sub(self.first)? as usize).map(String::as_str)
    }
}

/// A local with another value than at the previous stop in the same call of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The local's name.
    pub name: String,
    /// The old value.
    pub before: String,
    /// The new value.
    pub after: String,
}

/// An expression with its value or its error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The expression as the caller wrote it.
    pub expression: String,
    /// The value, or the reason why there is none.
    pub result: Result<Variable, NoValue>,
}

/// Reason why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The debugger refused it, in these words.
    Refused(String),
    /// It appears to change the program, which the caller did not allow; the debugger's words if it
    /// was sent to the debugger.
    NeedsEffects(Option<String>),
    /// An assignment, which this debugger does not evaluate.
    OnlySet {
        /// The debugger's words.
        words: String,
        /// The target of the assignment.
        target: String,
        /// The assigned expression.
        value: String,
    },
    /// No answer in this time.
    TimedOut(Duration),
    /// An earlier expression used all the time.
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

/// Threads that a stop lists.
pub const THREADS: usize = 64;

/// Locals that a stop stores.
pub const LOCALS: usize = 60;

/// What was read during one stop of the debuggee; it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The session.
    pub session: SessionId,
    /// Number of the stop.
    pub epoch: Epoch,
    /// The class.
    pub class: StopClass,
    /// The reason in a few words: `IndexError`, `SIGSEGV`, `panic`; empty if the class says it.
    pub title: String,
    /// The message of an exception.
    pub detail: Option<String>,
    /// Whether the program may still catch the exception; `None`: unknown, or no exception.
    pub first_chance: Option<bool>,
    /// Names of the exception's type and of the types that it is derived from, its own first; only
    /// what the adapter reports, empty: none.
    pub types: Vec<String>,
    /// The first causes of the exception; empty: none, or not listed at a stop.
    pub causes: Vec<Cause>,
    /// Breakpoints hit, ascending.
    pub hit: Vec<BreakpointId>,
    /// Whether the debuggee has reached the location that it was to run to.
    pub reached: bool,
    /// The thread that stopped.
    pub thread: Thread,
    /// Number of threads.
    pub threads: usize,
    /// Whether threads run on while this one is stopped.
    pub others_run: bool,
    /// The first [`THREADS`] of them in the debugger's order; empty: they could not be listed.
    pub thread_list: Vec<Thread>,
    /// The reason why the thread waits, if it does and the debugger knows it.
    pub waits: Option<String>,
    /// The top of the stack, innermost first, library frames included.
    pub frames: Vec<Frame>,
    /// Number of frames of the whole stack, if it is known.
    pub total_frames: Option<u32>,
    /// Whether there may be more frames than those read.
    pub more_frames: bool,
    /// Index into `frames` of the frame of source and locals: the innermost user frame, or else the
    /// top. The top frame also at a line breakpoint of the caller in a library, and at steps from
    /// there.
    pub focus: usize,
    /// Index into `frames` of the user frame that an exception comes from, if no user frame is left
    /// on the stack: its call left work for later. Only its source can be read.
    pub origin: Option<usize>,
    /// Source around the origin, or else the focus.
    pub source: SourceWindow,
    /// The machine instruction with its address, after a step by one instruction.
    pub instruction: Option<String>,
    /// Locals of the focus in the debugger's order.
    pub locals: Vec<Variable>,
    /// Number of arguments, which are the first of them; `None`: the debugger lists arguments as
    /// locals.
    pub arguments: Option<usize>,
    /// Number of locals behind the first [`LOCALS`], which `locals` lacks.
    pub more_locals: usize,
    /// The adapter's error in place of locals.
    pub locals_error: Option<String>,
    /// The previous stop, and the locals that differ.
    pub changes: Option<(Epoch, Vec<Change>)>,
    /// The frame in focus at the previous stop, in any function.
    pub from: Option<Frame>,
    /// Values of the caller's watches.
    pub watches: Vec<Evaluated>,
    /// Output since the previous stop.
    pub output: OutputNote,
    /// Number of hits of log breakpoints since the previous stop.
    pub log_hits: usize,
    /// Time from the resume, or from the call that launched, to the stop.
    pub elapsed: Duration,
    /// The part of it that builds took, for the first stop of a launch with builds.
    pub built: Option<Duration>,
    /// Notes, the oldest first.
    pub notes: Vec<Note>,
    /// Whether the debuggee is a core file and cannot be resumed.
    pub post_mortem: bool,
}

impl Stop {
    /// Whether it displays the innermost frame, a library's, though a caller may be the user's.
    pub(crate) fn displays_library(&self) -> bool {
        matches!(self.class, StopClass::Breakpoint | StopClass::Step)
            && self.focus == 0
            && self.frames.first().is_some_and(|frame| !frame.is_user())
    }

    /// Type and message of the exception, panic or signal, also where the title has both:
    /// `TypeError: x is null`, `SIGSEGV at address 0x10`.
    #[must_use]
    pub fn exception(&self) -> (String, Option<String>) {
        let detail = || self.detail.clone();
        if let Some(ty) = self.types.first()
            && let Some(rest) = self.title.strip_prefix(ty.as_str())
        {
            let message = rest.strip_prefix(": ").map(str::to_owned);
            return (ty.clone(), message.or_else(detail));
        }
        if self.class == StopClass::Panic {
            let ty = self.types.first().map_or("panic", String::as_str);
            return (ty.to_owned(), Some(detail().unwrap_or_else(|| self.title.clone())));
        }
        let at = if self.class == StopClass::Signal { self.title.split_once(' ') } else { None };
        let parts = self.title.split_once(": ").or(at);
        match parts.filter(|(ty, _)| !ty.contains(char::is_whitespace)) {
            Some((ty, message)) => (ty.to_owned(), Some(message.to_owned())),
            None => (self.title.clone(), detail()),
        }
    }
}

/// New output, for a line in a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputNote {
    /// Number of lines, with an unfinished last one.
    pub lines: u64,
    /// Number of the oldest lines that were dropped.
    pub lost: u64,
    /// The last lines.
    pub tail: Vec<OutputLine>,
    /// The value of `since` that reads them.
    pub since: u64,
}

/// How the debuggee ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// It exited with this code.
    Code(i64),
    /// This signal ended it.
    Signal(i32),
    /// It ended by itself; the adapter does not report how.
    Unknown,
    /// Ended on request of the caller.
    Requested,
    /// Detached; the process keeps running.
    Detached,
    /// Abandoned before the adapter was attached.
    NotAttached,
}

/// The step of the ladder of endings that ended the debuggee.
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
    /// The session.
    pub session: SessionId,
    /// How the debuggee ended.
    pub status: ExitStatus,
    /// The reason for an end without an exit of the debuggee: "adapter died: …".
    pub cause: Option<String>,
    /// The meaning of its last lines, if the code does not have it.
    pub means: Option<String>,
    /// The rung that ended it.
    pub rung: Rung,
    /// Output since the last stop.
    pub output: OutputNote,
    /// Number of hits of log breakpoints since the last stop.
    pub log_hits: usize,
    /// All breakpoints at the end; some may never be bound or hit.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Reason why child processes may have reached breakpoints without hits: they run without the
    /// debugger.
    pub unfollowed: Option<String>,
    /// Time from the last resume, or from the call that launched, to the end.
    pub elapsed: Duration,
    /// The part of it that builds took, for an end before the first stop.
    pub built: Option<Duration>,
    /// Notes, the oldest first.
    pub notes: Vec<Note>,
    /// The way to start it again.
    pub again: Again,
}

/// The way to start a debuggee again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// A restart of the launch.
    Restart,
    /// The launch, as the caller wrote it, with more options as a JSON object: it debugs the next
    /// program of a command that runs several.
    Following {
        /// The call.
        call: String,
        /// The options.
        options: String,
    },
    /// The call that attached, as the caller wrote it.
    Call(String),
    /// None: there is no process to attach to.
    Nothing,
    /// A command: the session is still open.
    Command,
}

/// A running debuggee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The session.
    pub session: SessionId,
    /// Time since the last resume, or the launch.
    pub elapsed: Duration,
    /// The activity of the session while the debuggee does not run yet ("building", "starting") or
    /// has stopped ("reading a stop"); `None`: the debuggee runs.
    pub doing: Option<String>,
    /// Its use of CPU time in percent of one core; `None`: unknown.
    pub cpu_percent: Option<u32>,
    /// The stacks of its threads, if they were read.
    pub stacks: Option<Box<super::Stacks>>,
    /// All breakpoints.
    pub breakpoints: Vec<super::Breakpoint>,
    /// Reason why its child processes do not hit breakpoints, if it has some.
    pub unfollowed: Option<String>,
    /// The place of a run to a place.
    pub until: Option<Box<super::Breakpoint>>,
    /// Notes about its end, until a stop has reported them, and about an evaluation under way.
    pub notes: Vec<Note>,
    /// Output since the last stop.
    pub output: OutputNote,
    /// The value of `since` for the next `debug_wait`.
    pub cursor: Cursor,
}

/// An entry of the journal, as waits return it.
#[derive(Clone, Debug)]
pub enum Happening {
    /// A stop.
    Stopped(std::sync::Arc<Stop>),
    /// The end of the session.
    Ended(std::sync::Arc<Exit>),
}
