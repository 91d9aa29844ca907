//! The processes of one session: those started for it, and their descendants.
//!
//! Knows how to start, adopt, release and end them. Refuses to know what they do.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::process::Stdio as Pipe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Signal;
use tokio::net::unix::pipe::{self, Receiver};
use tokio::process::Child;
use tokio::sync::watch;
use tracing::Instrument;

use super::ending::{Ending, Member, Rung};
use super::error::diagnose;
use super::owner::{Owner, random_mark};
use super::scope::Scope;
use super::sweep::{self, Ladder};
use super::tail::Tail;
use super::{
    Command, Exit, Exited, GuardError, Process, ProcessId, SpawnError, Stdin, Stdio, Stdout,
    signals, table, task,
};

/// The outcome of [`Family::adopt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// The process belongs to the family now.
    Adopted,
    /// No process has this pid: it has ended, or the adapter runs on another machine.
    NoSuchProcess,
    /// The process is older than the family, which cannot have started it.
    Older,
}

/// Cheap to clone. All processes are killed when the last clone is dropped without
/// [`Family::terminate`].
#[derive(Clone, Debug)]
pub struct Family(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    owner: Owner,
    mark: String,
    /// Processes whose connections have no Nagle delay.
    quick: Mutex<BTreeSet<ProcessId>>,
    /// [`Family::send_at_once`] is scheduled and has not begun.
    quicken_due: AtomicBool,
}

impl Owner {
    /// A new family. The guard knows it before anything is spawned into it.
    ///
    /// # Errors
    /// If no guard can be started.
    pub async fn family(&self) -> Result<Family, GuardError> {
        self.ensure_guard().await?;
        let mark = random_mark();
        self.put(Scope::new(mark.clone()));
        Ok(Family::new(self.clone(), mark))
    }
}

impl Family {
    fn new(owner: Owner, mark: String) -> Self {
        Self(Arc::new(Inner {
            owner,
            mark,
            quick: Mutex::default(),
            quicken_due: AtomicBool::new(false),
        }))
    }

    /// Name and value of the variable that marks the processes of this family. The plan of an
    /// adapter that gives its debuggee another environment must add it.
    pub fn mark(&self) -> (&'static str, String) {
        let mark = &self.0.mark;
        let outer = std::env::var(table::MARK).ok().filter(|outer| !outer.is_empty());
        (table::MARK, outer.map_or_else(|| mark.clone(), |outer| format!("{outer}/{mark}")))
    }

