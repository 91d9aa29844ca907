//! Ids of the members and ids for the actor.
//!
//! Knows which keys of DAP bodies hold which kind of id. Refuses to know commands and events.
//!
//! The actor's ids count from 1 and are never used twice: an id of a finished stop is unknown
//! instead of naming something else.

use std::collections::HashMap;

use serde_json::Value;

/// A connection; never used again after its end.
pub(crate) type Key = u32;

/// The first connection.
pub(crate) const ROOT: Key = 0;

/// The kind of object that an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Thread,
    Frame,
    Variables,
    Source,
    Location,
    Target,
}

const KINDS: usize = 6;
/// Invalid once their member runs again (DAP, "Lifetime of Object References").
const OF_A_STOP: [Kind; 4] = [Kind::Frame, Kind::Variables, Kind::Location, Kind::Target];

/// An id that no member has, or no longer has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) kind: Kind,
    pub(crate) number: i64,
}

/// Both directions of the mapping.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    last: [i64; KINDS],
    theirs: HashMap<(Kind, i64), (Key, i64)>,
    ours: HashMap<(Kind, Key, i64), i64>,
}

impl Ids {
    /// The actor's id for a member's id.
    pub(crate) fn ours(&mut self, kind: Kind, key: Key, theirs: i64) -> i64 {
        let Self { last, theirs: known, ours } = self;
        *ours.entry((kind, key, theirs)).or_insert_with(|| {
            last[kind as usize] += 1;
            known.insert((kind, last[kind as usize]), (key, theirs));
            last[kind as usize]
        })
    }

    /// Whether no member has sent an id of this kind.
    pub(crate) fn is_new(&self, kind: Kind) -> bool {
        self.last[kind as usize] == 0
    }

    /// The member that an id belongs to, and its id there.
    pub(crate) fn theirs(&self, kind: Kind, number: i64) -> Result<(Key, i64), Unknown> {
        self.theirs.get(&(kind, number)).copied().ok_or(Unknown { kind, number })
    }

    /// The actor's ids of a member's threads.
    pub(crate) fn threads_of(&self, key: Key) -> Vec<i64> {
        let of = self.ours.iter().filter(|((kind, of, _), _)| *kind == Kind::Thread && *of == key);
        let mut threads: Vec<i64> = of.map(|(_, ours)| *ours).collect();
        threads.sort_unstable();
        threads
    }

    /// The member runs: the ids of its stop are invalid.
    pub(crate) fn forget_stop(&mut self, key: Key) {
        self.forget(|kind, of, _| of == key && OF_A_STOP.contains(&kind));
    }

    /// One thread has ended.
    pub(crate) fn forget_thread(&mut self, number: i64) {
        self.forget(|kind, _, ours| kind == Kind::Thread && ours == number);
    }

    /// The member is gone.
    pub(crate) fn forget_member(&mut self, key: Key) {
        self.forget(|_, of, _| of == key);
    }

    fn forget(&mut self, invalid: impl Fn(Kind, Key, i64) -> bool) {
        self.ours.retain(|(kind, key, _), ours| !invalid(*kind, *key, *ours));
        self.theirs.retain(|(kind, ours), (key, _)| !invalid(*kind, *key, *ours));
    }

    /// Replaces the ids in a member's message by the actor's.
    pub(crate) fn outward(&mut self, key: Key, body: &mut Value) {
        each(body, &mut |kind, number| {
            *number = self.ours(kind, key, *number);
            Ok(())
        })
        .unwrap_or_default();
    }

    /// Replaces the ids in the actor's message by the member's. Returns the member; `None` if there
    /// is no id. Ids of two members are an error.
    pub(crate) fn inward(&self, body: &mut Value) -> Result<Option<Key>, Unknown> {
        let mut owner = None;
        each(body, &mut |kind, number| {
            let (key, theirs) = self.theirs(kind, *number)?;
            if *owner.get_or_insert(key) != key {
                return Err(Unknown { kind, number: *number });
            }
            *number = theirs;
            Ok(())
        })?;
        Ok(owner)
    }
}

