//! Results as data for programs (MCP, `structuredContent` and `outputSchema`): the second
//! projection of an [`Outcome`], next to its text.
//!
//! The types here are the schemas, too: a result has the form that its tool lists. A field without
//! a value is null. Knows the model, and how a caller writes paths. Refuses to ask the debugger:
//! the state of the session comes from the memory of the session.

mod answer;
mod breakpoints;
mod command;
mod context;
mod ended;
mod exception;
mod facts;
mod failure;
mod forms;
mod frame;
mod listing;
mod movement;
mod response;
mod schema;
mod started;
mod status;
mod values;
mod written;

pub(super) use answer::answer;
pub(super) use breakpoints::Breakpoints;
pub(super) use command::CommandOutput;
pub(super) use ended::Ended;
pub(super) use exception::Exception;
pub(super) use forms::Forms;
pub(super) use frame::Stacks;
pub(super) use listing::{Output, Targets};
pub(super) use movement::{Movement, Step};
pub(super) use response::Response;
pub(super) use schema::{of, own};
pub(super) use started::Started;
pub(super) use status::Status;
pub(super) use values::{Assignment, Evaluations, Variable, Variables};
