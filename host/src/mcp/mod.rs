//! Tools for agents, over MCP.
//!
//! The only module that names `rmcp` and `schemars`. Knows tools, arguments and waits. Knows no DAP
//! and no plugin. [`crate::view`] writes results and errors of sessions; errors of a call itself
//! (of its arguments) are written here.
//!
//! A tool is one file in `tools`: an argument struct with doc comments, a title, a description, an
//! effect and one async function. List, schemas, checks of arguments and calls in errors are
//! derived from it.
//!
//! Files, from the bottom: `declared`, `problem`, `request`, `outcome`, `memory` (state between
//! calls), `concern` (the session of a call), `call` (the types of a call); `structured` (results
//! as data); `calls`, `names`, `places` (words of other debug servers); `arguments`, `text`
//! (reading what the caller wrote); `tool`; `wait`; `repair` (answers to failed calls); `tools`;
//! `registry` (all tools); `compat` (our tools under the names of other debug servers); `toolset`
//! (the tools of one server); `listing`; `caller` (how a tool runs); `resources`, `prompts`,
//! `completion`, `notifications`, `usage`, `tasks`; `joining`, `watched` (requests of the command
//! line); `server`, `connection`, `serve`, `http` (the protocol).

mod arguments;
mod asking;
mod call;
mod caller;
mod calls;
mod client;
mod compat;
mod completion;
mod concern;
mod connection;
mod declared;
pub mod http;
mod instructions;
mod joining;
mod lines;
mod listing;
mod meaning;
mod memory;
mod message;
mod names;
mod notifications;
mod origin;
mod outcome;
mod places;
mod problem;
mod progress;
mod prompts;
mod registry;
mod repair;
mod request;
mod resources;
mod roots;
mod schema;
mod search;
mod serve;
mod server;
mod structured;
mod tasks;
#[cfg(test)]
mod tests;
mod text;
mod tool;
mod tools;
mod toolset;
mod usage;
mod verb;
mod wait;
mod watched;

pub use client::{Answer, Client, ClientError, Joining, Reader};
pub use compat::of_families;
pub use declared::Declared;
pub use instructions::INSTRUCTIONS;
pub use origin::Origin;
pub use registry::declared;
pub use roots::Roots;
pub use serve::{Transport, serve, serve_socket, stdio};
pub use server::Server;
pub use toolset::{ChoiceError, Tools};
pub use verb::{Short, Verb, Words};
pub use watched::WatchEvent;
