//! A `stopped` event with what the actor knows when it arrives: the input of a reading.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::dap::event::Stopped;
use crate::model::ThreadId;
use crate::session::adapter::source_maps::Maps;
use crate::session::values::reader::Changed;

/// A pause that the caller requested and that no stop has answered yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PauseRequest {
    /// The thread that the caller named: no other one is looked for at the stop.
    pub(crate) thread: Option<ThreadId>,
    /// Tells apart pauses under way at the same time.
    pub(crate) number: u32,
    /// How often a rule of the adapter repeated it.
    pub(crate) repeats: u32,
}

impl PauseRequest {
    pub(crate) fn repeated(self) -> Self {
        Self { repeats: self.repeats + 1, ..self }
    }
}

/// A `stopped` event with what the actor knows when it arrives.
#[derive(Clone, Debug)]
pub(crate) struct StopEvent {
    pub(crate) body: Stopped,
    /// The same as JSON, for the plugin's `present.stop`.
    pub(crate) raw: Value,
    pub(crate) pause_request: Option<PauseRequest>,
    /// The caller requested a stop on entry and no stop was published yet.
    pub(crate) entering: bool,
    /// The end of the debuggee's output.
    pub(crate) output: String,
    /// The caller has chosen the exceptions to stop at: the types of one count.
    pub(crate) reads_types: bool,
    /// Expressions to evaluate at each stop.
    pub(crate) watches: Vec<String>,
    /// The host resumed without showing this stop and the adapter refused: it is shown.
    pub(crate) must_show: bool,
    /// The caller steps by instructions.
    pub(crate) by_instruction: bool,
    /// Places of the caller's breakpoints at lines, a library's included.
    pub(crate) lines: Vec<(PathBuf, u32)>,
    /// The last stop displayed the innermost frame, a library's, and the caller stepped from it.
    pub(crate) in_library: bool,
    /// What calls have changed in the thread since it last ran.
    pub(crate) changed: Changed,
    pub(crate) maps: Arc<Maps>,
}
