//! From a request to a debuggee that runs: decide, build, write files, start, connect, configure.
//!
//! Knows plans, processes and the start sequence. Knows nothing of stops.

pub(crate) mod assets;
pub(crate) mod connect;
mod error;
pub(crate) mod handshake;
pub(crate) mod order;
pub(crate) mod prepare;
pub(crate) mod program;
pub(crate) mod too_old;

pub use error::Error;
