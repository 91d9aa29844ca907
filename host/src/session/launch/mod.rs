//! From a request to a running debuggee: plan, build, write files, start, connect, configure.
//!
//! Knows plans, processes and the start sequence. Refuses to know stops.
//!
//! In reading order: `order` (input and result), `prepare` (the flow), `plan`, `build`,
//! `ports`, `spawn`, `connect`, then `handshake` (the start sequence of DAP) with `source_names`.

pub(crate) mod assets;
mod build;
pub(crate) mod connect;
mod error;
pub(crate) mod handshake;
pub(crate) mod install;
pub(crate) mod order;
mod plan;
mod ports;
pub(crate) mod prepare;
pub(crate) mod program;
mod source_names;
mod spawn;
pub(crate) mod too_old;

pub use error::Error;
pub(crate) use spawn::{died, last_lines};
