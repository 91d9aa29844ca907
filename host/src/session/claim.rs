//! The claim of a person on a session: until it is given back, agents read the session and do not
//! change it.
//!
//! Knows who has the session and what the person did meanwhile. Refuses to know tools and which
//! commands change a session.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::time::Instant;

use crate::model::SessionId;

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
    /// A person in an editor.
    Editor,
    /// This host itself.
    Host,
}

impl Door {
    /// Whether a person makes the calls.
    pub(super) fn is_person(self) -> bool {
        matches!(self, Self::Terminal | Self::Editor)
    }
}

/// A call of a person that changes something.
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

/// What a person did with a session that no person has now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenBack {
    /// It was taken meanwhile.
    pub was_taken: bool,
    /// The last calls, the oldest first.
    pub deeds: Vec<Deed>,
    /// Number of calls before these.
    pub earlier: u64,
    /// Behind all of them.
    pub mark: Mark,
}

/// Identifies a claim in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimId(u64);

impl ClaimId {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The claim on one session; a restart takes it over.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    id: ClaimId,
    /// Follows `Past::holder`, and changes while that is locked.
    taken: watch::Sender<bool>,
    past: Arc<Mutex<Past>>,
}

#[derive(Debug, Default)]
struct Past {
    /// Where the person is who has the session.
    holder: Option<Door>,
    returns: u64,
    /// The last ones.
    deeds: VecDeque<Deed>,
    /// Number of all deeds so far.
    count: u64,
    /// The last call of the person.
    used: Option<Instant>,
    /// The session that was taken last; `None` while a restart takes the claim to a new one.
    session: Option<SessionId>,
}

impl Past {
    /// Whether a claim on this session can be given back. `is_over`: its end has done so, unless a
    /// restart takes the claim along.
    fn is_of(&self, session: &SessionId, is_over: bool) -> bool {
        self.session.as_ref().is_none_or(|taken| taken == session && !is_over)
    }
}

/// A claim on its way from a session to its restart. Dropped before it has arrived, it is given
/// back.
pub(super) struct Moving(Claim);

impl Moving {
    /// The restart is this session.
    pub(super) fn arrive(self, at: &SessionId) {
        self.0.past().session = Some(at.clone());
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        let mut past = self.0.past();
        if past.session.is_none() {
            self.0.free(&mut past);
        }
    }
}

impl Default for Claim {
    fn default() -> Self {
        let id = ClaimId::next();
        Self { id, taken: watch::Sender::new(false), past: Arc::default() }
    }
}

impl Claim {
    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn id(&self) -> ClaimId {
        self.id
    }

    /// A person takes the session at a door. The terminal takes it from an editor too, as it does
    /// so by a command; an editor shares what a terminal has. False: this door gets nothing new.
    pub(super) fn take(&self, session: &SessionId, door: Door) -> bool {
        let mut past = self.past();
        past.session = Some(session.clone());
        past.used = Some(Instant::now());
        if past.holder.is_some() && (door == Door::Editor || past.holder == Some(door)) {
            return false;
        }
        past.holder = Some(door);
        self.taken.send_if_modified(|taken| !std::mem::replace(taken, true));
        true
    }

    /// Gives back a session, whoever has it. False: nobody had it.
    pub(super) fn give(&self, session: &SessionId, is_over: bool) -> bool {
        let mut past = self.past();
        past.is_of(session, is_over) && self.free(&mut past)
    }

    /// Gives back a session that an editor took, and that was given back as often as then.
    pub(super) fn give_of_editor(&self, returns: u64) -> bool {
        let mut past = self.past();
        let is_own = past.holder == Some(Door::Editor) && past.returns == returns;
        is_own && self.free(&mut past)
    }

    /// False: nobody has it.
    fn free(&self, past: &mut Past) -> bool {
        if past.holder.take().is_none() {
            return false;
        }
        // Before the waits end: their answers begin with what was done.
        past.returns += 1;
        self.taken.send_if_modified(|taken| std::mem::replace(taken, false))
    }

    /// How often it was given back.
    pub(super) fn returns(&self) -> u64 {
        self.past().returns
    }

    /// The session is about to end and to be started again: its end is no return.
    pub(super) fn begin_move(&self) -> Moving {
        self.past().session = None;
        Moving(self.clone())
    }

    pub(super) fn is_taken(&self) -> bool {
        *self.taken.borrow()
    }

    /// Waits until nobody has it.
    pub(super) async fn given(&self) {
        drop(self.taken.subscribe().wait_for(|taken| !taken).await);
    }

    /// Waits until it was given back more often than this.
    pub(super) async fn given_back(&self, returns: u64) {
        let mut taken = self.taken.subscribe();
        while self.returns() <= returns {
            // The sender lives as long as `self`.
            drop(taken.changed().await);
        }
    }

    /// The person who has it makes a call, or reads its answer.
    pub(super) fn note_use(&self) {
        self.past().used = Some(Instant::now());
    }

    /// The last call of a person.
    pub(super) fn last_use(&self) -> Option<Instant> {
        self.past().used
    }

    /// Records a call of a person.
    pub(super) fn add(&self, deed: Deed) {
        let mut past = self.past();
        if past.deeds.len() == DEEDS {
            past.deeds.pop_front();
        }
        past.deeds.push_back(deed);
        past.count += 1;
    }

