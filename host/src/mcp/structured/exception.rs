//! An exception with its causes and frames.

use schemars::JsonSchema;
use serde::Serialize;

use super::frame::{Frame, Location};
use super::listing::Line;
use super::values::{self, Variable};
use super::written;
use crate::model::{self, CauseLink};
use crate::view::{self, Lens};

/// Data of `debug_exception`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Exception {
    /// Number of the stop in its session.
    stop: u32,
    thread_id: i64,
    /// Why the program stopped, in words.
    words: String,
    /// Type of the exception, name of the signal, or message of a panic.
    r#type: String,
    message: Option<String>,
    /// true: it was raised and may be caught; false: it was not caught; null: unknown.
    is_first_chance: Option<bool>,
    /// As the language prints it.
    stack_trace: Option<String>,
    /// Each followed by its own causes.
    causes: Vec<Cause>,
    /// There are more causes.
    causes_truncated: bool,
    /// Machine instruction of the innermost frame with its address, after a signal there.
    instruction: Option<String>,
    /// Registers that the instruction names.
    registers: Vec<Variable>,
    /// From the innermost on, to the last requested frame of the user's.
    frames: Vec<ExceptionFrame>,
    total_frames: Option<u32>,
    /// Number of the frame of the user's that it comes from; null: no frame is known.
    throwing_frame: Option<u32>,
    /// Why the frames cannot be read.
    stack_error: Option<String>,
    /// The last lines of output.
    output: Vec<Line>,
}

/// An exception that led to another one.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cause {
    /// 1: of the exception of the stop; 2: of a cause with depth 1 before it.
    depth: u32,
    link: Link,
    r#type: Option<String>,
    message: Option<String>,
    /// The user's code that raised it; null: unknown.
    location: Option<Location>,
}

/// context: the other one was raised while this one was handled; member: the other one is a group.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Link {
    Cause,
    Context,
    Member,
}

impl Cause {
    fn of(cause: &model::Cause, lens: &Lens) -> Self {
        Self {
            depth: cause.depth,
            link: match cause.link {
                CauseLink::Cause => Link::Cause,
                CauseLink::Context => Link::Context,
                CauseLink::Member => Link::Member,
            },
            r#type: written::optional(cause.ty.as_ref()),
            message: written::optional(cause.message.as_ref()),
            location: cause.frame.as_ref().map(|frame| Location::of(frame, lens)),
        }
    }
}

/// A frame with its values.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExceptionFrame {
    #[serde(flatten)]
    frame: Frame,
    /// The source line.
    code: Option<String>,
    arguments: Vec<Variable>,
    /// Arguments included; null: not requested, or not readable.
    locals: Option<Vec<Variable>>,
    /// Why the locals cannot be read.
    locals_error: Option<String>,
}

impl ExceptionFrame {
    fn of(one: &model::ExceptionFrame, lens: &Lens) -> Self {
        let (locals, error) = match &one.locals {
            None => (None, None),
            Some(Ok(locals)) => (Some(values::all(locals)), None),
            Some(Err(error)) => (None, Some(written::text(error))),
        };
        Self {
            frame: Frame::of(&one.frame, lens),
            code: written::optional(one.code.as_ref()),
            arguments: values::all(&one.arguments),
            locals,
            locals_error: error,
        }
    }
}

impl Exception {
    pub fn of(exception: &model::Exception, lens: &Lens) -> Self {
        let stop = &exception.stop;
        let at = stop.frames.get(stop.origin.unwrap_or(stop.focus));
        Self {
            stop: stop.epoch.0,
            thread_id: stop.thread.id.0,
            words: view::reason(stop),
            r#type: written::text(exception.ty.as_ref().unwrap_or(&stop.exception().0)),
            message: written::optional(exception.message.as_ref()),
            is_first_chance: exception.first_chance,
            stack_trace: written::optional(exception.trace.as_ref()),
            causes: exception.causes.iter().map(|cause| Cause::of(cause, lens)).collect(),
            causes_truncated: exception.more_causes,
            instruction: written::optional(exception.instruction.as_ref()),
            registers: values::all(&exception.registers),
            frames: exception.frames.iter().map(|one| ExceptionFrame::of(one, lens)).collect(),
            total_frames: exception.total_frames,
            throwing_frame: at.map(|frame| frame.index),
            stack_error: written::optional(exception.stack_error.as_ref()),
            output: exception.output.iter().map(Line::of).collect(),
        }
    }
}
