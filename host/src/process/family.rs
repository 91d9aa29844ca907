//! What one session owns: the processes started for it and all they bring about. Knows how to
//! start, adopt, spare and end them; knows nothing of what they do.

use std::collections::BTreeSet;
use std::process::Stdio as Pipe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Signal;
use tokio::process::Child;
use tokio::sync::watch;

use super::error::diagnose;
use super::owner::Owner;
use super::scope::Scope;
use super::sweep::{self, Ladder};
use super::tail::Tail;
use super::{
    Command, Exit, Exited, Process, ProcessId, SpawnError, Stdin, Stdio, Stdout, table, task,
};

/// How far [`Family::terminate`] had to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// Nothing was alive.
    Gone,
    /// SIGTERM was enough.
    Term,
    /// It took SIGKILL.
    Kill,
    /// Something outlived SIGKILL and its deadline; the guard goes on owning it.
    Stuck,
}

/// The end of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The last rung climbed.
    pub rung: Rung,
    /// Who is still alive; empty unless [`Rung::Stuck`].
    pub left: Vec<Member>,
}

/// A living process of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Which.
    pub id: ProcessId,
    /// Its short name, as the system knows it (15 bytes on Linux).
    pub name: String,
}

impl From<table::Entry> for Member {
    fn from(entry: table::Entry) -> Self {
        Self { id: entry.id, name: entry.name }
    }
}

/// What [`Family::adopt`] made of a pid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// It belongs to the family now.
    Adopted,
    /// No such process here: it has ended, or the adapter runs elsewhere.
    NoSuchProcess,
    /// It is older than the family and cannot have been started by it.
    Older,
}

/// Cheap to clone. When the last clone is dropped without [`Family::terminate`], everything is
/// killed at once.
#[derive(Clone, Debug)]
pub struct Family(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    owner: Owner,
    mark: String,
    /// Whose connections send at once.
    quick: Mutex<BTreeSet<ProcessId>>,
    /// A look at the connections is ordered and has not begun.
    look_due: AtomicBool,
}

impl Family {
    pub(super) fn new(owner: Owner, mark: String) -> Self {
        Self(Arc::new(Inner {
            owner,
            mark,
            quick: Mutex::default(),
            look_due: AtomicBool::new(false),
        }))
    }

    /// The variable every process of this family carries, as name and value. An adapter that starts
    /// its debuggee with an environment of its own must be asked to add it.
    pub fn mark(&self) -> (&'static str, String) {
        let mark = &self.0.mark;
        let outer = std::env::var(table::MARK).ok().filter(|outer| !outer.is_empty());
        (table::MARK, outer.map_or_else(|| mark.clone(), |outer| format!("{outer}/{mark}")))
    }

