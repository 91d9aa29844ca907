//! The one test binary: every area is a module, and the fake adapter is shared.

#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod config;
mod dap;
mod fake;
mod machine;
mod plugin;
mod process;
mod readme;
mod replay;
mod session;
mod tidy;
