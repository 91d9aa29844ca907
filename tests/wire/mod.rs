//! The shipped binary seen by MCP clients, our own and another one: protocol, cancellation, and
//! that all its processes end with it.

mod calls;
mod command_line;
mod completion;
mod conformance;
mod defaults;
mod doors;
mod endings;
mod exception;
mod faked;
mod http;
mod inspector;
mod invalid;
mod joining;
mod logging;
mod mirror;
mod net;
mod no_dap;
mod notifications;
mod outside;
mod permissions;
mod prompts;
mod protocol;
mod raw;
mod resources;
mod roots;
mod silent;
mod structured;
mod tasks;
mod toolsets;
mod trust;
mod typescript;
mod viewport;
mod waits;
