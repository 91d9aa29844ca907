//! What this host owns: every family's scope, and the guard that knows them all. Starts the guard
//! with the first family, or when one is about to be asked for, and replaces it when it dies.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::process::Child;

use super::guard::Message;
use super::link::{GuardProgram, Link};
use super::scope::Scope;
use super::{Family, GuardError, ProcessId, task};
use crate::limits::Limits;

/// One per host; cheap to clone. The last clone's drop ends whatever is still alive, through the
/// guard.
#[derive(Clone, Debug)]
pub struct Owner(Arc<Inner>);

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
    /// Starts nothing yet.
    pub fn new(limits: Arc<Limits>) -> Self {
        Self::with_guard(limits, GuardProgram::default())
    }

    /// For tests, whose own executable has no `guard` subcommand.
    pub fn with_guard(limits: Arc<Limits>, program: GuardProgram) -> Self {
        let state = Mutex::default();
        Self(Arc::new(Inner { limits, program, starting: tokio::sync::Mutex::default(), state }))
    }

    /// A new family, known to the guard before anything can be spawned into it.
    pub async fn family(&self) -> Result<Family, GuardError> {
        self.ensure_guard().await?;
        let mark = random_mark();
        self.put(Scope::new(mark.clone()));
        Ok(Family::new(self.clone(), mark))
    }

    /// Starts the guard, for whoever is about to ask for a family; a failure is told then.
    pub fn begin(&self) {
        let owner = self.clone();
        task(async move {
            drop(
                owner
                    .ensure_guard()
                    .await
                    .inspect_err(|error| tracing::debug!(%error, "no guard yet")),
            )
        });
    }

    /// The guard process, once there is one.
    pub fn guard(&self) -> Option<ProcessId> {
        self.state().link.as_ref().map(|link| link.id)
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(super) fn scope(&self, mark: &str) -> Option<Scope> {
        self.state().scopes.get(mark).cloned()
    }

    /// Changes a scope and tells the guard; `None` when it is gone.
    pub(super) fn update<T>(&self, mark: &str, change: impl FnOnce(&mut Scope) -> T) -> Option<T> {
        let mut state = self.state();
        let scope = state.scopes.get_mut(mark)?;
        let result = change(scope);
        let message = Message::Own(scope.clone());
        state.tell(&message);
        Some(result)
    }

    /// Nothing of it is alive.
    pub(super) fn forget(&self, mark: &str) {
        let mut state = self.state();
        if state.scopes.remove(mark).is_some() {
            state.tell(&Message::Forget(mark.to_owned()));
        }
    }

    /// Hands the killing of what may still be alive to the guard; false when there is none.
    pub(super) fn hand_over(&self, mark: &str) -> Option<(Scope, bool)> {
        let mut state = self.state();
        let scope = state.scopes.remove(mark)?;
        let told = state.tell(&Message::End(scope.clone()));
        Some((scope, told))
    }

    fn put(&self, scope: Scope) {
        let mut state = self.state();
        let message = Message::Own(scope.clone());
        state.scopes.insert(scope.mark.clone(), scope);
        state.tell(&message);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ensure_guard(&self) -> Result<(), GuardError> {
        if let Some(child) = self.start_guard().await? {
            task(watch(Arc::downgrade(&self.0), child));
        }
        Ok(())
    }

    /// `None` when there is one already.
    async fn start_guard(&self) -> Result<Option<Child>, GuardError> {
        let _starting = self.0.starting.lock().await;
        if self.state().link.is_some() {
            return Ok(None);
        }
        let (link, child) = Link::start(&self.0.program, self.0.limits.guard_start).await?;
        self.state().connect(link);
        Ok(Some(child))
    }
}

impl State {
    /// Everything the guard before this one knew.
    fn connect(&mut self, link: Link) {
        self.link = Some(link);
        let all: Vec<_> = self.scopes.values().cloned().map(Message::Own).collect();
        all.iter().for_each(|message| _ = self.tell(message));
    }

    /// Only that guard's link: to drop another's would make it kill everything.
    fn disconnect(&mut self, pid: Option<u32>) {
        self.link.take_if(|link| Some(link.id.pid) == pid);
    }

    /// A guard that does not listen is dropped; [`watch`] sees it die and starts another, which is
    /// told everything.
    fn tell(&mut self, message: &Message) -> bool {
        let told = self.link.as_mut().is_some_and(|link| link.tell(message));
        if !told {
            self.link = None;
        }
        told
    }
}

/// Reaps the guard and replaces it. One that died young is replaced when the next family asks:
/// whatever killed it might kill the next one too.
async fn watch(owner: Weak<Inner>, mut child: Child) {
    loop {
        let (born, pid) = (Instant::now(), child.id());
        let status = child.wait().await;
        let Some(owner) = owner.upgrade().map(Owner) else {
            return;
        };
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

/// 128 bits from the system's randomness, as the standard library seeds its hash maps.
fn random_mark() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}
