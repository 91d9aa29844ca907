//! Clients of one host with sessions of their own: each has a number, by which a person at a
//! terminal reaches its sessions.
//!
//! Refuses to know how a client is connected. A client is forgotten when nobody holds its sessions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Sessions;
use super::sessions::All;

/// The clients of one host.
#[derive(Default)]
pub(super) struct Clients {
    last: u64,
    all: BTreeMap<u64, Weak<All>>,
}

fn lock(clients: &Mutex<Clients>) -> MutexGuard<'_, Clients> {
    clients.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    /// No session yet, for another client with the same files of the configuration and the same
    /// environment: neither sees those of the other, nor which projects are trusted for it.
    #[must_use]
    pub fn apart(&self) -> Arc<Self> {
        let mut clients = lock(&self.all.clients);
        clients.last += 1;
        let number = clients.last;
        let all = All::of(Some(number));
        clients.all.retain(|_, one| one.strong_count() > 0);
        clients.all.insert(number, Arc::downgrade(&all));
        Arc::new(self.with(all))
    }

    /// The clients that have sessions apart from these, open or ended, in order.
    pub fn clients(&self) -> Vec<u64> {
        let clients = lock(&self.all.clients);
        let has_some = |all: &Weak<All>| all.upgrade().is_some_and(|all| all.has_some());
        clients.all.iter().filter(|(_, all)| has_some(all)).map(|(number, _)| *number).collect()
    }

    /// The sessions of a client; none if it has ended.
    #[must_use]
    pub fn of_client(&self, number: u64) -> Arc<Self> {
        let known = lock(&self.all.clients).all.get(&number).and_then(Weak::upgrade);
        Arc::new(self.with(known.unwrap_or_else(|| All::of(Some(number)))))
    }
}
