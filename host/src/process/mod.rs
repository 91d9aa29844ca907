//! Processes: the only module that spawns.
//!
//! Knows processes, groups, pipes and the guard. Refuses to know DAP, sessions, plugins and MCP.
//!
//! - An [`Owner`] exists once per host and has the guard's pipe.
//! - A [`Family`] owns the processes of one session: those started through it and their
//!   descendants, found by group, by parent, and by a mark in the environment.
//!   [`Family::terminate`] returns when no process is left.
//! - A [`Process`] is one child, leader of its own group. Its output is always read, so it never
//!   blocks on a full pipe.
//! - [`Owner::run`] runs programs to their end: builds and probes.
//! - [`guard`] is the process that ends all families when the host is killed with `kill -9`.
//!
//! `PR_SET_PDEATHSIG` does not serve: it fires when the spawning thread ends, which a runtime may
//! do at any time, and it kills the adapter without the debuggee.

use std::future::Future;

mod child;
mod command;
mod detach;
mod ending;
mod error;
mod family;
pub mod guard;
mod inspect;
mod link;
mod listener;
#[cfg(target_os = "linux")]
mod nagle;
mod owner;
mod run;
mod scope;
mod signals;
mod sweep;
mod table;
mod tail;

pub use child::{Exit, Exited, Process, ProcessId, Stdin, Stdio, Stdout};
pub use command::{Command, NEUTRAL_FOLDER};
pub use detach::detach;
pub use ending::{Ending, Member, Rung};
pub use error::{CwdProblem, GuardError, SpawnError};
pub use family::{Adoption, Family};
pub use inspect::{
    cpu_time, foreign_owner, has_children, has_ended, image, interprets, parent, program, tracer,
    tracing_scope,
};
pub use link::GuardProgram;
pub use listener::{Listener, listener, loopback};
pub use owner::{Environment, Owner};
pub use run::{Finish, Output, Run, Stream};
pub use signals::{ended, terminate};
pub use table::identify;
pub use tail::{Lines, Piece, Pieces, Tail};
pub use tokio::process::{ChildStdin, ChildStdout};

/// Starts a task of this module: one per pipe, one per child, one for the guard. Each ends with its
/// pipe or process.
#[expect(
    clippy::disallowed_methods,
    reason = "a pipe must be read and a child reaped even when nobody awaits them"
)]
fn task(work: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(work);
}
