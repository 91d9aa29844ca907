//! Reading a stop: threads, stack, the frame to show, and what changed since the stop before.
//!
//! Knows how a stop is read and which part of it is shown. Values are read in
//! [`values`](super::values); the state of the session changes in its actor only.

pub(crate) mod changes;
pub(crate) mod ending_words;
pub(crate) mod focus;
pub(crate) mod snapshot;
pub(crate) mod stack;
