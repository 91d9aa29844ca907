//! Breakpoints as a caller sets and sees them. Knows no adapter.

use std::path::PathBuf;

use super::{BreakpointId, ThreadId};

/// The requested place of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A line of a file.
    Line {
        /// Absolute path.
        path: PathBuf,
        /// From 1.
        line: u32,
        /// From 1, in UTF-16 code units (DAP); `None`: the first code of the line.
        column: Option<u32>,
    },
    /// A function, by its name in the debugger's spelling.
    Function(String),
    /// Where exceptions are raised: a filter (`uncaught`, or one of the adapter) or a type by its
    /// name.
    Exception(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line { path, line, .. } => write!(f, "{}:{line}", path.display()),
            Self::Function(name) => f.write_str(name),
            Self::Exception(word) => write!(f, "exception {word}"),
        }
    }
}

impl Place {
    /// The filter or type of a breakpoint on exceptions.
    pub fn exception(&self) -> Option<&str> {
        match self {
            Self::Exception(word) => Some(word),
            Self::Line { .. } | Self::Function(_) => None,
        }
    }
}

/// The request for a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointSpec {
    /// The place.
    pub place: Place,
    /// An expression of the debuggee's language; the breakpoint stops only if it is true.
    pub condition: Option<String>,
    /// The hit condition: `3` or `== 3`, `>= 3`, `> 3`, `% 3`.
    pub hit_condition: Option<String>,
    /// The text of a log breakpoint, with `{expression}`.
    pub log: Option<String>,
    /// Logs only every n-th hit.
    pub every: Option<u32>,
    /// Logs this many hits at most.
    pub max_hits: Option<u32>,
}

impl BreakpointSpec {
    /// A breakpoint without conditions.
    pub fn at(place: Place) -> Self {
        Self { place, condition: None, hit_condition: None, log: None, every: None, max_hits: None }
    }
}

/// State of a breakpoint in the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Not sent to an adapter yet.
    Pending,
    /// Sent; the adapter reports the line once the code is loaded.
    Unconfirmed,
    /// Bound; `line` differs from the requested one if that has no code.
    Bound {
        /// The line with the code.
        line: Option<u32>,
    },
    /// Set by a command of the debugger's own language.
    SetByCommand {
        /// The adapter's number.
        number: i64,
        /// The command that deletes it.
        delete: Option<String>,
    },
    /// Refused by the adapter.
    Refused {
        /// The reason, in the adapter's words if it has some.
        reason: String,
        /// Lines or functions near the requested place.
        nearest: Nearest,
    },
    /// From an earlier session, with a condition that is invalid in this language: not sent.
    BadCondition {
        /// The debugger's error.
        why: String,
    },
    /// From an earlier session, in a file that this adapter does not debug: not sent.
    Foreign {
        /// The name of this adapter.
        adapter: String,
    },
}

/// Places with code near one without code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// Lines, ascending; empty: unknown.
    Lines(Vec<u32>),
    /// Names of similar functions, the most similar first.
    Functions(Vec<String>),
}

impl Nearest {
    /// Whether no place is known.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.is_empty(),
            Self::Functions(names) => names.is_empty(),
        }
    }
}

impl Default for Nearest {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

/// A breakpoint with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// The host's own number.
    pub id: BreakpointId,
    /// The request of the caller.
    pub spec: BreakpointSpec,
    /// A disabled breakpoint is listed and never stops.
    pub enabled: bool,
    /// The state in the adapter.
    pub binding: Binding,
    /// Number of its stops or log messages in this session.
    pub hits: u32,
    /// Number of log messages that `every` or `max_hits` suppressed.
    pub suppressed: u32,
    /// Who has set it.
    pub author: Author,
    /// The file of a breakpoint on a function, once the adapter has reported it or a stop is there.
    pub file: Option<PathBuf>,
}

/// Who sets breakpoints. Those of an editor come and go with it, next to those of the callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Author {
    /// A caller, who may change all of them.
    #[default]
    Caller,
    /// An editor, which changes its own alone: those of a caller stay as they are.
    Editor,
}

/// Changes to the set of breakpoints by one call, applied in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointEdit {
    /// Who makes them.
    pub author: Author,
    /// Removes all first.
    pub clear: bool,
    /// Removes these.
    pub remove: Vec<BreakpointId>,
    /// Enables these.
    pub enable: Vec<BreakpointId>,
    /// Disables these.
    pub disable: Vec<BreakpointId>,
    /// Adds these; one at the place of an existing breakpoint replaces its conditions.
    pub set: Vec<BreakpointSpec>,
    /// Replaces the breakpoints on exceptions: `uncaught`, `all`, `panic`, names of the adapter or
    /// of types; `none` or an empty list: none is left.
    pub exceptions: Option<Vec<String>>,
    /// Leaves out names of exceptions that the adapter does not have: they are of another one.
    pub fitting_exceptions: bool,
}

/// One hit of a log breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHit {
    /// The log breakpoint.
    pub id: BreakpointId,
    /// Number of the hit, from 1.
    pub number: u32,
    /// Name of the thread, if it is known.
    pub thread: Option<String>,
    /// Its id, if it is known.
    pub thread_id: Option<ThreadId>,
    /// The rendered text.
    pub text: String,
}
