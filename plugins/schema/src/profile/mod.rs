//! The profile: the behaviour of one adapter, as data, in sections. Every key has one meaning, and
//! its default is what the DAP specification says.

mod breakpoints;
mod evaluate;
mod frames;
mod leave;
mod output;
mod pause;
mod start;
mod values;

use serde::{Deserialize, Serialize};

pub use breakpoints::*;
pub use evaluate::*;
pub use frames::*;
pub use leave::*;
pub use output::*;
pub use pause::*;
pub use start::*;
pub use values::*;

/// Facts about the behaviour of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// `launch`, `attach` and the connection.
    pub start: StartProfile,
    /// `pause` and the reasons of stops.
    pub pause: PauseProfile,
    /// Breakpoints and log points.
    pub breakpoints: BreakpointProfile,
    /// `evaluate`, the debugger's own commands, and texts of errors.
    pub evaluate: EvaluateProfile,
    /// Variables and exceptions.
    pub values: ValueProfile,
    /// Frames, threads and sources.
    pub frames: FrameProfile,
    /// Output of the debuggee and of the adapter.
    pub output: OutputProfile,
    /// `disconnect` and the end of the debuggee.
    pub leave: LeaveProfile,
}
