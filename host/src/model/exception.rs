//! An exception at a stop, with its causes and the frames it comes from. Knows no DAP.

use std::sync::Arc;

use super::{Frame, OutputLine, Stop, Variable};

/// A query for the exception at the stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionQuery {
    /// User frames at most.
    pub frames: u32,
    /// How many of them, from the innermost, are read with their locals.
    pub locals_for: u32,
    /// Causes at most.
    pub causes: u32,
}

impl ExceptionQuery {
    /// Causes of a query at most.
    pub const MOST_CAUSES: u32 = 50;
}

impl Default for ExceptionQuery {
    fn default() -> Self {
        Self { frames: 5, locals_for: 1, causes: 5 }
    }
}

/// The answer to an [`ExceptionQuery`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The stop, with class and title.
    pub stop: Arc<Stop>,
    /// Whether the program may still catch it; `None`: unknown.
    pub first_chance: Option<bool>,
    /// Type of the exception, if it is known apart from its message.
    pub ty: Option<String>,
    /// Its message.
    pub message: Option<String>,
    /// The stack trace as the language prints it.
    pub trace: Option<String>,
    /// Causes, each followed by its own.
    pub causes: Vec<Cause>,
    /// Whether there are more causes.
    pub more_causes: bool,
    /// The machine instruction of the innermost frame with its address, after a signal there.
    pub instruction: Option<String>,
    /// Registers that the instruction names.
    pub registers: Vec<Variable>,
    /// Frames from the innermost on: at most as many user frames as requested, and library frames
    /// between and above them.
    pub frames: Vec<ExceptionFrame>,
    /// Number of all frames, if it is known.
    pub total_frames: Option<u32>,
    /// Whether there are more frames.
    pub more_frames: bool,
    /// Why there are no frames, in the adapter's words.
    pub stack_error: Option<String>,
    /// The last lines of output.
    pub output: Vec<OutputLine>,
}

/// An exception that led to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// 1: a cause of the exception of the stop; 2: of one with depth 1.
    pub depth: u32,
    /// How it led to the exception above it.
    pub link: CauseLink,
    /// Its type.
    pub ty: Option<String>,
    /// Its message.
    pub message: Option<String>,
    /// The user frame that raised it, or else the innermost; `None`: unknown.
    pub frame: Option<Frame>,
}

/// How an exception led to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CauseLink {
    /// The other one names it as its cause, or wraps it.
    Cause,
    /// The other one was raised while it was handled.
    Context,
    /// The other one is a group of several.
    Member,
}

/// A frame with its source line and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionFrame {
    /// The frame.
    pub frame: Frame,
    /// The source line, if it can be read.
    pub code: Option<String>,
    /// Arguments of the call; empty for library frames.
    pub arguments: Vec<Variable>,
    /// All locals, arguments included, or why they cannot be read; `None`: not requested.
    pub locals: Option<Result<Vec<Variable>, String>>,
}
