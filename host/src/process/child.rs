//! One running process: its pipes, its output, its exit.
//!
//! Refuses to know the family that it belongs to. Dropping a [`Process`] closes its pipes and kills
//! nothing.

use std::path::PathBuf;
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;

use super::tail::Tail;

/// Identity of a process: unlike the pid alone, no later process has the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProcessId {
    /// The pid, DAP's `systemProcessId`.
    pub pid: u32,
    /// Start time in clock ticks since boot (field 22 of `/proc/PID/stat`); 0 where the system has
    /// none.
    pub start: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exit code.
    Code(i32),
    /// The signal that killed it.
    Signal(i32),
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        status.signal().map_or_else(|| Self::Code(status.code().unwrap_or(-1)), Self::Signal)
    }
}

/// A future for the exit of a process; cheap to clone.
#[derive(Clone, Debug)]
pub struct Exited(pub(super) watch::Receiver<Option<Exit>>);

impl Exited {
    /// Completes when the process is reaped. Its pipes may still contain output.
    pub async fn wait(mut self) -> Exit {
        match self.0.wait_for(Option::is_some).await.map(|exit| *exit) {
            Ok(Some(exit)) => exit,
            // The runtime ended with the task that reaps.
            _ => std::future::pending().await,
        }
    }

    /// The exit, if it has ended.
    pub fn now(&self) -> Option<Exit> {
        *self.0.borrow()
    }
}

/// Source of standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// End of file.
    Null,
    /// A pipe, see [`Process::take_stdin`].
    Piped,
    /// The content of this file.
    File(PathBuf),
}

/// Destination of standard output. Standard error goes into a [`Tail`]: the one of standard output
/// where both streams are merged, else a separate one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdout {
    /// A pipe, see [`Process::take_stdout`].
    Piped,
    /// A [`Tail`].
    Captured,
    /// A [`Tail`], with standard error in the order of the writes.
    Merged,
}

/// Standard streams of a process; never those of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stdio {
    /// Standard input.
    pub stdin: Stdin,
    /// Standard output.
    pub stdout: Stdout,
}

impl Stdio {
    /// Pipes for a protocol over standard input and output.
    pub const WIRE: Self = Self { stdin: Stdin::Piped, stdout: Stdout::Piped };
    /// No input, captured output.
    pub const CAPTURED: Self = Self { stdin: Stdin::Null, stdout: Stdout::Captured };
}

/// A process that the host started, leader of a process group.
#[derive(Debug)]
pub struct Process {
    pub(super) id: ProcessId,
    pub(super) label: String,
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) captured: Tail,
    pub(super) stderr: Tail,
    pub(super) exited: Exited,
}

impl Process {
    /// Its identity. The pid is also the number of its group.
    pub fn id(&self) -> ProcessId {
        self.id
    }

    /// The role from [`super::Command::label`].
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The pipe to its input, on the first call; `None` unless [`Stdin::Piped`]. The process reads
    /// end of file when the pipe is dropped.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// The pipe from its output, on the first call; `None` unless [`Stdout::Piped`].
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// Its output with [`Stdout::Captured`]; empty and closed otherwise.
    pub fn stdout(&self) -> &Tail {
        &self.captured
    }

    /// Its standard error.
    pub fn stderr(&self) -> &Tail {
        &self.stderr
    }

    /// Its exit.
    pub fn exited(&self) -> Exited {
        self.exited.clone()
    }
}
