//! What the plugin stores for a session.

use dapdock_plugin::prelude::*;

/// The state of a session.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct State {
    pub entry: Entry,
    /// Delve reads long strings whole.
    pub reads_long_strings: bool,
}

/// The breakpoint at the program's `main` for a stop on entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub enum Entry {
    #[default]
    None,
    Requested,
    Set,
}
