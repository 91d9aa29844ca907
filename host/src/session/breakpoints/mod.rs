//! The breakpoints of a session: what callers want, what the adapter made of it, and the calls that
//! bring the two together.
//!
//! DAP replaces all breakpoints of a file, or all on functions, at a time: each call is derived
//! from the whole [`set`], and its answer belongs to the breakpoints by position. In reading order:
//! [`entry`] is one breakpoint, [`place`] checks its file and line before the adapter sees it,
//! [`set`] changes the set, [`sync`] brings the adapter up to date,
//! [`hits`] finds those that a stop hit, [`raised`] those that an exception hit, [`bindings`] those
//! without code, and [`retained`] passes breakpoints from one set to another.
//!
//! Knows no session state: the actor owns the set and sends the calls.

mod bindings;
mod by_command;
mod call;
mod entry;
mod error;
pub(crate) mod hit_condition;
mod hits;
mod key;
mod live;
pub(crate) mod logpoint;
pub(crate) mod nearest;
pub(crate) mod place;
mod raised;
mod report;
mod retained;
mod set;
pub(crate) mod similar_functions;
mod sync;
#[cfg(test)]
mod tests;

pub(super) use self::bindings::Codeless;
pub(super) use self::call::{Call, Job};
pub(super) use self::entry::Translated;
pub use self::error::{Error, RefusedPart};
pub(super) use self::key::Origin;
pub(super) use self::raised::Raised;
pub use self::report::BreakpointReport;
pub(super) use self::retained::{Numbered, exceptions_among};
pub(super) use self::set::Breakpoints;
