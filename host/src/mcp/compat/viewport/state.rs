//! What the family stores of its sessions: bounds and actions.
//!
//! Forgets a session with the host. Refuses to know what an action does.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::config::{Config, Given};
use super::timer::Timer;
use crate::mcp::call::Call;
use crate::session::Handle;

/// One call.
#[derive(Clone)]
pub(super) struct Action {
    pub call: String,
    /// The first line of its answer.
    pub answer: String,
    pub tokens: usize,
    /// `since` of output after it.
    pub output: u64,
}

/// A session.
pub(super) struct Session {
    pub given: Given,
    /// The call that started it.
    pub begin: String,
    pub start: Instant,
    /// Calls so far.
    pub count: usize,
    /// The calls that were answered.
    pub actions: Vec<Action>,
    pub timer: Timer,
}

/// The sessions of a caller, by name, and the number of starts that have not returned.
#[derive(Default)]
pub(super) struct Sessions {
    pub by_name: HashMap<String, Session>,
    pub starting: usize,
}

/// What the family stores for a caller.
#[derive(Default)]
pub(super) struct State(Mutex<Sessions>);

impl State {
    pub fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the sessions that the host has forgotten.
    pub fn forget_gone(&self, call: &Call) {
        let all = call.sessions.all();
        self.sessions().by_name.retain(|name, _| all.iter().any(|handle| handle.id().0 == *name));
    }

    /// A fact of a session of this family.
    pub fn of<T>(&self, name: &str, fact: impl FnOnce(&Session) -> T) -> Option<T> {
        self.sessions().by_name.get(name).map(fact)
    }

    /// The bounds of an answer to the latest call.
    pub fn config(&self, name: &str) -> Config {
        let config = |session: &Session| session.given.after(session.count.saturating_sub(1));
        self.of(name, config).unwrap_or_else(|| Given::default().after(0))
    }

    /// Stores an action.
    pub fn log(&self, name: &str, action: Action) {
        if let Some(session) = self.sessions().by_name.get_mut(name) {
            session.actions.push(action);
        }
    }
}

/// The session that the call names, or the only one.
pub(super) fn handle(call: &Call) -> Option<Handle> {
    call.session_to_end(call.request.session()).ok()
}
