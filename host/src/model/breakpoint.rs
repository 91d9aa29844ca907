//! Breakpoints as the caller knows them.

use std::path::PathBuf;

use super::BreakpointId;

/// Where a breakpoint is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A line of a file, both from 1; the path is absolute.
    Line {
        /// Absolute path.
        path: PathBuf,
        /// From 1.
        line: u32,
        /// From 1; none: the line's first code.
        column: Option<u32>,
    },
    /// A function by name, in the debugger's own spelling.
    Function(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line { path, line, .. } => write!(f, "{}:{line}", path.display()),
            Self::Function(name) => f.write_str(name),
        }
    }
}

/// The breakpoint as the caller requested it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointSpec {
    /// Where.
    pub place: Place,
    /// An expression of the debuggee's language; stops only when it is true.
    pub condition: Option<String>,
    /// `3` or `== 3`, `>= 3`, `> 3`, `% 3`.
    pub hit_condition: Option<String>,
    /// Makes a log breakpoint: text with `{expression}`, never stops.
    pub log: Option<String>,
    /// Log only every n-th hit.
    pub every: Option<u32>,
    /// Log at most so many hits, then fall silent.
    pub max_hits: Option<u32>,
}

impl BreakpointSpec {
    /// A plain breakpoint at a place.
    pub fn at(place: Place) -> Self {
        Self { place, condition: None, hit_condition: None, log: None, every: None, max_hits: None }
    }
}

/// What the adapter made of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Not sent to an adapter yet.
    Pending,
    /// The adapter accepted it and reports its place once the code is loaded.
    Unconfirmed,
    /// Bound; `line` differs from the wanted one where that has no code.
    Bound {
        /// The line that holds the code.
        line: Option<u32>,
    },
    /// The adapter refuses it, in its own words where it has some.
    Refused {
        /// Why.
        reason: String,
        /// What is there instead.
        nearest: Nearest,
    },
    /// From an earlier session; its condition is invalid in this language: not sent.
    BadCondition {
        /// The debugger's words.
        why: String,
    },
    /// From an earlier session, in a file that this adapter does not debug: not sent.
    Foreign {
        /// The adapter.
        adapter: String,
    },
}

/// What there is instead of a place that has no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// Lines with code nearby, ascending; empty: not known.
    Lines(Vec<u32>),
    /// Functions with a similar name, the most similar first.
    Functions(Vec<String>),
}

impl Nearest {
    /// Is nothing known?
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

/// One breakpoint with its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// The host's own number.
    pub id: BreakpointId,
    /// The request of the caller.
    pub spec: BreakpointSpec,
    /// Disarmed but listed when false.
    pub enabled: bool,
    /// What the adapter made of it.
    pub binding: Binding,
    /// How often the debuggee stopped (or logged) there in this session.
    pub hits: u32,
    /// Log hits that `every` or `max_hits` suppressed.
    pub suppressed: u32,
}

/// Changes to the set of breakpoints, applied in this order, in one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointEdit {
    /// Remove all first.
    pub clear: bool,
    /// Remove these.
    pub remove: Vec<BreakpointId>,
    /// Arm these again.
    pub enable: Vec<BreakpointId>,
    /// Keep these unarmed.
    pub disable: Vec<BreakpointId>,
    /// Add these; one at a place that has one replaces its conditions.
    pub set: Vec<BreakpointSpec>,
    /// Replace the exceptions that stop the debuggee: `uncaught`, `all`,
    /// `panic`, `none`, or the adapter's own words.
    pub exceptions: Option<Vec<String>>,
}

/// One hit of a log breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHit {
    /// Which breakpoint.
    pub id: BreakpointId,
    /// Which hit of it, from 1.
    pub number: u32,
    /// Name of the thread, where it is known.
    pub thread: Option<String>,
    /// The rendered text.
    pub text: String,
}
