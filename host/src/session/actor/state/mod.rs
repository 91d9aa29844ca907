//! The state of an actor in parts: small machines without connection, clock and futures.
//!
//! Each part keeps its fields to itself; the actor tells it what happened and does what it returns.

pub(super) mod code;
pub(super) mod debuggee;
pub(super) mod edits;
pub(super) mod end;
pub(super) mod generation;
mod history;
pub(super) mod motion;
pub(super) mod pausing;
pub(super) mod side_effects;
pub(super) mod stops;
