//! The host's end of the guard: starting it and telling it things without ever waiting for it.

use std::ffi::OsString;
use std::io::{PipeWriter, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncReadExt;
use tokio::process::Child;

use super::guard::{Message, READY};
use super::{GuardError, ProcessId, table};

/// How the guard is started.
#[derive(Clone, Debug)]
pub struct GuardProgram {
    /// Our own executable, or a test's.
    pub program: PathBuf,
    /// What makes it run [`super::guard::main`].
    pub args: Vec<OsString>,
}

impl Default for GuardProgram {
    /// This executable's `guard` subcommand, also when its file has been replaced since we started.
    fn default() -> Self {
        let program = std::env::current_exe().ok().filter(|path| path.exists());
        Self {
            program: program.unwrap_or_else(|| "/proc/self/exe".into()),
            args: vec!["guard".into()],
        }
    }
}

/// A running guard. Dropping it is our death as far as the guard can tell.
#[derive(Debug)]
pub(super) struct Link {
    pipe: PipeWriter,
    pub id: ProcessId,
}

impl Link {
    /// Returns when the guard is in a session of its own and deaf to signals; the child is for the
    /// caller to reap.
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

    /// False when the guard is dead or stuck. It has then been killed, so that the pipe's end tells
    /// it nothing.
    pub fn tell(&mut self, message: &Message) -> bool {
        let Ok(mut line) = serde_json::to_vec(message) else {
            return false;
        };
        line.push(b'\n');
        let told = self.pipe.write_all(&line).is_ok();
        if !told {
            table::signal(self.id, Signal::KILL);
        }
        told
    }
}

/// Our environment but for the mark: a host started by another host must not hand that one's to its
/// guard.
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
