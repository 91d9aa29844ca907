//! What differs between the locals of two stops in the same call.
//!
//! A stop retains its locals and the first values inside them. Anything deeper is not compared.

use crate::model::{Change, Children, Compared, Epoch, Frame, LOCALS, Stop, Variable};
use crate::session::adapter::quirks::Quirks;
use crate::session::values;
use crate::session::values::reader::FrameReader;
use crate::session::values::scope::current_locals;
use crate::session::values::shadows::{Listed, Shadows};
use crate::session::values::walk;
use crate::session::{Error, values::path};

/// The value of a variable that one of the two stops lacks.
const ABSENT: &str = "(none)";

/// The stop's number and the function in focus.
pub(crate) fn place(stop: &Stop) -> (Epoch, String) {
    (stop.epoch, stop.frames.get(stop.focus).map(|frame| frame.name.clone()).unwrap_or_default())
}

/// Compares the frame's current locals, or the one that `path` names, with those of `before`.
pub(crate) async fn compare(
    target: &FrameReader<'_>,
    frame: &Frame,
    before: &Stop,
    path: Option<&str>,
) -> Result<Compared, Error> {
    let locals = current_locals(target, frame).await?;
    let (mut now, mut then) = (locals.variables, before.locals.clone());
    let mut arguments = (before.arguments.unwrap_or(0), locals.arguments.unwrap_or(0));
    // The stop may have retained only some of them: what it lacks may have been there.
    if then.len() >= LOCALS {
        let earlier = Shadows::new(Listed::new(&then, arguments.0), Listed::new(&now, arguments.1));
        let known: Vec<bool> = now.iter().map(|one| earlier.of(one).is_some()).collect();
        arguments.1 = known.iter().take(arguments.1).filter(|known| **known).count();
        let mut known = known.into_iter();
        now.retain(|_| known.next() == Some(true));
    }
    if let Some(text) = path {
        let name = local(text, [&now, &then]).map_err(|missing| match missing {
            Missing::Deeper(root) => {
                Error::Values(values::Error::NotRecorded { path: text.to_owned(), root })
            }
            Missing::Unknown(name) => {
                let near = walk::ranked(&name, &now);
                Error::Values(values::Error::NoSuchVariable {
                    parent: String::new(),
                    segment: name,
                    near,
                })
            }
        })?;
        let is_of_name = |variable: &Variable| variable.name == name;
        arguments.0 = then.iter().take(arguments.0).filter(|one| is_of_name(one)).count();
        arguments.1 = now.iter().take(arguments.1).filter(|one| is_of_name(one)).count();
        now.retain(is_of_name);
        then.retain(is_of_name);
    }
    let mut same = 0;
    let mut partly = Vec::new();
    let (then, now) = (Listed::new(&then, arguments.0), Listed::new(&now, arguments.1));
    let earlier = Shadows::new(then, now);
    for variable in now.variables {
        let Some(then) = earlier.of(variable) else { continue };
        if !variable_changes(then, variable, target.wire.quirks()).is_empty() {
            continue;
        }
        if has_more_inside(variable) {
            partly.push(variable.name.clone());
        } else {
            same += 1;
        }
    }
    let changes = all_changes(then, now, target.wire.quirks());
    Ok(Compared { frame: frame.clone(), since: before.epoch, changes, same, partly })
}

enum Missing {
    /// The path goes below a local.
    Deeper(String),
    Unknown(String),
}

/// The local that a path names.
fn local(text: &str, stops: [&[Variable]; 2]) -> Result<String, Missing> {
    match &path::parse(text)[..] {
        [one] => {
            for locals in stops {
                let names = locals.iter().map(|one| one.name.as_str());
                if let Some(at) = path::position(names, &one.key) {
                    return Ok(locals[at].name.clone());
                }
            }
            Err(Missing::Unknown(one.key.name()))
        }
        [first, ..] => Err(Missing::Deeper(first.key.name())),
        [] => Err(Missing::Unknown(text.to_owned())),
    }
}

/// Does the variable contain anything that a stop does not retain?
fn has_more_inside(variable: &Variable) -> bool {
    let retained = variable.preview.len() as u64;
    let more = match variable.children {
        Children::None => false,
        Children::Count(count) => count > retained,
        Children::Some => retained == 0,
    };
    more || variable.preview.iter().any(|inner| inner.children != Children::None)
}

/// The locals of both stops that differ, each with its first change: what a stop displays.
pub(crate) fn changes(before: Listed<'_>, now: Listed<'_>, quirks: &Quirks) -> Vec<Change> {
    let mut changes = Vec::new();
    let earlier = Shadows::new(before, now);
    for variable in now.variables {
        if let Some(then) = earlier.of(variable) {
            changes.extend(variable_changes(then, variable, quirks).into_iter().next());
        }
    }
    changes
}

/// Everything that differs, including locals that are new or gone.
fn all_changes(before: Listed<'_>, now: Listed<'_>, quirks: &Quirks) -> Vec<Change> {
    let mut changes = Vec::new();
    let earlier = Shadows::new(before, now);
    for variable in now.variables {
        match earlier.of(variable) {
            Some(then) => changes.extend(variable_changes(then, variable, quirks)),
            None => changes.push(change(&variable.name, ABSENT, &variable.value)),
        }
    }
    let later = Shadows::new(now, before);
    for then in before.variables {
        if later.of(then).is_none() {
            changes.push(change(&then.name, &then.value, ABSENT));
        }
    }
    changes
}

/// The change of the variable's own value; if that is the same, the changes inside.
fn variable_changes(then: &Variable, now: &Variable, quirks: &Quirks) -> Vec<Change> {
    if !quirks.is_same_value(&then.value, &now.value) {
        return vec![change(&now.name, &then.value, &now.value)];
    }
    let mut changes = Vec::new();
    for child in &now.preview {
        let name = child_path(&now.name, &child.name);
        match named(&then.preview, &child.name) {
            None => changes.push(change(&name, ABSENT, &child.value)),
            Some(then) if quirks.is_same_value(&then.value, &child.value) => {}
            Some(then) => changes.push(change(&name, &then.value, &child.value)),
        }
    }
    for child in &then.preview {
        if named(&now.preview, &child.name).is_none() {
            changes.push(change(&child_path(&now.name, &child.name), &child.value, ABSENT));
        }
    }
    changes
}

fn child_path(parent: &str, child: &str) -> String {
    let dot = if child.starts_with('[') { "" } else { "." };
    format!("{parent}{dot}{child}")
}

fn change(name: &str, before: &str, after: &str) -> Change {
    Change { name: name.to_owned(), before: before.to_owned(), after: after.to_owned() }
}

fn named<'a>(all: &'a [Variable], name: &str) -> Option<&'a Variable> {
    all.iter().find(|one| one.name == name)
}
