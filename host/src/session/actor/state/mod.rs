//! The state of an actor in parts: small machines without connection, clock and futures.
//!
//! The actor tells a machine what happened and does what it returns; the machine stores replies and
//! answers none. `code` is a record.

pub(super) mod code;
pub(super) mod cpu_sample;
pub(super) mod debuggee;
pub(super) mod edits;
pub(super) mod end;
pub(super) mod generation;
mod history;
pub(super) mod motion;
pub(super) mod pausing;
pub(super) mod side_effects;
pub(super) mod stops;
