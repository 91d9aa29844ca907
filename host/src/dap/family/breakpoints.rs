//! Breakpoints of the whole tree.
//!
//! Knows the breakpoints that the actor has set, one group for each source, and what the members
//! reported about them. Refuses to know which member receives which request.
//!
//! A breakpoint is verified where any member says so, until the same member reports otherwise. One
//! id of a member may stand for several breakpoints where an adapter reuses ids: then the place
//! decides.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::dap::family::ids::Key;

/// The breakpoints that one request replaces: its command and the source.
pub(crate) type Group = (String, String);

#[derive(Debug, Default)]
pub(crate) struct Breakpoints {
    sets: BTreeMap<Group, Set>,
    /// The actor's ids, by member and its id.
    ours: HashMap<(Key, i64), Vec<i64>>,
    /// Events about ids that no answer has named.
    early: HashMap<(Key, i64), Value>,
    last: i64,
}

#[derive(Debug, Default)]
struct Set {
    arguments: Value,
    breakpoints: Vec<Breakpoint>,
}

#[derive(Clone, Debug)]
struct Breakpoint {
    /// As the actor set it.
    requested: Value,
    /// The actor's id.
    id: i64,
    /// As a member reported it.
    reported: Value,
    /// That member.
    by: Option<Key>,
}

const EXCEPTIONS: &str = "setExceptionBreakpoints";

/// Whether the command replaces a group of breakpoints, which every member needs.
pub(crate) fn is_set(command: &str) -> bool {
    matches!(command, "setBreakpoints" | "setFunctionBreakpoints" | EXCEPTIONS)
}

impl Breakpoints {
    /// Replaces a group. A breakpoint that was set before keeps its id and its state.
    pub(crate) fn set(&mut self, command: &str, arguments: &Value) -> Group {
        let group = (command.to_owned(), source(&arguments["source"]));
        let mut before = self.sets.remove(&group).unwrap_or_default().breakpoints;
        let mut breakpoints = Vec::new();
        for requested in arguments["breakpoints"].as_array().into_iter().flatten() {
            let earlier = before.iter().position(|old| old.requested == *requested);
            let breakpoint = match earlier {
                Some(at) => before.swap_remove(at),
                None => self.fresh(requested),
            };
            breakpoints.push(breakpoint);
        }
        for ids in self.ours.values_mut() {
            ids.retain(|id| !before.iter().any(|removed| removed.id == *id));
        }
        self.sets.insert(group.clone(), Set { arguments: arguments.clone(), breakpoints });
        group
    }

    fn fresh(&mut self, requested: &Value) -> Breakpoint {
        self.last += 1;
        let reported = json!({"verified": false});
        Breakpoint { requested: requested.clone(), id: self.last, reported, by: None }
    }

    /// All groups with the arguments that set them, for a new member.
    pub(crate) fn all(&self) -> Vec<(Group, Value)> {
        let mut all = Vec::new();
        for (group, set) in &self.sets {
            if !set.breakpoints.is_empty() || group.0 == EXCEPTIONS {
                all.push((group.clone(), set.arguments.clone()));
            }
        }
        all
    }

    /// Takes a member's answer; returns the breakpoints that changed.
    pub(crate) fn answered(&mut self, key: Key, group: &Group, body: &Value) -> Vec<Value> {
        let reported = body["breakpoints"].as_array().cloned().unwrap_or_default();
        let Some(set) = self.sets.get_mut(group) else { return Vec::new() };
        let mut changed = Vec::new();
        for (breakpoint, mut reported) in set.breakpoints.iter_mut().zip(reported) {
            if let Some(id) = reported["id"].as_i64() {
                for (_, ids) in self.ours.iter_mut().filter(|((of, _), _)| *of == key) {
                    ids.retain(|ours| *ours != breakpoint.id);
                }
                self.ours.entry((key, id)).or_default().push(breakpoint.id);
                reported = self.early.remove(&(key, id)).unwrap_or(reported);
            }
            changed.extend(breakpoint.update(key, reported));
        }
        changed
    }

    /// The answer for one group.
    pub(crate) fn body(&self, group: &Group) -> Value {
        let breakpoints = self.sets.get(group).map_or(&[][..], |set| &set.breakpoints);
        json!({"breakpoints": breakpoints.iter().map(Breakpoint::merged).collect::<Vec<_>>()})
    }

    /// Takes a `breakpoint` event of a member; returns the breakpoint if it changed.
    pub(crate) fn changed(&mut self, key: Key, reported: Value) -> Option<Value> {
        let Some(id) = reported["id"].as_i64() else { return Some(reported) };
        let ids = self.ids(key, &[id]);
        let Some(ours) = self.at(&ids, &reported).first().or(ids.first()).copied() else {
            self.early.insert((key, id), reported);
            return None;
        };
        let mut all = self.sets.values_mut().flat_map(|set| &mut set.breakpoints);
        all.find(|breakpoint| breakpoint.id == ours)?.update(key, reported)
    }

    /// The actor's ids of a member's breakpoints.
    pub(crate) fn ids(&self, key: Key, ids: &[i64]) -> Vec<i64> {
        let known = ids.iter().filter_map(|id| self.ours.get(&(key, *id)));
        known.flatten().copied().collect()
    }

