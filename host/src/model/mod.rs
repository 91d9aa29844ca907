//! Plain data: the waist where adapter, plugin, session and view meet.
//!
//! No serde, no async, no behaviour beyond constructors and small questions.
//! Nothing here holds a DAP reference that a caller could see: frames are
//! counted from the top, variables are named by path.

pub mod answer;
mod breakpoint;
mod errors;
mod fault;
mod id;
mod launch;
mod note;
mod output;
pub mod plan;
mod query;
mod remedy;
mod stop;
mod substitute;

pub use breakpoint::*;
pub(crate) use errors::errors;
pub use fault::Fault;
pub use id::*;
pub use launch::*;
pub use note::*;
pub use output::*;
pub use query::*;
pub use remedy::*;
pub use stop::*;
pub use substitute::*;
