//! dapdock.

pub mod dap;
pub mod limits;
pub mod model;
pub mod process;
pub mod session;
