//! Reading a stop: threads, stack, the frame in focus, its locals, and what changed since the
//! previous stop.
//!
//! Start at [`snapshot`]: it reads everything once after a `stopped` event. Knows how a stop is
//! read and which part of it is displayed. Values are read in [`values`](super::values); only the
//! actor changes the session's state.

mod cause_list;
mod cause_values;
pub(crate) mod changes;
mod classify;
pub(crate) mod event;
pub(crate) mod exception;
pub(crate) mod focus;
pub(crate) mod frames;
mod parameters;
pub(crate) mod rule;
pub(crate) mod snapshot;
mod source;
pub(crate) mod stack;
pub(crate) mod threads;
