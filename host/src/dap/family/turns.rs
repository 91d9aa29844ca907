//! Whose stop the actor looks at, and who comes next. Pure: knows neither wire nor time.
//!
//! One stop is told at a time. A move that is refused changes nothing. Until it is answered others
//! wait, but not for ever: it then counts as done, and a refusal that comes later brings its stop
//! back.

use std::collections::VecDeque;

use serde_json::Value;

use crate::dap::family::Key;

/// A member that stands.
struct Stand {
    key: Key,
    body: Value,
    /// The actor knows of it.
    told: bool,
}

/// A move that is not answered yet.
struct Leaving {
    key: Key,
    seq: i64,
    steps: bool,
}

/// A move that counts as done, though it is not answered.
struct Unsettled {
    key: Key,
    seq: i64,
    /// Where it began.
    stand: Option<Stand>,
}

/// What is to be done after a change.
#[derive(Debug, PartialEq)]
pub(crate) enum Turn {
    Nothing,
    /// Tell the actor of this stop, which it may have been told of before.
    Tell(Key, Value, bool),
    /// A move comes before those that wait: ask [`Turns::late`] about this number in a while.
    Wait(u32),
}

#[derive(Default)]
pub(crate) struct Turns {
    shown: Option<Stand>,
    leaving: Option<Leaving>,
    unsettled: Vec<Unsettled>,
    waiting: VecDeque<Stand>,
    stepping: Option<Key>,
    moves: u32,
}

impl Turns {
    /// Does the actor look at it, or at any?
    pub(crate) fn is_shown(&self, key: Option<Key>) -> bool {
        let stand = self.shown.as_ref().filter(|_| self.leaving.is_none());
        stand.is_some_and(|stand| key.is_none_or(|key| stand.key == key))
    }

    /// A member is asked to move. Who was asked before and has not answered counts as gone.
    pub(crate) fn ask(&mut self, key: Key, seq: i64, steps: bool) -> Option<Key> {
        let gone = self.depart_unanswered();
        self.leaving = Some(Leaving { key, seq, steps });
        self.moves += 1;
        gone
    }

    /// Who goes now, if that is the answer to the move under way.
    pub(crate) fn answered(&mut self, seq: i64, goes: bool) -> Option<Key> {
        if let Some(at) = self.unsettled.iter().position(|one| one.seq == seq) {
            let stand = self.unsettled.remove(at).stand;
            self.waiting.extend(stand.filter(|_| !goes));
            return None;
        }
        self.leaving.as_ref().filter(|leaving| leaving.seq == seq)?;
        if goes {
            self.depart().map(|(leaving, _)| leaving.key)
        } else {
            self.leaving = None;
            None
        }
    }

    /// Who has gone, as it has stopped again, or has ended, before it answered.
    pub(crate) fn moved(&mut self, key: Key) -> Option<Key> {
        self.unsettled.retain(|one| one.key != key);
        self.leaving.as_ref().filter(|leaving| leaving.key == key)?;
        self.depart().map(|(leaving, _)| leaving.key)
    }

    /// What moves, and where it stood.
    fn depart(&mut self) -> Option<(Leaving, Option<Stand>)> {
        let leaving = self.leaving.take()?;
        let waited = self.waiting.iter().position(|stand| stand.key == leaving.key);
        let waited = waited.and_then(|at| self.waiting.remove(at));
        let shown = self.shown.take_if(|stand| stand.key == leaving.key).map(Stand::again);
        self.set_aside();
        self.stepping = leaving.steps.then_some(leaving.key);
        Some((leaving, shown.or(waited)))
    }

    fn depart_unanswered(&mut self) -> Option<Key> {
        let (Leaving { key, seq, .. }, stand) = self.depart()?;
        self.unsettled.push(Unsettled { key, seq, stand });
        Some(key)
    }

    /// What is shown is told once more in its turn.
    pub(crate) fn set_aside(&mut self) {
        self.waiting.extend(self.shown.take().map(Stand::again));
    }

    pub(crate) fn stopped(&mut self, key: Key, body: Value) -> Turn {
        let own =
            self.stepping == Some(key) || self.shown.as_ref().is_some_and(|stand| stand.key == key);
        self.waiting.retain(|stand| stand.key != key);
        let stand = Stand { key, body, told: false };
        if own {
            (self.shown, self.stepping) = (None, None);
            self.waiting.push_front(stand);
        } else {
            self.waiting.push_back(stand);
        }
        self.next()
    }

    /// Neither stands nor steps any more.
    pub(crate) fn ended(&mut self, key: Key) -> Turn {
        self.waiting.retain(|stand| stand.key != key);
        drop(self.shown.take_if(|stand| stand.key == key));
        self.stepping = self.stepping.filter(|stepping| *stepping != key);
        self.next()
    }

    /// The move of that number takes long. Who goes is no longer waited for, where others wait.
    pub(crate) fn late(&mut self, number: u32) -> (Option<Key>, Turn) {
        let mut gone = None;
        if number == self.moves {
            gone = if self.others_wait() { self.depart_unanswered() } else { None };
            self.stepping = None;
        }
        (gone, self.next())
    }

    /// Does anybody stand but who is asked to move?
    fn others_wait(&self) -> bool {
        let leaves =
            |stand: &&Stand| self.leaving.as_ref().is_some_and(|leaving| leaving.key == stand.key);
        self.waiting.iter().chain(&self.shown).any(|stand| !leaves(&stand))
    }