    /// What persons did since a mark. `None`: nothing, or a person has had the session all the
    /// time. `ended`: the session, if it is over: its end gives it back too.
    pub(super) fn since(&self, mark: Mark, ended: Option<&SessionId>) -> Option<GivenBack> {
        let past = self.past();
        let is_taken = past.holder.is_some();
        let is_end = is_taken && ended.is_some() && ended == past.session.as_ref();
        let returns = past.returns + u64::from(is_end);
        let new = past.count - mark.deeds;
        let was_taken = returns > mark.returns;
        // Of a session that was not taken, or a call that is answered after its return or end.
        let has_more = (is_end || !is_taken) && new > 0;
        if !was_taken && !has_more {
            return None;
        }
        let earlier = new.saturating_sub(past.deeds.len() as u64);
        let skipped = past.deeds.len() - (new - earlier) as usize;
        Some(GivenBack {
            was_taken,
            deeds: past.deeds.iter().skip(skipped).cloned().collect(),
            earlier,
            mark: Mark { returns, deeds: past.count },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> SessionId {
        SessionId(name.to_owned())
    }

    fn deed(number: u32) -> Deed {
        Deed { call: format!("call {number}"), answer: "done".to_owned() }
    }

    fn take(claim: &Claim, session: &SessionId) -> bool {
        claim.take(session, Door::Terminal)
    }

    #[test]
    fn deeds_are_reported_once_after_the_return() {
        let claim = Claim::default();
        let one = id("one");
        assert!(take(&claim, &one) && !take(&claim, &one));
        claim.add(deed(1));
        let start = Mark::default();
        assert_eq!(claim.since(start, None), None);
        assert!(claim.give(&one, false) && !claim.give(&one, false));
        let first = claim.since(start, None).unwrap();
        assert_eq!((first.deeds.as_slice(), first.earlier), ([deed(1)].as_slice(), 0));
        assert_eq!(claim.since(first.mark, None), None);
        take(&claim, &one);
        claim.add(deed(2));
        claim.give(&one, false);
        take(&claim, &one);
        claim.give(&one, false);
        let second = claim.since(first.mark, None).unwrap();
        assert_eq!(second.deeds, [deed(2)]);
        assert_eq!(claim.since(second.mark, None), None);
    }

    #[test]
    fn end_of_the_session_returns_it_once() {
        let (claim, one) = (Claim::default(), id("one"));
        take(&claim, &one);
        let end = claim.since(Mark::default(), Some(&one)).unwrap();
        assert!(end.deeds.is_empty());
        assert_eq!(claim.since(end.mark, Some(&one)), None);
        // The answer of the call that ended it.
        claim.add(deed(1));
        let late = claim.since(end.mark, Some(&one)).unwrap();
        assert_eq!(late.deeds, [deed(1)]);
        assert_eq!(claim.since(late.mark, Some(&one)), None);
    }

    #[test]
    fn call_answered_after_the_return_is_reported() {
        let (claim, one) = (Claim::default(), id("one"));
        take(&claim, &one);
        claim.give(&one, false);
        let back = claim.since(Mark::default(), None).unwrap();
        claim.add(deed(1));
        let late = claim.since(back.mark, None).unwrap();
        assert_eq!((late.deeds.as_slice(), late.was_taken), ([deed(1)].as_slice(), false));
        assert_eq!(claim.since(late.mark, None), None);
    }

    #[test]
    fn editor_gives_back_only_its_own() {
        let (claim, one) = (Claim::default(), id("one"));
        assert!(claim.take(&one, Door::Editor) && !claim.take(&one, Door::Editor));
        let returns = claim.returns();
        // The person goes on at the terminal.
        assert!(take(&claim, &one));
        assert!(!claim.take(&one, Door::Editor));
        assert!(!claim.give_of_editor(returns) && claim.is_taken());
        claim.give(&one, false);
        claim.take(&one, Door::Editor);
        assert!(!claim.give_of_editor(returns) && claim.is_taken());
        assert!(claim.give_of_editor(claim.returns()) && !claim.is_taken());
    }

    #[test]
    fn session_is_given_back_during_its_restart() {
        let (claim, one, two) = (Claim::default(), id("one"), id("two"));
        take(&claim, &one);
        let moving = claim.begin_move();
        assert!(claim.give(&one, true));
        moving.arrive(&two);
        assert!(!claim.is_taken());
        // The claim is that of the restart now.
        take(&claim, &two);
        assert!(!claim.give(&one, true) && claim.is_taken());
    }

    #[test]
    fn restart_returns_nothing() {
        let (claim, one, two) = (Claim::default(), id("one"), id("two"));
        take(&claim, &one);
        claim.add(deed(1));
        let moving = claim.begin_move();
        assert_eq!(claim.since(Mark::default(), Some(&one)), None);
        moving.arrive(&two);
        assert_eq!(claim.since(Mark::default(), Some(&one)), None);
        assert!(claim.is_taken());
        claim.give(&two, false);
        let back = claim.since(Mark::default(), None).unwrap();
        assert_eq!(back.deeds, [deed(1)]);
        assert_eq!(claim.since(back.mark, Some(&one)), None);
        // A restart that fails.
        take(&claim, &two);
        drop(claim.begin_move());
        assert!(!claim.is_taken());
        assert!(claim.since(back.mark, Some(&two)).is_some());
    }

    #[test]
    fn old_deeds_are_counted() {
        let claim = Claim::default();
        take(&claim, &id("one"));
        (0..23).for_each(|number| claim.add(deed(number)));
        claim.give(&id("one"), false);
        let back = claim.since(Mark::default(), None).unwrap();
        assert_eq!((back.deeds.len(), back.earlier), (DEEDS, 3));
        assert_eq!(back.deeds[0], deed(3));
    }

    #[tokio::test]
    async fn wait_ends_with_the_return() {
        let claim = Claim::default();
        take(&claim, &id("one"));
        let waits = claim.clone();
        let (_, is_taken) = tokio::join!(
            async {
                claim.give(&id("one"), false);
            },
            async {
                waits.given().await;
                waits.is_taken()
            }
        );
        assert!(!is_taken);
    }
}
