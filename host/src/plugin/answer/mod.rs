//! Answers of a guest: manifest, plan, hooks, presentation and translation.
//!
//! Every answer is checked before use and turned into the host's own model.

pub(crate) mod convert;
pub(crate) mod hooks;
pub(crate) mod manifest;
pub(crate) mod pins;
pub(crate) mod plan;
pub(crate) mod present;
pub(crate) mod profile;
pub(crate) mod resolve;
pub(crate) mod schema;
pub(crate) mod translate;
pub(crate) mod version;
