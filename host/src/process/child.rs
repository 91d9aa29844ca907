//! One running process: its pipes, what it printed, and how it ended. Knows nothing of who else
//! belongs to it (see `family`). Dropping a [`Process`] closes the pipes it still holds and kills
//! nothing.

use std::path::PathBuf;
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;

use super::tail::Tail;

/// A process that cannot be mistaken for a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProcessId {
    /// The number the system and DAP's `systemProcessId` use.
    pub pid: u32,
    /// When it started, in clock ticks since boot (field 22 of `/proc/PID/stat`); 0 where the
    /// system does not say.
    pub start: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        status.signal().map_or_else(|| Self::Code(status.code().unwrap_or(-1)), Self::Signal)
    }
}

/// The end of a process, to be awaited by many.
#[derive(Clone, Debug)]
pub struct Exited(pub(super) watch::Receiver<Option<Exit>>);

impl Exited {
    /// Completes when the process has been reaped. Pipes may still hold output then.
    pub async fn wait(mut self) -> Exit {
        match self.0.wait_for(Option::is_some).await.map(|exit| *exit) {
            Ok(Some(exit)) => exit,
            // The reaping task went with its runtime: nobody will ever know.
            _ => std::future::pending().await,
        }
    }

    /// How it ended, if it has.
    pub fn now(&self) -> Option<Exit> {
        *self.0.borrow()
    }
}

/// What becomes of standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Reads end of file.
    Null,
    /// A pipe, see [`Process::take_stdin`].
    Piped,
    /// What is in this file.
    File(PathBuf),
}

/// What becomes of standard output. Standard error is always kept in a [`Tail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdout {
    /// A pipe that the caller reads, see [`Process::take_stdout`].
    Piped,
    /// Kept in a [`Tail`].
    Kept,
}

/// The pipes of a process; never our own stdin, stdout or stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stdio {
    /// Standard input.
    pub stdin: Stdin,
    /// Standard output.
    pub stdout: Stdout,
}

impl Stdio {
    /// Both ends for a protocol over stdio.
    pub const WIRE: Self = Self { stdin: Stdin::Piped, stdout: Stdout::Piped };
    /// Nothing to read, output kept.
    pub const KEPT: Self = Self { stdin: Stdin::Null, stdout: Stdout::Kept };
}

/// A process of ours, leader of a group of its own.
#[derive(Debug)]
pub struct Process {
    pub(super) id: ProcessId,
    pub(super) label: String,
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) kept: Tail,
    pub(super) stderr: Tail,
    pub(super) exited: Exited,
}

impl Process {
    /// Its number and start; the number is also its group's.
    pub fn id(&self) -> ProcessId {
        self.id
    }

    /// The role given by [`super::Command::label`].
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The pipe to its input, once; `None` unless [`Stdin::Piped`]. Dropping the pipe is end of
    /// file.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// The pipe from its output, once; `None` unless [`Stdout::Piped`].
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// What it printed with [`Stdout::Kept`]; empty and closed otherwise.
    pub fn stdout(&self) -> &Tail {
        &self.kept
    }

    /// What it printed on standard error.
    pub fn stderr(&self) -> &Tail {
        &self.stderr
    }

    /// Its end.
    pub fn exited(&self) -> Exited {
        self.exited.clone()
    }
}
