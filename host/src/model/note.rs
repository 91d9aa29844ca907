//! Facts that accompany a stop or an end; `view` has the words.

use std::path::PathBuf;

use super::{BreakpointId, Place};

/// One thing worth a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A plugin's sentence about its plan.
    Plan(String),
    /// A message of the adapter for the user, such as a failed condition.
    Adapter(String),
    /// The program's file holds nothing that a debugger could show.
    NoDebugInformation {
        /// The file's name.
        program: String,
    },
    /// A source was changed after the program was built from it, or had begun to run.
    SourceIsNewer {
        /// The source.
        path: PathBuf,
    },
    /// A source cannot be read here.
    SourceIsAbsent {
        /// Where it was when the program was built.
        path: PathBuf,
        /// The reason, with the source as its subject.
        why: String,
    },
    /// A run to a place has not reached it.
    NotReached {
        /// Where it was to stop.
        place: Place,
        /// Has the debugger found code there?
        found: bool,
        /// What came first.
        before: Before,
    },
    /// A step into one call has ended without it.
    NotEntered {
        /// What was to be called.
        name: String,
    },
    /// The breakpoint that was hit is on another line than it was set on.
    Moved {
        /// Which.
        id: BreakpointId,
        /// Where it was set.
        place: Place,
    },
    /// The adapter could not read the stack, in the adapter's words.
    StackUnread(String),
    /// The adapter refused to resume from a hidden stop, in the adapter's words.
    CannotResume(String),
    /// The program printed faster than it was read.
    OutputLost {
        /// How much of it is not there.
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
    /// The adapter cannot end what it attached to.
    CannotEnd,
    /// What was attached to ends with the session, in the plugin's words why.
    EndsWithSession(String),
    /// It has ended with the session, for this reason.
    EndedOnDetach(String),
    /// The debuggee moves when the adapter is done with this expression.
    StillEvaluating(String),
}

/// What came before a place that was to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Another stop.
    Stop,
    /// The end of the program.
    End,
}
