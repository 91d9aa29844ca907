//! What the plugin stores for a session.

use dapdock_plugin::prelude::*;

use crate::included::LeftOut;

/// The state of a session.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct State {
    pub entry: Entry,
    /// Source files that the build leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
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
    Set { names: Vec<String>, callers: Vec<dap::FunctionBreakpoint> },
    /// One of them was hit; these are the caller's.
    Reached(Vec<dap::FunctionBreakpoint>),
}
