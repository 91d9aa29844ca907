//! What a guest may touch: programs, files of the project, probes, the session it is called for.
//!
//! Every permission is a handle that was made for this call. Nothing here performs what a plugin
//! decides; the session does.

pub(crate) mod blocking;
pub(crate) mod commands;
mod denied;
pub(crate) mod executable;
pub(crate) mod files;
mod glob;
pub mod installs;
pub(crate) mod platform;
pub(crate) mod probe;
mod refusal;
pub(crate) mod session;
pub(crate) mod workspace;