    /// Starts a program as leader of a new group. Needs a tokio runtime; takes about a millisecond.
    pub fn spawn(&self, command: &Command, stdio: Stdio) -> Result<Process, SpawnError> {
        let ending = || SpawnError::Ending { program: command.program.clone() };
        if self.0.owner.scope(&self.0.mark).is_none_or(|scope| scope.ending) {
            return Err(ending());
        }
        let mut child = self.launch(command, &stdio).map_err(|error| diagnose(command, error))?;
        let Some(id) = child.id().and_then(table::identify) else {
            return Err(ending());
        };
        if self
            .0
            .update(|scope| (scope.groups.insert(id), scope.ending))
            .is_none_or(|(_, ending)| ending)
        {
            table::signal_group(id.pid, Signal::KILL);
            return Err(ending());
        }
        tracing::debug!(pid = id.pid, label = command.label, program = %command.program.display(),
            "spawned");
        let (kept, stderr) = self.pump(&mut child, stdio.stdout);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let exited = self.reap(child, id);
        Ok(Process { id, label: command.label.clone(), stdin, stdout, kept, stderr, exited })
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that spawns")]
    fn launch(&self, command: &Command, stdio: &Stdio) -> std::io::Result<Child> {
        let mut child = tokio::process::Command::new(&command.program);
        child.args(&command.args).process_group(0).stdout(Pipe::piped()).stderr(Pipe::piped());
        child.stdin(match &stdio.stdin {
            Stdin::Null => Pipe::null(),
            Stdin::Piped => Pipe::piped(),
            Stdin::File(path) => std::fs::File::open(path)?.into(),
        });
        command.cwd.iter().for_each(|cwd| _ = child.current_dir(cwd));
        for (name, value) in &command.env {
            match value {
                Some(value) => child.env(name, value),
                None => child.env_remove(name),
            };
        }
        let (name, value) = self.mark();
        child.env(name, value).spawn()
    }

    fn pump(&self, child: &mut Child, stdout: Stdout) -> (Tail, Tail) {
        let limits = self.0.owner.limits();
        let tail = || Tail::new(limits.tail_bytes, limits.line_bytes);
        let (kept, stderr) = (tail(), tail());
        let stdout = if stdout == Stdout::Kept { child.stdout.take() } else { None };
        match stdout {
            Some(stream) => task(kept.clone().pump(stream)),
            None => task(kept.clone().pump(tokio::io::empty())),
        }
        child.stderr.take().into_iter().for_each(|stream| task(stderr.clone().pump(stream)));
        (kept, stderr)
    }

    /// Waits for the child for as long as it lives, whoever else does. A group that ends with its
    /// leader is struck off, because only now is its number sure not to be another's.
    fn reap(&self, mut child: Child, id: ProcessId) -> Exited {
        let (sender, receiver) = watch::channel(None);
        let (owner, mark) = (self.0.owner.clone(), self.0.mark.clone());
        task(async move {
            let status = child.wait().await;
            if !table::group_exists(id.pid) {
                owner.update(&mark, |scope| scope.groups.remove(&id));
            }
            let exit = status.map_or(Exit::Code(-1), Exit::from);
            tracing::debug!(pid = id.pid, ?exit, "exited");
            sender.send_replace(Some(exit));
        });
        Exited(receiver)
    }

    /// Takes in a process that something of ours started, as DAP's `process` event names it:
    /// adapters move debuggees out of their groups. Never call it for an attached debuggee or for
    /// one on another machine.
    pub fn adopt(&self, pid: u32) -> Adoption {
        let Some(id) = table::identify(pid) else {
            return Adoption::NoSuchProcess;
        };
        let adopt = |scope: &mut Scope| {
            if id.start < scope.since || pid == std::process::id() {
                return Adoption::Older;
            }
            scope.spared.remove(&id);
            scope.pids.insert(id);
            Adoption::Adopted
        };
        self.0.update(adopt).unwrap_or(Adoption::NoSuchProcess)
    }

    /// An attached debuggee: never signalled, nor what it starts, unless we started it.
    pub fn disown(&self, pid: u32) {
        let Some(id) = table::identify(pid) else {
            return;
        };
        self.0.update(|scope| {
            scope.pids.remove(&id);
            scope.spared.insert(id);
        });
    }

    /// An attached debuggee that is to end with the family. One that started later is another by
    /// the same number.
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

    /// A launched debuggee that is to live on after a detach: it and what it starts are spared, and
    /// the mark counts no longer, since they go on carrying it. The adapter and the rest of its
    /// group still belong.
    pub fn release(&self, pid: u32) {
        self.disown(pid);
        self.0.update(|scope| scope.marked = false);
    }

    /// Who is alive, by ascending pid. Reads the process table: a few milliseconds on a busy
    /// machine.
    pub fn alive(&self) -> Vec<Member> {
        let scope = self.0.owner.scope(&self.0.mark);
        scope.iter().flat_map(sweep::alive).map(Into::into).collect()
    }

    /// In the background: has connections between processes that are new in the family, or with one
    /// that it spares, send small messages at once, instead of up to 40 ms later. Linux; elsewhere,
    /// and where their sockets may not be borrowed, they stay as they are.
    pub fn send_at_once(&self) {
        #[cfg(target_os = "linux")]
        if !self.0.look_due.swap(true, Ordering::SeqCst) {
            let inner = Arc::clone(&self.0);
            drop(tokio::task::spawn_blocking(move || inner.quicken()));
        }
    }

    /// SIGTERM, [`crate::limits::Limits::term_grace`], SIGKILL; returns when nothing is left. What
    /// is spawned from now on is refused. Once begun it goes on even if this future is dropped.
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
        // Fails only when the runtime shuts down under us, and then the guard ends what is left.
        let ending = tokio::task::spawn_blocking(climb).await;
        ending.unwrap_or(Ending { rung: Rung::Stuck, left: Vec::new() })
    }
}

impl Inner {
    #[cfg(target_os = "linux")]
    fn quicken(&self) {
        let mut quick = self.quick.lock().unwrap_or_else(PoisonError::into_inner);
        self.look_due.store(false, Ordering::SeqCst);
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
        if let Some((scope, handed_over)) = self.owner.hand_over(&self.mark) {
            sweep::strike(&scope);
            if !handed_over {
                tracing::warn!(
                    alive = sweep::alive(&scope).len(),
                    "killed without a guard to make sure"
                );
            }
        }
    }
}