    /// Starts a program as leader of a new process group. Needs a tokio runtime; takes about 1 ms.
    pub fn spawn(&self, command: &Command, stdio: Stdio) -> Result<Process, SpawnError> {
        let ending = || SpawnError::Ending { program: command.program.clone() };
        if self.0.owner.scope(&self.0.mark).is_none_or(|scope| scope.ending) {
            return Err(ending());
        }
        let merged = (stdio.stdout == Stdout::Merged).then(merged_pipe).transpose();
        let merged = merged.map_err(|error| diagnose(command, error))?;
        let (merged, writer) = merged.unzip();
        let mut child =
            self.launch(command, &stdio, writer).map_err(|error| diagnose(command, error))?;
        let Some(id) = child.id().and_then(table::identify) else {
            return Err(ending());
        };
        let ends = self.0.update(|scope| {
            scope.groups.insert(id);
            scope.ending
        });
        if ends.unwrap_or(true) {
            signals::signal_group(id.pid, Signal::KILL);
            return Err(ending());
        }
        tracing::debug!(pid = id.pid, label = command.label, program = %command.program.display(),
            "spawned");
        let (captured, stderr) = self.pump(&mut child, stdio.stdout, merged);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let exited = self.reap(child, id);
        Ok(Process { id, label: command.label.clone(), stdin, stdout, captured, stderr, exited })
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that spawns")]
    fn launch(
        &self,
        command: &Command,
        stdio: &Stdio,
        merged: Option<OwnedFd>,
    ) -> std::io::Result<Child> {
        let mut child = tokio::process::Command::new(&command.program);
        child.args(&command.args).process_group(0).stdout(Pipe::piped()).stderr(Pipe::piped());
        if let Some(writer) = merged {
            child.stdout(writer.try_clone()?).stderr(writer);
        }
        child.stdin(match &stdio.stdin {
            Stdin::Null => Pipe::null(),
            Stdin::Piped => Pipe::piped(),
            Stdin::File(path) => std::fs::File::open(path)?.into(),
        });
        if let Some(cwd) = &command.cwd {
            child.current_dir(cwd);
        }
        if let Some(environment) = self.0.owner.environment() {
            child.env_clear().envs(environment);
        }
        for (name, value) in &command.env {
            match value {
                Some(value) => child.env(name, value),
                None => child.env_remove(name),
            };
        }
        let (name, value) = self.mark();
        child.env(name, value).spawn()
    }

    /// Reads the output of a child into tails: standard output and standard error.
    fn pump(&self, child: &mut Child, stdout: Stdout, merged: Option<Receiver>) -> (Tail, Tail) {
        let limits = self.0.owner.limits();
        let tail = || Tail::new(limits.tail_bytes, limits.line_bytes);
        let (captured, stderr) = (tail(), tail());
        // Elsewhere the wire reads it.
        let own = if stdout == Stdout::Captured { child.stdout.take() } else { None };
        let own = own.and_then(|stream| receiver(stream.into_owned_fd()));
        task(captured.clone().pump(own.or(merged)));
        let errors = child.stderr.take().and_then(|stream| receiver(stream.into_owned_fd()));
        task(stderr.clone().pump(errors));
        (captured, stderr)
    }

    /// Reaps the child. A group that ends with its leader is removed now: later its number may
    /// belong to another group.
    fn reap(&self, mut child: Child, id: ProcessId) -> Exited {
        let (sender, receiver) = watch::channel(None);
        let (owner, mark) = (self.0.owner.clone(), self.0.mark.clone());
        let reap = async move {
            let status = child.wait().await;
            if !signals::group_exists(id.pid) {
                owner.update(&mark, |scope| scope.groups.remove(&id));
            }
            let exit = status.map_or(Exit::Code(-1), Exit::from);
            tracing::debug!(pid = id.pid, ?exit, "exited");
            sender.send_replace(Some(exit));
        };
        task(reap.in_current_span());
        Exited(receiver)
    }

    /// Adds a process that a member of the family started, for example the debuggee in DAP's
    /// `process` event: adapters move debuggees out of their groups. Not for an attached debuggee
    /// or one on another machine.
    pub fn adopt(&self, pid: u32) -> Adoption {
        let Some(id) = table::identify(pid) else {
            return Adoption::NoSuchProcess;
        };
        let adoption = self.0.update(|scope| {
            if id.start < scope.since || pid == std::process::id() {
                return Adoption::Older;
            }
            scope.spared.remove(&id);
            scope.pids.insert(id);
            Adoption::Adopted
        });
        adoption.unwrap_or(Adoption::NoSuchProcess)
    }

    /// Spares an attached debuggee: neither it nor its children receive signals, except children
    /// that the family started.
    pub fn disown(&self, pid: u32) {
        let Some(id) = table::identify(pid) else {
            return;
        };
        self.0.update(|scope| {
            scope.pids.remove(&id);
            scope.spared.insert(id);
        });
    }

    /// Adds an attached debuggee, which then ends with the family. A process that is younger than
    /// the family is another one with the same pid, and is not added.
    pub fn claim(&self, pid: u32) {
        let Some(id) = table::identify(pid) else {
            return;
        };
        self.0.update(|scope| {
            if id.start <= scope.since && pid != std::process::id() {
                scope.spared.remove(&id);
                scope.pids.insert(id);
            }
        });
    }

    /// Releases a launched debuggee, which lives on after a detach, with its children. They still
    /// carry the mark, so the mark no longer counts. The adapter and the rest of its group still
    /// belong to the family.
    pub fn release(&self, pid: u32) {
        self.disown(pid);
        self.0.update(|scope| scope.marked = false);
    }

    /// Living processes by ascending pid. Reads the process table: a few milliseconds on a busy
    /// machine.
    pub fn alive(&self) -> Vec<Member> {
        let scope = self.0.owner.scope(&self.0.mark);
        scope.iter().flat_map(sweep::alive).map(Into::into).collect()
    }

    /// Turns Nagle's delay (up to 40 ms) off for connections between processes that are new in the
    /// family, or with a spared one. Works in the background. Connections stay as they are on other
    /// systems than Linux and where their sockets may not be borrowed.
    pub fn send_at_once(&self) {
        #[cfg(target_os = "linux")]
        if !self.0.quicken_due.swap(true, Ordering::SeqCst) {
            let inner = Arc::clone(&self.0);
            drop(tokio::task::spawn_blocking(move || inner.quicken()));
        }
    }

    /// SIGTERM, [`crate::limits::Limits::term_grace`], SIGKILL; returns when no process is left.
    /// The family spawns nothing from now on. The ending goes on if this future is dropped.
    pub async fn terminate(&self) -> Ending {
        self.end(self.0.owner.limits().term_grace).await
    }

    /// The same without SIGTERM.
    pub async fn kill(&self) -> Ending {
        self.end(Duration::ZERO).await
    }

    async fn end(&self, term: Duration) -> Ending {
        let limits = self.0.owner.limits();
        let ladder = Ladder { term, kill: limits.kill_grace, settle: limits.settle };
        self.0.update(|scope| scope.ending = true);
        let inner = Arc::clone(&self.0);
        let climb = move || {
            let ending = sweep::end(|| inner.owner.scope(&inner.mark), ladder);
            if ending.rung < Rung::Stuck {
                inner.owner.forget(&inner.mark);
            }
            ending
        };
        // Fails only when the runtime shuts down: then the guard ends the rest.
        let ending = tokio::task::spawn_blocking(climb).await;
        ending.unwrap_or(Ending { rung: Rung::Stuck, left: Vec::new() })
    }
}

/// The reading end of a child's pipe.
fn receiver(pipe: std::io::Result<OwnedFd>) -> Option<Receiver> {
    let receiver = pipe.and_then(Receiver::from_owned_fd);
    receiver.inspect_err(|error| tracing::warn!(%error, "output of a program is not read")).ok()
}

/// A pipe for both output streams of a child: the end that is read and the one that is written.
fn merged_pipe() -> std::io::Result<(Receiver, OwnedFd)> {
    let (writer, reader) = pipe::pipe()?;
    Ok((reader, writer.into_blocking_fd()?))
}

impl Inner {
    #[cfg(target_os = "linux")]
    fn quicken(&self) {
        let mut quick = self.quick.lock().unwrap_or_else(PoisonError::into_inner);
        self.quicken_due.store(false, Ordering::SeqCst);
        let Some(scope) = self.owner.scope(&self.mark) else { return };
        let mut members = sweep::alive(&scope);
        members.extend(scope.spared.iter().filter_map(|id| table::entry(id.pid)));
        super::nagle::send_at_once(&members, &mut quick);
    }

    fn update<T>(&self, change: impl FnOnce(&mut Scope) -> T) -> Option<T> {
        self.owner.update(&self.mark, change)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some((scope, has_guard)) = self.owner.hand_over(&self.mark) {
            sweep::kill_now(&scope);
            if !has_guard {
                tracing::warn!(alive = sweep::alive(&scope).len(), "killed without a guard");
            }
        }
    }
}
