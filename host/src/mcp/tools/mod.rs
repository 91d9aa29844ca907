//! The tools, one a file: arguments, texts, effect and the function that a call runs.
//!
//! `configured`, `start` and `thread` are shared parts; `owned_request` is one of `dap_request`.

pub(super) mod attach;
pub(super) mod breakpoints;
pub(super) mod command;
pub(super) mod configured;
pub(super) mod dap_request;
pub(super) mod evaluate;
pub(super) mod exception;
pub(super) mod launch;
pub(super) mod output;
mod owned_request;
pub(super) mod pause;
pub(super) mod restart;
pub(super) mod resume;
pub(super) mod set;
pub(super) mod stack;
pub(super) mod start;
pub(super) mod status;
pub(super) mod step;
pub(super) mod stop;
pub(super) mod targets;
pub(super) mod thread;
pub(super) mod variables;
pub(super) mod wait;
