//! Which adapter debugs a target, and what can be debugged in a project.
//!
//! Asks manifests first and plugins where a manifest cannot decide. Starts nothing.

pub(crate) mod choose;
pub(crate) mod claim;
pub(crate) mod configuration;
pub(crate) mod listing;
pub(crate) mod project;
pub(crate) mod request;
pub(crate) mod stand_in;
pub(crate) mod test_name;
