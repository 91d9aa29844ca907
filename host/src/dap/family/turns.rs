//! Order of the stops: which one the actor sees, and which wait. Pure: knows neither wire nor time.
//!
//! ```text
//!            stopped               answered
//!  running ──────────▶ waiting ─▶ current ─▶ moving ─────────▶ running
//!                         ▲           │
//!                         └───────────┘ another member moves: reported again later
//! ```
//!
//! The actor sees one stop at a time. While a move has no answer, other stops wait, until
//! [`Turns::late`]: then the move counts as done, and if it is refused after that, the stop that it
//! left joins the queue again. A refusal before that changes nothing.

use std::collections::VecDeque;

use serde_json::Value;

use crate::dap::family::ids::Key;

/// A stopped member.
struct Stopped {
    key: Key,
    body: Value,
    /// The actor has received it.
    reported: bool,
}

/// A move without an answer.
struct Move {
    key: Key,
    seq: i64,
    steps: bool,
}

/// A move that counts as done and has no answer.
struct Unsettled {
    key: Key,
    seq: i64,
    /// The stop where it began.
    stop: Option<Stopped>,
}

/// What follows a change.
#[derive(Debug, PartialEq)]
pub(crate) enum Turn {
    Nothing,
    /// Report this stop to the actor.
    Report {
        key: Key,
        /// Of the `stopped` event.
        body: Value,
        /// The actor has received it before.
        again: bool,
    },
    /// Stops wait for the move of this number: call [`Turns::late`] with it after the limit.
    Wait(u32),
}

#[derive(Default)]
pub(crate) struct Turns {
    /// The stop that the actor sees.
    current: Option<Stopped>,
    /// The actor's last move, until its answer.
    moving: Option<Move>,
    unsettled: Vec<Unsettled>,
    waiting: VecDeque<Stopped>,
    /// The member that steps: its next stop comes first.
    stepping: Option<Key>,
    /// Number of moves so far.
    moves: u32,
}

impl Turns {
    /// Whether the actor sees a stop of this member, or of any.
    pub(crate) fn is_current(&self, key: Option<Key>) -> bool {
        let stop = self.current.as_ref().filter(|_| self.moving.is_none());
        stop.is_some_and(|stop| key.is_none_or(|key| stop.key == key))
    }

    /// The actor moves a member. Returns the member of an earlier move without an answer, which now
    /// counts as done.
    pub(crate) fn request(&mut self, key: Key, seq: i64, steps: bool) -> Option<Key> {
        let gone = self.depart_unanswered();
        self.moving = Some(Move { key, seq, steps });
        self.moves += 1;
        gone
    }

    /// The answer to a request. Returns the member that runs now, if it was the current move.
    pub(crate) fn answered(&mut self, seq: i64, succeeded: bool) -> Option<Key> {
        if let Some(at) = self.unsettled.iter().position(|one| one.seq == seq) {
            let stop = self.unsettled.remove(at).stop;
            self.waiting.extend(stop.filter(|_| !succeeded));
            return None;
        }
        self.moving.as_ref().filter(|moving| moving.seq == seq)?;
        if succeeded {
            self.depart().map(|(moving, _)| moving.key)
        } else {
            self.moving = None;
            None
        }
    }

    /// A member stopped again or ended. Returns it if its move had no answer.
    pub(crate) fn moved(&mut self, key: Key) -> Option<Key> {
        self.unsettled.retain(|one| one.key != key);
        self.moving.as_ref().filter(|moving| moving.key == key)?;
        self.depart().map(|(moving, _)| moving.key)
    }

    /// The current move counts as done. Returns it and the stop where it began.
    fn depart(&mut self) -> Option<(Move, Option<Stopped>)> {
        let moving = self.moving.take()?;
        let waited = self.waiting.iter().position(|stop| stop.key == moving.key);
        let waited = waited.and_then(|at| self.waiting.remove(at));
        let current = self.current.take_if(|stop| stop.key == moving.key).map(Stopped::again);
        self.set_aside();
        self.stepping = moving.steps.then_some(moving.key);
        Some((moving, current.or(waited)))
    }

    fn depart_unanswered(&mut self) -> Option<Key> {
        let (Move { key, seq, .. }, stop) = self.depart()?;
        self.unsettled.push(Unsettled { key, seq, stop });
        Some(key)
    }

    /// The current stop waits, to be reported again.
    pub(crate) fn set_aside(&mut self) {
        self.waiting.extend(self.current.take().map(Stopped::again));
    }

    pub(crate) fn stopped(&mut self, key: Key, body: Value) -> Turn {
        let is_current = self.current.as_ref().is_some_and(|stop| stop.key == key);
        let own = is_current || self.stepping == Some(key);
        self.waiting.retain(|stop| stop.key != key);
        let stop = Stopped { key, body, reported: false };
        if own {
            (self.current, self.stepping) = (None, None);
            self.waiting.push_front(stop);
        } else {
            self.waiting.push_back(stop);
        }
        self.next()
    }

    /// The member has no thread left.
    pub(crate) fn ended(&mut self, key: Key) -> Turn {
        self.waiting.retain(|stop| stop.key != key);
        drop(self.current.take_if(|stop| stop.key == key));
        self.stepping = self.stepping.filter(|stepping| *stepping != key);
        self.next()
    }

    /// The limit has passed since the move of this number. If stops wait, the move counts as done;
    /// returns its member.
    pub(crate) fn late(&mut self, number: u32) -> (Option<Key>, Turn) {
        let mut gone = None;
        if number == self.moves {
            gone = if self.others_wait() { self.depart_unanswered() } else { None };
            self.stepping = None;
        }
        (gone, self.next())
    }

