//! What callers write as text: breakpoints, places and command lines.
//!
//! Refuses to know sessions and debuggees.

pub(super) mod breakpoint;
pub(super) mod shell;
pub(super) mod written;
