//! MCP resources: what the tools report about sessions and adapters, by address.
//!
//! A resource is the answer of a tool, so that an agent without resources reads the same text.
//! Knows addresses, lists and subscriptions. Refuses to know what is in a text.

mod address;
mod list;
mod mark;
mod read;
mod source;
mod subscriptions;
mod tool;
mod updates;

pub(super) use list::{resources, templates, variables, with_variable};
pub(super) use read::read;
pub(super) use source::read_for as read_source;
pub(super) use subscriptions::Subscriptions;
pub(super) use updates::{Receiver, follow};
