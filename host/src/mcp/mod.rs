//! The front: tools for agents, over MCP.
//!
//! The only module that names `rmcp` and `schemars`. Knows tools, arguments and waits; knows no DAP
//! and no plugin. How a result reads is made in [`crate::view`]; only errors about arguments are
//! worded here.
//!
//! One declaration, many projections: a tool is one file under `tools` with an argument struct
//! whose doc comments are the descriptions, a title, four hints and one async function. The list,
//! the schemas, the checks of arguments and the literal calls in errors are all derived from it.

mod arguments;
mod breakpoint;
mod call;
mod connection;
mod declared;
mod instructions;
mod lines;
mod message;
mod problem;
mod progress;
mod registry;
mod repair;
mod request;
mod schema;
mod search;
mod serve;
mod server;
mod shell;
#[cfg(test)]
mod tests;
mod tool;
mod tools;
mod wait;
mod written;

pub use declared::Declared;
pub use instructions::INSTRUCTIONS;
pub use registry::declared;
pub use serve::{Transport, serve, stdio};
pub use server::Server;