/// The kind of the id under a key.
fn kind_of(key: &str) -> Option<Kind> {
    Some(match key {
        "threadId" => Kind::Thread,
        "frameId" | "stackFrameId" => Kind::Frame,
        "variablesReference" => Kind::Variables,
        "sourceReference" => Kind::Source,
        "valueLocationReference" | "declarationLocationReference" | "locationReference" => {
            Kind::Location
        }
        "targetId" => Kind::Target,
        _ => return None,
    })
}

/// The kind of the `id` of each element under a key.
fn kind_in(key: &str) -> Option<Kind> {
    Some(match key {
        "threads" => Kind::Thread,
        "stackFrames" => Kind::Frame,
        "targets" => Kind::Target,
        _ => return None,
    })
}

type Renumber<'a> = dyn FnMut(Kind, &mut i64) -> Result<(), Unknown> + 'a;

/// Calls `renumber` for every id in a body.
fn each(value: &mut Value, renumber: &mut Renumber<'_>) -> Result<(), Unknown> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| each(item, renumber)),
        Value::Object(members) => members.iter_mut().try_for_each(|(name, member)| {
            if let Some(kind) = kind_of(name) {
                return one(kind, member, renumber);
            }
            if let (Some(kind), Value::Array(items)) = (kind_in(name), &mut *member) {
                let ids = items.iter_mut().filter_map(|item| item.get_mut("id"));
                ids.into_iter().try_for_each(|id| one(kind, id, renumber))?;
            }
            each(member, renumber)
        }),
        _ => Ok(()),
    }
}

/// A reference of 0 means none; threads, frames and targets may count from 0.
fn one(kind: Kind, value: &mut Value, renumber: &mut Renumber<'_>) -> Result<(), Unknown> {
    let Some(mut number) = value.as_i64() else { return Ok(()) };
    if number == 0 && matches!(kind, Kind::Variables | Kind::Source | Kind::Location) {
        return Ok(());
    }
    renumber(kind, &mut number)?;
    *value = number.into();
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_of_two_members_differ_and_map_back() {
        let mut ids = Ids::default();
        let stack = json!({"stackFrames": [{"id": 0, "source": {"sourceReference": 7}}, {"id": 1,
            "source": {"sourceReference": 0}}]});
        let (mut first, mut second) = (stack.clone(), stack.clone());
        ids.outward(1, &mut first);
        ids.outward(2, &mut second);
        assert_eq!(first["stackFrames"][1], json!({"id": 2, "source": {"sourceReference": 0}}));
        assert_eq!(second["stackFrames"][0], json!({"id": 3, "source": {"sourceReference": 2}}));
        for (number, key) in [(2, 1), (4, 2)] {
            let mut scopes = json!({"frameId": number});
            assert_eq!(ids.inward(&mut scopes), Ok(Some(key)));
            assert_eq!(scopes, json!({"frameId": 1}));
        }
    }

    #[test]
    fn ids_of_a_stop_end_with_it_and_threads_stay() {
        let mut ids = Ids::default();
        let mut body = json!({"threadId": 0, "frameId": 5, "variablesReference": 9});
        ids.outward(1, &mut body);
        assert_eq!(body, json!({"threadId": 1, "frameId": 1, "variablesReference": 1}));
        ids.forget_stop(1);
        assert_eq!(ids.inward(&mut json!({"threadId": 1})), Ok(Some(1)));
        let unknown = Unknown { kind: Kind::Variables, number: 1 };
        assert_eq!(ids.inward(&mut json!({"variablesReference": 1})), Err(unknown));
        ids.outward(1, &mut body);
        assert_eq!(body["frameId"], 2);
    }

    #[test]
    fn ids_of_two_members_in_one_request_are_an_error() {
        let mut ids = Ids::default();
        let (one, two) = (ids.ours(Kind::Thread, 1, 0), ids.ours(Kind::Frame, 2, 0));
        let mut mixed = json!({"threadId": one, "frameId": two});
        assert!(ids.inward(&mut mixed).is_err());
        assert_eq!(ids.inward(&mut json!({"expression": "1", "variablesReference": 0})), Ok(None));
    }
}
