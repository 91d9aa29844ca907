//! Output of commands of the debugger's own language, as the debugger wrote it.

use schemars::JsonSchema;
use serde::Serialize;

use super::movement::Movement;
use crate::mcp::outcome::Arrival;
use crate::view::Lens;

/// Data of `debug_command`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct CommandOutput {
    /// null: the command still runs.
    output: Option<String>,
    /// null: the command did not move the program.
    movement: Option<Movement>,
}

impl CommandOutput {
    pub fn of(output: Option<&str>, arrival: Option<&Arrival>, lens: &Lens) -> Self {
        Self {
            output: output.map(str::to_owned),
            movement: arrival.map(|arrival| Movement::of(arrival, lens)),
        }
    }
}
