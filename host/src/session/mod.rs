//! A session: one debuggee's life under our control.
//!
//! Knows how a debuggee is started, stopped, read and ended. Refuses to know
//! MCP, how anything is worded for callers, and what any adapter is called.

mod error;
mod handle;

pub use error::{Error, Fault};
pub use handle::{BreakpointReport, EndMode, Handle, Watch, satisfies};
