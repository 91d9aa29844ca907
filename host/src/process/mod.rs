//! The only place that spawns. Knows processes, groups, pipes and the guard; knows nothing of DAP,
//! sessions, plugins or MCP.
//!
//! - An [`Owner`] exists once per host, starts nothing by itself, and holds the guard's pipe.
//! - A [`Family`] is what one session owns: every process started through it, and all they bring
//!   about, found by group, by descent, and by a mark in the environment. [`Family::terminate`]
//!   returns when nothing is left.
//! - A [`Process`] is one child, leader of a group of its own. Its output is always read, so it
//!   never blocks on us.
//! - [`Owner::run`] is for programs that run to their end: builds and probes.
//! - [`guard`] is the process that outlives a host killed with `kill -9` and ends what it owned.
//!
//! There is no `PR_SET_PDEATHSIG`: it is tied to the spawning thread, which in a runtime may end at
//! any time, and it takes the adapter without the debuggee.

use std::future::Future;

mod child;
mod command;
mod error;
mod family;
pub mod guard;
mod link;
mod listener;
#[cfg(target_os = "linux")]
mod nagle;
mod owner;
mod run;
mod scope;
mod sweep;
mod table;
mod tail;

pub use child::{Exit, Exited, Process, ProcessId, Stdin, Stdio, Stdout};
pub use command::{Command, NEUTRAL_FOLDER};
pub use error::{CwdProblem, GuardError, SpawnError};
pub use family::{Adoption, Ending, Family, Member, Rung};
pub use link::GuardProgram;
pub use listener::{Listener, listener, loopback};
pub use owner::Owner;
pub use run::{Finish, Output, Run, Stream};
pub use table::{
    cpu_time, ended, foreign_owner, has_children, has_ended, identify, image, program, tracer,
    tracing_scope,
};
pub use tail::{Lines, Piece, Pieces, Tail};
pub use tokio::process::{ChildStdin, ChildStdout};

/// The tasks of this module: one per pipe, one per child, one for the guard. Each ends with what it
/// reads or reaps.
#[expect(
    clippy::disallowed_methods,
    reason = "a pipe must be read and a child reaped even when nobody awaits them"
)]
fn task(work: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(work);
}
