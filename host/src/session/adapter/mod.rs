//! The adapter of a session, as the rest of the session speaks to it.
//!
//! Knows DAP requests, the hooks of the plugin around them, and what is learned about the adapter's
//! modules and source maps. Knows neither the state of the session nor its callers.

pub(crate) mod library;
pub(crate) mod source_maps;
pub(crate) mod wire;
