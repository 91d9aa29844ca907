//! Whose stop the actor looks at, and who comes next. Pure: knows neither wire nor time.
//!
//! One stop is told at a time. A move that is refused changes nothing; until it is answered nothing else is told.

use std::collections::VecDeque;

use serde_json::Value;

use super::Key;

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

/// What is to be done after a change.
#[derive(Debug, PartialEq)]
pub(super) enum Turn {
    Nothing,
    /// Tell the actor of this stop, which it may have been told of before.
    Tell(Key, Value, bool),
    /// A step comes before those that wait: ask [`Turns::late`] about this number in a while.
    Wait(u32),
}

#[derive(Default)]
pub(super) struct Turns {
    shown: Option<Stand>,
    leaving: Option<Leaving>,
    waiting: VecDeque<Stand>,
    stepping: Option<Key>,
    moves: u32,
}

impl Turns {
    /// Does the actor look at it, or at any?
    pub(super) fn is_shown(&self, key: Option<Key>) -> bool {
        let stand = self.shown.as_ref().filter(|_| self.leaving.is_none());
        stand.is_some_and(|stand| key.is_none_or(|key| stand.key == key))
    }

    /// A member is asked to move.
    pub(super) fn ask(&mut self, key: Key, seq: i64, steps: bool) {
        self.depart();
        self.leaving = Some(Leaving { key, seq, steps });
    }

    /// Who goes now, if that is the answer to the move under way.
    pub(super) fn answered(&mut self, seq: i64, goes: bool) -> Option<Key> {
        let leaving = self.leaving.take_if(|leaving| leaving.seq == seq)?;
        if goes {
            self.leaving = Some(leaving);
            return self.depart();
        }
        None
    }

    /// Who has gone, as it has stopped again, or has ended, before it answered.
    pub(super) fn moved(&mut self, key: Key) -> Option<Key> {
        self.leaving.as_ref().filter(|leaving| leaving.key == key)?;
        self.depart()
    }

    fn depart(&mut self) -> Option<Key> {
        let Leaving { key, steps, .. } = self.leaving.take()?;
        self.waiting.retain(|stand| stand.key != key);
        self.set_aside(Some(key));
        self.moves += 1;
        self.stepping = steps.then_some(key);
        Some(key)
    }

    /// What is shown and does not move is told once more in its turn.
    pub(super) fn set_aside(&mut self, moving: Option<Key>) {
        let stand = self.shown.take().filter(|stand| moving != Some(stand.key));
        self.waiting.extend(stand.map(|stand| Stand { told: true, ..stand }));
    }

    pub(super) fn stopped(&mut self, key: Key, body: Value) -> Turn {
        let own = self.stepping == Some(key) || self.shown.as_ref().is_some_and(|stand| stand.key == key);
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
    pub(super) fn ended(&mut self, key: Key) -> Turn {
        self.waiting.retain(|stand| stand.key != key);
        drop(self.shown.take_if(|stand| stand.key == key));
        self.stepping = self.stepping.filter(|stepping| *stepping != key);
        self.next()
    }

    /// The step of that number takes long.
    pub(super) fn late(&mut self, number: u32) -> Turn {
        if number == self.moves {
            self.stepping = None;
        }
        self.next()
    }

    pub(super) fn next(&mut self) -> Turn {
        if self.shown.is_some() || self.leaving.is_some() || self.waiting.is_empty() {
            return Turn::Nothing;
        }
        if self.stepping.is_some() {
            return Turn::Wait(self.moves);
        }
        let Some(stand) = self.waiting.pop_front() else { return Turn::Nothing };
        let turn = Turn::Tell(stand.key, stand.body.clone(), stand.told);
        self.shown = Some(stand);
        turn
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
            turns.ask(moving, 7, true);
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
        assert_eq!(stop(&mut turns, 2), Turn::Nothing);
        assert_eq!(turns.answered(7, true), Some(1));
        assert_eq!(turns.next(), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 3), Turn::Wait(1));
        assert_eq!(stop(&mut turns, 1), told(1, false));
        turns.ask(1, 8, true);
        assert_eq!(turns.answered(8, true), Some(1));
        assert_eq!(turns.late(1), Turn::Wait(2));
        assert_eq!(turns.late(2), told(2, false));
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
        turns.set_aside(None);
        assert_eq!(turns.next(), told(1, true));
    }
}
