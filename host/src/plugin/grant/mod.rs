//! Permissions of a guest: programs, files of the project, probes, the session of the call.
//!
//! Every permission is a handle made for one call. The room runs nothing but probes; the session
//! carries out plans.

pub(crate) mod blocking;
pub(crate) mod commands;
mod denied;
pub(crate) mod executable;
mod extension;
pub(crate) mod files;
mod glob;
pub mod installs;
pub(crate) mod platform;
pub(crate) mod probe;
mod refusal;
pub(crate) mod session;
pub(crate) mod workspace;
