//! The claim of a person on a session: until it is given back, agents read the session and do not
//! change it.
//!
//! Knows who has the session and what the person did meanwhile. Refuses to know tools and which
//! commands change a session.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Calls of a person that an agent reads about afterwards.
const DEEDS: usize = 20;

/// Where a call comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Door {
    /// An agent, which a claim stops.
    #[default]
    Agent,
    /// A person at a terminal.
    Terminal,
    /// This host itself.
    Host,
}

/// A call of a person on a claimed session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// On one line.
    pub call: String,
    /// The first line of its answer.
    pub answer: String,
}

/// What an agent knows of a claim: up to this mark it has read what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// How often the session was given back.
    returns: u64,
    /// Number of the next deed.
    deeds: u64,
}

/// What a person did with a session that is back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenBack {
    /// The last calls, the oldest first.
    pub deeds: Vec<Deed>,
    /// Number of calls before these.
    pub earlier: u64,
    /// Behind all of them.
    pub mark: Mark,
}

/// The claim on one session; a restart takes it over.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    taken: watch::Sender<bool>,
    past: Arc<Mutex<Past>>,
}

#[derive(Debug, Default)]
struct Past {
    returns: u64,
    /// The last ones.
    deeds: VecDeque<Deed>,
    /// Number of all deeds so far.
    count: u64,
}

impl Default for Claim {
    fn default() -> Self {
        Self { taken: watch::Sender::new(false), past: Arc::default() }
    }
}

impl Claim {
    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False: it was taken before.
    pub(super) fn take(&self) -> bool {
        self.taken.send_if_modified(|taken| !std::mem::replace(taken, true))
    }

    /// False: nobody had it.
    pub(super) fn give(&self) -> bool {
        // Before the waits end: their answers begin with what was done.
        let mut past = self.past();
        if !*self.taken.borrow() {
            return false;
        }
        past.returns += 1;
        drop(past);
        self.taken.send_if_modified(|taken| std::mem::replace(taken, false))
    }

    pub(super) fn is_taken(&self) -> bool {
        *self.taken.borrow()
    }

    /// Waits until nobody has it.
    pub(super) async fn given(&self) {
        drop(self.taken.subscribe().wait_for(|taken| !taken).await);
    }

    /// Waits for the next time that it is given back.
    pub(super) async fn given_back(&self) {
        let mut taken = self.taken.subscribe();
        // The sender lives as long as `self`.
        drop(taken.wait_for(|taken| *taken).await);
        drop(taken.wait_for(|taken| !taken).await);
    }

    /// Records a call of the person who has it.
    pub(super) fn add(&self, deed: Deed) {
        let mut past = self.past();
        if past.deeds.len() == DEEDS {
            past.deeds.pop_front();
        }
        past.deeds.push_back(deed);
        past.count += 1;
    }

    /// What was done since a mark, if the session was given back since then. The end of the session
    /// gives it back too.
    pub(super) fn since(&self, mark: Mark, is_over: bool) -> Option<GivenBack> {
        let past = self.past();
        let returns = past.returns + u64::from(is_over && self.is_taken());
        if returns <= mark.returns {
            return None;
        }
        let new = past.count - mark.deeds;
        let earlier = new.saturating_sub(past.deeds.len() as u64);
        let skipped = past.deeds.len() - (new - earlier) as usize;
        Some(GivenBack {
            deeds: past.deeds.iter().skip(skipped).cloned().collect(),
            earlier,
            mark: Mark { returns, deeds: past.count },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(number: u32) -> Deed {
        Deed { call: format!("call {number}"), answer: "done".to_owned() }
    }

    #[test]
    fn deeds_are_reported_once_after_the_return() {
        let claim = Claim::default();
        assert!(claim.take() && !claim.take());
        claim.add(deed(1));
        let start = Mark::default();
        assert_eq!(claim.since(start, false), None);
        assert!(claim.give() && !claim.give());
        let first = claim.since(start, false).unwrap();
        assert_eq!((first.deeds.as_slice(), first.earlier), ([deed(1)].as_slice(), 0));
        assert_eq!(claim.since(first.mark, false), None);
        claim.take();
        claim.add(deed(2));
        claim.give();
        claim.take();
        claim.give();
        let second = claim.since(first.mark, false).unwrap();
        assert_eq!(second.deeds, [deed(2)]);
        assert_eq!(claim.since(second.mark, false), None);
    }

    #[test]
    fn end_of_the_session_returns_it_once() {
        let claim = Claim::default();
        claim.take();
        let end = claim.since(Mark::default(), true).unwrap();
        assert!(end.deeds.is_empty());
        assert_eq!(claim.since(end.mark, true), None);
    }

    #[test]
    fn old_deeds_are_counted() {
        let claim = Claim::default();
        claim.take();
        (0..23).for_each(|number| claim.add(deed(number)));
        claim.give();
        let back = claim.since(Mark::default(), false).unwrap();
        assert_eq!((back.deeds.len(), back.earlier), (DEEDS, 3));
        assert_eq!(back.deeds[0], deed(3));
    }

    #[tokio::test]
    async fn wait_ends_with_the_return() {
        let claim = Claim::default();
        claim.take();
        let waits = claim.clone();
        let (_, is_taken) = tokio::join!(
            async {
                claim.give();
            },
            async {
                waits.given().await;
                waits.is_taken()
            }
        );
        assert!(!is_taken);
    }
}
