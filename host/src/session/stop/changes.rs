//! What differs between the locals of two stops in the same call.
//!
//! Of a stop the locals are kept and the first values inside them, no more: what is deeper is not
//! compared.

use dapdock_schema::Profile;

use crate::model::{Change, Children, Compared, Epoch, Frame, Stop, Variable};
use crate::session::values::frame::Target;
use crate::session::values::scope::{LOCALS, current_locals};
use crate::session::values::walk;
use crate::session::{
    Error,
    values::{convert, path},
};

/// Where one of the two has nothing of a name.
const ABSENT: &str = "(none)";

/// The stop's number and the function in focus.
pub(crate) fn place(stop: &Stop) -> (Epoch, String) {
    (stop.epoch, stop.frames.get(stop.focus).map(|frame| frame.name.clone()).unwrap_or_default())
}

/// The locals, or the one that `path` names, as they are now against those of `before`.
pub(crate) async fn compare(
    target: &Target<'_>,
    frame: &Frame,
    before: &Stop,
    path: Option<&str>,
) -> Result<Compared, Error> {
    let mut now = current_locals(target, frame).await?;
    let mut then = before.locals.clone();
    // Of a frame that has more than are kept, a local may have been left out then.
    if then.len() >= LOCALS {
        now.retain(|variable| named(&then, &variable.name).is_some());
    }
    if let Some(text) = path {
        let near = |name: &str| walk::near(name, &now);
        let name = local(text, [&now, &then]).map_err(|missing| match missing {
            Missing::Deeper(root) => Error::NotKept { path: text.to_owned(), root },
            Missing::Unknown(name) => {
                let near = near(&name);
                Error::NoSuchVariable { parent: String::new(), segment: name, near }
            }
        })?;
        now.retain(|variable| variable.name == name);
        then.retain(|variable| variable.name == name);
    }
    let profile = target.profile;
    let is_same = |one: &&Variable| {
        named(&then, &one.name).is_some_and(|then| of_one(then, one, profile).is_empty())
    };
    let same: Vec<&Variable> = now.iter().filter(is_same).collect();
    let partly: Vec<_> =
        same.iter().filter(|one| has_more_inside(one)).map(|one| one.name.clone()).collect();
    let (changes, same) = (all_changes(&then, &now, profile), same.len() - partly.len());
    Ok(Compared { frame: frame.clone(), since: before.epoch, changes, same, partly })
}

enum Missing {
    Deeper(String),
    Unknown(String),
}

/// The local that a path names.
fn local(text: &str, stops: [&[Variable]; 2]) -> Result<String, Missing> {
    match &path::parse(text)[..] {
        [one] => stops
            .iter()
            .find_map(|all| {
                path::position(all.iter().map(|one| one.name.as_str()), &one.key)
                    .map(|at| all[at].name.clone())
            })
            .ok_or_else(|| Missing::Unknown(one.key.name())),
        [first, ..] => Err(Missing::Deeper(first.key.name())),
        [] => Err(Missing::Unknown(text.to_owned())),
    }
}

/// Is there anything inside that is not kept of a stop?
fn has_more_inside(variable: &Variable) -> bool {
    let kept = variable.preview.len() as u64;
    let more = match variable.children {
        Children::None => false,
        Children::Count(count) => count > kept,
        Children::Some => kept == 0,
    };
    more || variable.preview.iter().any(|inner| inner.children != Children::None)
}

/// The locals of both that differ, each with one change, as a stop tells them.
pub(crate) fn changes(before: &[Variable], now: &[Variable], profile: &Profile) -> Vec<Change> {
    let first = |one: &Variable| of_one(named(before, &one.name)?, one, profile).into_iter().next();
    now.iter().filter_map(first).collect()
}

/// Everything that differs, what is new and what is gone included.
fn all_changes(before: &[Variable], now: &[Variable], profile: &Profile) -> Vec<Change> {
    let since = |one: &Variable| match named(before, &one.name) {
        Some(then) => of_one(then, one, profile),
        None => vec![change(&one.name, ABSENT, &one.value)],
    };
    let gone = before.iter().filter(|then| named(now, &then.name).is_none());
    let gone = gone.map(|then| change(&then.name, &then.value, ABSENT));
    now.iter().flat_map(since).chain(gone).collect()
}

/// A variable's own change; of one whose own text stayed, those of what is inside.
fn of_one(then: &Variable, now: &Variable, profile: &Profile) -> Vec<Change> {
    if !convert::same_value(&then.value, &now.value, profile) {
        return vec![change(&now.name, &then.value, &now.value)];
    }
    let inner = |name: &str, before: &str, after: &str| {
        let dot = if name.starts_with('[') { "" } else { "." };
        change(&format!("{}{dot}{name}", now.name), before, after)
    };
    let differs = now.preview.iter().filter_map(|one| match named(&then.preview, &one.name) {
        None => Some(inner(&one.name, ABSENT, &one.value)),
        Some(then) if convert::same_value(&then.value, &one.value, profile) => None,
        Some(then) => Some(inner(&one.name, &then.value, &one.value)),
    });
    let gone = then.preview.iter().filter(|one| named(&now.preview, &one.name).is_none());
    differs.chain(gone.map(|one| inner(&one.name, &one.value, ABSENT))).collect()
}

fn change(name: &str, before: &str, after: &str) -> Change {
    Change { name: name.to_owned(), before: before.to_owned(), after: after.to_owned() }
}

fn named<'a>(all: &'a [Variable], name: &str) -> Option<&'a Variable> {
    all.iter().find(|one| one.name == name)
}
