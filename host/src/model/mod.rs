//! Plain data that adapters, plugins, sessions and views share.
//!
//! No serde, no async, no behaviour beyond constructors and simple questions. No text for a caller
//! needs a DAP reference: frames have an index from the top, variables a path.

pub mod answer;
mod breakpoint;
mod choice;
mod errors;
mod exception;
mod fault;
mod id;
mod launch;
mod log_sink;
mod note;
mod output;
pub mod plan;
mod query;
mod remedy;
mod stop;
mod substitute;
mod tools;

pub use breakpoint::*;
pub use choice::*;
pub(crate) use errors::errors;
pub use exception::*;
pub use fault::Fault;
pub use id::*;
pub use launch::*;
pub use log_sink::*;
pub use note::*;
pub use output::*;
pub use query::*;
pub use remedy::*;
pub use stop::*;
pub use substitute::*;
pub use tools::*;
