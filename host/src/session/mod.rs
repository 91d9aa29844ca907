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
mod alike;
mod asked;
mod assets;
mod assign;
mod breakpoints;
mod children;
mod compare;
mod configured;
mod connect;
mod elements;
mod error;
mod exceptions;
mod handle;
mod heirs;
mod hit;
mod inspect;
mod journal;
mod keys;
mod locations;
mod log;
mod logged;
mod logpoint;
mod maps;
mod meaning;
mod modules;
mod named;
mod outdated;
mod output;
mod path;
pub mod phase;
mod place;
mod prepare;
mod program;
mod project;
mod read;
mod reply;
mod select;
mod sessions;
mod shown;
mod snapshot;
mod stack;
mod start;
mod targets;
mod wire;

pub use crate::launch_json::{Problem as ConfigurationProblem, Remedy, Stronger};
pub use crate::model::Happening;
pub use crate::provision::Standing;
pub use configured::Configured;
pub use error::{Error, Fault, Part};
pub use handle::{BreakpointReport, EndMode, Handle, LogHits, LogLines, Now, Watch, satisfies};
pub use hit::is_short_of;
pub use place::namesakes;
pub use sessions::{AdapterInfo, Load, Sessions, Setup};
pub use targets::{COUNTED, Targets};
