//! The adapter of a session, as the rest of the session speaks to it.
//!
//! Knows DAP requests, the plugin's hooks around them, and the modules and source maps that the
//! adapter reports. Knows neither the state of the session nor its callers.

pub(crate) mod commands;
mod error;
pub(crate) mod library;
pub(crate) mod source_maps;
pub(crate) mod wire;

pub use commands::Shell;
pub use error::Error;
