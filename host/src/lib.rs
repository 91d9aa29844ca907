//! dapdock.

pub mod config;
pub mod dap;
pub mod host;
pub mod limits;
pub mod log;
pub mod mcp;
pub mod model;
mod nearest;
pub mod plugin;
pub mod process;
pub mod session;
pub mod view;
