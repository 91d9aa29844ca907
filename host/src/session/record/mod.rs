//! What a session records for later reading: events, output, hits of log breakpoints, its own log.
//!
//! Plain data structures with bounds. They know no adapter and no process.

pub(crate) mod journal;
pub(crate) mod log;
pub(crate) mod log_hits;
pub(crate) mod output;
pub(crate) mod reply;
pub(crate) mod uncollected;
