//! Breakpoints of the whole tree.
//!
//! Knows what the actor has set, which it sets as a whole for each source, and what members said of
//! it. Refuses to know who is asked when.
//!
//! A breakpoint is verified where any member says so: the last such word counts until the member
//! that said it takes it back. One number of a member may stand for several breakpoints, where the
//! adapter counts anew on its way: then the place decides.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::dap::family::Key;

/// One request's worth of breakpoints: the command, and which source's.
pub(crate) type Place = (String, String);

#[derive(Debug, Default)]
pub(crate) struct Marks {
    sets: BTreeMap<Place, Set>,
    /// Our numbers, by a member's.
    ours: HashMap<(Key, i64), Vec<i64>>,
    /// What was said of numbers that no answer had named yet.
    early: HashMap<(Key, i64), Value>,
    last: i64,
}

#[derive(Debug, Default)]
struct Set {
    arguments: Value,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
struct Mark {
    asked: Value,
    number: i64,
    told: Value,
    /// Who said it.
    by: Option<Key>,
}

const EXCEPTIONS: &str = "setExceptionBreakpoints";

/// Whether the command sets breakpoints as a whole, so that every member must hear it.
pub(crate) fn is_set(command: &str) -> bool {
    matches!(command, "setBreakpoints" | "setFunctionBreakpoints" | EXCEPTIONS)
}

impl Marks {
    /// What the actor sets now. A breakpoint that was set before keeps its number and what is known
    /// of it.
    pub(crate) fn set(&mut self, command: &str, arguments: &Value) -> Place {
        let place = (command.to_owned(), source(&arguments["source"]));
        let asked = arguments["breakpoints"].as_array();
        let mut before = self.sets.remove(&place).unwrap_or_default().marks;
        let mut marks = Vec::new();
        for asked in asked.into_iter().flatten() {
            let kept = before
                .iter()
                .position(|mark| mark.asked == *asked)
                .map(|at| before.swap_remove(at));
            marks.push(kept.unwrap_or_else(|| {
                self.last += 1;
                Mark {
                    asked: asked.clone(),
                    number: self.last,
                    told: json!({"verified": false}),
                    by: None,
                }
            }));
        }
        for numbers in self.ours.values_mut() {
            numbers.retain(|number| !before.iter().any(|mark| mark.number == *number));
        }
        self.sets.insert(place.clone(), Set { arguments: arguments.clone(), marks });
        place
    }

    /// Everything that is set, for a member that has heard nothing yet.
    pub(crate) fn all(&self) -> Vec<(Place, Value)> {
        let set = self
            .sets
            .iter()
            .filter(|((command, _), set)| !set.marks.is_empty() || command == EXCEPTIONS);
        set.map(|(place, set)| (place.clone(), set.arguments.clone())).collect()
    }

    /// A member's answer; tells the breakpoints that changed by it.
    pub(crate) fn answered(&mut self, key: Key, place: &Place, body: &Value) -> Vec<Value> {
        let told = body["breakpoints"].as_array().cloned().unwrap_or_default();
        let Some(set) = self.sets.get_mut(place) else { return Vec::new() };
        let mut changed = Vec::new();
        for (mark, mut told) in set.marks.iter_mut().zip(told) {
            if let Some(id) = told["id"].as_i64() {
                for (_, numbers) in self.ours.iter_mut().filter(|((of, _), _)| *of == key) {
                    numbers.retain(|number| *number != mark.number);
                }
                self.ours.entry((key, id)).or_default().push(mark.number);
                told = self.early.remove(&(key, id)).unwrap_or(told);
            }
            changed.extend(mark.hear(key, told));
        }
        changed
    }

    /// All breakpoints of one request, as they stand.
    pub(crate) fn body(&self, place: &Place) -> Value {
        let marks = self.sets.get(place).map_or(&[][..], |set| &set.marks);
        json!({"breakpoints": marks.iter().map(Mark::merged).collect::<Vec<_>>()})
    }

    /// A `breakpoint` event of a member; tells the breakpoint if it changed by it.
    pub(crate) fn news(&mut self, key: Key, mut told: Value) -> Option<Value> {
        let Some(id) = told["id"].as_i64() else { return Some(told) };
        let numbers = self.numbers(key, &[id]);
        let Some(number) = self.at(&numbers, &told).first().or(numbers.first()).copied() else {
            self.early.insert((key, id), told.take());
            return None;
        };
        let mark = self
            .sets
            .values_mut()
            .flat_map(|set| &mut set.marks)
            .find(|mark| mark.number == number)?;
        mark.hear(key, told)
    }

    /// Our numbers of a member's breakpoints.
    pub(crate) fn numbers(&self, key: Key, ids: &[i64]) -> Vec<i64> {
        let known = ids.iter().filter_map(|id| self.ours.get(&(key, *id)));
        known.flatten().copied().collect()
    }

    /// Those of our numbers that stand for a breakpoint at this `line` of this `source`.
    pub(crate) fn at(&self, numbers: &[i64], place: &Value) -> Vec<i64> {
        let path = source(&place["source"]);
        let sets = self.sets.iter().filter(|((_, of), _)| *of == path);
        let marks =
            sets.flat_map(|(_, set)| &set.marks).filter(|mark| numbers.contains(&mark.number));
        let line =
            |mark: &&Mark| [&mark.told["line"], &mark.asked["line"]].contains(&&place["line"]);
        marks.filter(line).map(|mark| mark.number).collect()
    }

