//! Facts for one line below a stop, an end or the answer that the program runs. `view` has the
//! texts.

use std::path::PathBuf;

use super::{BreakpointId, NoValue, Place};

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A plugin's sentence about its plan.
    Plan(String),
    /// A call of the plugin failed, with the reason; only the first of a session.
    HookFailed(String),
    /// A message of the adapter for the user, such as a failed condition.
    Adapter(String),
    /// The program's file has no debug information.
    NoDebugInformation {
        /// The file's name.
        program: String,
    },
    /// A source was changed after the program was built or started.
    SourceIsNewer {
        /// The source.
        path: PathBuf,
    },
    /// A source cannot be read here.
    SourceIsAbsent {
        /// Its path when the program was built.
        path: PathBuf,
        /// The reason, with the source as its subject.
        why: String,
    },
    /// A run to a place did not reach it.
    NotReached {
        /// The place.
        place: Place,
        /// The line with code to which the debugger has moved it.
        moved: Option<u32>,
        /// Whether the debugger has found code there.
        found: bool,
        /// The event before.
        before: Before,
    },
    /// A step into one call ended without that call.
    NotEntered {
        /// The name of the call.
        name: String,
    },
    /// The adapter refused the exception filters that are on by default, with the reason.
    DefaultExceptionsRefused(String),
    /// The breakpoint of the stop is on another line than requested.
    Moved {
        /// The breakpoint; none: that of a run to a place.
        id: Option<BreakpointId>,
        /// The requested place.
        place: Place,
    },
    /// Code ran in the frame of the stop after the exception was raised there.
    RanOn {
        /// The line up to which it ran.
        line: u32,
        /// The exception's type.
        ty: String,
    },
    /// The adapter could not read the stack, in the adapter's words.
    StackUnread(String),
    /// The condition of a breakpoint at the stop could not be evaluated: the breakpoint counts as
    /// hit.
    ConditionUnread {
        /// The breakpoint.
        id: BreakpointId,
        /// Its condition.
        condition: String,
        /// Why it has no value.
        why: NoValue,
    },
    /// The adapter refused to resume from a hidden stop, in the adapter's words.
    CannotResume(String),
    /// The program printed faster than it was read.
    OutputLost {
        /// The lost bytes.
        bytes: u64,
    },
    /// Exception filters set earlier that this adapter does not have.
    UnknownExceptions {
        /// The unknown filters.
        words: Vec<String>,
        /// The adapter's filters.
        known: Vec<String>,
    },
    /// A configured tool that no plugin uses, in words.
    UnknownTool(String),
    /// The caller requested a stop on entry, and the program has ended without any stop.
    NoEntryStop,
    /// The adapter cannot end what it attached to.
    CannotEnd,
    /// The attached debuggee ends with the session; the plugin's reason.
    EndsWithSession(String),
    /// The attached debuggee has ended with the session; the plugin's reason.
    EndedOnDetach(String),
    /// The debuggee resumes after the evaluation of this expression.
    StillEvaluating(String),
}

/// The event before the place of a run was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Another stop.
    Stop,
    /// The end of the program.
    End,
}