    /// Whether a member other than the moving one is stopped.
    fn others_wait(&self) -> bool {
        let moving = self.moving.as_ref().map(|moving| moving.key);
        self.waiting.iter().chain(&self.current).any(|stop| Some(stop.key) != moving)
    }

    pub(crate) fn next(&mut self) -> Turn {
        if self.stepping.is_some() || self.moving.is_some() {
            return if self.others_wait() { Turn::Wait(self.moves) } else { Turn::Nothing };
        }
        if self.current.is_some() {
            return Turn::Nothing;
        }
        let Some(stop) = self.waiting.pop_front() else { return Turn::Nothing };
        let turn = Turn::Report { key: stop.key, body: stop.body.clone(), again: stop.reported };
        self.current = Some(stop);
        turn
    }
}

impl Stopped {
    /// The same stop, once the actor has received it.
    fn again(self) -> Self {
        Self { reported: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(key: Key, again: bool) -> Turn {
        Turn::Report { key, body: json!(key), again }
    }

    fn stop(turns: &mut Turns, key: Key) -> Turn {
        turns.stopped(key, json!(key))
    }

    /// Member 1 is current, member 2 waits.
    fn two() -> Turns {
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), report(1, false));
        assert_eq!(stop(&mut turns, 2), Turn::Nothing);
        turns
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        for moving in [1, 2, 3] {
            let mut turns = two();
            assert_eq!(turns.request(moving, 7, true), None);
            assert!(!turns.is_current(None));
            assert_eq!(turns.answered(7, false), None);
            assert_eq!(turns.next(), Turn::Nothing);
            assert!(turns.is_current(Some(1)));
            assert_eq!(stop(&mut turns, 3), Turn::Nothing);
            assert_eq!(turns.ended(3), Turn::Nothing);
            turns.request(1, 8, false);
            assert_eq!(turns.answered(8, true), Some(1));
            assert_eq!(turns.next(), report(2, false));
        }
    }

    #[test]
    fn a_step_comes_before_other_stops() {
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), report(1, false));
        turns.request(1, 7, true);
        assert_eq!(stop(&mut turns, 2), Turn::Wait(1));
        assert_eq!(turns.answered(7, true), Some(1));
        assert_eq!(turns.next(), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 3), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 1), report(1, false));
        turns.request(1, 8, true);
        assert_eq!(turns.answered(8, true), Some(1));
        assert_eq!(turns.late(1), (None, Turn::Wait(2)));
        assert_eq!(turns.late(2), (None, report(2, false)));
    }

    #[test]
    fn a_move_without_an_answer_is_done_after_the_limit() {
        for (succeeded, next) in [(true, Turn::Nothing), (false, report(1, true))] {
            let mut turns = two();
            turns.request(1, 7, true);
            assert_eq!(turns.next(), Turn::Wait(1));
            assert_eq!(turns.late(1), (Some(1), report(2, false)));
            assert_eq!(turns.answered(7, succeeded), None);
            assert_eq!(turns.next(), Turn::Nothing);
            turns.request(2, 8, false);
            assert_eq!(turns.answered(8, true), Some(2));
            assert_eq!(turns.next(), next);
        }
        // No other stop waits.
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), report(1, false));
        turns.request(1, 7, false);
        assert_eq!((turns.next(), turns.late(1)), (Turn::Nothing, (None, Turn::Nothing)));
        assert_eq!(turns.answered(7, false), None);
        assert!(turns.is_current(Some(1)));
    }

    #[test]
    fn a_late_refusal_does_not_replace_a_newer_stop() {
        let mut turns = two();
        turns.request(1, 7, false);
        assert_eq!(turns.late(1), (Some(1), report(2, false)));
        assert_eq!(turns.moved(1), None);
        assert_eq!(stop(&mut turns, 1), Turn::Nothing);
        turns.answered(7, false);
        turns.request(2, 8, false);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), report(1, false));
        turns.set_aside();
        assert_eq!(turns.next(), report(1, true));
    }

    #[test]
    fn the_next_move_completes_the_one_before() {
        let mut turns = two();
        turns.request(1, 7, false);
        assert_eq!(turns.request(2, 8, false), Some(1));
        assert_eq!(turns.answered(7, false), None);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), report(1, true));
    }

    #[test]
    fn a_step_may_stop_or_end_before_it_is_answered() {
        let mut turns = two();
        turns.request(1, 7, true);
        assert_eq!(turns.moved(2), None);
        assert_eq!(turns.moved(1), Some(1));
        assert_eq!(stop(&mut turns, 1), report(1, false));
        assert_eq!((turns.answered(7, true), turns.next()), (None, Turn::Nothing));
        turns.request(1, 8, true);
        assert_eq!(turns.moved(1), Some(1));
        assert_eq!(turns.ended(1), report(2, false));
        assert_eq!((turns.answered(8, true), turns.next()), (None, Turn::Nothing));
    }

    #[test]
    fn a_stop_is_reported_again_after_another_member_moved() {
        let mut turns = two();
        turns.request(2, 7, true);
        assert_eq!(turns.answered(7, true), Some(2));
        assert_eq!(stop(&mut turns, 2), report(2, false));
        turns.request(2, 8, false);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), report(1, true));
        turns.set_aside();
        assert_eq!(turns.next(), report(1, true));
    }
}
