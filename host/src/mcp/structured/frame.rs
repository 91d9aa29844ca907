//! Frames and threads.

use schemars::JsonSchema;
use serde::Serialize;

use super::written;
use crate::model::{self, FrameKind, ThreadStack};
use crate::view::Lens;

/// A place in the program.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: String,
}

impl Location {
    pub fn of(frame: &model::Frame, lens: &Lens) -> Self {
        Self {
            file: written::path(frame.path.as_deref(), lens),
            line: line(frame),
            function: written::text(&frame.name),
        }
    }
}

/// The line, if it is known.
pub(super) fn line(frame: &model::Frame) -> Option<u32> {
    (frame.line > 0).then_some(frame.line)
}

/// A frame.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    /// From 0, the innermost; `frame` of tools takes it.
    index: u32,
    #[serde(flatten)]
    location: Location,
    column: Option<u32>,
    /// Address of the next instruction.
    pc: Option<String>,
    /// Code of a library or the runtime.
    library: bool,
}

impl Frame {
    pub fn of(frame: &model::Frame, lens: &Lens) -> Self {
        Self {
            index: frame.index,
            location: Location::of(frame, lens),
            column: (frame.column > 0).then_some(frame.column),
            pc: frame.pc.clone(),
            library: frame.kind == FrameKind::Library,
        }
    }
}

/// A thread with its stack.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    id: i64,
    name: String,
    /// The thread that stopped.
    stopped: bool,
    running: bool,
    /// Why it waits.
    waits: Option<String>,
    frames: Vec<Frame>,
    /// Why its frames cannot be read.
    error: Option<String>,
    /// Number of all its frames.
    total_frames: Option<u32>,
    /// There are more frames.
    more: bool,
}

impl Thread {
    pub fn of(stack: &ThreadStack, lens: &Lens) -> Self {
        let frames = stack.frames.as_deref().unwrap_or_default();
        Self {
            id: stack.thread.id.0,
            name: written::text(&stack.thread.name),
            stopped: stack.stopped,
            running: stack.running,
            waits: written::optional(stack.waits.as_ref()),
            frames: frames.iter().map(|frame| Frame::of(frame, lens)).collect(),
            error: stack.frames.as_ref().err().map(|words| written::text(words)),
            total_frames: stack.total,
            more: stack.more,
        }
    }
}

/// Data of `debug_stack`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Stacks {
    threads: Vec<Thread>,
    /// Number of threads before these.
    start: u32,
    /// Number of all threads; of one thread: 1.
    total: u32,
    /// The debugger lists about this many threads at most.
    limit: Option<u32>,
}

impl Stacks {
    pub fn of(stacks: &model::Stacks, lens: &Lens) -> Self {
        Self {
            threads: stacks.threads.iter().map(|stack| Thread::of(stack, lens)).collect(),
            start: stacks.start,
            total: stacks.of,
            limit: stacks.limit,
        }
    }
}
