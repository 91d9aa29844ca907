//! dapdock.

pub mod config;
pub mod dap;
pub mod limits;
pub mod model;
pub mod plugin;
pub mod process;
pub mod session;
pub mod view;
