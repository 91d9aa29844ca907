//! A session: one debuggee, from its start to its end.
//!
//! Knows how a debuggee is started, stopped, read and ended. Knows no MCP, no texts for callers and
//! no adapter by name.
//!
//! Read in this order: [`Handle`] (the calls), `phase` (the pure machine), `actor` (the one place
//! where state changes), the flows in `launch`, `stop` and `values`, the state of the actor in
//! `breakpoints` and `record`. [`Sessions`] owns all sessions.

mod actor;
mod adapter;
mod breakpoints;
mod choices;
mod claim;
mod clients;
mod error;
mod feed;
mod handle;
mod later_breakpoints;
mod launch;
mod live;
mod mirrored;
pub mod phase;
mod record;
mod restart;
mod sessions;
mod setup;
mod stop;
mod values;

pub use crate::model::Happening;
pub use crate::plugin::Refused;
pub use crate::provision::Standing;
pub use crate::session::breakpoints::hit_condition::is_short_of;
pub use crate::session::breakpoints::logpoint::has_written_all;
pub use crate::session::breakpoints::place::namesakes;
pub use crate::target::launch_json::{
    Overrides, Problem as ConfigurationProblem, Remedy as ConfigurationRemedy,
};
pub use crate::target::{AdapterInfo, COUNTED, Configured, Error as TargetError, Targets};
pub(crate) use adapter::exceptions::{is_word as is_exception_word, names as names_type};
pub use adapter::{Error as AdapterError, Shell};
pub use breakpoints::{BreakpointReport, Error as BreakpointError, RefusedPart};
pub use claim::{ClaimId, Deed, Door, GivenBack, Mark};
pub use error::{Error, Fault};
pub use feed::{Collector, Event, EventKind, Feed, LogLine, Revision};
pub use handle::{
    CommandOutput, CommandQuery, EndMode, Handle, LogHits, LogLines, Now, OutputForm, RawRequest,
    StopAnswer, StopQuery, StopRead, Watch, satisfies,
};
pub use launch::Error as LaunchError;
pub use live::{Followed, LiveEvent, State};
pub use mirrored::Mirrored;
pub use record::uncollected::{Collected, LateCommand};
pub use sessions::Sessions;
pub use setup::{Additions, Load, Setup};
pub use values::Error as ValueError;
