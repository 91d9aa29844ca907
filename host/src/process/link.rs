//! The host's end of the guard's pipe.
//!
//! Knows how to start the guard and how to send to it without waiting. Refuses to know scopes.

use std::ffi::OsString;
use std::io::{PipeWriter, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncReadExt;
use tokio::process::Child;

use super::guard::{Message, READY};
use super::{GuardError, ProcessId, signals, table};

/// The command that starts the guard.
#[derive(Clone, Debug)]
pub struct GuardProgram {
    /// The host's executable, or that of a test.
    pub program: PathBuf,
    /// Arguments with which it runs [`super::guard::main`].
    pub args: Vec<OsString>,
}

impl Default for GuardProgram {
    /// The `guard` subcommand of this executable, even if its file was replaced meanwhile.
    fn default() -> Self {
        let program = std::env::current_exe().ok().filter(|path| path.exists());
        Self {
            program: program.unwrap_or_else(|| "/proc/self/exe".into()),
            args: vec!["guard".into()],
        }
    }
}

/// A running guard. It kills everything when this is dropped: its pipe ends.
#[derive(Debug)]
pub(super) struct Link {
    pipe: PipeWriter,
    pub id: ProcessId,
}

impl Link {
    /// Returns once the guard has its own session and ignores signals. The caller reaps the child.
    pub async fn start(
        guard: &GuardProgram,
        patience: Duration,
    ) -> Result<(Self, Child), GuardError> {
        let (mut child, pipe) = launch(guard)
            .map_err(|source| GuardError::Start { program: guard.program.clone(), source })?;
        let not_ready = || GuardError::NotReady { program: guard.program.clone() };
        let id = child.id().and_then(table::identify).ok_or_else(not_ready)?;
        let mut word = [0; READY.len()];
        let stdout = child.stdout.take();
        let read = async { stdout?.read_exact(&mut word).await.ok() };
        let ready = tokio::time::timeout(patience, read).await.ok().flatten().is_some();
        if ready && word == READY {
            return Ok((Self { pipe, id }, child));
        }
        let _ = child.start_kill();
        Err(not_ready())
    }

    /// False if the guard is dead or does not read. It is killed then, so that the end of its pipe
    /// has no effect.
    pub fn send(&mut self, message: &Message) -> bool {
        let Ok(mut line) = serde_json::to_vec(message) else {
            return false;
        };
        line.push(b'\n');
        let sent = self.pipe.write_all(&line).is_ok();
        if !sent {
            signals::signal(self.id, Signal::KILL);
        }
        sent
    }
}

/// Without the mark in the environment: a host that another host started would otherwise mark its
/// guard as a process of that host.
#[expect(
    clippy::disallowed_methods,
    reason = "the guard is the one process that belongs to no family"
)]
fn launch(guard: &GuardProgram) -> std::io::Result<(Child, PipeWriter)> {
    let (reader, writer) = std::io::pipe()?;
    rustix::io::ioctl_fionbio(&writer, true)?;
    let mut command = tokio::process::Command::new(&guard.program);
    command.args(&guard.args).env_remove(table::MARK).env(table::GUARD, "1").current_dir("/");
    command.stdin(Stdio::from(reader)).stdout(Stdio::piped()).stderr(Stdio::null());
    Ok((command.spawn()?, writer))
}