    pub(crate) fn next(&mut self) -> Turn {
        if self.stepping.is_some() || self.leaving.is_some() {
            return if self.others_wait() { Turn::Wait(self.moves) } else { Turn::Nothing };
        }
        if self.shown.is_some() {
            return Turn::Nothing;
        }
        let Some(stand) = self.waiting.pop_front() else { return Turn::Nothing };
        let turn = Turn::Tell(stand.key, stand.body.clone(), stand.told);
        self.shown = Some(stand);
        turn
    }
}

impl Stand {
    /// The actor has been told of it.
    fn again(self) -> Self {
        Self { told: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(key: Key, again: bool) -> Turn {
        Turn::Tell(key, json!(key), again)
    }

    fn stop(turns: &mut Turns, key: Key) -> Turn {
        turns.stopped(key, json!(key))
    }

    /// One stands that the actor looks at, and another behind it.
    fn two() -> Turns {
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), told(1, false));
        assert_eq!(stop(&mut turns, 2), Turn::Nothing);
        turns
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        for moving in [1, 2, 3] {
            let mut turns = two();
            assert_eq!(turns.ask(moving, 7, true), None);
            assert!(!turns.is_shown(None));
            assert_eq!(turns.answered(7, false), None);
            assert_eq!(turns.next(), Turn::Nothing);
            assert!(turns.is_shown(Some(1)));
            assert_eq!(stop(&mut turns, 3), Turn::Nothing);
            assert_eq!(turns.ended(3), Turn::Nothing);
            turns.ask(1, 8, false);
            assert_eq!(turns.answered(8, true), Some(1));
            assert_eq!(turns.next(), told(2, false));
        }
    }

    #[test]
    fn a_step_comes_before_who_stops_meanwhile() {
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), told(1, false));
        turns.ask(1, 7, true);
        assert_eq!(stop(&mut turns, 2), Turn::Wait(1));
        assert_eq!(turns.answered(7, true), Some(1));
        assert_eq!(turns.next(), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 3), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 1), told(1, false));
        turns.ask(1, 8, true);
        assert_eq!(turns.answered(8, true), Some(1));
        assert_eq!(turns.late(1), (None, Turn::Wait(2)));
        assert_eq!(turns.late(2), (None, told(2, false)));
    }

    #[test]
    fn a_move_without_an_answer_is_not_waited_for_for_ever() {
        for (goes, next) in [(true, Turn::Nothing), (false, told(1, true))] {
            let mut turns = two();
            turns.ask(1, 7, true);
            assert_eq!(turns.next(), Turn::Wait(1));
            assert_eq!(turns.late(1), (Some(1), told(2, false)));
            assert_eq!(turns.answered(7, goes), None);
            assert_eq!(turns.next(), Turn::Nothing);
            turns.ask(2, 8, false);
            assert_eq!(turns.answered(8, true), Some(2));
            assert_eq!(turns.next(), next);
        }
        // Nobody waits.
        let mut turns = Turns::default();
        assert_eq!(stop(&mut turns, 1), told(1, false));
        turns.ask(1, 7, false);
        assert_eq!((turns.next(), turns.late(1)), (Turn::Nothing, (None, Turn::Nothing)));
        assert_eq!(turns.answered(7, false), None);
        assert!(turns.is_shown(Some(1)));
    }

    #[test]
    fn a_refusal_brings_nothing_back_that_has_stopped_since() {
        let mut turns = two();
        turns.ask(1, 7, false);
        assert_eq!(turns.late(1), (Some(1), told(2, false)));
        assert_eq!(turns.moved(1), None);
        assert_eq!(stop(&mut turns, 1), Turn::Nothing);
        turns.answered(7, false);
        turns.ask(2, 8, false);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), told(1, false));
        turns.set_aside();
        assert_eq!(turns.next(), told(1, true));
    }

    #[test]
    fn another_move_has_the_one_before_it_done() {
        let mut turns = two();
        turns.ask(1, 7, false);
        assert_eq!(turns.ask(2, 8, false), Some(1));
        assert_eq!(turns.answered(7, false), None);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), told(1, true));
    }

    #[test]
    fn a_step_may_stop_or_end_before_it_is_answered() {
        let mut turns = two();
        turns.ask(1, 7, true);
        assert_eq!(turns.moved(2), None);
        assert_eq!(turns.moved(1), Some(1));
        assert_eq!(stop(&mut turns, 1), told(1, false));
        assert_eq!((turns.answered(7, true), turns.next()), (None, Turn::Nothing));
        turns.ask(1, 8, true);
        assert_eq!(turns.moved(1), Some(1));
        assert_eq!(turns.ended(1), told(2, false));
        assert_eq!((turns.answered(8, true), turns.next()), (None, Turn::Nothing));
    }

    #[test]
    fn who_stands_while_another_moves_is_told_once_more() {
        let mut turns = two();
        turns.ask(2, 7, true);
        assert_eq!(turns.answered(7, true), Some(2));
        assert_eq!(stop(&mut turns, 2), told(2, false));
        turns.ask(2, 8, false);
        assert_eq!(turns.answered(8, true), Some(2));
        assert_eq!(turns.next(), told(1, true));
        turns.set_aside();
        assert_eq!(turns.next(), told(1, true));
    }
}