    /// Those ids whose breakpoint is at the `line` and `source` of a frame or breakpoint.
    pub(crate) fn at(&self, ids: &[i64], place: &Value) -> Vec<i64> {
        let path = source(&place["source"]);
        let line = &place["line"];
        let mut found = Vec::new();
        for ((_, of), set) in &self.sets {
            for breakpoint in set.breakpoints.iter().filter(|_| *of == path) {
                let lines = [&breakpoint.reported["line"], &breakpoint.requested["line"]];
                if ids.contains(&breakpoint.id) && lines.contains(&line) {
                    found.push(breakpoint.id);
                }
            }
        }
        found
    }

    /// The member is gone. Its breakpoints stay verified: their code was loaded.
    pub(crate) fn forget(&mut self, key: Key) {
        self.ours.retain(|(of, _), _| *of != key);
        self.early.retain(|(of, _), _| *of != key);
    }
}

impl Breakpoint {
    /// Takes a member's report; returns the breakpoint if it changed.
    fn update(&mut self, key: Key, reported: Value) -> Option<Value> {
        let was_verified = self.reported["verified"] == true;
        if was_verified && reported["verified"] != true && self.by != Some(key) {
            return None;
        }
        let before = self.merged();
        (self.reported, self.by) = (reported, Some(key));
        let now = self.merged();
        (now != before).then_some(now)
    }

    /// The breakpoint as the actor receives it.
    fn merged(&self) -> Value {
        let mut reported = self.reported.clone();
        reported["id"] = self.id.into();
        reported
    }
}

/// The identity of a source: its path, else its reference, else its name.
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

    fn two() -> (Breakpoints, Group) {
        let mut breakpoints = Breakpoints::default();
        let group = breakpoints.set(
            "setBreakpoints",
            &json!({"source": {"path": "/a"}, "breakpoints": [{"line": 3}, {"line": 9}]}),
        );
        (breakpoints, group)
    }

    fn lines(body: &Value) -> Vec<(i64, bool)> {
        let all = body["breakpoints"].as_array().unwrap().iter();
        all.map(|reported| (reported["id"].as_i64().unwrap(), reported["verified"] == true))
            .collect()
    }

    #[test]
    fn verified_where_any_member_says_so() {
        let (mut breakpoints, group) = two();
        let no =
            json!({"breakpoints": [{"id": 7, "verified": false}, {"id": 8, "verified": false}]});
        let yes = json!({"breakpoints": [{"id": 7, "verified": false}, {"id": 8, "verified": true,
            "line": 10}]});
        breakpoints.answered(0, &group, &no);
        assert_eq!(
            breakpoints.answered(1, &group, &yes),
            [json!({"id": 2, "verified": true, "line": 10})]
        );
        assert!(breakpoints.answered(2, &group, &no).is_empty());
        assert_eq!(lines(&breakpoints.body(&group)), [(1, false), (2, true)]);
        // The member that verified it may report otherwise.
        assert!(breakpoints.changed(2, json!({"id": 8, "verified": false})).is_none());
        assert_eq!(
            breakpoints.changed(1, json!({"id": 8, "verified": false})),
            Some(json!({"id": 2, "verified": false}))
        );
    }

    #[test]
    fn an_event_before_the_answer_waits_for_it() {
        let (mut breakpoints, group) = two();
        assert_eq!(breakpoints.changed(1, json!({"id": 0, "verified": true, "line": 4})), None);
        let reported = json!({"breakpoints": [{"id": 0, "verified": false}]});
        assert_eq!(
            breakpoints.answered(1, &group, &reported),
            [json!({"id": 1, "verified": true, "line": 4})]
        );
        assert_eq!(breakpoints.ids(1, &[0]), [1]);
        breakpoints.forget(1);
        assert!(breakpoints.ids(1, &[0]).is_empty());
        assert_eq!(lines(&breakpoints.body(&group)), [(1, true), (2, false)]);
    }

    #[test]
    fn a_breakpoint_set_again_keeps_its_number() {
        let (mut breakpoints, group) = two();
        let reported =
            json!({"breakpoints": [{"id": 5, "verified": true}, {"id": 6, "verified": true}]});
        breakpoints.answered(1, &group, &reported);
        breakpoints.set(
            "setBreakpoints",
            &json!({"source": {"path": "/a"}, "breakpoints": [{"line": 9}, {"line": 12}]}),
        );
        // Answers may leave out what has not changed.
        breakpoints.answered(1, &group, &json!({"breakpoints": []}));
        assert_eq!(lines(&breakpoints.body(&group)), [(2, true), (3, false)]);
        assert_eq!((breakpoints.ids(1, &[5]), breakpoints.ids(1, &[6])), (vec![], vec![2]));
    }

    #[test]
    fn the_place_decides_between_two_breakpoints_of_one_id() {
        let (mut breakpoints, group) = two();
        breakpoints.answered(
            1,
            &group,
            &json!({"breakpoints": [{"id": 1, "verified": true, "line": 3}, {"id": 1,
                "verified": false}]}),
        );
        assert_eq!(breakpoints.ids(1, &[1]), [1, 2]);
        let at = |line| json!({"source": {"path": "/a"}, "line": line});
        assert_eq!(
            (breakpoints.at(&[1, 2], &at(3)), breakpoints.at(&[1, 2], &at(9))),
            (vec![1], vec![2])
        );
        assert!(breakpoints.at(&[1, 2], &json!({"source": {"path": "/b"}, "line": 3})).is_empty());
        let mut reported = at(9);
        (reported["id"], reported["verified"]) = (1.into(), true.into());
        assert_eq!(breakpoints.changed(1, reported).unwrap()["id"], 2);
    }
}