    /// The member is gone. What it verified stays so: it was there.
    pub(crate) fn forget(&mut self, key: Key) {
        self.ours.retain(|(of, _), _| *of != key);
        self.early.retain(|(of, _), _| *of != key);
    }
}

impl Mark {
    fn hear(&mut self, key: Key, told: Value) -> Option<Value> {
        let verified = |told: &Value| told["verified"] == true;
        if !verified(&told) && verified(&self.told) && self.by != Some(key) {
            return None;
        }
        let before = self.merged();
        (self.told, self.by) = (told, Some(key));
        let now = self.merged();
        (now != before).then_some(now)
    }

    fn merged(&self) -> Value {
        let mut told = self.told.clone();
        told["id"] = self.number.into();
        told
    }
}

/// What tells sources apart: the path, else the number, else the name.
fn source(source: &Value) -> String {
    match (source["path"].as_str(), source["sourceReference"].as_i64()) {
        (Some(path), _) => path.to_owned(),
        (None, Some(reference)) => format!("#{reference}"),
        (None, None) => source["name"].as_str().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (Marks, Place) {
        let mut marks = Marks::default();
        let place = marks.set(
            "setBreakpoints",
            &json!({"source": {"path": "/a"}, "breakpoints": [{"line": 3}, {"line": 9}]}),
        );
        (marks, place)
    }

    fn lines(body: &Value) -> Vec<(i64, bool)> {
        let all = body["breakpoints"].as_array().unwrap().iter();
        all.map(|told| (told["id"].as_i64().unwrap(), told["verified"] == true)).collect()
    }

    #[test]
    fn verified_where_any_member_says_so() {
        let (mut marks, place) = two();
        let no =
            json!({"breakpoints": [{"id": 7, "verified": false}, {"id": 8, "verified": false}]});
        let yes = json!({"breakpoints": [{"id": 7, "verified": false}, {"id": 8, "verified": true,
            "line": 10}]});
        marks.answered(0, &place, &no);
        assert_eq!(
            marks.answered(1, &place, &yes),
            [json!({"id": 2, "verified": true, "line": 10})]
        );
        assert!(marks.answered(2, &place, &no).is_empty());
        assert_eq!(lines(&marks.body(&place)), [(1, false), (2, true)]);
        // Who said it may take it back.
        assert!(marks.news(2, json!({"id": 8, "verified": false})).is_none());
        assert_eq!(
            marks.news(1, json!({"id": 8, "verified": false})),
            Some(json!({"id": 2, "verified": false}))
        );
    }

    #[test]
    fn late_words_find_their_breakpoint_and_early_ones_wait_for_it() {
        let (mut marks, place) = two();
        assert_eq!(marks.news(1, json!({"id": 0, "verified": true, "line": 4})), None);
        let told = json!({"breakpoints": [{"id": 0, "verified": false}]});
        assert_eq!(
            marks.answered(1, &place, &told),
            [json!({"id": 1, "verified": true, "line": 4})]
        );
        assert_eq!(marks.numbers(1, &[0]), [1]);
        marks.forget(1);
        assert!(marks.numbers(1, &[0]).is_empty());
        assert_eq!(lines(&marks.body(&place)), [(1, true), (2, false)]);
    }

    #[test]
    fn a_breakpoint_set_again_keeps_its_number() {
        let (mut marks, place) = two();
        let told =
            json!({"breakpoints": [{"id": 5, "verified": true}, {"id": 6, "verified": true}]});
        marks.answered(1, &place, &told);
        marks.set(
            "setBreakpoints",
            &json!({"source": {"path": "/a"}, "breakpoints": [{"line": 9}, {"line": 12}]}),
        );
        // Answers may leave out what has not changed.
        marks.answered(1, &place, &json!({"breakpoints": []}));
        assert_eq!(lines(&marks.body(&place)), [(2, true), (3, false)]);
        assert_eq!((marks.numbers(1, &[5]), marks.numbers(1, &[6])), (vec![], vec![2]));
    }

    #[test]
    fn two_breakpoints_of_one_number_are_told_apart_by_their_place() {
        let (mut marks, place) = two();
        marks.answered(
            1,
            &place,
            &json!({"breakpoints": [{"id": 1, "verified": true, "line": 3}, {"id": 1,
                "verified": false}]}),
        );
        assert_eq!(marks.numbers(1, &[1]), [1, 2]);
        let at = |line| json!({"source": {"path": "/a"}, "line": line});
        assert_eq!((marks.at(&[1, 2], &at(3)), marks.at(&[1, 2], &at(9))), (vec![1], vec![2]));
        assert!(marks.at(&[1, 2], &json!({"source": {"path": "/b"}, "line": 3})).is_empty());
        let mut told = at(9);
        (told["id"], told["verified"]) = (1.into(), true.into());
        assert_eq!(marks.news(1, told).unwrap()["id"], 2);
    }
}
