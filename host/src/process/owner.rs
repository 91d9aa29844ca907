//! All processes of this host: the scope of every family, and the guard, which knows them all.
//!
//! Starts the guard with the first family or before it, and replaces a guard that dies. Refuses to
//! know what the families do.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::process::Child;

use super::guard::Message;
use super::link::{GuardProgram, Link};
use super::scope::Scope;
use super::{GuardError, ProcessId, task};
use crate::limits::Limits;

/// One per host; cheap to clone. When the last clone is dropped, the guard ends all processes that
/// are alive.
#[derive(Clone, Debug)]
pub struct Owner {
    inner: Arc<Inner>,
    /// Of the processes that this clone starts; `None` is the host's.
    environment: Option<Arc<Environment>>,
}

/// Variables of a process.
pub type Environment = BTreeMap<OsString, OsString>;

#[derive(Debug)]
struct Inner {
    limits: Arc<Limits>,
    program: GuardProgram,
    starting: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    scopes: BTreeMap<String, Scope>,
    link: Option<Link>,
}

impl Owner {
    /// Starts no process.
    pub fn new(limits: Arc<Limits>) -> Self {
        Self::with_guard(limits, GuardProgram::default())
    }

    /// For tests, whose own executable has no `guard` subcommand.
    pub fn with_guard(limits: Arc<Limits>, program: GuardProgram) -> Self {
        let state = Mutex::default();
        let starting = tokio::sync::Mutex::default();
        Self { inner: Arc::new(Inner { limits, program, starting, state }), environment: None }
    }

    /// The same processes; those that this owner starts have another environment than the host's.
    #[must_use]
    pub fn in_environment(&self, environment: Arc<Environment>) -> Self {
        Self { inner: self.inner.clone(), environment: Some(environment) }
    }

    pub(super) fn environment(&self) -> Option<&Environment> {
        self.environment.as_deref()
    }

    /// Starts the guard ahead of the first family, which reports a failure.
    pub fn begin(&self) {
        let owner = self.clone();
        task(async move {
            if let Err(error) = owner.ensure_guard().await {
                tracing::debug!(%error, "no guard yet");
            }
        });
    }

    /// The guard process, once it runs.
    pub fn guard(&self) -> Option<ProcessId> {
        self.state().link.as_ref().map(|link| link.id)
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(super) fn scope(&self, mark: &str) -> Option<Scope> {
        self.state().scopes.get(mark).cloned()
    }

    /// Changes a scope and sends it to the guard; `None` if the family has ended.
    pub(super) fn update<T>(&self, mark: &str, change: impl FnOnce(&mut Scope) -> T) -> Option<T> {
        let mut state = self.state();
        let scope = state.scopes.get_mut(mark)?;
        let result = change(scope);
        let message = Message::Own(scope.clone());
        state.send(&message);
        Some(result)
    }

    /// Removes a family without living processes.
    pub(super) fn forget(&self, mark: &str) {
        let mut state = self.state();
        if state.scopes.remove(mark).is_some() {
            state.send(&Message::Forget(mark.to_owned()));
        }
    }

    /// Removes a family and lets the guard kill its processes. Returns its scope, and false if
    /// there is no guard.
    pub(super) fn hand_over(&self, mark: &str) -> Option<(Scope, bool)> {
        let mut state = self.state();
        let scope = state.scopes.remove(mark)?;
        let sent = state.send(&Message::End(scope.clone()));
        Some((scope, sent))
    }

    /// Adds a scope and sends it to the guard.
    pub(super) fn put(&self, scope: Scope) {
        let mut state = self.state();
        let message = Message::Own(scope.clone());
        state.scopes.insert(scope.mark.clone(), scope);
        state.send(&message);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the guard unless it runs.
    pub(super) async fn ensure_guard(&self) -> Result<(), GuardError> {
        if let Some(child) = self.start_guard().await? {
            task(watch(Arc::downgrade(&self.inner), child));
        }
        Ok(())
    }

    /// `None` if the guard runs already.
    async fn start_guard(&self) -> Result<Option<Child>, GuardError> {
        let _starting = self.inner.starting.lock().await;
        if self.state().link.is_some() {
            return Ok(None);
        }
        let (link, child) = Link::start(&self.inner.program, self.inner.limits.guard_start).await?;
        self.state().connect(link);
        Ok(Some(child))
    }
}

impl State {
    /// Sends all scopes to a new guard.
    fn connect(&mut self, link: Link) {
        self.link = Some(link);
        let all: Vec<_> = self.scopes.values().cloned().map(Message::Own).collect();
        for message in &all {
            self.send(message);
        }
    }

    /// Drops the link of this guard only: a guard kills everything when its link is dropped.
    fn disconnect(&mut self, pid: Option<u32>) {
        self.link.take_if(|link| Some(link.id.pid) == pid);
    }

    /// Drops a guard that does not read; [`watch`] then starts another one, which receives all
    /// scopes.
    fn send(&mut self, message: &Message) -> bool {
        let sent = self.link.as_mut().is_some_and(|link| link.send(message));
        if !sent {
            self.link = None;
        }
        sent
    }
}

/// Reaps the guard and replaces it. A guard that died young is replaced with the next family only:
/// its cause of death may affect the next guard too.
async fn watch(owner: Weak<Inner>, mut child: Child) {
    loop {
        let (born, pid) = (Instant::now(), child.id());
        let status = child.wait().await;
        let Some(inner) = owner.upgrade() else { return };
        let owner = Owner { inner, environment: None };
        owner.state().disconnect(pid);
        let lived = born.elapsed();
        tracing::warn!(?status, ?lived, "the guard process died");
        if lived < owner.limits().guard_young {
            return tracing::error!("no guard: processes may outlive a killed host");
        }
        match owner.start_guard().await {
            Ok(Some(next)) => child = next,
            Ok(None) => return,
            Err(error) => {
                return tracing::error!(%error, "no guard: processes may outlive a killed host");
            }
        }
    }
}

/// 128 random bits, from the seeds of the standard library's hash maps.
pub(super) fn random_mark() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}
