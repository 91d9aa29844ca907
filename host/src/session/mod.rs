//! A session: one debuggee's life under our control.
//!
//! Knows how a debuggee is started, stopped, read and ended. Refuses to know
//! MCP, how anything is worded for callers, and what any adapter is called.
//!
//! Read in this order: [`Handle`] (what can be asked), `phase` (the pure machine),
//! `actor` (the one place where state changes), the flows `prepare`, `connect`, `start`,
//! `snapshot`, `inspect` and `stack`, and what the actor keeps: `breakpoints`,
//! `journal`, `output`, `logged`, `log`. [`Sessions`] holds them all.

mod actor;
mod adapter;
mod breakpoints;
mod error;
mod handle;
mod launch;
pub mod phase;
mod record;
mod sessions;
mod setup;
mod stop;
mod target;
mod values;

pub use crate::model::Happening;
pub use crate::provision::Standing;
pub use crate::session::breakpoints::hit_condition::is_short_of;
pub use crate::session::breakpoints::place::namesakes;
pub use crate::session::target::configuration::Configured;
pub use crate::session::target::listing::{COUNTED, Targets};
pub use crate::target::launch_json::{Problem as ConfigurationProblem, Remedy, Stronger};
pub use breakpoints::BreakpointReport;
pub use error::{Error, Fault, Part};
pub use handle::{EndMode, Handle, LogHits, LogLines, Now, Watch, satisfies};
pub use sessions::Sessions;
pub use setup::{AdapterInfo, Load, Setup};
