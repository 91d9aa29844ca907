//! What the plugin stores for a session.

use dapdock_plugin::prelude::*;

use crate::included::LeftOut;
use crate::panics::Raised;
use crate::pauses::Pauses;

/// The state of a session.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct State {
    pub entry: Entry,
    pub raised: Raised,
    /// The caller's function breakpoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<dap::FunctionBreakpoint>,
    /// Source files that the build leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    pub pauses: Pauses,
    /// Delve reads long strings whole.
    pub reads_long_strings: bool,
}

/// The breakpoints for a stop on entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub enum Entry {
    #[default]
    None,
    /// In these functions.
    Requested(Vec<String>),
    /// They are set, beside the caller's function breakpoints.
    Set(EntryBreakpoints),
    /// One of them was hit.
    Reached,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub struct EntryBreakpoints {
    /// The functions.
    pub names: Vec<String>,
    /// Delve's numbers of the breakpoints in these functions, once it has answered.
    pub ids: Vec<i64>,
}
