//! The adapter of a session, as the rest of the session speaks to it.
//!
//! Knows DAP requests, the plugin's hooks around them, what the profile says ([`quirks`]), and the
//! modules and source maps that the adapter reports. The rest of the session does not read a
//! profile. Knows neither the state of the session nor its callers.

pub(crate) mod commands;
mod error;
pub(crate) mod exceptions;
pub(crate) mod library;
pub(crate) mod quirks;
pub(crate) mod source_maps;
pub(crate) mod wire;

pub use commands::Shell;
/// The parts of a `logMessage`, in the notation of DAP.
pub(crate) use dapdock_schema::{LogPiece, log_pieces};
pub use error::Error;
