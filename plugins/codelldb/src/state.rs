//! What the plugin stores for a session, from one call to the next.

use dapdock_plugin::prelude::*;

use crate::log_points::LogPoints;
use crate::other_stops::OtherStops;
use crate::registers::Registers;
use crate::step_in::StepIn;
use crate::unset::Unset;

/// What the plugin stores for a session.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct State {
    /// A Rust program.
    pub rust: bool,
    /// A core file.
    pub core: bool,
    /// Attached by address.
    pub remote: bool,
    /// What the program writes is copied by output.py.
    pub has_output: bool,
    /// The first stop of a server is still to be skipped.
    pub skip_stop: bool,
    /// Which function breakpoints stop together, see `function_breakpoints`.
    pub hits: Value,
    pub log_points: LogPoints,
    pub other_stops: OtherStops,
    /// A pause is requested: the script ends it at the next stop.
    pub pauses: bool,
    pub step_in: StepIn,
    pub unset: Unset,
    pub registers: Registers,
    /// The response to the last `setBreakpoints`, see `unwinding`.
    pub breakpoints: Value,
    pub exit_delayed: bool,
    pub disconnected: bool,
    /// The connection to the server is lost.
    pub lost: bool,
    /// The server did not answer.
    pub server_silent: bool,
}
