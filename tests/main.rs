//! The one test binary: every area is a module, and the fake adapter is shared.

#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod caller;
mod config;
mod dap;
mod fake;
mod machine;
mod plugin;
mod process;
mod provision;
mod readme;
mod real;
mod replay;
mod session;
mod texts;
mod tidy;
mod wire;
