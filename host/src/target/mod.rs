//! Which adapter debugs a target, and what can be debugged in a project: everything that happens
//! before a session exists.
//!
//! Reads manifests first and calls plugins where a manifest cannot decide. Starts nothing, except
//! that plugins may run probes. Refuses to know sessions.
//!
//! In reading order: `request` (the caller's request, checked), `project` (its directory),
//! `choose` (the plugin), for which `claims` ranks the plugins, `language` (words and files of a
//! language), `test_name` finds tests by name,
//! `stand_in` replaces a missing adapter and `listener` finds the process at an address;
//! `foreign_files` (files of other adapters), `listing` (all targets), `sources` (all files),
//! `adapters` (all adapters), `launch_json` and `configuration` (the configurations of an editor).

mod adapters;
pub(crate) mod choose;
pub(crate) mod claim;
mod claims;
mod configuration;
mod error;
mod foreign_files;
mod language;
pub mod launch_json;
mod listener;
mod listing;
pub(crate) mod project;
pub(crate) mod request;
mod sources;
pub(crate) mod stand_in;
pub(crate) mod test_name;

pub use adapters::{AdapterInfo, NoDocument, adapters, document};
pub use configuration::{Configured, configured};
pub use error::{Error, Wrapped};
pub(crate) use foreign_files::{ForeignFiles, foreign_files};
pub use listing::{COUNTED, Targets, targets};
pub use sources::sources;
